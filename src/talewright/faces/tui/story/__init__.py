"""The story: what was said, told, thrown and noted, in one column that scrolls without end.

Values become lines, lines become strips, and only what is looked at is kept drawn.
"""
