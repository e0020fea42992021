"""Computed slots: conditions read them, nothing stores them, and nobody writes them."""

import pytest

from talewright.kernel.conditions.conditions import parse_condition, parse_expression
from talewright.kernel.conditions.expression_tree import ExpressionError
from talewright.kernel.conditions.satisfiability import Outlook, judge_possible
from talewright.kernel.judging.move_resolution import carry_out, settle
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.judging.rulings import Refused
from talewright.kernel.slots.engine_slots import with_engine_root
from talewright.kernel.slots.slot_types import Layout, inherit
from talewright.kernel.state.state import begin
from talewright.kernel.system.system_parts import collect_computed_slots
from tests.kernel.making import Scripted, integer, make_game, make_trigger
from tests.plugs.toll import Toll

TOLL = Toll()
ROOTS = {**TOLL.slots({}), "calls": integer(0, 0, 9), "room": integer(0, 0, 9)}
LAYOUT = with_engine_root(
    Layout(
        {name: inherit(slot) for name, slot in ROOTS.items()},
        collect_computed_slots([TOLL], {"toll": {}}),
    )
)


def flood(water: int) -> dict[str, dict[str, int]]:
    return {"bridge": {"water": water}}


def test_a_condition_reads_what_is_computed() -> None:
    condition = parse_condition("bridge.freeboard <= 3 and has(bridge.dry_boards, 'high')", LAYOUT)
    assert [condition.holds(flood(water), 1) for water in range(5)] == [False, False, True, False, False]
    assert condition.reads == {("bridge", "water")}
    assert parse_expression("len(bridge.dry_boards) + 1", LAYOUT).value(flood(1), 1) == 3


def test_nothing_of_it_is_in_the_state() -> None:
    assert "freeboard" not in str(LAYOUT.defaults())
    assert LAYOUT.find(("bridge", "freeboard")) is None
    assert LAYOUT.find_readable(("bridge", "freeboard")) is not None
    assert LAYOUT.find_readable(("bridge", "water")) == LAYOUT.find(("bridge", "water"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("has(bridge.dry_boards, 'hihg')", '`hihg` is not a value of this enum Write `"high"`.'),
        ("bridge.freebord > 1", "there is no `bridge.freebord` in the state Write `bridge.freeboard`."),
        ("bridge.freeboard == 'low'", "compares values of the same type"),
        ("bridge.freeboard.deep > 1", "there is no `bridge.freeboard.deep`"),
    ],
)
def test_its_type_is_checked(text: str, told: str) -> None:
    with pytest.raises(ExpressionError) as error:
        parse_condition(text, LAYOUT)
    assert told in f"{error.value.message} {error.value.suggestion}"


@pytest.mark.parametrize(
    ("text", "outlook"),
    [
        ("bridge.freeboard > 5", Outlook.NEVER),
        ("bridge.freeboard >= 0", Outlook.ALWAYS),
        ("bridge.freeboard > 2", Outlook.UNKNOWN),
        ("has(bridge.dry_boards, 'low')", Outlook.UNKNOWN),
    ],
)
def test_what_can_ever_be_true_is_known(text: str, outlook: Outlook) -> None:
    assert judge_possible(parse_condition(text, LAYOUT).tree, LAYOUT) is outlook


def test_conditions_are_evaluated_again_when_its_sources_change() -> None:
    trigger = make_trigger(LAYOUT, "t", "bridge.freeboard < 4", Update(Op.INC, "calls", 1), once=True)
    derived = [("room", "bridge.freeboard + 1")]
    game = make_game(LAYOUT, triggers=[trigger], systems=[], derived=derived)
    raised = carry_out(game, begin(game), [Update(Op.SET, "bridge.water", 2)], "scene:a").position
    assert raised.state.read(("room",)) == 4
    assert settle(game, raised, Scripted()).position.state.read(("calls",)) == 1


def test_nobody_can_write_it() -> None:
    game = make_game(LAYOUT)
    (ruling,) = carry_out(game, begin(game), [Update(Op.SET, "bridge.freeboard", 2)], "scene:a").rulings
    assert isinstance(ruling, Refused)
