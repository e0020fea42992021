"""System scenarios: the port for systems that make games from scenarios, and scenarios from campaigns.

A scenario is a JSON file that other programs read and write too. It travels as bytes, so that a server or a
browser can use the same code. Nothing is opened or written here.
"""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.kernel.system import Sight, System


class ScenarioError(TalewrightError):
    """A file is not a scenario, or a game has none."""


@frozen
class ImportedScenario:
    """What a new game takes from a scenario."""

    title: str
    description: str
    """What it is about; players may read it."""

    language: str
    files: Mapping[str, str]
    """The text of the system's own files, by their path in the folder of the game."""

    left_out: tuple[str, ...] = ()
    """Members of the scenario that a game has no place for."""


@runtime_checkable
class HasScenarios(System, Protocol):
    """A system that reads and writes scenarios."""

    def read_scenario(self, data: bytes) -> ImportedScenario:
        """Read a scenario from the bytes of an untrusted file; raises ScenarioError."""

    def write_scenario(self, sight: Sight, *, spoilers: bool) -> Json:
        """The current state as a scenario. Without `spoilers` it contains only what the player knows."""
