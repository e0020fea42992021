"""Compiled: what became of a game folder.

A value alone, so that a game kept in the cache is opened without the compiler.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from talewright.errors import Fault
from talewright.kernel.game import Game
from talewright.kernel.story.game_texts import Texts


@dataclass(frozen=True, slots=True)
class Compiled:
    """What became of a folder."""

    game: Game | None
    """None where there is an error among the faults."""

    texts: Mapping[str, Texts]
    """Every language on offer."""

    faults: tuple[Fault, ...]
    digest: str
    """Of the folder's bytes; empty where there was no folder."""
