"""Happenings: changes, refusals and events in words, without what is private."""

from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT
from talewright.kernel.state.state_migration import MIGRATION_REASON
from talewright.kernel.story.cards import Card, CardFormat
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.triggers import Event
from talewright.play.campaign_view import Viewer
from talewright.play.presentation.card_wording import show_cards, tell_delta
from talewright.play.presentation.change_wording import (
    fired,
    tell_cause,
    tell_change,
    tell_changes,
    tell_events,
    tell_refusals,
)
from talewright.play.presentation.value_wording import Wording
from tests.kernel.making import boolean, integer, listing, make_game, make_layout, record, string
from tests.play.presentation.test_card_wording import put
from tests.play.scenes import WORDS, room_game

GAME = room_game()
EN = Wording(Texts("en", WORDS), "en")
ZH = Wording(Texts("zh-CN", WORDS), "zh-CN")


@pytest.mark.parametrize(
    ("change", "variable", "english", "chinese"),
    [
        (put("/hp", 20, 30), "hp", "Health 20 -> 30", "Health 20 -> 30"),
        (put("/place", "home", "dock"), "place", "Place: home -> The dock", "Place：home -> The dock"),
        (put("/ties/lian", 5, 8), "ties.lian", "Ties: Lian 5 -> 8", "Ties·Lian 5 -> 8"),
        (put("/bag/0", ABSENT, "rope"), "bag", "Bag + a rope", "Bag + a rope"),
        (put("/bag/0", "rope", ABSENT), "bag", "Bag - a rope", "Bag - a rope"),
        (put("/bag/0", "coin", "rope"), "bag", "Bag: coin -> a rope", "Bag：coin -> a rope"),
        (put("/notes/a", ABSENT, "x"), "notes.a", "notes: a: x", "notes·a：x"),
        (put("/notes/a", "x", ABSENT), "notes.a", "notes: a: no longer there", "notes·a：不在了"),
        (put("/time/minute", 10, 18), "time.minute", "Time: 8 minutes later", "Time：过了 8 分钟"),
        (put("/time/minute", 10, 9), "time.minute", "Time: 1 minute earlier", "Time：倒回 1 分钟"),
        (put("/time/hour", 9, 11), "time.hour", "Time: 2 hours later", "Time：过了 2 小时"),
        (put("/time/day", 1, 2), "time.day", "Time: Day 1 -> Day 2", "Time：Day：1 -> Day：2"),
        (put("/lit", False, True), "lit", "lit: yes", "lit：是"),
    ],
)
def test_a_change_is_one_line(change: Change, variable: str, english: str, chinese: str) -> None:
    assert tell_change(GAME, change, EN).text == english
    assert tell_change(GAME, change, ZH).text == chinese
    assert tell_change(GAME, change, EN).variable == variable


def test_reasons_are_words_or_keys_of_words() -> None:
    change = replace(put("/hp", 20, 30), reason="hurt")
    assert tell_change(GAME, change, EN).text == "Health 20 -> 30 (That hurt.)"
    assert tell_change(GAME, replace(change, reason="seen\n at \x1bnight"), ZH).text == (
        "Health 20 -> 30（seen at night）"
    )
    assert tell_change(GAME, change, EN, with_reason=False).text == "Health 20 -> 30"


def _texts(viewer: Viewer, *changes: Change) -> list[str]:
    return [view.text for view in tell_changes(GAME, changes, EN, viewer)]


def test_what_is_private_leaves_no_gap() -> None:
    changes = (
        put("/plan", "a", "b"),
        put("/hp", 1, 2),
        put("/code", "a", "b"),
        put("/ties/spy", 1, 2),
        put("/_engine/scene", "", "room"),
    )
    assert _texts(Viewer.PLAYER, *changes) == ["Health 1 -> 2"]
    assert _texts(Viewer.MASTER, *changes) == ["plan: a -> b", "Health 1 -> 2", "Ties: spy 1 -> 2"]
    assert len(_texts(Viewer.AUTHOR, *changes)) == 5


