"""The terminal face: a game table on Textual, with a lobby before it and the history behind it.

It sees `play` only; every string from there is made safe before it is drawn.
"""
