"""Exposures: what a player will read of a ruling, and what stays between the rules and the storyteller."""

from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.kernel.judging.moves import Call, End, Op, Update
from talewright.kernel.judging.rulings import (
    Decision,
    Errand,
    Grade,
    Granted,
    Option,
    Refused,
    Ruling,
    Waiting,
)
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT
from talewright.kernel.story.triggers import Event
from talewright.turn.hidden_texts import list_changed, list_exposed, list_named
from tests.kernel.making import integer, listing, make_game, make_layout, opened, record, string

GAME = make_game(
    make_layout(
        {
            "mood": string(),
            "plan": replace(string(), hidden=True),
            "plot": replace(string(), secret=True),
            "guest": record(face=string(), motive=replace(string(), hidden=True)),
            "notes": opened(string()),
            "ties": opened(replace(integer(), hidden=True)),
            "bag": listing(string()),
        }
    )
)
CALL = Call("cast", {"words": "asked"}, "c1")


def exposed(ruling: Ruling, *events: Event) -> list[str]:
    return list(list_exposed(GAME, ruling, events))


def change(path: str, value: Json, reason: str = "why") -> Change:
    return Change("replace", path, value, "before", reason, "model")


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (change("/mood", "calm"), ["mood", "mood", "why", "calm"]),
        (change("/plan", "to leave"), []),
        (change("/plot", "the heron"), []),
        (change("/guest/motive", "gold"), []),
        (change("/guest/face", "old"), ["guest", "face", "guest.face", "why", "old"]),
        (
            change("/guest", {"face": "old", "motive": "gold"}),
            ["guest", "guest", "why", "face", "old"],
        ),
        (change("/notes/a page", "x"), ["notes", "a page", 'notes["a page"]', "why", "x"]),
        (change("/bag/0", "rope"), ["bag", "0", "bag.0", "why", "rope"]),
        (change("/ties", {"lian": 3}), ["ties", "ties", "why"]),
        (Change("remove", "/bag/0", ABSENT, "rope", "lost", "model"), ["bag", "0", "bag.0", "lost"]),
        (change("/_engine/ending", "rich"), []),
    ],
)
def test_a_change_shows_what_is_open_of_it(made: Change, words: list[str]) -> None:
    found = exposed(Granted(End("rich"), (made,)))
    assert [word for word in found if "a page" not in word] == [
        word for word in words if "a page" not in word
    ]
    assert ("a page" in found) is ("a page" in words)


@pytest.mark.parametrize(
    ("made", "texts"),
    [
        (change("/mood", "calm"), [("calm", False), ("before", False)]),
        (change("/plan", "to leave"), [("to leave", True), ("before", True)]),
        (change("/plot", "the heron"), [("the heron", True), ("before", True)]),
        (change("/guest/motive", "gold"), [("gold", True), ("before", True)]),
        (
            change("/guest", {"face": "old", "motive": "gold", "hat": "red", "age": 9}),
            [("old", False), ("gold", True), ("red", True), ("before", False)],
        ),
        (change("/bag", ["rope", "salt"]), [("rope", False), ("salt", False), ("before", False)]),
        (change("/gone", {"by": ["sea"]}), [("sea", True), ("before", True)]),
        (change("/ties/lian", 3), [("before", True)]),
        (Change("remove", "/plan", ABSENT, "to leave", "lost", "model"), [("to leave", True)]),
        (Change("add", "/notes/a", "x", ABSENT, "why", "model"), [("x", False)]),
        (change("/_engine/summary", "It rained."), []),
    ],
)
def test_texts_of_a_change_are_seen_or_hidden(made: Change, texts: list[tuple[str, bool]]) -> None:
    assert list(list_changed(GAME, [made])) == texts
    assert list(list_changed(GAME, [made, made])) == texts * 2


def test_an_update_shows_its_place_whatever_became_of_it() -> None:
    def refused(path: str) -> list[str]:
        return exposed(Refused(Update(Op.SET, path, "asked", "asked"), Grade.DROP, "no"))

    assert refused("mood") == ["mood", "mood"]
    assert refused("/notes/a") == ["notes", "a", "notes.a"]
    assert refused("plan") == refused("plot") == refused("nowhere") == refused("") == refused("a..b") == []
    assert refused("/ties/lian") == []


def test_a_call_shows_what_stands_beside_its_dice_and_what_it_reports() -> None:
    result: Json = {"text": "bones", "skill": "luck", "difficulty": "hard", "note": "hush", "total": 3}
    told = Event("info", "It rattles.", "system:oracle")
    own = Event("rejected_update", "no", "engine")
    assert exposed(Granted(CALL, (), result), told, own) == ["It rattles.", "bones", "luck", "hard"]
    assert exposed(Granted(CALL, (), {"text": 3, "skill": None})) == []
    assert exposed(Granted(CALL, (), {"text": "bones", "hidden": True})) == []
    assert exposed(Granted(CALL, (), "bones")) == []
    assert exposed(Refused(CALL, Grade.MEND, "no"), told) == ["It rattles."]
    assert exposed(Granted(End("rich")), told) == []


def test_words_of_a_caller_are_told_from_those_of_a_system() -> None:
    call = Call(
        "cast", {"words": " npc.lian.secret.", "tags": ["world", {"deep": "intro"}], "intro": 3}, "c1"
    )
    told = Event("info", "npc.lian.secret", "system:oracle"), Event("info", "toll.paid", "system:oracle")
    made = change("/mood", "world"), change("/plan", "intro", "intro"), change("/guest/face", "old", "intro")
    granted = Granted(call, made, {"text": "world", "skill": "luck"})
    assert list(list_named(GAME, granted, told)) == ["npc.lian.secret", "world", "intro", "world"]
    card = Decision("d", "world", (Option("y", "intro"), Option("n", "No")), ("4 or more",))
    assert list(list_named(GAME, Waiting(call, card))) == ["world", "intro"]
    assert list(list_named(GAME, Granted(Update(Op.SET, "mood", "world"), made))) == []


def test_a_card_shows_all_its_words() -> None:
    card = Decision("d", "Roll?", (Option("y", "Yes"), Option("n", "No")), ("4 or more",))
    assert exposed(Waiting(CALL, card)) == ["Roll?", "4 or more", "Yes", "No"]
    assert exposed(Waiting(CALL, Errand("e", "Who?", {}))) == []
