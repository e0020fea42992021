"""Firing: which entries come up, which do not, and why."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from talewright.kernel.state.state import Position, begin
from talewright.kernel.story.cast import Lore, LoreLogic
from talewright.kernel.story.game_texts import Texts
from talewright.llm.token_estimate import estimate_tokens
from talewright.prompt.lore.lore_selection import (
    LORE_TOKENS_MAX,
    RECURSION_MAX,
    TOLD,
    LoreQuery,
    LoreReason,
    LoreVerdict,
    select_lore,
)
from tests.kernel.making import integer, make_game, make_layout, maybe

LAYOUT = make_layout({"hp": integer(9)})
HOLDS = maybe(LAYOUT, "hp == 9")
FAILS = maybe(LAYOUT, "hp == 8")
TURN = 1
"""Of the position that everything is heard at."""


class Book:
    """Entries with their words."""

    def __init__(self) -> None:
        self.lore: list[Lore] = []
        self.entries: dict[str, str] = {}
        self.lists: dict[str, tuple[str, ...]] = {}

    def put(
        self, name: str, *keys: str, secondary: tuple[str, ...] = (), text: str = "", **parts: Any
    ) -> "Book":
        self.lore.append(Lore(name, **parts))
        self.entries[f"lore.{name}.text"] = text or f"About {name}."
        self.lists[f"lore.{name}.keys"] = keys
        self.lists[f"lore.{name}.secondary_keys"] = secondary
        return self

    def position(self) -> Position:
        return begin(replace(make_game(LAYOUT), lore=tuple(self.lore)))

    def hear(self, *words: str, **parts: Any) -> dict[str, LoreVerdict]:
        game = replace(make_game(LAYOUT), lore=tuple(self.lore))
        texts = Texts("en", self.entries, self.lists)
        verdicts = select_lore(game, texts, begin(game), LoreQuery(words, **parts))
        assert sorted(verdict.entry for verdict in verdicts) == sorted(entry.id for entry in self.lore)
        return {verdict.entry: verdict for verdict in verdicts}

    def told(self, *words: str, **parts: Any) -> list[str]:
        return [name for name, verdict in self.hear(*words, **parts).items() if verdict.why in TOLD]


def put(name: str = "e", *keys: str, **parts: Any) -> Book:
    return Book().put(name, *keys, **parts)


def test_a_key_in_the_newest_words() -> None:
    book = put("e", "heron", "pell")
    assert book.hear("I greet Pell.")["e"] == LoreVerdict("e", LoreReason.KEY, "pell", "About e.")
    assert book.hear("", "A heron waits.")["e"].detail == "heron"
    assert book.hear("I wait.")["e"] == LoreVerdict("e", LoreReason.UNMENTIONED)


@pytest.mark.parametrize(
    ("logic", "text", "told"),
    [
        (LoreLogic.ANY_AND_ANY, "heron", False),
        (LoreLogic.ANY_AND_ANY, "heron toll", True),
        (LoreLogic.ANY_AND_ANY, "toll bridge", False),
        (LoreLogic.ANY_AND_ALL, "heron toll", False),
        (LoreLogic.ANY_AND_ALL, "heron toll bridge", True),
        (LoreLogic.ANY_AND_NONE, "heron", True),
        (LoreLogic.ANY_AND_NONE, "heron toll", False),
    ],
)
def test_secondary_keys(logic: LoreLogic, text: str, told: bool) -> None:
    book = put("e", "heron", secondary=("toll", "bridge"), logic=logic)
    assert bool(book.told(text)) is told


def test_how_keys_are_looked_for() -> None:
    assert put("e", "cough", whole_words=False).told("He coughed")
    assert not put("e", "Cough", case_sensitive=True).told("a cough")
    assert put("e", "co.gh", regex=True).told("He coughed")
    assert put("e", "heron", secondary=(r"\d",), regex=True).told("heron 4")


def test_conditions() -> None:
    assert put("e", when=HOLDS).hear("x")["e"].why is LoreReason.CONDITION
    assert put("e", when=FAILS).hear("x")["e"].why is LoreReason.UNMENTIONED
    # With keys, the condition narrows them.
    assert put("e", "heron", when=HOLDS).hear("x")["e"].why is LoreReason.UNMENTIONED
    assert put("e", "heron", when=HOLDS).hear("heron")["e"].why is LoreReason.KEY
    assert put("e", "heron", when=FAILS).hear("heron")["e"].why is LoreReason.UNMENTIONED


def test_what_is_withheld_is_not_told_whatever_calls_for_it() -> None:
    assert put("e", "heron", reveal_when=FAILS, constant=True).hear("heron")["e"].why is LoreReason.WITHHELD
    assert put("e", "heron", reveal_when=HOLDS).hear("heron")["e"].why is LoreReason.KEY


def test_constant_entries() -> None:
    assert put("e", constant=True).hear("x")["e"] == LoreVerdict("e", LoreReason.FROZEN)
    assert put("e", constant=True, when=HOLDS).hear("x")["e"].why is LoreReason.CONSTANT
    assert put("e", constant=True, when=FAILS).hear("x")["e"].why is LoreReason.UNMENTIONED
    assert put("e", constant=True, reveal_when=HOLDS).hear("x")["e"].why is LoreReason.CONSTANT


def test_an_entry_in_view_is_not_told_again() -> None:
    book = put("e", "heron")
    assert book.hear("heron", in_view=frozenset({"e"}))["e"] == LoreVerdict("e", LoreReason.IN_VIEW)
    # Of one that stays for a while it is known when it was mentioned last.
    sticky = put("e", "heron", sticky=3)
    assert sticky.hear("heron", in_view=frozenset({"e"}))["e"] == LoreVerdict(
        "e", LoreReason.IN_VIEW, "heron"
    )
    assert sticky.hear("x", in_view=frozenset({"e"}))["e"] == LoreVerdict("e", LoreReason.IN_VIEW)


@pytest.mark.parametrize(
    ("told_at", "why"),
    [(TURN, LoreReason.STICKY), (TURN - 2, LoreReason.STICKY), (TURN - 3, LoreReason.UNMENTIONED)],
)
def test_an_entry_stays_for_some_turns(told_at: int, why: LoreReason) -> None:
    verdict = put("e", "heron", sticky=3).hear("x", told_at={"e": told_at})["e"]
    assert (verdict.why, verdict.text) == (why, "About e." if why is LoreReason.STICKY else "")


@pytest.mark.parametrize(("told_at", "why"), [(TURN - 2, LoreReason.RESTING), (TURN - 3, LoreReason.KEY)])
def test_an_entry_rests_for_some_turns(told_at: int, why: LoreReason) -> None:
    assert put("e", "heron", cooldown=3).hear("heron", told_at={"e": told_at})["e"].why is why


def test_of_a_group_one_is_told() -> None:
    book = put("a", "heron", group="g").put("b", "heron", group="g").put("c", "heron", group="other")
    verdicts = book.hear("heron", seed="s")
    told = [name for name in ("a", "b") if verdicts[name].why is LoreReason.KEY]
    assert len(told) == 1
    (left,) = {"a", "b"} - set(told)
    assert verdicts[left] == LoreVerdict(left, LoreReason.GROUP, told[0])
    assert verdicts["c"].why is LoreReason.KEY
    assert book.hear("heron", in_view=frozenset({"b"}))["a"] == LoreVerdict("a", LoreReason.GROUP, "b")
    assert put("a", "heron", group="g").put("b", "stork", group="g").told("heron") == ["a"]


def test_the_heavier_is_the_likelier_and_the_same_seed_gives_the_same() -> None:
    book = put("a", "heron", group="g", weight=90).put("b", "heron", group="g", weight=10)
    drawn = Counter(book.told("heron", seed=f"seed {number}")[0] for number in range(400))
    assert 320 < drawn["a"] < 390
    assert book.told("heron", seed="x") == book.told("heron", seed="x")
    weightless = put("a", "heron", group="g", weight=0).put("b", "heron", group="g", weight=0)
    drawn = Counter(weightless.told("heron", seed=f"seed {number}")[0] for number in range(200))
    assert min(drawn["a"], drawn["b"]) > 60
    never = put("a", "heron", group="g", weight=0).put("b", "heron", group="g", weight=1)
    assert {never.told("heron", seed=str(number))[0] for number in range(50)} == {"b"}


def test_an_entry_may_bring_up_others() -> None:
    book = put("a", "heron", text="It guards the toll.", recurse=True).put(
        "b", "toll", text="A penny, or rope."
    )
    book.put("c", "rope").put("d", "heron")
    verdicts = book.hear("heron")
    assert verdicts["b"] == LoreVerdict("b", LoreReason.KEY, "toll (a)", "A penny, or rope.")
    # What is brought up without leave to go on brings up nothing.
    assert verdicts["c"].why is LoreReason.UNMENTIONED
    assert book.told("heron")[:2] == ["a", "d"] or book.told("heron") == ["a", "b", "d"]
    # Conditions and constants are asked about once.
    book.put("when", when=HOLDS)
    assert book.hear("heron")["when"].why is LoreReason.CONDITION


def test_a_chain_of_them_is_bounded() -> None:
    book = Book()
    for number in range(RECURSION_MAX + 3):
        book.put(f"e{number}", f"key{number}", text=f"See key{number + 1}.", recurse=True)
    assert sorted(book.told("key0")) == [f"e{number}" for number in range(RECURSION_MAX + 1)]


def test_lower_priority_numbers_go_first_where_there_is_not_room_for_all() -> None:
    long = "Some words about it. " * 100
    tokens = estimate_tokens(" ".join(long.split()))
    fits = LORE_TOKENS_MAX // tokens
    book = Book()
    for number in range(fits + 2):
        book.put(f"e{number}", "heron", text=long, priority=100 - number)
    verdicts = book.hear("heron")
    assert [verdicts[f"e{number}"].why for number in (0, 1)] == [LoreReason.NO_ROOM, LoreReason.NO_ROOM]
    assert len(book.told("heron")) == fits
    book.put("small", "heron", text="Short.", priority=500)
    assert "small" in book.told("heron")


def test_an_entry_takes_no_more_than_its_budget() -> None:
    book = put("e", "heron", text="One two three. Four five six. Seven eight nine.", budget=6)
    assert book.hear("heron")["e"].text == "One two three...."
    assert put("e", "heron", text=" ").hear("heron")["e"].why is LoreReason.NO_ROOM


def test_those_that_are_told_stand_first_in_their_order() -> None:
    book = put("z", "heron", priority=1).put("a", "stork").put("m", "heron")
    assert list(book.hear("heron")) == ["z", "m", "a"]
