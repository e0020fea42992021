"""YAML errors: what PyYAML says of a broken file, in words an author can act on.

It reads no file; it words the errors that `yaml_reader` meets.
"""

import re

import yaml

from talewright.errors import SourcePlace
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.yaml_slips import Slip, find_slip

DEPTH_MAX = 32
"""Lists and mappings within one another. The parser recurses in C, so that this is checked while it runs."""

NODES_MAX = 1_500_000
"""Keys and values in all files of a folder together."""


class YamlLimitError(Exception):
    """A file goes beyond a limit."""

    def __init__(self, parent: yaml.Node | None, *, deep: bool) -> None:
        super().__init__()
        self.parent = parent
        """The node within which the limit was passed."""

        self.deep = deep
        """Whether it is the depth; else the number of nodes."""


_WORDINGS = (
    ("tab", "a tab stands where only spaces may", "Indent with spaces, not with tabs."),
    (
        "cannot start any token|node content",
        "no text begins with this character unless it stands in quotes",
        "Put the text in quotes.",
    ),
    (
        "mapping values are not allowed",
        "this colon begins a value where none can stand",
        "Put the text in quotes if it holds a colon, or mend the indentation of this line.",
    ),
    (
        "could not find expected ':'",
        "this line is no `key: value` and no part of a text",
        "Write a colon and a blank after the key, or mend the indentation of this line.",
    ),
    (
        "',' or ']'",
        "this list is not closed, or lacks a comma",
        "Close the list with `]`, or write a comma between its entries.",
    ),
    (
        "',' or '}'",
        "this mapping is not closed, or lacks a comma",
        "Close the mapping with `}`, or write a comma between its entries.",
    ),
    ("end of stream|document (indicator|separator)", "these quotes are never closed", "Close the quotes."),
    (
        "escape|hexdecimal",
        "this is no escape that a text in double quotes may have",
        r"Write \\ for a backslash, or put the text in single quotes.",
    ),
    (
        "block scalar",
        "after `|` and `>` nothing stands in the same line",
        "Begin the text in the next line, or put it in quotes.",
    ),
    (
        "after a value",
        "nothing can stand here, after the end of a value",
        "Put the whole text in quotes, or begin a new line.",
    ),
    (
        "expected key|block mapping, expected <block end>",
        "this line does not belong to the mapping above it",
        "Mend the indentation of this line, or the quotes above it.",
    ),
    (
        "expected '-' indicator|block collection, expected <block end>",
        "this line does not belong to the list above it",
        "Begin the line with `- `, or mend its indentation.",
    ),
    (
        "sequence entries are not allowed",
        "no list can begin here",
        "Begin the list in a line of its own, or put the text in quotes.",
    ),
)
"""A pattern for what the parser says, what that means, and what helps."""

_OPENED = re.compile("expected ',' or|end of stream|document (indicator|separator)|expected ':'")
"""What is noticed only in a later line than that where it began."""

_REMEDY = "Look at the indentation, quotes and colons of this line and the one above."


def report_error(name: str, text: str, error: yaml.YAMLError, fault_list: FaultList) -> None:
    """Tell why a file is not YAML."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        fault_list.report(FaultCode.YAML_SYNTAX, SourcePlace(name), "the file is not YAML", _REMEDY)
        return
    said = f"{error.context}, {error.problem}" if error.context else str(error.problem)
    opening, mark = error.context_mark, error.problem_mark
    if "another document" in said:
        fault_list.report(
            FaultCode.YAML_DOCUMENTS,
            _place(name, mark),
            "a second YAML document begins here",
            "Delete the line `---`, or put this part into a file of its own.",
        )
    elif re.search("alias|anchor|tag", said):
        # `*stress*` is meant as a text, and the parser stumbles over its end or finds nothing of that name.
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
    """Tell of a sign that was meant otherwise, at the sign itself."""
    line, column = text.count("\n", 0, slip.index) + 1, slip.index - text.rfind("\n", 0, slip.index)
    fault_list.report(FaultCode.YAML_SYNTAX, SourcePlace(name, line, column), slip.message, slip.remedy)


def _report_property(name: str, text: str, mark: yaml.Mark, fault_list: FaultList) -> None:
    """Tell of an anchor, an alias or a tag that is not even one."""
    first = text[mark.index : mark.index + 1]
    code, noun = FaultCode.YAML_ANCHOR, "anchors and aliases"
    if first == "!":
        code, noun = FaultCode.YAML_TAG, "tags"
    remedy = f"Put the text in quotes if it begins with `{first}`, else write the value out."
    fault_list.report(code, _place(name, mark), f"YAML {noun} are not read", remedy)


def report_limit(name: str, error: YamlLimitError, fault_list: FaultList) -> None:
    """Tell which limit a file has passed."""
    place = SourcePlace(name) if error.parent is None else _place(name, error.parent.start_mark)
    if error.deep:
        fault_list.report(
            FaultCode.YAML_TOO_DEEP,
            place,
            f"lists and mappings stand more than {DEPTH_MAX} deep in one another",
            "Write it flatter.",
        )
    else:
        fault_list.report(
            FaultCode.YAML_TOO_MANY,
            place,
            f"the folder holds more than {NODES_MAX} keys and values",
            "Make the game smaller.",
        )


def _place(name: str, mark: yaml.Mark) -> SourcePlace:
    return SourcePlace(name, mark.line + 1, mark.column + 1)
