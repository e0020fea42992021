"""YAML nodes: the values of a YAML file, each with its line and column.

Nodes are independent of YAML's syntax and of what they mean in a game.
"""

import re
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from talewright.common.json_values import Json
from talewright.errors import SourcePlace

_HIDING = re.compile(r'\\[^"/\n]')
"""Escapes in double quotes that stand for a different character."""

_BLOCKS = "|>"
_QUOTES = "'\""
_BEFORE = "&!"
"""Marks an anchor or a tag before a value; that has its own fault."""


def find_spot(written: str, text: str, index: int) -> int | None:
    """Offset in `written` of the character of `text` at `index`; None if an escape hides it."""
    style = written[:1]
    if style in _BEFORE or (style == '"' and _HIDING.search(written.replace("\\\\", ""))):
        return None
    # Folding only adds and removes spaces, so the number of visible characters stays the same.
    wanted = sum(not char.isspace() for char in text[:index])
    at_blank = not text[index : index + 1].strip()
    position = written.find("\n") + 1 if style in _BLOCKS else len(style) if style in _QUOTES else 0
    count = 0
    while position < len(written):
        size = _size(written, position, style)
        if not written[position : position + size].isspace() and written[position : position + 2] != "\\\n":
            if count == wanted and not at_blank:
                return position
            count += 1
            if count == wanted and at_blank:
                return position + size
        position += size
    return None


def _size(written: str, position: int, style: str) -> int:
    """How many characters in the file represent one character of the text."""
    doubled = style == "'" and written.startswith("''", position)
    return 2 if doubled or (style == '"' and written[position] == "\\") else 1


Plain: TypeAlias = bool | int | float | str | None

NOT_VERBATIM = -1
"""The offset of a scalar that is not in the file verbatim, because it is escaped or folded."""

SHOWN_LENGTH_MAX = 40
"""How many characters of an author's text a message quotes."""


# The classes are not frozen: a large game has half a million nodes, and frozen ones take three times as
# long to create. Nothing modifies a node after `yaml_reader` has created it.


@dataclass(slots=True, eq=False)
class ScalarNode:
    """A text, a number, a boolean or null."""

    file: str
    line: int
    column: int
    value: Plain
    text: str
    """As written, without quotes; for a text, the same as the value."""

    quoted: bool
    offset: int
    """Columns from the start of the node to its first character, or NOT_VERBATIM."""

    written: str = ""
    """The source, including quotes, if the offset is NOT_VERBATIM."""

    comment: str = ""
    """The comment on the same line after an unquoted text, with the spaces before it."""

    @property
    def place(self) -> SourcePlace:
        return SourcePlace(self.file, self.line, self.column)

    def place_at(self, index: int) -> SourcePlace:
        """The place of one character of the text; the start if an escape hides it."""
        if self.offset != NOT_VERBATIM:
            return SourcePlace(self.file, self.line, self.column + self.offset + index)
        spot = find_spot(self.written, self.text, index)
        if spot is None:
            return self.place
        lines, column = self.written.count("\n", 0, spot), spot - self.written.rfind("\n", 0, spot)
        return SourcePlace(self.file, self.line + lines, column if lines else self.column + spot)


@dataclass(slots=True, eq=False)
class ListNode:
    """A list."""

    file: str
    line: int
    column: int
    items: "list[Node]"

    @property
    def place(self) -> SourcePlace:
        return SourcePlace(self.file, self.line, self.column)


@dataclass(slots=True, eq=False)
class MapNode:
    """A mapping with unique text keys, in the order of the file."""

    file: str
    line: int
    column: int
    entries: "dict[str, Node]" = field(default_factory=dict)
    marks: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Line and column of each key."""

    @property
    def place(self) -> SourcePlace:
        return SourcePlace(self.file, self.line, self.column)

    def key_place(self, key: str) -> SourcePlace:
        """The place of a key; the start of the mapping if it has no such key."""
        line, column = self.marks.get(key, (self.line, self.column))
        return SourcePlace(self.file, line, column)

    def value_place(self, key: str) -> SourcePlace:
        """The place of a key's value; the start of the mapping if it has no such key."""
        inner = self.entries.get(key)
        return self.place if inner is None else inner.place


@dataclass(slots=True, eq=False)
class BrokenNode:
    """A value whose fault is already reported; readers skip it silently."""

    file: str
    line: int
    column: int

    @property
    def place(self) -> SourcePlace:
        return SourcePlace(self.file, self.line, self.column)


Node: TypeAlias = ScalarNode | ListNode | MapNode | BrokenNode


class BrokenError(Exception):
    """A value contains something whose fault is already reported."""


def json_of(node: Node) -> Json:
    """The node's value as JSON, without places. Raises BrokenError if it has none."""
    match node:
        case ScalarNode():
            return node.value
        case ListNode():
            return [json_of(item) for item in node.items]
        case MapNode():
            return {key: json_of(inner) for key, inner in node.entries.items()}
        case BrokenNode():
            raise BrokenError
        case _:
            assert_never(node)


def describe_node(node: Node) -> str:
    """Describe a node in a message."""
    match node:
        case ListNode():
            return "a list"
        case MapNode():
            return "a mapping"
        case ScalarNode(value=None):
            return "nothing"
        case ScalarNode(value=str() as text):
            return f'the text "{shorten(text)}"'
        case ScalarNode(value=bool()):
            return node.text.lower()
        case ScalarNode():
            return f"the number {node.text}"
        case BrokenNode():
            return "something broken"
        case _:
            assert_never(node)


def shorten(text: str) -> str:
    """Put a text on one line, truncated to SHOWN_LENGTH_MAX."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_LENGTH_MAX else f"{line[:SHOWN_LENGTH_MAX]}..."
