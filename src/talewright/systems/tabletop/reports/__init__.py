"""Reports: what the tabletop adds to the command line, about rulebooks and about rolls.

They read a game or a campaign and change nothing.
"""
