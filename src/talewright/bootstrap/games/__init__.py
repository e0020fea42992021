"""The games of this machine: which folders are listed, how they are opened, and games made from scenarios.

Only the command line names a folder; everyone else names the id of a listed game.
"""
