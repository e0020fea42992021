"""What wires a host: its store, and the ways of a campaign to it and back.

Nothing here is loaded on a player's own machine.
"""
