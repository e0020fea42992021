"""Damage: hit points within bounds, conditions each once, and who is incapacitated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talewright.systems.tabletop.damage import (
    CONDITION_LENGTH_MAX,
    CONDITIONS_MAX,
    HIT_POINTS_MAX,
    Health,
    HitPoints,
    apply_damage,
    remove_conditions,
)

CONDITIONS = st.lists(st.one_of(st.sampled_from(["prone", "Prone ", "on  fire", ""]), st.text(max_size=50)))


@st.composite
def healths(draw: st.DrawFn) -> Health:
    maximum = draw(st.integers(0, 60))
    health = Health(HitPoints(draw(st.integers(0, maximum)), maximum))
    return apply_damage(health, 0, draw(CONDITIONS)).after


def test_damage_and_healing_stay_within_bounds() -> None:
    health = Health(HitPoints(7, 11))
    assert apply_damage(health, 3).after.hit_points == HitPoints(4, 11)
    fallen = apply_damage(health, 9)
    assert (fallen.after.hit_points.current, fallen.dealt, fallen.excess) == (0, 7, 2)
    assert fallen.fell
    assert not fallen.revived
    healed = apply_damage(health, -9)
    assert (healed.after.hit_points.current, healed.dealt, healed.excess) == (11, -4, 5)


def test_healing_revives_and_more_damage_does_not_fell_twice() -> None:
    down = Health(HitPoints(0, 11), ("prone",))
    again = apply_damage(down, 4)
    assert (again.fell, again.dealt, again.excess) == (False, 0, 4)
    back = apply_damage(down, -1)
    assert back.revived
    assert back.after == Health(HitPoints(1, 11), ("prone",))


def test_conditions_come_once_and_in_bounds() -> None:
    result = apply_damage(Health(HitPoints(5, 5), ("prone",)), 1, ["PRONE", " on  fire", "", "x" * 41])
    assert result.after.conditions == ("prone", "on fire")
    assert (result.added, result.refused) == (("on fire",), ("", "x" * 41))
    many = apply_damage(Health(HitPoints(5, 5)), 0, [f"hexed {number}" for number in range(25)])
    assert (len(many.after.conditions), len(many.refused)) == (20, 5)
    left = remove_conditions(result.after, ["On Fire", "asleep"])
    assert left.conditions == ("prone",)


def test_result_as_json() -> None:
    assert apply_damage(Health(HitPoints(4, 7)), 6, ["prone"]).to_json() == {
        "hp": {"current": 0, "max": 7},
        "conditions": ["prone"],
        "incapacitated": True,
        "dealt": 4,
        "excess": 2,
    }


@pytest.mark.parametrize(("current", "maximum"), [(-1, 5), (6, 5), (1, HIT_POINTS_MAX + 1)])
def test_hit_points_out_of_bounds_are_a_mistake_of_the_caller(current: int, maximum: int) -> None:
    with pytest.raises(AssertionError):
        HitPoints(current, maximum)


@given(healths(), st.lists(st.tuples(st.integers(-80, 80), CONDITIONS), max_size=8))
def test_nothing_leaves_its_bounds(health: Health, blows: list[tuple[int, list[str]]]) -> None:
    for amount, conditions in blows:
        result = apply_damage(health, amount, conditions)
        after = result.after
        assert result.before == health
        assert 0 <= after.hit_points.current <= after.hit_points.maximum == health.hit_points.maximum
        assert after.incapacitated == (after.hit_points.current == 0)
        assert not (result.fell and result.revived)
        # Every point is either dealt or in excess.
        assert abs(amount) == abs(result.dealt) + result.excess
        assert result.dealt * amount >= 0
        assert after.conditions == health.conditions + result.added
        folded = [condition.casefold() for condition in after.conditions]
        assert len(set(folded)) == len(folded) <= CONDITIONS_MAX
        assert all(0 < len(condition) <= CONDITION_LENGTH_MAX for condition in after.conditions)
        health = after
    assert remove_conditions(health, health.conditions).conditions == ()
