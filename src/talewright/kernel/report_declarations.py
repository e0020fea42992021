"""Report declarations: the reports that a system offers, listed without loading the system.

It imports little, not even dataclasses, so that `talewright --help` starts fast.
"""

from enum import StrEnum
from typing import NamedTuple


class ReportSubject(StrEnum):
    """What a report is about."""

    GAME = "game"
    """A game folder: what the system understood of the author's files."""

    CAMPAIGN = "campaign"
    """A campaign, with all its turns."""


class Report(NamedTuple):
    """A report that a system offers."""

    name: str
    """The name of its command: lower-case letters, digits and hyphens."""

    summary: str
    """What it shows, in a few words, as in `show the dice of a campaign`."""

    subject: ReportSubject
    pictures: tuple[str, ...] = ()
    """The names of the pictures it can draw: lower-case letters, digits and hyphens."""

    for_author: bool = False
    """Whether it is meant for authors, so that it shows spoilers unless someone asks for less."""

    example: str = ""
    """A game or a campaign to show in the help, such as `goblin_road-1 --at 12`."""


NO_REPORTS: tuple[Report, ...] = ()
"""What a system without reports declares."""
