"""What of the past a turn is given: past turns, summary, facts, and results of background work.

No head is moved here.
"""
