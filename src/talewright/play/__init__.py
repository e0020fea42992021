"""The door every face uses: Lobby, Session, View, News, and the looking back.

No HTTP and no widgets here. What leaves the engine leaves through this room, made for one viewer.
"""
