"""Views of a campaign's past: history, tree, diff, blame, cost, inspection.

Everything here only reads. Continuing from an old turn is the job of a Session.
"""
