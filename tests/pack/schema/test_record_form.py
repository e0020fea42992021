"""Records: fields with forms, what is unknown, what is missing, and what is broken."""

import pytest

from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.schema.container_forms import ListForm
from talewright.pack.schema.record_form import SourceRecord, SourceRecordForm, needs, source, takes
from talewright.pack.schema.scalar_forms import Shared, TextForm, UnreadableError, WholeNumberForm
from tests.pack.making import brief, read


@source
class ThingSource(SourceRecord):
    id: str = needs(TextForm(), "Its name.")
    weight: int = needs(WholeNumberForm(0), "How heavy it is.")
    label: str = takes(TextForm(), "none", "What players read.")
    tags: tuple[str, ...] = takes(ListForm(TextForm()), (), "Words.")


def refuse_heavy(thing: ThingSource, fault_list: FaultList) -> None:
    if thing.weight > 9:
        fault_list.report(FaultCode.OUT_OF_RANGE, thing.place("weight"), "too heavy", "Write 9 or less.")


THING = SourceRecordForm(ThingSource, "an id and a weight", called="thing", check=refuse_heavy)
NAMELESS = SourceRecordForm(ThingSource, "an id and a weight")


def test_a_record_is_read_with_its_defaults_and_places() -> None:
    thing = THING.read(read("{weight: 2, id: rope}"), FaultList(), "things")
    assert (thing.id, thing.weight, thing.label, thing.tags) == ("rope", 2, "none", ())
    assert str(thing.place("id")) == "f.yaml:1:17"
    assert thing.place("label") == thing.node.place
    assert thing.broken == frozenset()


CASES = [
    ("rope", "f.yaml:1:1 wrong-type: Write a mapping with an id and a weight."),
    ("{id: rope}", "f.yaml:1:1 missing-field: Add `weight:` with a whole number of 0 or more."),
    ("{id: rope, weihgt: 2}", "f.yaml:1:12 unknown-field: Write `weight`."),
    ("{id: rope, weight: heavy}", "f.yaml:1:20 wrong-type: Write a whole number of 0 or more."),
    ("{id: rope, weight: 12}", "f.yaml:1:20 out-of-range: Write 9 or less."),
]


@pytest.mark.parametrize(("text", "fault"), CASES)
def test_a_record_that_lacks_what_it_needs_is_no_record(text: str, fault: str) -> None:
    fault_list = FaultList()
    with pytest.raises(UnreadableError):
        THING.read(read(text), fault_list, "things")
    assert [brief(one) for one in fault_list.faults()] == [fault]


def test_a_record_with_a_fault_in_a_field_it_can_do_without_is_read_and_knows_it() -> None:
    fault_list = FaultList()
    thing = THING.read(read("{id: rope, weight: 12, label: 3}"), fault_list, "things")
    assert thing.label == "none"
    assert thing.broken == {"label"}
    assert [fault.code for fault in fault_list.faults()] == ["wrong-type"], (
        "what it says as a whole is not judged"
    )


def test_a_field_of_which_a_part_is_bad_is_broken() -> None:
    thing = THING.read(read("{id: rope, weight: 1, tags: [a, 3]}"), FaultList(), "things")
    assert thing.tags == ("a",)
    assert thing.broken == {"tags"}


def test_an_unknown_field_is_told_beside_the_record() -> None:
    fault_list = FaultList()
    thing = THING.read(read("{id: rope, weight: 1, lable: a, zzz: b}"), fault_list, "things")
    assert thing.broken == {"label"}, "what was meant for it is not known to anybody"
    assert [brief(one) for one in fault_list.faults()] == [
        "f.yaml:1:23 unknown-field: Write `label`.",
        "f.yaml:1:33 unknown-field: The fields here are: id, weight, label, tags.",
    ]


def test_a_second_spelling_of_a_field_is_to_be_deleted() -> None:
    fault_list = FaultList()
    thing = THING.read(read("{id: rope, weight: 1, label: a, lable: b}"), fault_list, "things")
    assert (thing.label, thing.broken) == ("a", frozenset())
    assert [brief(one) for one in fault_list.faults()] == [
        "f.yaml:1:33 unknown-field: Delete it; `label` is already there."
    ]


def test_two_missing_fields_are_told_together() -> None:
    fault_list = FaultList()
    with pytest.raises(UnreadableError):
        THING.read(read("{label: a}"), fault_list, "things")
    (fault,) = fault_list.faults()
    assert fault.message == "this thing is missing the fields `id` and `weight`"
    assert fault.suggestion == "Add `id:` with a text and `weight:` with a whole number of 0 or more."


@pytest.mark.parametrize(
    ("record", "text", "title"),
    [
        (THING, "{id: rope}", "the thing `rope`"),
        (THING, "{label: rope}", "this thing"),
        (THING, "{id: [rope], weight: 1, x: 2}", "this thing"),
        (NAMELESS, "{id: rope}", "`field`"),
    ],
)
def test_a_message_names_the_record(record: SourceRecordForm[ThingSource], text: str, title: str) -> None:
    fault_list = FaultList()
    with pytest.raises(UnreadableError):
        record.read(read(text), fault_list, "field")
    assert any(fault.message.startswith(f"{title} ") for fault in fault_list.faults())


def test_the_schema_of_a_record_is_shared() -> None:
    shared: Shared = {}
    assert THING.schema(shared) == {"$ref": "#/$defs/Thing"}
    assert shared["Thing"] == {
        "type": "object",
        "properties": {
            "id": {"type": "string", "maxLength": 500, "pattern": r"\S", "description": "Its name."},
            "weight": {"type": "integer", "minimum": 0, "description": "How heavy it is."},
            "label": {
                "type": "string",
                "maxLength": 500,
                "pattern": r"\S",
                "description": "What players read.",
                "default": "none",
            },
            "tags": {
                "type": "array",
                "items": {"type": "string", "maxLength": 500, "pattern": r"\S"},
                "maxItems": 100,
                "description": "Words.",
            },
        },
        "additionalProperties": False,
        "required": ["id", "weight"],
    }
