"""YAML slips: characters that YAML reads differently from what the author meant, and what to write.

Commas, quotes and `#` in unquoted texts, and full-width characters. It reports nothing itself.
"""

import re
from collections.abc import Collection, Iterator

from talewright.common.frozen_values import frozen
from talewright.pack.files.yaml_nodes import ListNode, MapNode, Node, ScalarNode, shorten

_WIDE_COLONS = "：﹕"
_WIDE_BRACKETS = re.compile("[［【〔｛].*[］】〕｝]", re.DOTALL)
_DASHES = "－—–−•·"
_NAME = "[A-Za-z_][A-Za-z0-9_.-]*"
_COLON = re.compile(rf"\s*({_NAME})\s*([:{_WIDE_COLONS}])")
_WIDE_COLON = re.compile(rf"\s*(?:- +)?({_NAME})\s*[{_WIDE_COLONS}]\s*(.*)")
_WIDE_COMMA = re.compile(rf"[，﹐、]\s*{_NAME}\s*:")
_COMMENT = re.compile(r"\s#[^\n]*[\]}]")
_ENTRY = re.compile(rf"[\"']|{_NAME}\s*:\s")
"""How an entry starts when only the comma before it is missing."""

QUOTES_INSIDE = {
    "'": "Write the apostrophe twice, as in `'don''t'`, or put the whole text in double quotes.",
    '"': "Put the whole text in single quotes, or write a backslash before each double quote in it.",
}
"""What to do if a quote inside a text ended it."""


@frozen
class Slip:
    """What YAML took a character for, and what to do."""

    index: int
    """The position of the character in the file."""

    message: str
    remedy: str


def find_slip(text: str, start: int, index: int) -> Slip | None:
    """Find the slip that makes a value that starts at `start` break off at `index`; or None."""
    line_start = text.rfind("\n", 0, index) + 1
    before, line = text[line_start:index], text[line_start:].partition("\n")[0]
    above = text.rfind("\n", 0, max(0, line_start - 1)) + 1
    for begin in (line_start, above):
        found = _WIDE_COLON.match(text[begin:].partition("\n")[0])
        if found:
            position = begin + found.end(1)
            written = shorten(f"{found[1]}: {found[2]}").strip()
            return Slip(
                position,
                "this is a full-width colon, which YAML does not read as a colon",
                f"Write `{written}`, with a plain colon and a space after it.",
            )
    opened = text[start:index] if text[start : start + 1] in ("[", "{") else ""
    if opened:
        slip = _find_flow_slip(text, start, index)
        if slip is not None or _ENTRY.match(text, index):
            return slip
    return _find_quote(before, line, line_start)


def _find_flow_slip(text: str, start: int, index: int) -> Slip | None:
    """Find a slip inside `[...]` or `{...}`."""
    opened, noun = text[start:index], "list" if text[start] == "[" else "mapping"
    comment = _COMMENT.search(opened)
    if comment:
        message = f"everything after ` #` is a comment, including the end of this {noun}"
        remedy = "Put the text in quotes if the `#` belongs to it."
        return Slip(start + comment.start() + 1, message, remedy)
    wide = _WIDE_COMMA.search(text, start, text.find("\n", index) % (len(text) + 1))
    if wide and wide.start() < index:
        message = f"`{wide[0][0]}` does not separate entries in a {noun}"
        return Slip(wide.start(), message, "Write a plain comma and a space after it.")
    if opened.count("(") > opened.count(")") or text[index : index + 1] == "[":
        message = f"an unquoted comma or bracket splits a text in this {noun}"
        return Slip(index, message, "Put the whole text or condition in quotes.")
    return None


def _find_quote(before: str, line: str, line_start: int) -> Slip | None:
    """Find a quote that ended a text too early."""
    kept = before.rstrip()
    quote = kept[-1:]
    if quote not in QUOTES_INSIDE or not quote or len(kept) == len(line.rstrip()):
        return None
    return Slip(
        line_start + len(kept) - 1,
        "the text ends at this quote, but more follows",
        QUOTES_INSIDE[quote],
    )


def explain_scalar(node: Node, names: Collection[str]) -> str:
    """What to write for a text where a mapping with these fields is expected; or an empty string."""
    if not isinstance(node, ScalarNode) or not isinstance(node.value, str):
        return ""
    return explain_colon(node.text, names)


def explain_colon(written: str, names: Collection[str]) -> str:
    """What to write for `label：x` and `label:x`; an empty string for anything else."""
    found = _COLON.match(written)
    if not found or found[1] not in names:
        return ""
    rest = shorten(written[found.end() :]).strip()
    colon = "a space after the colon" if found[2] == ":" else "a plain colon and a space after it"
    return f"Write `{found[1]}: {rest}`, with {colon}."


def name_before_colon(key: str) -> str:
    """The name in `type：integer`; empty if there is none."""
    found = _COLON.match(key)
    return found[1] if found else ""


def explain_key(node: MapNode, key: str, names: Collection[str]) -> str:
    """What to write for an unknown key caused by a wrong character; empty if none is found."""
    if key[:1] in tuple(_DASHES):
        return "Start the line with a plain hyphen and a space: `- `."
    return explain_colon(key, names) or explain_comma(node, key)


def explain_comma(node: MapNode, key: str) -> str:
    """What to write if an unquoted comma turned the rest of a text into a key: `{label: Yes, but how}`."""
    inner = node.entries[key]
    line, column = node.marks[key]
    if (
        not isinstance(inner, ScalarNode)
        or inner.text
        or (inner.line, inner.column) != (line, column + len(key))
    ):
        return ""
    keys = list(node.entries)
    number = keys.index(key)
    above = node.entries[keys[number - 1]] if number else None
    if not isinstance(above, ScalarNode) or above.quoted or not isinstance(above.value, str):
        return ""
    return f'Put the whole text in quotes: `{keys[number - 1]}: "{shorten(f"{above.text}, {key}")}"`.'


def explain_no_list(node: Node) -> str:
    """What to write for a list in full-width brackets; empty for anything else."""
    if isinstance(node, ScalarNode) and _WIDE_BRACKETS.fullmatch(node.text):
        return f"Write it in plain brackets: [{shorten(node.text[1:-1])}]."
    return ""


def cut_entries(node: ListNode) -> Iterator[tuple[int, int, str]]:
    """Find texts that unquoted commas split into entries: the first, the last, and the whole text."""
    number = 0
    while number < len(node.items):
        last = _last_part(node, number)
        if last > number:
            parts = [item.text for item in node.items[number : last + 1] if isinstance(item, ScalarNode)]
            yield number, last, ", ".join(parts)
        number = last + 1


def _last_part(node: ListNode, first: int) -> int:
    """The entry that closes the parentheses that `first` leaves open; otherwise `first` itself."""
    depth = 0
    for number in range(first, len(node.items)):
        item = node.items[number]
        bare = isinstance(item, ScalarNode) and not item.quoted and item.line == node.items[first].place.line
        if not isinstance(item, ScalarNode) or not bare:
            return first
        depth += item.text.count("(") - item.text.count(")")
        if depth <= 0:
            return number if depth == 0 else first
    return first
