"""Contract: reads model replies, one reader per dialect, into prose, Moves and choices, or Flaws.

Nothing is applied here.
"""
