"""The engine's own words for players, a file for each language.

Which of them is due is decided where it is said.
"""
