"""What a player puts into a turn, and what it does before anything is told.

Nobody is asked here.
"""
