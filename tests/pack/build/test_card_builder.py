"""Display read: cards, the status bar and labels."""

import pytest

from talewright.kernel.story.cards import (
    Card,
    CardFormat,
    CriticalWhen,
    PromptWeight,
    StatusItem,
    StatusStyle,
)
from tests.pack.making import check_fault, compile_game, good_game, variable

GAME = """variables:
  - {id: rope, label: Rope, type: integer, min: 0, max: 9}
  - {id: count, type: integer, min: 0}
  - {id: place, type: enum, enum_values: [rim, mill], labels: {rim: The rim}}
  - {id: time, type: object, default: {hour: 8, minute: 0}, labels: {hour: Hour}}
"""


def test_cards_are_drawn_as_their_types_suggest() -> None:
    formats = {card.variable: card.format for card in good_game(GAME + "  - {id: bag, type: list}\n").cards}
    assert formats == {
        "rope": CardFormat.BAR,
        "count": CardFormat.PLAIN,
        "place": CardFormat.PLAIN,
        "time": CardFormat.KEYVALUE,
        "bag": CardFormat.LIST,
    }


def test_a_card_says_how_it_looks() -> None:
    look = "card: {visible: false, order: 7, format: chips, prompt_weight: hidden, description: How long.}"
    compiled = compile_game(variable(f"id: rope, type: list, tags: [tool], {look}"))
    assert compiled.game is not None
    assert compiled.game.cards == (Card("rope", False, 7, CardFormat.CHIPS, PromptWeight.HIDDEN, ("tool",)),)
    assert compiled.texts["en"].entries["variable.rope.description"] == "How long."


def test_the_status_bar_is_kept_in_order() -> None:
    bar = "status_bar: {items: [{var_id: time.minute, style: meter}, {var_id: rope, style: meter, label: R,"
    bar += " show_delta: false, critical_threshold: 2, critical_when: above}]}\n"
    compiled = compile_game(GAME + bar)
    assert compiled.game is not None
    assert compiled.game.status_bar == (
        StatusItem("time.minute", StatusStyle.METER, True, None, CriticalWhen.BELOW),
        StatusItem("rope", StatusStyle.METER, False, 2, CriticalWhen.ABOVE),
    )
    assert compiled.texts["en"].entries["status.rope"] == "R"


def test_labels_go_by_value_or_member() -> None:
    entries = compile_game(GAME).texts["en"].entries
    assert entries["variable.rope"] == "Rope"
    assert entries["value.place.rim"] == "The rim"
    assert entries["variable.time.hour"] == "Hour"


@pytest.mark.parametrize(
    "line",
    [
        "type: boolean, labels: {'true': On, 'false': Off}",
        "type: list, labels: {anything: Any thing}",
        "type: string, labels: {anything: Any thing}",
        "type: list, items: {type: enum, enum_values: [a]}, labels: {a: A}",
        "type: object, open: true, values: {type: integer}, labels: {anything: Any thing}",
    ],
)
def test_what_may_stand_there_may_have_a_label(line: str) -> None:
    good_game(variable(f"id: v, {line}"))


LABELS = {
    "type: enum, enum_values: [rim, mill], labels: {»rin: Rim}": "unknown-text: Write `rim`.",
    "type: boolean, labels: {»maybe: M}": "unknown-text: The names here are: true, false.",
    "type: object, fields: {hour: {type: integer}}, labels: {»hor: Hour}": "unknown-text: Write `hour`.",
    "type: list, items: {type: enum, enum_values: [rim]}, labels: {»rin: R}": "unknown-text: Write `rim`.",
    "type: integer, labels: »[a]": "wrong-type: Write a mapping of names to texts.",
    "type: integer, card: {format: »bars}": "not-one-of: Write `bar`.",
    "type: integer, card: {»colour: red}": (
        "unknown-field: The fields here are: visible, order, format, description, prompt_weight."
    ),
}


@pytest.mark.parametrize("line", LABELS)
def test_a_mistake_in_looks_is_told(line: str) -> None:
    check_fault(LABELS[line], variable(f"id: v, {line}"))


STATUS = {
    "{var_id: »rop}": "unknown-path: Write `rope`.",
    "{var_id: rope}, {var_id: »rope}": "duplicate-id: Delete one of the two.",
    "{var_id: count, style: »meter}": "meter-without-range: Give the variable `max`, or write `style: text`.",
    "{var_id: place, style: »meter}": "meter-without-range: Write `style: text`.",
    "{var_id: place, »critical_threshold: 2}": "field-not-for-type: Delete it.",
    "{var_id: rope, style: »bar}": "not-one-of: The words here are: meter, text.",
    "»rope": "wrong-type: Write a mapping with var_id.",
    "»{label: Rope}": "missing-field: Add `var_id:` with a path such as time.minute.",
}


@pytest.mark.parametrize("item", STATUS)
def test_a_mistake_in_the_status_bar_is_told(item: str) -> None:
    check_fault(STATUS[item], f"{GAME}status_bar: {{items: [{item}]}}\n")
