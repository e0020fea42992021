"""The story: inputs, narration, rolls and notes in one endlessly scrolling column.

Values become lines, lines become strips; only strips near the viewport are cached.
"""
