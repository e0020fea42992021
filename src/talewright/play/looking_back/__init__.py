"""Looking back: what a campaign's records say of its past, for people and for proofs.

Everything here reads. Whatever goes on from an old turn goes through a Session.
"""
