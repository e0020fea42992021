"""Whereabouts: schedules and needs are functions of time; what play changed goes before them."""

from talewright.systems.world.people.whereabouts import find_person, list_hidden, list_visible
from tests.systems.world.making import Play

HOUR = 12
"""Ticks in an hour."""


def test_a_schedule_says_where_somebody_is() -> None:
    state = Play().state
    sera = state.people["sera"]
    # The game starts at half past four in the afternoon.
    places = [find_person(state, sera, hour * HOUR) for hour in (0, 1, 2, 9, 10, 17, 18, 26)]
    assert places == ["square", "square", "inn", "inn", "mill", "mill", "square", "inn"]


def test_a_need_returns_for_ever() -> None:
    state = Play().state
    bran = state.people["bran"]
    inside = [tick for tick in range(72 * HOUR) if find_person(state, bran, tick) == "inn"]
    assert len(inside) == 12 * HOUR
    assert {(later - tick) for tick, later in zip(inside, inside[HOUR:], strict=False)} == {6 * HOUR}


def test_a_stay_goes_before_a_schedule_and_ends() -> None:
    play = Play()
    play.go("square")
    play.go("mill", "Sera")
    here = play.state.tick
    sera = play.state.people["sera"]
    assert find_person(play.state, sera, here) == "mill"
    assert play.own["stays"]["sera"] == {"at": "mill", "until": here + 4 * HOUR}
    assert find_person(play.state, sera, here + 4 * HOUR) == "inn"


def test_hidden_people_are_here_and_not_seen() -> None:
    play = Play()
    play.chance = Never()
    play.go("cellar")
    assert [person.id for person in list_visible(play.state)] == []
    assert [person.id for person in list_hidden(play.state)] == ["ann"]


class Never:
    """The highest face, always."""

    def draw(self, sides: int, why: str = "") -> int:
        return sides
