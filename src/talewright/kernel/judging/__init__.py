"""Judging: moves in, rulings and changes out.

It knows no model and no turn; whoever proposes, the same rules hold.
"""
