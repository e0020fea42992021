"""New game files: what a system offers for a new game, from its own rules or from a scenario.

A scenario is a JSON file that other programs read and write too. It travels as bytes, so that a server or a
browser can use the same code. Nothing is opened or written here.
"""

from collections.abc import Mapping

from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError


@frozen
class Starter:
    """Rules that a new game can start from, as `talewright new NAME --rules d20` writes them."""

    name: str
    """What to call it on the command line: lower-case letters, digits and hyphens."""

    summary: str
    """What it is, in a few words, as in `one die against a difficulty`."""

    files: Mapping[str, str]
    """The text of each file, by its path in the folder of the game.

    They are added to the small game that every new one starts from, or replace files of it. Its `game.yaml`
    then enables the system; one that replaces it must do so itself. `NAME_ID` and `NAME_TITLE` stand for the
    id and the title of the new game; the title is escaped for double quotes in YAML.
    """


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
