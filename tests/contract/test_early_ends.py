"""Answers that end early: in circles, or at their length limit, in every dialect."""

import json

import pytest

from talewright.contract.dialect import IN_CIRCLES, AnswerGround, ModelAnswer
from talewright.contract.dialect_table import DIALECTS
from talewright.llm.reply_chunks import CallPart, Piece, Stop, StopReason, Text
from tests.contract.cards_making import make_ground, write
from tests.contract.chapel import fence, ground, make_bundle, tolled

LENGTH = Stop(StopReason.LENGTH)
CIRCLE = Stop(StopReason.REPETITION)
TOLD = "You wait. Fog comes in. The bell ri"
WHOLE = "You wait. Fog comes in."
GROUNDS = {"cards": make_ground(), "patch": ground(), "tools": tolled()}


def read(dialect: str, *chunks: Piece, where: AnswerGround | None = None) -> ModelAnswer:
    """The answer, and its prose is the beginning of what was shown."""
    reader = DIALECTS[dialect].reader(where or GROUNDS[dialect])
    told = "".join([reader.feed(chunk) for chunk in chunks])
    answer = reader.finish()
    assert told.startswith(answer.prose)
    return answer


def begin(dialect: str, prose: str) -> Text:
    return Text('{"narrative_markdown": "' + prose if dialect == "cards" else prose)


@pytest.mark.parametrize("dialect", GROUNDS)
def test_at_the_length_limit_a_narration_ends_with_its_last_whole_sentence(dialect: str) -> None:
    answer = read(dialect, begin(dialect, TOLD), LENGTH)
    assert (answer.prose, answer.prose_stands) == (WHOLE, True)
    # In cards and patches something is still missing; where a text is all there is, nothing is.
    assert bool(answer.hard_flaws) is (dialect != "tools")
    assert answer.flaws


@pytest.mark.parametrize("dialect", GROUNDS)
def test_a_narration_without_a_whole_sentence_does_not_stand(dialect: str) -> None:
    answer = read(dialect, begin(dialect, "You wait and the"), LENGTH)
    assert (answer.prose, answer.prose_stands) == ("You wait and the", False)
    assert answer.hard_flaws


@pytest.mark.parametrize("dialect", GROUNDS)
def test_an_answer_in_circles_has_one_flaw_and_does_not_stand(dialect: str) -> None:
    answer = read(dialect, begin(dialect, WHOLE), CIRCLE)
    assert answer.flaws == (IN_CIRCLES,)
    assert not answer.prose_stands


def test_a_narration_before_the_circle_stands() -> None:
    text = write()
    cards = read("cards", Text(text[: text.index('"state_updates"')]), CIRCLE)
    assert (cards.prose_stands, cards.flaws) == (True, (IN_CIRCLES,))
    block = fence(make_bundle())
    patch = read("patch", Text(block[: block.index("patch")]), CIRCLE)
    assert (patch.prose_stands, patch.flaws) == (True, (IN_CIRCLES,))


def test_a_circle_after_the_whole_answer_is_no_flaw() -> None:
    assert read("cards", Text(write() + "\nDone. Done. Done."), CIRCLE).flaws == ()
    patch = read("patch", Text(fence(make_bundle()) + "\nDone. Done. Done."), CIRCLE)
    assert patch.hard_flaws == ()
    assert patch.prose == "You wait."


def test_a_broken_narration_or_one_that_is_too_long_is_not_kept() -> None:
    damaged = read("cards", Text('{"narrative_markdown": "You \\ud83c wait. Fog comes in. The'), LENGTH)
    broken = read("cards", Text('{"narrative_markdown": "You wait." Fog'), LENGTH)
    assert [answer.prose_stands for answer in (damaged, broken)] == [False, False]
    assert read("cards", Text(json.dumps({"narrative_markdown": TOLD})), LENGTH).prose == TOLD


def test_a_call_that_reached_the_length_limit_is_asked_for_again() -> None:
    answer = read("tools", Text(TOLD), CallPart(0, "c1", "pay", '{"coi'), LENGTH)
    assert (answer.prose, answer.prose_stands, len(answer.hard_flaws)) == (TOLD, False, 1)
    # Something that looks like a call, written as text, was on its way.
    answer = read("tools", Text(WHOLE + ' {"pay": '), LENGTH)
    assert (answer.prose_stands, len(answer.hard_flaws)) == (False, 1)
