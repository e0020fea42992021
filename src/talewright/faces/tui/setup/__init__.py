"""Screens by which a model is chosen or set up, and the welcome of a first run.

They keep nothing themselves; an API key passes through once, to the model chooser.
"""
