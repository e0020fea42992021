"""What is remembered: records in one hash chain, branches and marks, the Store port, save formats.

JSON only: what a state or a turn means is not known here.
"""
