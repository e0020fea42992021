"""What the player's own words mean without a storyteller: near wordings, and what is asked before a turn."""

import asyncio

import pytest

from talewright.play.input_results import ResultKind
from talewright.play.sessions.near_choices import NearChoices, find_near
from talewright.turn.inputs.player_choices import ChoiceCandidate
from tests.play.making import make_lobby
from tests.play.scenes import room

BOOK = ChoiceCandidate("book", ("Take the book from under her hands",))
ROPE = ChoiceCandidate("rope", ("Let the book down first, on the bell rope", "use the rope"))
CUFF = ChoiceCandidate("cuff", ("See what hangs from her cuff, now that the book is off it",))
WAIT = ChoiceCandidate("wait", ("Wait",))
CHAPEL = (BOOK, ROPE, CUFF, WAIT)
ZH = (ChoiceCandidate("书", ("从她手底下抽出那本书",)), ChoiceCandidate("绳", ("先用钟绳把书放下去",)))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("take the book", NearChoices("book")),
        ("I'd like to take her boook, please", NearChoices("book")),
        ("taking her book", NearChoices("book")),
        ("waiting", NearChoices("wait")),
        ("use bell ropes", NearChoices(asked=("rope",))),
        # One word fits several choices, and a word that says little is asked about even if it fits only one.
        ("book", NearChoices(asked=("rope", "book", "cuff"))),
        ("cuff", NearChoices(asked=("cuff",))),
        ("don't take the book", NearChoices(asked=("book", "rope", "cuff"))),
        ("sing to the moon", NearChoices()),
        ("", NearChoices()),
    ],
)
def test_near_wordings(said: str, meant: NearChoices) -> None:
    found = find_near(said, CHAPEL)
    assert (found.clear, sorted(found.asked)) == (meant.clear, sorted(meant.asked))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("抽出书", NearChoices("书")),
        ("用钟绳", NearChoices("绳")),
        ("书", NearChoices(asked=("书", "绳"))),
        ("别抽出那本书", NearChoices(asked=("书", "绳"))),
    ],
)
def test_near_wordings_in_chinese(said: str, meant: NearChoices) -> None:
    found = find_near(said, ZH)
    assert (found.clear, sorted(found.asked)) == (meant.clear, sorted(meant.asked))


def test_a_vague_word_spends_no_turn_and_its_number_does() -> None:
    async def story() -> None:
        session = await make_lobby(room()).begin("test")
        before = await session.view()
        asked = await session.say("rope")
        assert (asked.kind, asked.reason) == (ResultKind.UNSPENT, "unmatched")
        assert "Take the rope" in asked.message
        assert (await session.view()).head == before.head
        number = next(one for one in asked.message.split() if one.rstrip(",").isdecimal()).rstrip(",")
        assert (await session.say(number)).kind is ResultKind.COMMITTED
        missed = await session.say("sing to the moon about nothing at all")
        assert "talewright setup" in missed.message
        await session.close()

    asyncio.run(story())
