"""Scripts: what is said to which request, and how it is cut."""

import pytest

from talewright.llm.reply_chunks import StopReason
from talewright.llm.requests import ToolCall
from talewright_testkit.fake_provider.parsed_request import ParsedRequest, RequestBlock
from talewright_testkit.fake_provider.reply_script import FakeAnswer, ReplyPace, ScriptSpentError, limit, pick

ASKED = ParsedRequest("m", (RequestBlock("user", "Hello"),))


def test_a_list_is_said_in_order_and_runs_out() -> None:
    assert pick(["one", FakeAnswer("two")], ASKED) == FakeAnswer("one")
    assert pick(["one", FakeAnswer("two")], ParsedRequest("m", (), number=2)) == FakeAnswer("two")
    with pytest.raises(ScriptSpentError, match="has 1 replies, not 2"):
        pick(["one"], ParsedRequest("m", (), number=2))


def test_a_function_sees_the_request() -> None:
    assert pick(lambda asked: asked.text + "!", ASKED) == FakeAnswer("Hello!")
    assert ParsedRequest("m", ()).text == ""


def test_the_ending_is_what_fits() -> None:
    assert FakeAnswer("x").ending is StopReason.END
    assert FakeAnswer(calls=(ToolCall("", "roll", "{}"),)).ending is StopReason.CALLS
    assert FakeAnswer("x", stop=StopReason.LENGTH).ending is StopReason.LENGTH


@pytest.mark.parametrize(
    ("size", "expected"), [(0, ["雨落"]), (1, ["雨", "落"]), (2, ["雨落"]), (5, ["雨落"])]
)
def test_pieces(size: int, expected: list[str]) -> None:
    assert list(ReplyPace(size).pieces("雨落")) == expected
    assert list(ReplyPace(size).pieces("")) == []


def test_an_answer_goes_no_further_than_it_may() -> None:
    answer = FakeAnswer("one two three", (ToolCall("a", "roll", '{"sides": 20}'),), "so so")
    assert limit(answer, None) is answer
    assert limit(answer, 100) is answer
    assert limit(answer, 1) == FakeAnswer(reasoning="so", stop=StopReason.LENGTH)
    assert limit(answer, 4) == FakeAnswer("one two", (), "so so", stop=StopReason.LENGTH)
    cut = limit(answer, 7)
    assert cut.text == answer.text
    assert cut.calls == (ToolCall("a", "roll", '{"sides'),)
    assert cut.stop is StopReason.LENGTH
