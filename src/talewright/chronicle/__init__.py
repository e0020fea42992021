"""Chronicle: records in one hash chain, branches and marks, the Store port, save formats.

JSON only: it does not know what a state or a turn means.
"""
