"""What is marked as a warning, and that it stands where the player sees it."""

from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.state.state_paths import Path
from talewright.kernel.story.cards import Card, CardFormat, StatusItem
from talewright.play.campaign_view import StatusView, Viewer
from talewright.play.presentation.card_wording import show_cards, show_status
from talewright.play.presentation.critical_values import find_critical
from talewright.play.presentation.value_wording import Wording
from tests.kernel.making import integer, make_ending, make_game, make_layout, record
from tests.play.history.campaigns import mist_harbor
from tests.play.scenes import room, room_game

EN = Wording(room().texts["en"], "en")


def small_game() -> Game:
    """Eyes that end a game at 100, a clock that ends it at 24, and a person who ends it at 5."""
    layout = make_layout(
        {
            "eyes": integer(10, 0, 100),
            "hp": integer(80, 0, 100),
            "time": record(hour=integer(20), minute=integer(10)),
            "guard": record(wary=integer(0, 0, 5), fear=replace(integer(0, 0, 5), hidden=True)),
        }
    )
    endings = [
        make_ending(layout, name, when)
        for name, when in {
            "caught": "eyes >= 100",
            "late": "time.hour >= 24",
            "bell": "guard.wary >= 5",
            "panic": "guard.fear >= 5",
            "dead": "hp <= 0",
        }.items()
    ]
    cards = (
        Card("eyes", True, 10, CardFormat.BAR),
        Card("time", True, 20, CardFormat.KEYVALUE),
        Card("guard", True, 30, CardFormat.KEYVALUE),
        Card("hp", False, 40),
    )
    return replace(
        make_game(layout, endings=endings),
        cards=cards,
        status_bar=(StatusItem("hp", critical_threshold=5),),
    )


GAME = small_game()


def mark(values: dict[str, Json], viewer: Viewer = Viewer.PLAYER) -> tuple[Path, ...]:
    return find_critical(GAME, {**GAME.initial, **values}, 3, viewer)


def test_the_endings_mark_what_comes_near_them() -> None:
    assert mark({}) == ()
    assert mark({"eyes": 93}) == (("eyes",),)
    assert mark({"eyes": 93, "time": {"hour": 23, "minute": 5}}) == (("eyes",), ("time", "hour"))


def test_the_threshold_of_the_author_comes_first() -> None:
    # By the ending alone it would be marked from 16 on.
    assert mark({"hp": 10}) == ()
    assert mark({"hp": 5}) == (("hp",),)


def test_what_is_hidden_marks_nothing() -> None:
    guard: dict[str, Json] = {"guard": {"wary": 0, "fear": 4}}
    assert mark(guard) == ()
    assert mark(guard, Viewer.AUTHOR) == (("guard", "fear"),)


def show(values: dict[str, Json]) -> tuple[StatusView, ...]:
    document = {**GAME.initial, **values}
    critical = find_critical(GAME, document, 3, Viewer.PLAYER)
    return show_status(GAME, document, (), EN, Viewer.PLAYER, critical)


def test_a_critical_card_comes_into_the_status_bar() -> None:
    assert [item.label for item in show({})] == ["Life"]
    assert show({"eyes": 93})[1:] == (StatusView("eyes", "93/100", "", True, 93, 0, 100, "eyes"),)


def test_a_part_of_a_card_comes_with_its_name_and_an_hour_with_its_clock() -> None:
    assert show({"guard": {"wary": 4, "fear": 0}})[1:] == (
        StatusView("guard: wary", "4/5", "", True, 4, 0, 5, "guard.wary"),
    )
    assert show({"time": {"hour": 23, "minute": 5}})[1:] == (
        StatusView("Time", "23:05", "", True, variable="time", hour=23 + 5 / 60),
    )


def test_what_stands_in_the_bar_already_is_marked_there() -> None:
    game = replace(GAME, status_bar=(StatusItem("time"),))
    document = {**game.initial, "time": {"hour": 23, "minute": 5}}
    critical = find_critical(game, document, 3, Viewer.PLAYER)
    assert show_status(game, document, (), EN, Viewer.PLAYER, critical) == (
        StatusView("Time", "23:05", "", True, variable="time", hour=23 + 5 / 60),
    )


def test_the_card_is_marked_too() -> None:
    document = {**GAME.initial, "eyes": 93, "guard": {"wary": 4, "fear": 0}}
    critical = find_critical(GAME, document, 3, Viewer.PLAYER)
    cards = show_cards(GAME, document, (), EN, Viewer.PLAYER, critical)
    assert {card.variable: card.critical for card in cards} == {"eyes": True, "time": False, "guard": True}


def test_a_value_that_is_no_number_is_not_judged() -> None:
    assert find_critical(room_game(), {**room_game().initial, "hp": None}, 1, Viewer.PLAYER) == (
        ("ties", "lian"),
    )


@pytest.mark.parametrize(("suspicion", "expected"), [(50, False), (81, False), (93, True), (100, True)])
def test_suspicion_in_mist_harbor(suspicion: int, expected: bool) -> None:
    """The case that was reported: 93 of 100 stood nowhere, and 100 ended the game."""
    game = mist_harbor().game
    critical = find_critical(game, {**game.initial, "suspicion": suspicion}, 9, Viewer.PLAYER)
    assert (("suspicion",) in critical) is expected
