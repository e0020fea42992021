"""The API for every face: the ports for lobby, session, past, events and model setup, and their values.

No HTTP and no widgets here. Everything that leaves the engine passes through this package, which makes it for
one viewer.
"""
