"""Words that are held back, on the plain face: a card of three answers, or other words at once."""

import asyncio

import pytest

from talewright.faces.plain.app import PlainStartRequest, run_plain_face
from talewright.faces.plain.plain_words import PlainWords, words_for
from tests.faces.plain.tables import Table
from tests.play.sessions.test_store_session_cautions import DARK, careful_lobby
from tests.play.tellers import cards

ENGLISH = words_for("en")
CHINESE = words_for("zh-CN")

TOLD = cards("He eats.")
CARD = "1. Rephrase it\n2. Continue anyway\n3. Drop it"


def play(*typed: str, lines: tuple[str, ...] = (TOLD,), words: PlainWords = ENGLISH) -> tuple[list[str], int]:
    """A visit; what was shown from the first answer on, and how many times the storyteller was asked."""
    lobby, provider = careful_lobby(*lines, language=words.language)
    table = Table(*typed, words=words)
    wishes = PlainStartRequest(game="test", place="/saves", language=words.language)
    assert asyncio.run(run_plain_face(lobby, wishes, table)) == 0
    at = next(at for at, block in enumerate(table.blocks) if block.startswith(("That may go", "这样说可能")))
    return table.blocks[at:-1], len(provider.requests)


def test_go_on_all_the_same() -> None:
    shown, asked = play(DARK, "2")
    assert shown[0].startswith("That may go beyond what this story is rated for")
    assert (shown[1], shown[2]) == (CARD, "He eats.")
    assert asked == 1


def test_put_it_another_way() -> None:
    shown, asked = play(DARK, "1", "I salt the soup a little")
    assert shown[2] == f"Rephrase what you said. Here are your words; no turn was spent on them.\nYou: {DARK}"
    assert shown[3].startswith("1. ")
    assert shown[3] != CARD
    assert (shown[4], asked) == ("He eats.", 1)


def test_leave_it() -> None:
    shown, asked = play(DARK, "3")
    assert (shown[2], asked) == ("Dropped. No turn was spent.", 0)


def test_other_words_need_no_number_and_a_look_shows_the_card_again() -> None:
    shown, asked = play(DARK, "/look", "I salt the soup a little")
    assert shown.count(CARD) == 2
    assert f"\n{DARK}" in shown[shown.index(CARD, 2) - 1]
    assert asked == 1
    assert "He eats." in shown


@pytest.mark.parametrize("typed", [("2",), ("1", "我往汤里加点盐"), ("3",)])
def test_in_chinese(typed: tuple[str, ...]) -> None:
    shown, asked = play("I poison it", *typed, words=CHINESE)
    assert shown[0].startswith("这样说可能会超出这个故事的分级")
    assert shown[1] == "1. 换个说法\n2. 仍然继续\n3. 放弃"
    assert asked == (0 if typed == ("3",) else 1)
