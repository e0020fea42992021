"""Reports: what a system can report about a game or a campaign, apart from playing it.

The caller prints the report; on the command line, each report is a command.
"""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json


class ReportSubject(StrEnum):
    """What a report is about."""

    GAME = "game"
    """A game folder: what the system understood of the author's files."""

    CAMPAIGN = "campaign"
    """A campaign, with all its turns."""


@frozen
class Report:
    """A report that a system offers."""

    name: str
    """The name of its command: lower-case letters, digits and hyphens."""

    summary: str
    """What it shows, in a few words, as in `show the dice of a campaign`."""

    subject: ReportSubject
    pictures: tuple[str, ...] = ()
    """The names of the pictures it can draw: lower-case letters, digits and hyphens."""

    for_author: bool = False
    """Whether it is meant for authors, so that it shows spoilers by default."""

    example: str = ""
    """A game or a campaign to show in the help, such as `goblin_road-1 --at 12`."""


@frozen
class ReportContent:
    """A finished report."""

    lines: tuple[str, ...]
    """For people."""

    data: Json = None
    """The same for programs."""

    pictures: Mapping[str, str] = field(default_factory=dict)
    """SVG by the name of the picture; none if the viewer may not see them."""
