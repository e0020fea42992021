"""YAML errors: turns PyYAML's messages into ones that an author can act on.

`yaml_reader` calls it; it reads no files itself.
"""

import re

import yaml

from talewright.errors import SourcePlace
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.yaml_slips import Slip, find_slip

DEPTH_MAX = 32
"""Levels of nested lists and mappings. Checked during parsing, because the parser recurses in C."""

NODES_MAX = 1_500_000
"""Keys and values in all files of a folder."""


class YamlLimitError(Exception):
    """A file exceeds a limit."""

    def __init__(self, parent: yaml.Node | None, *, deep: bool) -> None:
        super().__init__()
        self.parent = parent
        """The node in which the limit was exceeded."""

        self.deep = deep
        """Whether it is the limit of depth; otherwise that of the number of nodes."""


_WORDINGS = (
    ("tab", "a tab where only spaces are allowed", "Indent with spaces, not with tabs."),
    (
        "cannot start any token|node content",
        "an unquoted text cannot start with this character",
        "Put the text in quotes.",
    ),
    (
        "mapping values are not allowed",
        "this colon starts a value where none is allowed",
        "Put the text in quotes if the colon is part of it, or fix the indentation of this line.",
    ),
    (
        "could not find expected ':'",
        "this line is neither a `key: value` nor part of a text",
        "Write a colon and a space after the key, or fix the indentation of this line.",
    ),
    (
        "',' or ']'",
        "this list is not closed, or a comma is missing",
        "Close the list with `]`, or write a comma between its entries.",
    ),
    (
        "',' or '}'",
        "this mapping is not closed, or a comma is missing",
        "Close the mapping with `}`, or write a comma between its entries.",
    ),
    ("end of stream|document (indicator|separator)", "these quotes are never closed", "Close the quotes."),
    (
        "escape|hexdecimal",
        "this is not a valid escape in a double-quoted text",
        r"Write \\ for a backslash, or put the text in single quotes.",
    ),
    (
        "block scalar",
        "the text after `|` or `>` must start on the next line",
        "Start the text on the next line, or put it in quotes.",
    ),
    (
        "after a value",
        "the value has ended, but more follows on this line",
        "Put the whole text in quotes, or start a new line.",
    ),
    (
        "expected key|block mapping, expected <block end>",
        "this line does not belong to the mapping above it",
        "Fix the indentation of this line, or the quotes above it.",
    ),
    (
        "expected '-' indicator|block collection, expected <block end>",
        "this line does not belong to the list above it",
        "Start the line with `- `, or fix its indentation.",
    ),
    (
        "sequence entries are not allowed",
        "a list cannot start here",
        "Start the list on its own line, or put the text in quotes.",
    ),
)
"""A pattern for the parser's message, our message, and a suggestion."""

_OPENED = re.compile("expected ',' or|end of stream|document (indicator|separator)|expected ':'")
"""Errors that the parser notices only on a later line than the one that causes them."""

_REMEDY = "Check the indentation, quotes and colons of this line and the one above."


def report_error(name: str, text: str, error: yaml.YAMLError, fault_list: FaultList) -> None:
    """Report why a file is not valid YAML."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        fault_list.report(FaultCode.YAML_SYNTAX, SourcePlace(name), "the file is not valid YAML", _REMEDY)
        return
    said = f"{error.context}, {error.problem}" if error.context else str(error.problem)
    opening, mark = error.context_mark, error.problem_mark
    if "another document" in said:
        fault_list.report(
            FaultCode.YAML_DOCUMENTS,
            _place(name, mark),
            "a second YAML document starts here",
            "Delete the line `---`, or move this part to its own file.",
        )
    elif re.search("alias|anchor|tag", said):
        # An author who writes `*stress*` means a text, but YAML takes it for an alias.
        start = opening if opening is not None and re.search("while (scanning|parsing)", said) else mark
        _report_property(name, text, start, fault_list)
    else:
        start = mark if opening is None else opening
        slip = None if re.search("tab|escape|hexdecimal", said) else find_slip(text, start.index, mark.index)
        if slip is not None:
            _report_slip(name, text, slip, fault_list)
            return
        if opening is not None and mark.line > opening.line and _OPENED.search(said):
            mark = opening
        if text[mark.index : mark.index + 1] == "\t":
            said = "tab"
        elif "did not find expected key" in said and text[: mark.index].rpartition("\n")[2].strip():
            said = "after a value"
        worded = (words for pattern, *words in _WORDINGS if re.search(pattern, said))
        message, remedy = next(worded, (said, _REMEDY))
        fault_list.report(FaultCode.YAML_SYNTAX, _place(name, mark), message, remedy)


def _report_slip(name: str, text: str, slip: Slip, fault_list: FaultList) -> None:
    """Report a character that YAML reads differently, at that character."""
    line, column = text.count("\n", 0, slip.index) + 1, slip.index - text.rfind("\n", 0, slip.index)
    fault_list.report(FaultCode.YAML_SYNTAX, SourcePlace(name, line, column), slip.message, slip.remedy)


def _report_property(name: str, text: str, mark: yaml.Mark, fault_list: FaultList) -> None:
    """Report a malformed anchor, alias or tag."""
    first = text[mark.index : mark.index + 1]
    code, noun = FaultCode.YAML_ANCHOR, "anchors and aliases"
    if first == "!":
        code, noun = FaultCode.YAML_TAG, "tags"
    remedy = f"Put the text in quotes if it starts with `{first}`; otherwise write the value out."
    fault_list.report(code, _place(name, mark), f"YAML {noun} are not supported", remedy)


def report_limit(name: str, error: YamlLimitError, fault_list: FaultList) -> None:
    """Report which limit a file exceeds."""
    place = SourcePlace(name) if error.parent is None else _place(name, error.parent.start_mark)
    if error.deep:
        fault_list.report(
            FaultCode.YAML_TOO_DEEP,
            place,
            f"lists and mappings are nested more than {DEPTH_MAX} deep",
            "Use fewer levels.",
        )
    else:
        fault_list.report(
            FaultCode.YAML_TOO_MANY,
            place,
            f"the folder contains more than {NODES_MAX} keys and values",
            "Make the game smaller.",
        )


def _place(name: str, mark: yaml.Mark) -> SourcePlace:
    return SourcePlace(name, mark.line + 1, mark.column + 1)
