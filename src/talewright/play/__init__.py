"""The door every face uses: the ports Lobby, Session, past, news and model setup, and their values.

No HTTP and no widgets here. What leaves the engine leaves through this room, made for one viewer.
"""
