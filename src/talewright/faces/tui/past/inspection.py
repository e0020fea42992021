"""The record of a turn as lines to read and to search.

Pure: parts in, lines and places out; every string is made safe here.
"""

import json
from collections.abc import Sequence

from textual.content import Content

from talewright.faces.tui.safety import safe, safe_line
from talewright.faces.tui.words.past import PastWords
from talewright.play.campaign_past import InspectionPart

LINES_SHOWN_MAX = 1_000
"""Lines of one part that are shown; `talewright inspect` prints them all."""

FOUND = "reverse"


def name_part(part: InspectionPart, words: PastWords) -> str:
    """What a part is called."""
    return words.parts.get(part.name, safe_line(part.name))


def read_lines(part: InspectionPart, raw: bool, words: PastWords) -> tuple[str, ...]:
    """The lines of a part in words, or as they are recorded where that is kept."""
    if raw and part.raw is not None:
        text = json.dumps(part.raw, indent=2, ensure_ascii=False)
    else:
        text = "\n".join(part.lines)
    lines = safe(text).split("\n") if text else [words.empty]
    more = len(lines) - LINES_SHOWN_MAX
    return (*lines[:LINES_SHOWN_MAX], *((words.left_out.format(count=more),) if more > 0 else ()))


def mark(line: str, sought: str) -> Content:
    """A line, with what is sought in it marked."""
    content, low, wanted = Content(line), line.casefold(), sought.casefold()
    # Folding may change a length (such as of ß); then the line is found, but nothing in it is marked.
    if not wanted or len(low) != len(line):
        return content
    at = low.find(wanted)
    while at >= 0:
        content = content.stylize(FOUND, at, at + len(wanted))
        at = low.find(wanted, at + len(wanted))
    return content


def find_lines(lines: Sequence[str], sought: str) -> tuple[int, ...]:
    """The lines in which something stands, whatever the case."""
    wanted = sought.casefold()
    return tuple(at for at, line in enumerate(lines) if wanted in line.casefold()) if wanted else ()


def step_to(found: Sequence[int], at: int, step: int) -> int:
    """Which of the found lines comes next from a line on, around the end; the place within `found`."""
    if step > 0:
        return next((place for place, line in enumerate(found) if line >= at), 0)
    return next((place for place in range(len(found) - 1, -1, -1) if found[place] <= at), len(found) - 1)
