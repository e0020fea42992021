"""Fights: what rolls and events mean for the player, and how a fight stands above the choices.

It reads records and views; it rolls nothing.
"""
