"""Setup screens: choose a model, set one up, and the welcome screen of the first run.

They store nothing themselves; an API key passes through once, on its way to the model chooser.
"""
