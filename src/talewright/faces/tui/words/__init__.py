"""The terminal face's own words, one module a part, in English and in Chinese.

What the game and the engine say comes from the views, in words already.
"""
