"""Recovery: turns that a worker could not finish continue, and no accepted input is left waiting.

Each module treats one way in which a turn gets lost.
"""
