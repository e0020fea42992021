"""The screens by which a model is chosen or set up, and the welcome of a first visit.

They keep nothing themselves; a key passes through once, to the desk.
"""
