"""Words of other tools: each is told with the field that it is called here."""

import pytest

from talewright.pack.schema.field_synonyms import find_meant_field
from tests.pack.making import check_fault

VARIABLES = "variables:\n- {id: hp, type: integer, max: 9}\n"
START = "- id: start\n  when: hp > 1\n  text: t\n"
CHOICES = "  choices:\n  - {label: a}\n  - {label: b}\n"

SCENES = [
    (START + CHOICES + "  - {label: c, »goto: start}\n", "next"),
    (START + CHOICES + "  - {label: c, »if: hp > 3}\n", "when"),
    (START + CHOICES + "  - {label: c, »effects: [{op: set, path: hp, value: 3}]}\n", "updates"),
    (START + CHOICES + "  - {label: c, updates: [{op: inc, »var: hp, value: 3}]}\n", "path"),
    (START + CHOICES + "  - {»name: c}\n", "label"),
    (START + CHOICES + "  - {label: c, check: {»dice: d6, at_least: 3, success: {}, failure: {}}}\n", "roll"),
    (START + CHOICES + "  - {label: c, check: {roll: d6, »dc: 3, success: {}, failure: {}}}\n", "at_least"),
    (START.replace("when", "»condition") + CHOICES + "  - {label: c}\n", "when"),
    (START.replace("text", "»body") + CHOICES + "  - {label: c}\n", "text"),
    (START + CHOICES.replace("choices", "»options") + "  - {label: c}\n", "choices"),
]


@pytest.mark.parametrize(("scene", "field"), SCENES)
def test_a_word_of_another_tool_is_told_with_ours(scene: str, field: str) -> None:
    check_fault(f"unknown-field: Write `{field}`.", VARIABLES, {"scenes/a.yaml": scene})


def test_a_trigger_has_effects_and_no_updates() -> None:
    text = "- {id: rot, when: hp > 3, »updates: [{op: dec, path: hp, value: 1}]}\n"
    check_fault("unknown-field: Write `effects`.", VARIABLES, {"triggers.yaml": text})


def test_a_variable_of_another_tool_is_told_with_our_words() -> None:
    check_fault("unknown-field: Write `default`.", "variables:\n- {id: hp, type: integer, »initial: 3}\n")
    check_fault("unknown-field: Write `max`.", "variables:\n- {id: hp, type: integer, »maximum: 3}\n")


def test_what_is_missing_goes_before_what_is_free() -> None:
    assert find_meant_field("Name", ["label"], ["id", "label"]) == "label"
    assert find_meant_field("name", [], ["id", "label"]) == "id"
    assert find_meant_field("go-to", [], ["next"]) == "next"
    assert find_meant_field("goto", [], ["label"]) == ""
    assert find_meant_field("wombat", ["label"], ["label"]) == ""
