"""The API for every face: the ports Lobby, Session, past, news and model setup, and their values.

No HTTP and no widgets here. Everything that leaves the engine goes through this package, made for one viewer.
"""
