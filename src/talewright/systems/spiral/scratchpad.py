"""The scratchpad: a storyteller's notes in Markdown, read and written section by section.

A section begins with a line `## Name` and goes on until the next such line. Writing one never touches
another; what stands before the first is a section without a name.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from talewright.systems.spiral.tags import fold

HEADING = "## "
DEMOTED = "#" + HEADING
CODE = "```"


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands beneath it."""

    name: str
    body: str
    """Without blank lines around it."""


def split(text: str) -> list[Section]:
    """The sections of a text, in order. Headings within a code fence are text."""
    sections: list[Section] = []
    name, lines, fenced = "", list[str](), False
    for line in text.split("\n"):
        fenced = fenced is not _is_fence(line)
        if _is_heading(line) and not fenced:
            sections.append(Section(name, "\n".join(lines).strip("\n")))
            name, lines = line[len(HEADING) :].strip(), []
        else:
            lines.append(line)
    sections.append(Section(name, "\n".join(lines).strip("\n")))
    return [section for section in sections if section.name or section.body]


def join(sections: Sequence[Section]) -> str:
    """The sections as one text."""
    parts = [
        "\n".join(filter(None, [f"{HEADING}{section.name}" if section.name else "", section.body]))
        for section in sections
    ]
    return "\n\n".join(parts) + "\n" if parts else ""


def read(text: str, name: str) -> str | None:
    """What stands in a section; None where there is no such section."""
    return next((section.body for section in split(text) if fold(section.name) == fold(name)), None)


def write(text: str, name: str, content: str, *, append: bool = False) -> str:
    """The text with one section replaced or gone on with; a section that is not there is made at the end.

    Headings in the content are brought a step lower. Its code fences must be closed: see `is_closed`.
    """
    content = _demote(content).strip("\n")
    sections = split(text)
    for index, section in enumerate(sections):
        if fold(section.name) == fold(name):
            body = "\n".join(filter(None, [section.body, content])) if append else content
            sections[index] = Section(section.name, body)
            return join(sections)
    return join([*sections, Section(name, content)])


def names(text: str) -> list[str]:
    """What the sections are called."""
    return [section.name for section in split(text) if section.name]


def is_closed(content: str) -> bool:
    """Whether every code fence that is opened is closed again."""
    return sum(map(_is_fence, content.split("\n"))) % 2 == 0


def _demote(content: str) -> str:
    lines, fenced = list[str](), False
    for line in content.split("\n"):
        fenced = fenced is not _is_fence(line)
        lines.append(DEMOTED + line[len(HEADING) :] if _is_heading(line) and not fenced else line)
    return "\n".join(lines)


def _is_heading(line: str) -> bool:
    return line.startswith(HEADING) and bool(line[len(HEADING) :].strip())


def _is_fence(line: str) -> bool:
    return line.lstrip().startswith(CODE)
