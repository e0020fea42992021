"""What follows a turn: pages for a person to read, summaries, errands of the systems, and their failures.

None of it makes a turn fail, and none of it moves a head.
"""
