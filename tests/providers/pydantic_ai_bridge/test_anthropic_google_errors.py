"""What libraries raise, as troubles of their kinds."""

import httpx2
import pytest
from pydantic_ai.exceptions import ModelAPIError, ModelConnectionError, UnexpectedModelBehavior, UserError

from talewright.llm.provider import Trouble
from talewright.llm.reply_chunks import Usage
from talewright.providers.http_errors import ProviderErrorReporter
from talewright.providers.pydantic_ai_bridge.anthropic_google_errors import let_go, translate

REPORTER = ProviderErrorReporter("api.example.com", "tale-1", "sk-canary")
USAGE = Usage(9, 2, estimated=True)


@pytest.mark.parametrize(
    ("error", "progress", "trouble", "unpaid"),
    [
        (httpx2.ConnectTimeout("x"), 0, Trouble.SLOW, True),
        (httpx2.PoolTimeout("x"), 0, Trouble.SLOW, True),
        (httpx2.ConnectError("x"), 0, Trouble.UNREACHABLE, True),
        (httpx2.ReadError("x"), 0, Trouble.UNREACHABLE, False),
        (httpx2.ReadError("x"), 3, Trouble.UNREACHABLE, False),
        (httpx2.StreamClosed(), 0, Trouble.UNREACHABLE, False),
        (ModelConnectionError("m", "x", phase="connect"), 0, Trouble.UNREACHABLE, True),
        (ModelConnectionError("m", "x", phase="read"), 0, Trouble.UNREACHABLE, False),
        (ModelConnectionError("m", "x", phase="read"), 1, Trouble.UNREACHABLE, False),
        (ModelAPIError("m", "x"), 0, Trouble.GARBLED, False),
        (ModelAPIError("m", "x", body={"error": "busy"}), 1, Trouble.BUSY, False),
        (ModelAPIError("m", "x", body={"error": {"type": "rate_limit_error"}}), 1, Trouble.BUSY, False),
        (UnexpectedModelBehavior("x"), 0, Trouble.GARBLED, False),
        (UserError("no such setting"), 0, Trouble.REQUEST, True),
        (AssertionError(), 1, Trouble.GARBLED, False),
        (RecursionError(), 1, Trouble.GARBLED, False),
    ],
)
def test_each_error_is_a_trouble(error: Exception, progress: int, trouble: Trouble, unpaid: bool) -> None:
    told = translate(error, REPORTER, 10.0, progress, USAGE)
    assert (told.trouble, told.unpaid) == (trouble, unpaid)
    assert told.message
    assert told.hint
    assert told.usage in (None, USAGE)


def test_the_innermost_words_are_told() -> None:
    error = ModelConnectionError("m", "Connection error.", phase="connect")
    error.__cause__ = httpx2.ConnectError("Connection error.")
    error.__cause__.__cause__ = OSError("the name is not known")
    told = translate(error, REPORTER, 10.0, 0, None)
    assert told.message == "api.example.com cannot be reached: the name is not known"


def test_what_an_error_holds_is_dropped() -> None:
    class Held:
        """Something that notes its end."""

        def __del__(self) -> None:
            ended.append(True)

    ended: list[bool] = []

    def work() -> None:
        held = Held()
        raise ValueError(id(held))

    with pytest.raises(ValueError) as caught:
        work()
    assert not ended
    let_go(caught.value)
    assert ended
