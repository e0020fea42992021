"""YAML errors: where a file stops being YAML, and what helps."""

import pytest
import yaml

from talewright.pack.faults import FaultList
from talewright.pack.files.yaml_errors import report_error
from talewright.pack.files.yaml_reader import NodeBudget, compose_pure, read_yaml
from talewright.pack.files.yaml_slips import QUOTES_INSIDE
from tests.pack.making import brief

QUOTE_COLON = "Put the text in quotes if the colon is part of it, or fix the indentation of this line."
MAPPING = "Fix the indentation of this line, or the quotes above it."

CASES = {
    "quotes left open": ('a: "b\nc: d\n', "1:4", "Close the quotes."),
    "single quotes left open": ("a: 'b\nc: d\n", "1:4", "Close the quotes."),
    "quotes over documents": ('a: "b\n---\nc: d\n', "1:4", "Close the quotes."),
    "tab": ("a:\n\t- b\n", "2:1", "Indent with spaces, not with tabs."),
    "tab in a block": ("a: |\n\tb\n", "2:1", "Indent with spaces, not with tabs."),
    "colon": ("a: b: c\n", "1:5", QUOTE_COLON),
    "indented too far": ("a: b\n  c: d\n", "2:4", QUOTE_COLON),
    "indented too little": ("a:\n    b: c\n  d: e\n", "3:3", MAPPING),
    "list left open": (
        "a: [b,\nc: d\n",
        "1:4",
        "Close the list with `]`, or write a comma between its entries.",
    ),
    "list without comma": (
        "a: ['b' 'c']\n",
        "1:9",
        "Close the list with `]`, or write a comma between its entries.",
    ),
    "mapping left open": (
        "a: {b: c\nd: e\n",
        "1:4",
        "Close the mapping with `}`, or write a comma between its entries.",
    ),
    "at sign": ("a: @b\n", "1:4", "Put the text in quotes."),
    "backtick": ("a: `b`\n", "1:4", "Put the text in quotes."),
    "percent": ("a: %b\n", "1:4", "Put the text in quotes."),
    "closing brace": ("a: }\n", "1:4", "Put the text in quotes."),
    "no colon": (
        "a: b\nno pair\nc: d\n",
        "2:1",
        "Write a colon and a space after the key, or fix the indentation of this line.",
    ),
    "escape": (
        'a: "\\q"\n',
        "1:5",
        "Write \\\\ for a backslash, or put the text in single quotes.",
    ),
    "hexadecimal escape": (
        'a: "\\xqq"\n',
        "1:7",
        "Write \\\\ for a backslash, or put the text in single quotes.",
    ),
    "after the quotes": ('a: "b" c\n', "1:6", QUOTES_INSIDE['"']),
    "after the list": ("a: [b]]\n", "1:7", "Put the whole text in quotes, or start a new line."),
    "dash in a mapping": ("a: b\n- c\n", "2:1", MAPPING),
    "no dash in a list": ("- a\nb: c\n", "2:1", "Start the line with `- `, or fix its indentation."),
    "list behind a colon": (
        "a: - b\n",
        "1:4",
        "Start the list on its own line, or put the text in quotes.",
    ),
    "text behind a bar": ("a: |b\n", "1:5", "Start the text on the next line, or put it in quotes."),
    "anything else": (
        "%what\n",
        "1:6",
        "Check the indentation, quotes and colons of this line and the one above.",
    ),
}


@pytest.mark.parametrize(("text", "place", "remedy"), CASES.values(), ids=CASES)
def test_what_is_no_yaml_is_told_where_it_began(text: str, place: str, remedy: str) -> None:
    fault_list = FaultList()
    assert read_yaml("f.yaml", text, fault_list, NodeBudget()) is None
    assert [brief(fault) for fault in fault_list.faults()] == [f"f.yaml:{place} yaml-syntax: {remedy}"]


@pytest.mark.parametrize("text", [text for text, _, _ in CASES.values()], ids=CASES)
def test_the_parser_written_in_python_refuses_the_same(text: str) -> None:
    fault_list = FaultList()
    assert read_yaml("f.yaml", text, fault_list, NodeBudget(), compose_pure) is None
    (fault,) = fault_list.faults()
    assert fault.code == "yaml-syntax"


def test_an_error_without_a_mark_is_told_of_the_whole_file() -> None:
    fault_list = FaultList()
    report_error("f.yaml", "a", yaml.YAMLError("something"), fault_list)
    (fault,) = fault_list.faults()
    assert (str(fault.place), fault.message) == ("f.yaml:1:1", "the file is not valid YAML")
