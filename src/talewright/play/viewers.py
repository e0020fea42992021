"""Viewers: for whom something is shown. What each may see is decided in `view` and `broadcast`."""

from enum import StrEnum


class Viewer(StrEnum):
    """A role at the table."""

    PLAYER = "player"
    MASTER = "master"
    """Whoever tells the story from outside: sees hidden things, not secret ones."""

    AUTHOR = "author"
    """Whoever wrote the game and tries it out: sees everything of the game."""

    OPERATOR = "operator"
    """Whoever runs the engine: sees everything but the secret of chance."""
