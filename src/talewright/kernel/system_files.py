"""System files: the author's files that a system reads, and those it offers for a new game.

Values only: nothing is opened, parsed or written here.
"""

from collections.abc import Callable, Mapping

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import Fault


@frozen
class AuthorFileReader:
    """A parser for an author's file that a system reads."""

    pattern: str
    """Such as `System.md` or `System/*.md`."""

    parse: Callable[[str, str], tuple[Json, tuple[Fault, ...]]]
    """Takes the text and the file name; returns plain JSON and the faults found."""


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
