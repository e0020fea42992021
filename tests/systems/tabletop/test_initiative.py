"""Initiative: sorting, ties, whose turn it is, and what never changes when somebody joins or leaves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from talewright.systems.tabletop.initiative import (
    COMBATANTS_MAX,
    Combatant,
    CombatOrder,
    CombatStructure,
    join_order,
    leave_order,
    next_turn,
    read_order,
    start_order,
)

NAMES = [f"Goblin {number}" for number in range(1, 10)]
INITIATIVES = st.integers(-2, 6)


def combatants(names: list[str] = NAMES) -> st.SearchStrategy[list[Combatant]]:
    one = st.tuples(st.sampled_from(names), INITIATIVES, st.booleans(), st.integers(-1, 1))
    many = st.lists(one, min_size=1, max_size=8, unique_by=lambda row: row[0])
    return many.map(lambda rows: [Combatant(*row) for row in rows])


def fight(*names: str) -> CombatOrder:
    return start_order([Combatant(name, 20 - place) for place, name in enumerate(names)])


def test_ties_go_to_the_tie_breaker_then_to_a_player_then_to_the_first_listed() -> None:
    order = start_order(
        [
            Combatant("Wolf", 12, tie_breaker=1),
            Combatant("Rat", 12),
            Combatant("Bat", 12),
            Combatant("Mira", 12, is_player=True),
            Combatant("Gruk", 12, tie_breaker=3),
            Combatant("Slow", -1),
            Combatant("Quick", 21),
        ]
    )
    assert order.names == ("Quick", "Gruk", "Wolf", "Mira", "Rat", "Bat", "Slow")
    assert (order.round, order.current) == (1, Combatant("Quick", 21))


def test_turns_pass_round_by_round() -> None:
    order = fight("A", "B", "C")
    seen = []
    for _ in range(7):
        assert order.current
        seen.append((order.round, order.current.name))
        order = next_turn(order)
    assert seen == [(1, "A"), (1, "B"), (1, "C"), (2, "A"), (2, "B"), (2, "C"), (3, "A")]


def test_turns_skip_those_who_are_out() -> None:
    order = fight("A", "B", "C")
    assert next_turn(order, {"B"}).current == order.combatants[2]
    again = next_turn(order, {"B", "C"})
    assert (again.current_index, again.round) == (0, 2)
    assert next_turn(order, {"A", "B", "C"}) == order
    assert next_turn(CombatOrder(())) == CombatOrder(())


def test_leaving_keeps_whose_turn_it_is() -> None:
    order = next_turn(fight("A", "B", "C", "D"))
    for name, current in {"A": "B", "B": "C", "C": "B", "D": "B"}.items():
        left = leave_order(order, name)
        assert left.current
        assert (left.current.name, left.round) == (current, 1)
    assert leave_order(order, "nobody") == order


def test_leaving_last_on_the_own_turn_begins_a_round() -> None:
    order = next_turn(next_turn(fight("A", "B", "C")))
    left = leave_order(order, "C")
    assert (left.names, left.current_index, left.round) == (("A", "B"), 0, 2)
    alone = leave_order(fight("A"), "A")
    assert (alone.current, alone.current_index, alone.round) == (None, 0, 1)


def test_joining_keeps_whose_turn_it_is() -> None:
    order = next_turn(fight("A", "B", "C"))
    for initiative, names in {30: "XABC", 19: "ABXC", 1: "ABCX"}.items():
        joined = join_order(order, Combatant("X", initiative))
        assert "".join(joined.names) == names
        assert joined.current == order.current
    assert join_order(CombatOrder(()), Combatant("X", 1)).current == Combatant("X", 1)


def test_order_is_stored_with_the_names_of_the_seed() -> None:
    order = next_turn(start_order([Combatant("Mira", 14, True, 2, ("prone",)), Combatant("Gruk", 9)]))
    stored = order.to_json(CombatStructure.HYBRID)
    assert stored == {
        "active": True,
        "round": 1,
        "initiativeOrder": [
            {
                "name": "Mira",
                "initiative": 14,
                "isPlayer": True,
                "conditions": ["prone"],
                "tieBreaker": 2,
            },
            {"name": "Gruk", "initiative": 9, "isPlayer": False, "conditions": [], "tieBreaker": 0},
        ],
        "currentIndex": 1,
        "structure": "hybrid",
    }
    assert read_order(stored) == order


@given(combatants())
def test_order_is_sorted_and_complete(listed: list[Combatant]) -> None:
    order = start_order(listed)
    assert sorted(order.names) == sorted(one.name for one in listed)
    for one, other in zip(order.combatants, order.combatants[1:], strict=False):
        assert one.initiative >= other.initiative
        if one.initiative == other.initiative:
            assert one.tie_breaker >= other.tie_breaker
    assert read_order(order.to_json()) == order


@given(combatants())
def test_everybody_acts_once_a_round(listed: list[Combatant]) -> None:
    order = start_order(listed)
    seen = []
    while order.round == 1:
        assert order.current
        seen.append(order.current.name)
        order = next_turn(order)
    assert tuple(seen) == order.names


class Fight(RuleBasedStateMachine):
    """A fight beside a naive one, which keeps a list of names and the name of whoever acts."""

    @initialize(listed=combatants())
    def start(self, listed: list[Combatant]) -> None:
        self.order = start_order(listed)
        self.names = list(self.order.names)
        self.acting = self.names[0]
        self.gone: set[str] = set()

    @rule(out=st.sets(st.sampled_from(NAMES)))
    def pass_turn(self, out: set[str]) -> None:
        before = self.order
        self.order = next_turn(self.order, out)
        if self.names:
            place = self.names.index(self.acting)
            waiting = self.names[place + 1 :] + self.names[: place + 1]
            able = [name for name in waiting if name not in out]
            self.acting = able[0] if able else self.acting
        wrapped = bool(self.names) and self.names.index(self.acting) <= before.current_index
        if set(self.names) - out:
            assert self.order.round == before.round + wrapped
        else:
            assert self.order == before

    @precondition(lambda self: self.names)
    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(self.names))
        place = self.names.index(name)
        following = (self.names[place + 1 :] + self.names[:place])[:1]
        self.order = leave_order(self.order, name)
        self.names.remove(name)
        if name == self.acting:
            self.acting = following[0] if following else ""
        self.gone.add(name)

    @precondition(lambda self: len(self.names) < len(NAMES))
    @rule(data=st.data(), initiative=INITIATIVES)
    def join(self, data: st.DataObject, initiative: int) -> None:
        name = data.draw(st.sampled_from([name for name in NAMES if name not in self.names]))
        self.order = join_order(self.order, Combatant(name, initiative))
        self.names = list(self.order.names)
        self.acting = self.acting or name
        self.gone.discard(name)

    @invariant()
    def one_acts_and_nobody_who_left_stays(self) -> None:
        current = self.order.current
        assert (current.name if current else "") == self.acting
        assert list(self.order.names) == self.names
        assert not self.gone & set(self.order.names)
        assert len(set(self.order.names)) == len(self.order.names) <= COMBATANTS_MAX
        initiatives = [one.initiative for one in self.order.combatants]
        assert initiatives == sorted(initiatives, reverse=True)
        assert self.order.round >= 1


TestFight = pytest.mark.slow(Fight.TestCase)
