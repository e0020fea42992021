"""Container forms: lists, mappings with free keys, places of several shapes, and anything at all."""

import pytest

from talewright.pack.faults import FaultList
from talewright.pack.schema.container_forms import (
    AnyValueForm,
    LateForm,
    ListForm,
    ListOrOtherForm,
    MapForm,
    MarkedOrOtherForm,
)
from talewright.pack.schema.scalar_forms import Form, TextForm, UnreadableError, WholeNumberForm
from tests.pack.making import brief, read

NUMBERS = ListForm(WholeNumberForm(), 3, 1, "numbers")
LABELS = MapForm(TextForm(), 2, "[a-z]+", "labels")


def test_a_list_is_read_in_order() -> None:
    assert NUMBERS.read(read("[3, 1, 2]"), FaultList(), "field") == (3, 1, 2)


def test_a_list_goes_on_after_a_bad_element() -> None:
    fault_list = FaultList()
    assert NUMBERS.read(read("[a, 1, b]"), fault_list, "field") == (1,)
    assert [str(fault.place) for fault in fault_list.faults()] == ["f.yaml:1:2", "f.yaml:1:8"]
    assert fault_list.stumbles > 0


REFUSED: list[tuple[Form[object], str, str]] = [
    (NUMBERS, "[]", "f.yaml:1:1 bad-length: Add numbers."),
    (NUMBERS, "[1, 2, 3, 4]", "f.yaml:1:1 bad-length: Remove some."),
    (NUMBERS, "1", "f.yaml:1:1 wrong-type: Write it as a list: [1]."),
    (NUMBERS, "~", "f.yaml:1:1 wrong-type: Write [] for an empty list."),
    (NUMBERS, "{a: 1}", "f.yaml:1:1 wrong-type: Start each entry with `- `."),
    (LABELS, "{a: x, b: x, c: x}", "f.yaml:1:1 bad-length: Remove some."),
    (LABELS, "[a]", "f.yaml:1:1 wrong-type: Write a mapping of names to labels."),
]


@pytest.mark.parametrize(("form", "text", "fault"), REFUSED)
def test_what_does_not_fit_is_told(form: Form[object], text: str, fault: str) -> None:
    fault_list = FaultList()
    with pytest.raises(UnreadableError):
        form.read(read(text), fault_list, "field")
    assert [brief(one) for one in fault_list.faults()] == [fault]


def test_a_mapping_goes_on_after_a_bad_key_and_a_bad_value() -> None:
    fault_list = FaultList()
    wide = MapForm(TextForm(), 9, "[a-z]+", "labels")
    assert wide.read(read("{A: x, b: y, c: 3, d: z}"), fault_list, "field") == {"b": "y", "d": "z"}
    assert [brief(one) for one in fault_list.faults()] == [
        "f.yaml:1:2 bad-name: Use ASCII letters, digits and _.",
        'f.yaml:1:17 wrong-type: Put it in quotes: "3".',
    ]


def test_a_place_of_two_shapes_is_told_apart_by_its_look() -> None:
    form = ListOrOtherForm(NUMBERS, TextForm())
    assert form.read(read("[1]"), FaultList(), "field") == (1,)
    assert form.read(read("one"), FaultList(), "field") == "one"
    assert form.expects == "a text or a list of numbers"
    fault_list = FaultList()
    with pytest.raises(UnreadableError):
        form.read(read("1"), fault_list, "field")
    assert [fault.code for fault in fault_list.faults()] == ["wrong-type"]


def test_a_mapping_of_two_kinds_is_told_apart_by_its_fields() -> None:
    form = MarkedOrOtherForm(("a", "b"), MapForm(WholeNumberForm(), noun="numbers"), LABELS)
    assert form.read(read("{a: 1}"), FaultList(), "field") == {"a": 1}
    assert form.read(read("{b: 1, c: 2}"), FaultList(), "field") == {"b": 1, "c": 2}
    assert form.read(read("{c: one}"), FaultList(), "field") == {"c": "one"}
    assert form.expects == "a mapping of names to labels, or a mapping of names to numbers"
    fault_list = FaultList()
    with pytest.raises(UnreadableError):
        form.read(read("[a]"), fault_list, "field")
    assert [brief(one) for one in fault_list.faults()] == [f"f.yaml:1:1 wrong-type: Write {form.expects}."]
    assert form.schema({})["if"] == {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}


def test_anything_is_taken_unless_it_is_broken() -> None:
    assert AnyValueForm().read(read("{a: [1, ~, true]}"), FaultList(), "field") == {"a": [1, None, True]}
    fault_list = FaultList()
    with pytest.raises(UnreadableError):
        AnyValueForm().read(read("{a: [1, .inf]}", fault_list), fault_list, "field")
    assert [fault.code for fault in fault_list.faults()] == ["bad-number"]


def test_a_form_may_be_named_before_it_stands() -> None:
    later = LateForm(lambda: NUMBERS)
    assert later.expects == NUMBERS.expects
    assert later.read(read("[1]"), FaultList(), "field") == (1,)
    assert later.schema({}) == NUMBERS.schema({})
