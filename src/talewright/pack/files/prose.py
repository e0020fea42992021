"""Prose: Markdown files as the texts they hold, with the place of every heading.

Markdown is not rendered here; only `## ` headings are looked at, and only where a file is made of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from talewright.errors import SourcePlace
from talewright.pack.desk import Desk
from talewright.pack.faults import Code
from talewright.pack.files.nodes import shorten

_HEADING = "## "


@dataclass(frozen=True, slots=True)
class Passage:
    """One piece of prose."""

    text: str
    place: SourcePlace


def read_sections(name: str, text: str, desk: Desk) -> Mapping[str, Passage]:
    """The passages under the `## <id>` headings of a file, by id. What stands above the first is not read."""
    sections: dict[str, tuple[SourcePlace, list[str]]] = {}
    lines: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith(_HEADING):
            lines.append(line)
            continue
        heading = line[len(_HEADING) :].strip()
        lines = []
        if heading in sections:
            first = sections[heading][0].line
            desk.report(
                Code.DUPLICATE_ID,
                SourcePlace(name, number, len(_HEADING) + 1),
                f"`{shorten(heading)}` stands here twice",
                f"Delete this one or that in line {first}.",
            )
        else:
            sections[heading] = (SourcePlace(name, number, len(_HEADING) + 1), lines)
    return {
        heading: Passage("\n".join(written).strip(), place) for heading, (place, written) in sections.items()
    }
