"""What is remembered: records in one hash chain, branches and marks, the Store port, save-format upgrades.

JSON only: what a state or a turn means is not known here.
"""
