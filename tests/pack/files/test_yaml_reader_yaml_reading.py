"""YAML reading: core types with their places, and everything refused that data does not need."""

import time
import tracemalloc

import pytest

from talewright.pack.faults import FaultList
from talewright.pack.files.yaml_errors import DEPTH_MAX, NODES_MAX
from talewright.pack.files.yaml_nodes import (
    BrokenError,
    BrokenNode,
    ListNode,
    MapNode,
    Node,
    ScalarNode,
    json_of,
)
from talewright.pack.files.yaml_reader import NodeBudget, compose, compose_pure, read_yaml
from tests.pack.making import brief, read

BOMB_SECONDS_MAX = 0.5
BOMB_BYTES_MAX = 8 * 2**20


def test_values_are_read_by_the_core_schema() -> None:
    text = """
no: no
on: on
time: 22:30
date: 2024-01-02
quoted: "3"
single: 'true'
number: 3
float: 1.5
truth: true
nothing: ~
empty:
list: [1, two, [3]]
map: {a: 1, b: {c: d}}
block: |
  one
   two
folded: >-
  one
  two
"""
    assert json_of(read(text)) == {
        "no": "no",
        "on": "on",
        "time": "22:30",
        "date": "2024-01-02",
        "quoted": "3",
        "single": "true",
        "number": 3,
        "float": 1.5,
        "truth": True,
        "nothing": None,
        "empty": None,
        "list": [1, "two", [3]],
        "map": {"a": 1, "b": {"c": "d"}},
        "block": "one\n two\n",
        "folded": "one two",
    }


def test_keys_are_texts_whatever_they_look_like() -> None:
    assert json_of(read("{1: a, true: b, ~: c, 'x y': d, 井: e}")) == {
        "1": "a",
        "true": "b",
        "~": "c",
        "x y": "d",
        "井": "e",
    }


def test_places_count_from_one_and_by_characters() -> None:
    node = read("井边: [枯, {a: b}]\nnext:\n  - c\n")
    assert isinstance(node, MapNode)
    assert str(node.key_place("井边")) == "f.yaml:1:1"
    assert str(node.value_place("井边")) == "f.yaml:1:5"
    inner = node.entries["井边"]
    assert isinstance(inner, ListNode)
    assert [str(item.place) for item in inner.items] == ["f.yaml:1:6", "f.yaml:1:9"]
    assert str(node.value_place("next")) == "f.yaml:3:3"
    assert node.value_place("absent") == node.key_place("absent") == node.place


def test_a_scalar_knows_whether_it_was_quoted() -> None:
    node = read("[a, 'b', \"c\", |\n d\n]".replace("|\n d\n", "e"))
    assert isinstance(node, ListNode)
    assert [item.quoted for item in node.items if isinstance(item, ScalarNode)] == [False, True, True, False]


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n", "\n\n"])
def test_an_empty_file_is_a_scalar_of_nothing(text: str) -> None:
    node = read(text)
    assert isinstance(node, ScalarNode)
    assert (node.value, node.text) == (None, "")


REFUSED = {
    "anchor": ("a: &x 1\n", "f.yaml:1:4 yaml-anchor"),
    "anchor of a list": ("a: &x [1]\n", "f.yaml:1:4 yaml-anchor"),
    "anchor of a key": ("&x a: 1\n", "f.yaml:1:1 yaml-anchor"),
    "alias": ("a: &x 1\nb: *x\n", "f.yaml:1:4 yaml-anchor"),
    "alias of nothing": ("a: *x\n", "f.yaml:1:4 yaml-anchor"),
    "alias within itself": ("a: &x [*x]\n", "f.yaml:1:4 yaml-anchor"),
    "stress": ("a: *x*\n", "f.yaml:1:4 yaml-anchor"),
    "anchor twice": ("a: &x 1\nb: &x 2\n", "f.yaml:2:4 yaml-anchor"),
    "tag": ("a: !x 1\n", "f.yaml:1:4 yaml-tag"),
    "standard tag": ("a: !!int '1'\n", "f.yaml:1:4 yaml-tag"),
    "verbatim tag": ("a: !<tag:x> 1\n", "f.yaml:1:4 yaml-tag"),
    "unknown handle": ("a: !e!x 1\n", "f.yaml:1:4 yaml-tag"),
    "python tag": ("a: !!python/object/apply:os.system ['true']\n", "f.yaml:1:4 yaml-tag"),
    "tag of a key": ("!x a: 1\n", "f.yaml:1:1 yaml-tag"),
    "merge": ("a: {<<: {b: 1}, c: 2}\n", "f.yaml:1:5 yaml-merge"),
    "second document": ("a: 1\n---\nb: 2\n", "f.yaml:2:1 yaml-documents"),
    "double key": ("a: 1\nb: 2\na: 3\n", "f.yaml:3:1 duplicate-key"),
    "double key in other words": ("{a: 1, 'a': 2}\n", "f.yaml:1:8 duplicate-key"),
    "mapping as a key": ("a: {{b}}\n", "f.yaml:1:5 key-not-text"),
    "list as a key": ("? [a, b]\n: c\nd: e\n", "f.yaml:1:3 key-not-text"),
    "block as a key": ("? - a\n: c\nd: e\n", "f.yaml:1:3 key-not-text"),
    "number": ("a: .inf\n", "f.yaml:1:4 bad-number"),
    "escaped control character": ('a: "b\\x07"\n', "f.yaml:1:4 control-character"),
    "escaped null": ('a: "\\0"\n', "f.yaml:1:4 control-character"),
    "escaped line separator": ('a: "\\L"\n', "f.yaml:1:4 control-character"),
}


