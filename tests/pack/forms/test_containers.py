"""Container forms: lists, mappings with free keys, places of several shapes, and anything at all."""

import pytest

from talewright.pack.desk import Desk
from talewright.pack.forms.containers import Anything, Kinds, Later, ListOf, MapOf, Shapes
from talewright.pack.forms.form import Form, UnreadableError
from talewright.pack.forms.scalars import Text, Whole
from tests.pack.making import brief, read

NUMBERS = ListOf(Whole(), 3, 1, "numbers")
LABELS = MapOf(Text(), 2, "[a-z]+", "labels")


def test_a_list_is_read_in_order() -> None:
    assert NUMBERS.read(read("[3, 1, 2]"), Desk(), "field") == (3, 1, 2)


def test_a_list_goes_on_after_a_bad_element() -> None:
    desk = Desk()
    assert NUMBERS.read(read("[a, 1, b]"), desk, "field") == (1,)
    assert [str(fault.place) for fault in desk.faults()] == ["f.yaml:1:2", "f.yaml:1:8"]
    assert desk.stumbles > 0


REFUSED: list[tuple[Form[object], str, str]] = [
    (NUMBERS, "[]", "f.yaml:1:1 bad-length: Add what is missing."),
    (NUMBERS, "[1, 2, 3, 4]", "f.yaml:1:1 bad-length: Take some out."),
    (NUMBERS, "1", "f.yaml:1:1 wrong-type: Write it as a list: [1]."),
    (NUMBERS, "~", "f.yaml:1:1 wrong-type: Write [] for an empty list."),
    (NUMBERS, "{a: 1}", "f.yaml:1:1 wrong-type: Begin each entry with `- `."),
    (LABELS, "{a: x, b: x, c: x}", "f.yaml:1:1 bad-length: Take some out."),
    (LABELS, "[a]", "f.yaml:1:1 wrong-type: Write a mapping of names to labels."),
]


@pytest.mark.parametrize(("form", "text", "fault"), REFUSED)
def test_what_does_not_fit_is_told(form: Form[object], text: str, fault: str) -> None:
    desk = Desk()
    with pytest.raises(UnreadableError):
        form.read(read(text), desk, "field")
    assert [brief(one) for one in desk.faults()] == [fault]


def test_a_mapping_goes_on_after_a_bad_key_and_a_bad_value() -> None:
    desk = Desk()
    wide = MapOf(Text(), 9, "[a-z]+", "labels")
    assert wide.read(read("{A: x, b: y, c: 3, d: z}"), desk, "field") == {"b": "y", "d": "z"}
    assert [brief(one) for one in desk.faults()] == [
        "f.yaml:1:2 bad-name: Write ASCII letters, digits and _.",
        'f.yaml:1:17 wrong-type: Put it in quotes: "3".',
    ]


def test_a_place_of_two_shapes_is_told_apart_by_its_look() -> None:
    form = Shapes(NUMBERS, Text())
    assert form.read(read("[1]"), Desk(), "field") == (1,)
    assert form.read(read("one"), Desk(), "field") == "one"
    assert form.expects == "a text or a list of numbers"
    desk = Desk()
    with pytest.raises(UnreadableError):
        form.read(read("1"), desk, "field")
    assert [fault.code for fault in desk.faults()] == ["wrong-type"]


def test_a_mapping_of_two_kinds_is_told_apart_by_its_fields() -> None:
    form = Kinds(("a", "b"), MapOf(Whole(), noun="numbers"), LABELS)
    assert form.read(read("{a: 1}"), Desk(), "field") == {"a": 1}
    assert form.read(read("{b: 1, c: 2}"), Desk(), "field") == {"b": 1, "c": 2}
    assert form.read(read("{c: one}"), Desk(), "field") == {"c": "one"}
    assert form.expects == "a mapping of names to labels, or a mapping of names to numbers"
    desk = Desk()
    with pytest.raises(UnreadableError):
        form.read(read("[a]"), desk, "field")
    assert [brief(one) for one in desk.faults()] == [f"f.yaml:1:1 wrong-type: Write {form.expects}."]
    assert form.schema({})["if"] == {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}


def test_anything_is_taken_unless_it_is_broken() -> None:
    assert Anything().read(read("{a: [1, ~, true]}"), Desk(), "field") == {"a": [1, None, True]}
    desk = Desk()
    with pytest.raises(UnreadableError):
        Anything().read(read("{a: [1, .inf]}", desk), desk, "field")
    assert [fault.code for fault in desk.faults()] == ["bad-number"]


def test_a_form_may_be_named_before_it_stands() -> None:
    later = Later(lambda: NUMBERS)
    assert later.expects == NUMBERS.expects
    assert later.read(read("[1]"), Desk(), "field") == (1,)
    assert later.schema({}) == NUMBERS.schema({})
