"""The folder store: one readable folder per campaign; the chronicle in it is the only source of truth.

Everything else in the folder can be rebuilt from the chronicle, or a notice says that it cannot.
"""
