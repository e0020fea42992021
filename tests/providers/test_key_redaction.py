"""Discretion: whatever a server repeats and however much is logged, a key stands in no log and no error."""

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from talewright.llm.provider import Provider, ProviderError, Trouble
from talewright.llm.reply_chunks import Reply, StopReason, Usage
from talewright.llm.requests import ToolCall
from talewright.providers.key_redaction import (
    KEY_LENGTH_MIN,
    LIBRARIES,
    KeyWatch,
    drop_log_record,
    silence_loggers,
)
from talewright.testing.provider_suite import PLAIN, REQUEST, FarSideReply
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.providers.openai_wire.raw_server import DONE, EVENTS, Answer, event, make, reply, serve_raw
from tests.providers.pydantic_ai_bridge.far_sides import KEY, bridge_to, spell

JSON = "Content-Type: application/json"
ECHO = f'{{"headers": {{"authorization": "Bearer {KEY}", "x-api-key": "{KEY}", "x-goog-api-key": "{KEY}"}}}}'
ERROR = f'{{"error": {{"message": "you sent Bearer {KEY}", "status": "{KEY}"}}}}'
HEADERS = (
    f"Authorization: Bearer {KEY}",
    f"X-Api-Key: {KEY}",
    f"X-Goog-Api-Key: {KEY}",
    f"Set-Cookie: k={KEY}",
)

ANSWERS: dict[str, Answer | bytes] = {
    **{
        f"error {status}": reply(f"{status} No", ERROR.encode(), JSON, *HEADERS) for status in (400, 401, 500)
    },
    **{f"plain error {status}": reply(f"{status} {KEY}", ECHO.encode(), *HEADERS) for status in (403, 429)},
    "JSON": reply("200 OK", ECHO.encode(), JSON, *HEADERS),
    "JSON as events": reply("200 OK", ECHO.encode(), "Content-Type: text/event-stream"),
    "no JSON": EVENTS + f"data: Bearer {KEY}\n\n".encode(),
    "error event": EVENTS + f"event: error\ndata: {ERROR}\n\n".encode(),
    "type": reply("200 OK", b"hm", f"Content-Type: {KEY}"),
    "redirect": reply("302 Found", b"", f"Location: http://127.0.0.1:9/{KEY}?key={KEY}", *HEADERS),
    "lasting redirect": reply("308 Moved", ECHO.encode(), f"Location: /{KEY}"),
    "no HTTP": f"{KEY} you said\r\n\r\n".encode(),
    "broken header": f"HTTP/1.1 200 OK\r\n{KEY}\r\n\r\n".encode(),
    "nothing": b"",
}


@dataclass
class Log(logging.Handler):
    """Everything that is logged, as a file would have it."""

    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(logging.DEBUG)

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    __hash__ = logging.Handler.__hash__


