"""The scratchpad: a narrator's hidden notes in Markdown, read and written by section.

A section starts with a line `## Name` and continues until the next such line. Writing one never changes
another; text before the first is a section without a name. No player ever sees it.
"""

from collections.abc import Sequence

from talewright.common.frozen_values import frozen
from talewright.common.json_values import quote_value
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.judging.rulings import mend
from talewright.kernel.system import Grant
from talewright.systems.spiral.moves.spiral_arguments import SpiralArguments
from talewright.systems.spiral.slots import NAME_LENGTH_MAX, OWN, SCRATCHPAD_LENGTH_MAX
from talewright.systems.spiral.spiral_state import SpiralState
from talewright.systems.spiral.tags import fold, to_line

SECTION_LENGTH_MAX = 6_000

HEADING = "## "
DEMOTED = "#" + HEADING
CODE = "```"


@frozen
class ScratchpadSection:
    """A heading and the text below it."""

    name: str
    body: str
    """Without blank lines around it."""


def split_sections(text: str) -> list[ScratchpadSection]:
    """The sections of a text, in order. Headings within a code fence are text."""
    sections: list[ScratchpadSection] = []
    name, lines, fenced = "", list[str](), False
    for line in text.split("\n"):
        fenced = fenced is not _is_fence(line)
        if _is_heading(line) and not fenced:
            sections.append(ScratchpadSection(name, "\n".join(lines).strip("\n")))
            name, lines = line[len(HEADING) :].strip(), []
        else:
            lines.append(line)
    sections.append(ScratchpadSection(name, "\n".join(lines).strip("\n")))
    return [section for section in sections if section.name or section.body]


def join_sections(sections: Sequence[ScratchpadSection]) -> str:
    """The sections as one text."""
    parts = [
        "\n".join(filter(None, [f"{HEADING}{section.name}" if section.name else "", section.body]))
        for section in sections
    ]
    return "\n\n".join(parts) + "\n" if parts else ""


def read_section(text: str, name: str) -> str | None:
    """The text of a section; None if there is no such section."""
    return next((section.body for section in split_sections(text) if fold(section.name) == fold(name)), None)


def write_section(text: str, name: str, content: str, *, append: bool = False) -> str:
    """The text with one section replaced or extended; a missing section is added at the end.

    Headings in the content are lowered by one level. Its code fences must be closed: see `has_closed_fences`.
    """
    content = _demote(content).strip("\n")
    sections = split_sections(text)
    for index, section in enumerate(sections):
        if fold(section.name) == fold(name):
            body = "\n".join(filter(None, [section.body, content])) if append else content
            sections[index] = ScratchpadSection(section.name, body)
            return join_sections(sections)
    return join_sections([*sections, ScratchpadSection(name, content)])


def section_names(text: str) -> list[str]:
    """The names of the sections."""
    return [section.name for section in split_sections(text) if section.name]


def has_closed_fences(content: str) -> bool:
    """Whether every opened code fence is closed."""
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


READ, WRITE, APPEND = "read", "write", "append"
OPERATIONS = (READ, WRITE, APPEND)
TOOL = "scratchpad"


def use_scratchpad(said: SpiralArguments, standing: SpiralState) -> Grant:
    """Read or write a section, or the whole scratchpad."""
    operation = said.choice("operation", OPERATIONS)
    section = _read_name(said)
    text = str(standing.own["scratchpad"])
    if operation == READ:
        return Grant(result={"content": _read(text, section)})
    content = _read_content(said)
    if section:
        whole = write_section(text, section, content, append=operation == APPEND)
    else:
        whole = _write_whole(text, content, append=operation == APPEND)
    _measure(whole)
    result = (read_section(whole, section) or "") if section else whole
    return Grant((Update(Op.SET, f"{OWN}.scratchpad", whole),), {"content": result})


def _read_name(said: SpiralArguments) -> str:
    """The section named in a call; empty means the whole scratchpad."""
    value = said.members.get("section")
    if value is None:
        return ""
    if not isinstance(value, str):
        raise mend(
            f"{TOOL}: `section` is the name of a section, or null for the whole; not {quote_value(value)}"
        )
    name = to_line(value).lstrip("# ")
    if len(name) > NAME_LENGTH_MAX:
        raise mend(f"{TOOL}: the name of a section has at most {NAME_LENGTH_MAX} characters")
    return name


def _read(text: str, section: str) -> str:
    if not section:
        return text
    found = read_section(text, section)
    if found is None:
        there = ", ".join(f"`{name}`" for name in section_names(text)) or "none yet"
        raise mend(f"{TOOL}: there is no section {quote_value(section)}; there is {there}")
    return found


def _read_content(said: SpiralArguments) -> str:
    value = said.members.get("content")
    if not isinstance(value, str):
        raise mend(f"{TOOL} needs `content`: the Markdown to write, a text, not {quote_value(value)}")
    lines = value.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    content = "\n".join("".join(c for c in line if c == "\t" or ord(c) >= ord(" ")) for line in lines)
    if not has_closed_fences(content):
        raise mend(f"{TOOL}: a code fence ({CODE}) is opened and not closed; close it")
    return content


def _write_whole(text: str, content: str, *, append: bool) -> str:
    joined = f"{text.rstrip()}\n\n{content}" if append and text.strip() else content
    return join_sections(split_sections(joined))


def _measure(whole: str) -> None:
    if len(whole) > SCRATCHPAD_LENGTH_MAX:
        raise mend(
            f"{TOOL}: the whole has at most {SCRATCHPAD_LENGTH_MAX} characters, this would make "
            f"{len(whole)}; "
            "write a section anew, shorter, or prune `Resolved`"
        )
    seen: set[str] = set()
    for section in split_sections(whole):
        if len(section.body) > SECTION_LENGTH_MAX:
            raise mend(
                f"{TOOL}: a section has at most {SECTION_LENGTH_MAX} characters, `{section.name}` would have "
                f"{len(section.body)}; write it anew, shorter"
            )
        if section.name and fold(section.name) in seen:
            raise mend(
                f"{TOOL}: the section `{section.name}` stands there twice; name it as `section` instead"
            )
        seen.add(fold(section.name))
