"""Memory: past turns, summary, facts, and results of background work, as a turn gets them.

No head is moved here.
"""
