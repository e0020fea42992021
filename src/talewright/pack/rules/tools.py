"""Tools at hand: the moves of the systems a game switches on, by the names that trials call them by.

Whether the arguments of a trial fit its tool is not known here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from talewright.kernel.system import System, Tool
from talewright.pack.sources.game import GameSource


@dataclass(frozen=True, slots=True)
class Toolbox:
    """What can be tried in a game."""

    on: Mapping[str, Tool] = field(default_factory=dict)
    """The tools of the systems that the game switches on."""

    off: Mapping[str, str] = field(default_factory=dict)
    """Tools of the systems that are installed and not switched on, each with the system's name."""

    unsure: bool = False
    """Whether `systems` has a fault of its own, so that a tool may be missing because of it."""


def open_toolbox(game: GameSource, chosen: Iterable[System], installed: Mapping[str, System]) -> Toolbox:
    """The tools of a game."""
    on = {tool.name: tool for system in chosen for tool in system.tools()}
    off = {tool.name: name for name, system in installed.items() for tool in system.tools()}
    unsure = "systems" in game.broken or any(name not in installed for name in game.systems)
    return Toolbox(on, {tool: name for tool, name in off.items() if tool not in on}, unsure)
