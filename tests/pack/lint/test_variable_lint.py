"""Variables that nobody reads, and variables that never change."""

import pytest

from tests.pack.lint.making import codes, find
from tests.plugs.toll import Toll

BOUNDS = "type: integer, min: 0, max: 9"
UNSEEN = "card: {visible: false, prompt_weight: hidden}"


def with_variable(line: str, more: str = "") -> str:
    return f"variables:\n- {{id: x, {line}}}\n- {{id: hp, {BOUNDS}}}\n{more}"


def test_a_secret_that_no_condition_asks_for_is_told_at_its_id() -> None:
    assert find(with_variable(f"{BOUNDS}, secret: true")) == [
        "game.yaml:4:8 unread-variable: nothing uses `x`: no condition, no card, and not the storyteller"
        " | Use it in a condition, show it, or delete it."
    ]


@pytest.mark.parametrize(
    "line", [UNSEEN, f"hidden: true, {UNSEEN}", "hidden: true, card: {prompt_weight: hidden}"]
)
def test_what_is_shown_to_nobody_is_told(line: str) -> None:
    assert codes(with_variable(f"{BOUNDS}, {line}")) == ["game.yaml:4:8 unread-variable"]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "hidden: true",
        "card: {visible: false}",
        "card: {prompt_weight: hidden}",
        "hidden: true, card: {visible: false, prompt_weight: low}",
    ],
)
def test_what_player_or_storyteller_see_is_read(line: str) -> None:
    assert codes(with_variable(f"{BOUNDS}, {line}" if line else BOUNDS)) == []


def test_what_stands_in_the_status_bar_is_read() -> None:
    assert codes(with_variable(f"{BOUNDS}, {UNSEEN}", "status_bar: {items: [{var_id: x}]}\n")) == []


def test_a_condition_or_a_derived_variable_reads() -> None:
    hidden = f"{BOUNDS}, {UNSEEN}"
    assert codes(with_variable(hidden, "lose_conditions: [x > 3]\n")) == []
    assert codes(with_variable(hidden, f"- {{id: y, {BOUNDS}, derived: x}}\n")) == []


def test_members_are_told_one_by_one_at_their_keys() -> None:
    game = (
        "variables:\n- id: flags\n  type: object\n"
        f"  {UNSEEN}\n  default:\n    met: false\n    lost: false\n"
        "- id: more\n  type: object\n  fields:\n    seen: {type: boolean, secret: true}\n    told: {type: "
        "boolean}\n"
        "win_conditions: [flags.met]\n"
    )
    assert codes(game) == ["game.yaml:9:5 unread-variable", "game.yaml:13:5 unread-variable"]


def test_an_object_that_nobody_reads_is_told_once() -> None:
    game = f"variables:\n- id: flags\n  type: object\n  {UNSEEN}\n  default: {{met: false, lost: false}}\n"
    assert codes(game) == ["game.yaml:4:7 unread-variable"]


def test_what_nobody_may_write_is_told() -> None:
    assert find(with_variable(f"{BOUNDS}, rules: {{readonly: true}}")) == [
        "game.yaml:4:8 unchanging-variable: `x` never changes: nothing writes it, and the storyteller may not"
        " | Let a choice or a trigger change it, delete its `readonly`, or describe it in world.md instead."
    ]


def test_what_a_trigger_writes_changes() -> None:
    trigger = "- {id: t, when: hp > 3, once: true, effects: [{op: inc, path: x, value: 1}]}\n"
    assert codes(with_variable(f"{BOUNDS}, rules: {{readonly: true}}"), {"triggers.yaml": trigger}) == []


def test_what_is_carried_into_changes() -> None:
    game = (
        "variables:\n- id: time\n  type: object\n  fields:\n    hour: {type: integer, rules: {readonly: "
        "true}}\n"
        "    minute: {type: integer}\n    day: {type: integer, rules: {readonly: true}}\n"
    )
    assert codes(game) == ["game.yaml:9:5 unchanging-variable"]


def test_a_figure_that_a_condition_is_tuned_by_is_not_told() -> None:
    game = with_variable(f"{BOUNDS}, default: 5, rules: {{readonly: true}}", "lose_conditions: [hp > x]\n")
    assert codes(game) == []


def test_a_system_may_read_and_write_anything() -> None:
    game = with_variable(f"{BOUNDS}, secret: true", "systems: [toll]\n")
    assert codes(game, systems={"toll": Toll()}) == []


def test_a_derived_variable_that_is_always_the_same_is_told_at_its_expression() -> None:
    game = with_variable(f"{BOUNDS}, derived: 'min(hp, 0)'", "")
    assert find(game) == [
        "game.yaml:4:51 unchanging-variable: `x` is always 0 | Change the expression, or delete the variable."
    ]
    assert codes(with_variable("type: boolean, derived: hp < 0")) == ["game.yaml:4:35 unchanging-variable"]


@pytest.mark.parametrize("expression", ["hp", "min(hp, 1)", "1 + 2", "hp > 2"])
def test_a_derived_variable_that_may_change_is_not_told(expression: str) -> None:
    kind = "boolean" if ">" in expression else "integer"
    assert codes(with_variable(f"type: {kind}, derived: '{expression}'")) == []


def test_a_figure_computed_from_figures_is_one_too() -> None:
    game = with_variable(
        f"{BOUNDS}, default: 2, rules: {{readonly: true}}", "- {id: y, type: integer, derived: x + 1}\n"
    )
    assert codes(game) == []


LONG = "default: At the third bell the miller lowers the lamp"
SHORT = "default: the miller"


def test_a_long_text_that_players_must_not_read_and_the_storyteller_always_does_is_told_at_its_id() -> None:
    assert find(with_variable(f"type: string, hidden: true, {LONG}")) == [
        "game.yaml:4:8 hidden-in-prompt: players must not read `x`, but its text is in every prompt: a model "
        "is kept from quoting it, not from saying it in other words"
        " | Move the text to a lore entry with `reveal_when`. If only the rules need it, write "
        "`secret: true`."
    ]


@pytest.mark.parametrize(
    "line",
    [
        f"type: string, {LONG}",
        f"type: string, hidden: true, {SHORT}",
        "type: string, hidden: true",
        f"type: string, hidden: true, {LONG}, card: {{prompt_weight: hidden}}",
        f"type: string, secret: true, {LONG}",
    ],
)
def test_what_is_public_short_or_kept_from_the_storyteller_is_not(line: str) -> None:
    assert not [line for line in codes(with_variable(line)) if "hidden-in-prompt" in line]
