"""Events into chunks, piece by piece."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from pydantic_ai.messages import (
    FinalResultEvent,
    FinishReason,
    ModelResponsePart,
    ModelResponsePartDelta,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_ai.models import ModelRequestParameters, StreamedResponse
from pydantic_ai.usage import RequestUsage

from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import CallPart, Stop, StopReason, Text, Usage, Used
from talewright.providers.http_errors import ProviderErrorReporter
from talewright.providers.pydantic_ai_bridge.anthropic_google_replies import (
    BridgeEventReader,
    is_complete,
    read_usage,
)
from talewright.providers.wire_text import CALLS_MAX

REPORTER = ProviderErrorReporter("api.example.com", "tale-1", "")


class Ended(StreamedResponse):
    """An answer that nobody listens to."""

    async def _get_event_iterator(self) -> AsyncIterator[ModelResponseStreamEvent]:
        return
        yield

    @property
    def model_name(self) -> str:
        return "tale-1"

    @property
    def provider_name(self) -> str | None:
        return None

    @property
    def provider_url(self) -> str | None:
        return None

    @property
    def timestamp(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC)


def answered(
    finish: FinishReason | None = None, raw: str | None = None, given: int = 0, said: int = 0, cached: int = 0
) -> StreamedResponse:
    """An answer that has ended in this way."""
    answer = Ended(ModelRequestParameters())
    answer._usage = RequestUsage(input_tokens=given, output_tokens=said, cache_read_tokens=cached)
    answer.finish_reason = finish
    answer.provider_details = None if raw is None else {"finish_reason": raw}
    return answer


def start(index: int, part: ModelResponsePart) -> PartStartEvent:
    return PartStartEvent(index=index, part=part)


def more(index: int, delta: ModelResponsePartDelta) -> PartDeltaEvent:
    return PartDeltaEvent(index=index, delta=delta)


def calling(name: str | None, arguments: str) -> ToolCallPartDelta:
    return ToolCallPartDelta(tool_name_delta=name, args_delta=arguments)


def test_the_first_words_come_with_the_start_of_a_part() -> None:
    hearing = BridgeEventReader(REPORTER)
    assert hearing.take(start(0, TextPart("Fog"))) == [Text("Fog")]
    assert hearing.take(FinalResultEvent(tool_name=None, tool_call_id=None)) == []
    assert hearing.take(more(0, TextPartDelta(" comes"))) == [Text(" comes")]
    assert hearing.take(more(0, TextPartDelta(""))) == []
    assert hearing.take(start(1, ThinkingPart("hm"))) == []
    assert hearing.take(more(1, ThinkingPartDelta(content_delta="hm"))) == []
    assert hearing.progress == 5


def test_halves_of_characters_are_put_together() -> None:
    hearing = BridgeEventReader(REPORTER)
    assert hearing.take(start(0, TextPart("a\ud83d"))) == [Text("a")]
    assert hearing.take(more(0, TextPartDelta("\udf02"))) == [Text("🜂")]
    assert hearing.take(more(0, TextPartDelta("\ud83d"))) == []
    assert hearing.finish(answered("stop")) == [Text("\ufffd"), Stop(StopReason.END)]


def test_calls_keep_their_numbers_and_a_repeated_name_is_no_other_name() -> None:
    hearing = BridgeEventReader(REPORTER)
    assert hearing.take(start(3, ToolCallPart("pay", None, "a"))) == [CallPart(0, "a", "pay")]
    assert hearing.take(more(3, calling("pay", '{"c'))) == [CallPart(0, arguments='{"c')]
    assert hearing.take(more(3, calling("", ""))) == []
    assert hearing.take(start(4, ToolCallPart("pay", None, "a"))) == []
    assert hearing.take(more(4, calling(None, "x"))) == []
    look = start(5, ToolCallPart("look", {"far": "ä"}, "b"))
    assert hearing.take(look) == [CallPart(1, "b", "look", '{"far": "ä"}')]
    assert hearing.finish(answered("stop", given=5)) == [Used(Usage(5)), Stop(StopReason.CALLS)]


def test_calls_out_of_order_or_without_end_are_garbled() -> None:
    hearing = BridgeEventReader(REPORTER)
    with pytest.raises(ProviderError, match="never began"):
        hearing.take(more(0, calling(None, "x")))
    for number in range(CALLS_MAX):
        hearing.take(start(number, ToolCallPart("pay", None, str(number))))
    with pytest.raises(ProviderError, match="too many calls"):
        hearing.take(start(CALLS_MAX, ToolCallPart("pay", None, "more")))


@pytest.mark.parametrize(
    ("finish", "raw", "complete"),
    [
        (None, None, False),
        (None, "pause_turn", False),
        (None, "OTHER", True),
        ("stop", "end_turn", True),
        ("content_filter", None, True),
    ],
)
def test_an_answer_is_complete_when_its_model_says_so(
    finish: FinishReason | None, raw: str | None, complete: bool
) -> None:
    answer = answered(finish, raw)
    assert is_complete(answer) is complete
    hearing = BridgeEventReader(REPORTER)
    if complete:
        assert isinstance(hearing.finish(answer)[-1], Stop)
        return
    with pytest.raises(ProviderError, match="empty answer"):
        hearing.finish(answer)
    hearing.take(start(0, TextPart("Fog")))
    with pytest.raises(ProviderError, match="broke off") as caught:
        hearing.finish(answer)
    assert caught.value.trouble is Trouble.UNREACHABLE


def test_a_model_that_lost_its_way_is_garbled() -> None:
    with pytest.raises(ProviderError, match="MALFORMED") as caught:
        BridgeEventReader(REPORTER).finish(answered("error", "MALFORMED_FUNCTION_CALL", given=3))
    assert (caught.value.trouble, caught.value.usage) == (Trouble.GARBLED, Usage(3))


def test_usage_that_cannot_be_is_cut() -> None:
    assert read_usage(answered()) is None
    assert read_usage(answered(given=-4, said=2, cached=9)) == Usage(0, 2, 0)
    assert read_usage(answered(given=4, cached=9)) == Usage(4, 0, 4)


def test_what_broke_off_has_cost_at_least_what_was_heard() -> None:
    hearing = BridgeEventReader(REPORTER)
    assert hearing.guess_usage(None) is None
    hearing.take(start(0, TextPart("The fog comes in over the quay.")))
    guess = hearing.guess_usage(answered(given=50, said=1))
    assert guess is not None
    assert guess.input_tokens == 50
    assert guess.output_tokens > 5
    assert guess.estimated
