"""The HTTP face: the Lobby as an API with live events, and the guards in front of it.

It keeps nothing that another process would need to answer the next request.
"""
