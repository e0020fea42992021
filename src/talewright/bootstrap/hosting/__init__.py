"""The wiring of a host: its nodes, workers and store, and campaign transfer to it and back.

Nothing here is loaded on a player's own machine.
"""
