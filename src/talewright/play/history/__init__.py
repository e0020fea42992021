"""What a campaign's records say of its past: history, tree, diff, blame, cost, inspection.

Everything here reads. Whatever goes on from an old turn goes through a Session.
"""
