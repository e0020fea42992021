"""System reports: what a system can tell about a game or a campaign besides play, as values.

Whoever asks for a report prints it; the command line makes a command of each.
"""

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


@frozen
class ReportContent:
    """A finished report."""

    lines: tuple[str, ...]
    """For people."""

    data: Json = None
    """The same for programs."""