def test_hour_and_minute_that_move_together_are_one_change() -> None:
    minute, hour = put("/time/minute", 50, 5), put("/time/hour", 22, 23)
    assert _texts(Viewer.PLAYER, minute, hour) == ["Time: 22:50 -> 23:05"]
    assert _texts(Viewer.PLAYER, hour, minute) == ["Time: 22:50 -> 23:05"]
    assert _texts(Viewer.PLAYER, replace(minute, cause="x"), hour) == ["Time: 22:50 -> 23:05"]
    assert _texts(Viewer.PLAYER, hour, put("/hp", 1, 2), minute) == ["Time: 22:50 -> 23:05", "Health 1 -> 2"]
    waited, carried = put("/time/minute", 50, 58), put("/time/minute", 58, 5)
    assert _texts(Viewer.PLAYER, waited, hour, carried) == ["Time: 22:50 -> 23:05"]
    assert _texts(Viewer.PLAYER, replace(waited, reason="rain"), hour, carried) == [
        "Time: 8 minutes later (rain)",
        "Time: 22:58 -> 23:05",
    ]


def test_what_moves_several_times_for_one_reason_is_told_once() -> None:
    down, further, up = put("/hp", 30, 28), put("/hp", 28, 20), put("/hp", 20, 30)
    assert _texts(Viewer.PLAYER, down, put("/place", "home", "dock"), further) == [
        "Health 30 -> 20",
        "Place: home -> The dock",
    ]
    assert _texts(Viewer.PLAYER, down, further, up) == []
    assert _texts(Viewer.PLAYER, put("/weight", 8.881784197e-16, 0)) == []
    assert _texts(Viewer.PLAYER, put("/weight", 8.881784197e-16, -0.5)) == ["weight 0 -> -0.5"]
    assert _texts(Viewer.PLAYER, down, replace(further, reason="cold")) == [
        "Health 30 -> 28",
        "Health 28 -> 20 (cold)",
    ]
    assert (
        _texts(Viewer.PLAYER, put("/bag/0", ABSENT, "rope"), put("/bag/0", ABSENT, "rope"))
        == ["Bag + a rope"] * 2
    )


def test_what_has_no_card_is_not_told_but_what_the_status_bar_shows_is() -> None:
    cards = tuple(replace(card, visible=card.variable not in ("hp", "lit")) for card in GAME.cards)
    game = replace(GAME, cards=cards)
    changes = (put("/lit", False, True), put("/hp", 1, 2), put("/place", "home", "dock"))
    told = tell_changes(game, changes, EN, Viewer.PLAYER)
    assert [view.text for view in told] == ["Health 1 -> 2", "Place: home -> The dock"]
    assert len(tell_changes(game, changes, EN, Viewer.AUTHOR)) == 3
    bare = replace(game, status_bar=())
    assert [view.variable for view in tell_changes(bare, changes, EN, Viewer.PLAYER)] == ["place"]


def test_a_computed_value_is_told_once_and_not_beside_what_it_is_computed_from() -> None:
    slots = {"lit": listing(string()), "worn": replace(integer(), hidden=True)}
    layout = make_layout({**slots, "count": integer(), "mood": integer()})
    derived = (("count", "len(lit)"), ("mood", "worn * 2"))
    cards = tuple(Card(name) for name in ("lit", "worn", "count", "mood"))
    game = replace(make_game(layout, derived=derived), cards=cards)
    changes = (
        *(put("/lit/0", ABSENT, "a"), put("/count", 0, 1), put("/worn", 1, 2), put("/mood", 2, 4)),
        *(put("/lit/1", ABSENT, "b"), put("/count", 1, 2), put("/worn", 2, 3), put("/mood", 4, 6)),
    )
    told = tell_changes(game, changes, EN, Viewer.PLAYER)
    assert [view.text for view in told] == ["lit + a", "mood 2 -> 6", "lit + b"]
    assert len(tell_changes(game, changes, EN, Viewer.AUTHOR)) == 5