def find_loggers() -> list[logging.Logger]:
    """The loggers of the libraries that are loaded."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in LIBRARIES]
    return [logging.getLogger(name) for name in names]


@pytest.fixture
def log() -> Iterator[Log]:
    """A log of everything at its most talkative; nothing has been hushed yet."""
    log, root = Log(), logging.getLogger()
    loggers = [root, *find_loggers(), *map(logging.getLogger, LIBRARIES)]
    levels = [one.level for one in loggers]
    for one in loggers:
        one.removeFilter(drop_log_record)
        one.setLevel(logging.DEBUG)
        one.addHandler(log)
    yield log
    for one, level in zip(loggers, levels, strict=True):
        one.setLevel(level)
        one.removeHandler(log)


def open_wire(wire: Wire, url: str) -> Provider:
    """A model that is asked with the canary key."""
    return make(url, KEY) if wire is Wire.OPENAI else bridge_to(wire, url.removesuffix("/v1"))


async def ask(wire: Wire, answer: Answer | bytes) -> tuple[ProviderError | None, list[bytes]]:
    """What comes of one question, and what was sent."""
    async with serve_raw(answer) as server:
        provider = open_wire(wire, server.url)
        try:
            async for _ in provider.stream(REQUEST):
                pass
        except ProviderError as error:
            return error, server.heads
        finally:
            await provider.close()
    return None, server.heads


@pytest.mark.parametrize("wire", Wire)
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_a_key_that_is_repeated_stands_nowhere(wire: Wire, answer: bytes, log: Log) -> None:
    error, heads = asyncio.run(ask(wire, answer))
    assert KEY.encode() in heads[0], "it was sent"
    assert error is not None
    assert KEY not in f"{error} {error.hint} {error!r} {error.__cause__!r}"
    assert KEY not in log.text


@pytest.mark.parametrize("wire", Wire)
def test_nor_where_all_goes_well(wire: Wire, log: Log) -> None:
    good = Answer([EVENTS, event({"content": "So."}), event(finish="stop"), DONE])
    said = good if wire is Wire.OPENAI else spell(wire, FarSideReply(PLAIN))
    told = [piece.replace(b"Connection: close", "\r\n".join(HEADERS).encode()) for piece in said.pieces]
    error, heads = asyncio.run(ask(wire, Answer(told)))
    assert error is None
    assert KEY.encode() in heads[0]
    assert KEY not in log.text


TOLD = [
    Reply(f"He says: {KEY}.", (), Usage(9, 9), StopReason.END),
    Reply("", (ToolCall("a", "pay", f'{{"to": "{KEY}"}}'),), Usage(9, 9), StopReason.CALLS),
    Reply("", (ToolCall("a", f"pay_{KEY}", "{}"),), Usage(9, 9), StopReason.CALLS),
]


def spell_openai(told: Reply) -> Answer:
    """An answer on the OpenAI wire, in small pieces."""
    pieces = [event({"content": told.text[at : at + 7]}) for at in range(0, len(told.text), 7)]
    for call in told.calls:
        named = {"index": 0, "id": call.id, "function": {"name": call.name, "arguments": ""}}
        pieces.append(event({"tool_calls": [named]}))
        for at in range(0, len(call.arguments), 7):
            part = {"index": 0, "function": {"arguments": call.arguments[at : at + 7]}}
            pieces.append(event({"tool_calls": [part]}))
    return Answer([EVENTS, *pieces, event(finish="stop"), DONE])


@pytest.mark.parametrize("wire", Wire)
@pytest.mark.parametrize("told", TOLD, ids=["text", "arguments", "name"])
def test_an_answer_that_tells_the_key_is_none(wire: Wire, told: Reply, log: Log) -> None:
    answer = spell_openai(told) if wire is Wire.OPENAI else spell(wire, FarSideReply(told))
    error, _ = asyncio.run(ask(wire, answer))
    assert error is not None
    assert error.trouble is Trouble.GARBLED
    assert "has put your key into its answer" in error.message
    assert KEY not in f"{error} {error.hint}" + log.text


def test_a_key_is_found_however_it_is_cut() -> None:
    key = "k" * KEY_LENGTH_MIN
    for at in range(KEY_LENGTH_MIN + 1):
        watch = KeyWatch(key)
        assert watch.sees("xx" + key[:at]) is (at == KEY_LENGTH_MIN)
        assert at == KEY_LENGTH_MIN or watch.sees(key[at:] + "x")
    slow = KeyWatch(key)
    assert [slow.sees(letter) for letter in "x" + key] == [False] * KEY_LENGTH_MIN + [True]
    assert not KeyWatch(key).sees(key[1:] + "x" + key[1:])


@pytest.mark.parametrize(
    "key", ["sk-1", "a1b2c3", "12345x", "sk-abcdef", "hunter2", "aBcDeFgH", "pass word!"]
)
def test_a_short_key_that_is_no_word_is_looked_for_too(key: str) -> None:
    assert KeyWatch(key).sees(f"He says {key}.")


@pytest.mark.parametrize(
    "key",
    [
        "",
        "none",
        "Ollama",
        "EMPTY",
        "1234",
        "0",
        "sk1",
        "lm-studio",
        "not-needed",
        "k" * (KEY_LENGTH_MIN - 1),
    ],
)
def test_a_key_that_is_a_mere_word_may_be_told(key: str) -> None:
    assert not KeyWatch(key).sees(f"He has {key} left.")


def test_what_is_hushed_says_nothing_and_all_else_is_heard(log: Log) -> None:
    silence_loggers()
    for name in LIBRARIES:
        logging.getLogger(name).critical("to be dropped")
    logging.getLogger("httpx_of_somebody").debug("to be heard")
    logging.getLogger("talewright").debug("to be heard")
    assert log.lines == ["to be heard"] * 2


def test_hushing_again_adds_nothing(log: Log) -> None:
    silence_loggers()
    before = [list(one.filters) for one in find_loggers()]
    silence_loggers()
    assert [list(one.filters) for one in find_loggers()] == before
    assert all(drop_log_record in filters for filters in before)