@pytest.mark.parametrize(("text", "fault"), REFUSED.values(), ids=REFUSED)
def test_what_data_does_not_need_is_refused_once(text: str, fault: str) -> None:
    for composer in (compose, compose_pure):
        fault_list = FaultList()
        read_yaml("f.yaml", text, fault_list, NodeBudget(), composer)
        assert [brief(one).partition(": ")[0] for one in fault_list.faults()] == [fault]


def test_quoted_signs_are_plain_texts() -> None:
    text = "{a: '&x', b: '*x', c: '!x', '<<': '<<', d: a&b, e: a*b!}"
    assert json_of(read(text)) == {"a": "&x", "b": "*x", "c": "!x", "<<": "<<", "d": "a&b", "e": "a*b!"}


def test_the_first_of_two_keys_counts() -> None:
    assert json_of(read("a: 1\na: 2\n", FaultList())) == {"a": 1}


def test_a_tagged_scalar_is_broken_and_what_an_anchor_names_is_read() -> None:
    node = read("{a: !x 1, b: &y 2, c: !z [3]}", FaultList())
    assert isinstance(node, MapNode)
    assert isinstance(node.entries["a"], BrokenNode)
    assert json_of(node.entries["b"]) == 2
    assert json_of(node.entries["c"]) == [3]
    with pytest.raises(BrokenError):
        json_of(node)


def test_a_mapping_of_which_nothing_is_left_is_broken() -> None:
    node = read("{a: {{b}}, c: {<<: {d: 1}}, e: {}}", FaultList())
    assert isinstance(node, MapNode)
    kinds = [type(inner) for inner in node.entries.values()]
    assert kinds == [BrokenNode, BrokenNode, MapNode]


def make_bomb(levels: int) -> str:
    """Each line names the one above ten times: unfolded it is ten times as large for every line."""
    lines = ["a0: &a0 [lol]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join(lines) + "\n"


HOSTILE = {
    "billion laughs": make_bomb(20),
    "many aliases": "a: &a b\nc: [" + "*a, " * 20_000 + "]\n",
    "brackets": "[" * 100_000,
    "braces": "{" * 100_000,
    "brackets closed": "[" * 50_000 + "]" * 50_000,
    "dashes": "- " * 50_000 + "a",
    "questions": "? " * 50_000 + "a",
    "indentation": "".join(" " * n + "a:\n" for n in range(600)),
    "digits": "a: " + "9" * 100_000,
    "long key": "a" * 200_000 + ": 1\n",
    "quotes": "'" * 99_999,
    "hashes": "#" * 200_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_bomb_costs_little(text: str) -> None:
    fault_list = FaultList()
    tracemalloc.start()
    started = time.process_time()
    read_yaml("f.yaml", text, fault_list, NodeBudget())
    seconds = time.process_time() - started
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # Looking at memory makes everything several times slower; the limit holds even so.
    assert seconds < BOMB_SECONDS_MAX * 4
    assert peak < BOMB_BYTES_MAX


def test_lists_stand_as_deep_as_the_limit_says() -> None:
    # The innermost list is one node beneath the others.
    fits, too_deep = ("[" * depth + "]" * depth for depth in (DEPTH_MAX, DEPTH_MAX + 1))
    assert json_of(read(fits)) is not None
    fault_list = FaultList()
    assert read_yaml("f.yaml", too_deep, fault_list, NodeBudget()) is None
    (fault,) = fault_list.faults()
    assert brief(fault) == f"f.yaml:1:{DEPTH_MAX} yaml-too-deep: Use fewer levels."


def test_values_are_counted_over_all_files() -> None:
    budget = NodeBudget(left=8)
    fault_list = FaultList()
    assert read_yaml("a.yaml", "[1, 2, 3]", fault_list, budget) is not None
    assert budget.left == 4
    assert read_yaml("b.yaml", "{a: 1, b: 2}", fault_list, budget) is None
    (fault,) = fault_list.faults()
    assert brief(fault) == "b.yaml:1:1 yaml-too-many: Make the game smaller."
    assert str(NODES_MAX) in fault.message


def test_a_limit_passed_by_the_root_itself_has_the_place_of_the_file() -> None:
    fault_list = FaultList()
    assert read_yaml("a.yaml", "a: 1", fault_list, NodeBudget(left=0)) is None
    assert [str(fault.place) for fault in fault_list.faults()] == ["a.yaml:1:1"]


def look(node: Node) -> object:
    """All of a node, places included."""
    match node:
        case ScalarNode():
            return (node.place, node.value, node.text, node.quoted, node.offset, node.written)
        case ListNode():
            return (node.place, [look(item) for item in node.items])
        case MapNode():
            return (node.place, node.marks, {key: look(inner) for key, inner in node.entries.items()})
        case BrokenNode():
            return (node.place, "broken")


AGREEING = [
    "a: [1, 'b', \"c\\n\", {d: e}]\n",
    "井: |\n  边\n  坊\n枯: >-\n  a\n\n  b\n",
    "- - - a\n",
    "[]",
    "a",
]


@pytest.mark.parametrize("text", AGREEING)
def test_both_parsers_give_the_same_nodes(text: str) -> None:
    fast = read_yaml("f.yaml", text, FaultList(), NodeBudget())
    pure = read_yaml("f.yaml", text, FaultList(), NodeBudget(), compose_pure)
    assert fast is not None
    assert pure is not None
    assert look(fast) == look(pure)
