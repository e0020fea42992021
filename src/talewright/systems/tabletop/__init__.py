"""Tabletop: role-playing with a rulebook in Markdown, honest dice, and fights that keep their order.

Rules are read leniently and results are computed from dice that somebody else rolled.
"""
