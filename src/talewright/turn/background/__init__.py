"""Work after a turn: pages for people to read, summaries, errands of systems, and their failures.

None of it can fail a turn or move a head.
"""
