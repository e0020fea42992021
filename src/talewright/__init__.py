"""Talewright: games told by a language model that never owns the truth."""

__version__ = "0.3.0.dev0"
