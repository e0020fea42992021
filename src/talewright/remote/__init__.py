"""A Lobby over HTTP: plays campaigns on a server with the same ports as on this machine.

It decides nothing about the game: everything it shows was made by the server.
"""
