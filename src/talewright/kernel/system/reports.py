"""Reports: what a system can report about a game or a campaign, apart from playing it.

The caller prints the report; on the command line, each report is a command.
"""

from collections.abc import Mapping
from dataclasses import field

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json


@frozen
class ReportContent:
    """A finished report."""

    lines: tuple[str, ...]
    """For people."""

    data: Json = None
    """The same for programs."""

    pictures: Mapping[str, str] = field(default_factory=dict)
    """SVG by the name of the picture; none if the viewer may not see them."""