def test_marks_come_and_go_by_their_names() -> None:
    marks = record(hunted=boolean(), seen=boolean(True), steps=integer())
    game = replace(make_game(make_layout({"marks": marks})), cards=(Card("marks", format=CardFormat.LIST),))
    changes = (put("/marks/hunted", False, True), put("/marks/seen", True, False))
    told = tell_changes(game, (*changes, put("/marks/steps", 1, 2)), EN, Viewer.PLAYER)
    assert [view.text for view in told] == ["marks + hunted", "marks - seen", "marks: steps 1 -> 2"]
    assert tell_delta(game, changes, ("marks",), EN) == "+hunted, -seen"
    document: dict[str, Json] = {"marks": {"hunted": True, "seen": False, "steps": 2}}
    assert show_cards(game, document, (), EN, Viewer.PLAYER)[0].lines == ("hunted", "steps: 2")
    chips = replace(game, cards=(Card("marks", format=CardFormat.CHIPS),))
    assert show_cards(chips, document, (), EN, Viewer.PLAYER)[0].lines == ("hunted, steps: 2",)
    none: dict[str, Json] = {"marks": {"hunted": False, "seen": False}}
    assert show_cards(game, none, (), EN, Viewer.PLAYER)[0].lines == ("none",)
    assert show_cards(game, none, (), ZH, Viewer.PLAYER)[0].lines == ("无",)


def test_books_of_systems_and_refits_are_no_news_for_players() -> None:
    layout = make_layout({**GAME.layout.roots, "odds": integer()})
    game = replace(GAME, layout=layout)
    changes = (put("/odds", 1, 2), replace(put("/hp", 1, 2), reason=MIGRATION_REASON))
    assert tell_changes(game, changes, EN, Viewer.PLAYER) == ()
    assert [view.variable for view in tell_changes(game, changes, EN, Viewer.OPERATOR)] == ["odds"]


def _refused(path: object, grade: str = "drop") -> Json:
    move: Json = {"op": "set", "path": path}  # type: ignore[dict-item]  # whatever a record may hold
    return {"ruling": "refused", "grade": grade, "reason": "CNRY", "move": move}


def test_refusals_are_told_without_reasons_where_the_place_is_known() -> None:
    rulings: list[Json] = [
        _refused("hp"),
        _refused("hp"),
        _refused("/bag/0"),
        _refused("plan"),
        _refused("nowhere"),
        _refused("hp", "mend"),
        _refused("a..b"),
        _refused(5),
        {"ruling": "refused", "grade": "drop", "reason": "CNRY", "move": "?"},
        {"ruling": "granted", "move": {"path": "place"}},
        "?",
    ]
    assert tell_refusals(GAME, rulings, EN, Viewer.PLAYER) == (
        "Health stays as it is: the rules did not allow the change.",
        "Bag stays as it is: the rules did not allow the change.",
    )


def test_events_of_the_engine_are_for_those_who_look_inside() -> None:
    events = (
        Event("info", "hurt", "trigger:pain"),
        Event("rumour", "They talk.\x07", "model"),
        Event("rejected_update", "plan is not yours", "engine"),
        Event("game_over", "ending.dead", "engine"),
        Event("mechanics_corrected", "rand was told as 1", "system:odds"),
        Event("info", "", "trigger:silent"),
    )
    assert tell_events(events, EN, Viewer.PLAYER) == (("That hurt.", ""), ("They talk.", ""))
    assert len(tell_events(events, EN, Viewer.AUTHOR)) == 5
    assert fired(events) == (events[0], events[5])


@pytest.mark.parametrize(
    ("cause", "english", "chinese"),
    [
        ("model", "the storyteller", "讲述者"),
        ("player", "you", "你自己"),
        ("scene:room", "a choice in a scene", "某一幕里的选择"),
        ("finale:x", "the finale", "终幕"),
        ("trigger:pain", "a rule of this world", "这个世界的规律"),
        ("system:odds", "the rules of the game", "游戏规则"),
        ("aside:a1", "what happened elsewhere", "别处发生的事"),
        ("import", "an imported save", "导入的存档"),
        ("engine", "the game itself", "游戏本身"),
        ("unheard of", "the game itself", "游戏本身"),
    ],
)
def test_causes_are_told_without_the_names_of_scenes(cause: str, english: str, chinese: str) -> None:
    assert tell_cause(cause, EN) == english
    assert tell_cause(cause, ZH) == chinese
