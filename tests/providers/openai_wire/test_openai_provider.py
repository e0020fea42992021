"""The adapter: connections, limits of time and size, addresses, and a key that shows nowhere."""

import asyncio
import gc
import json
import logging
import time
import traceback
from dataclasses import replace
from importlib.util import find_spec

import httpx
import pytest

from talewright.llm.known_models import find_profile
from talewright.llm.profiles import Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Chunk, Stop, StopReason, Text, Usage, gather
from talewright.llm.requests import Request, UserMessage
from talewright.providers.openai_wire.openai_provider import OpenAICompatible
from talewright.providers.reply_timeouts import ProviderTimeouts
from talewright_testkit.fake_provider.fake_server import serve
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.providers.openai_wire.raw_server import (
    DONE,
    EVENTS,
    PATIENT,
    Answer,
    event,
    hear,
    make,
    reply,
    serve_raw,
)

REQUEST = Request((UserMessage("Go on."),))
KEY = "sk-canary-3f9a1c77"
WHOLE = EVENTS + event({"content": "He nods."}, "stop") + DONE


def ask(*answers: Answer | bytes, timeouts: ProviderTimeouts = PATIENT) -> list[Chunk]:
    async def run() -> list[Chunk]:
        async with serve_raw(*answers) as server:
            return await hear(make(server.url, KEY, timeouts=timeouts), REQUEST)

    return asyncio.run(run())


def fail(*answers: Answer | bytes, timeouts: ProviderTimeouts = PATIENT) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        ask(*answers, timeouts=timeouts)
    return caught.value


def test_the_request_as_it_is_sent() -> None:
    async def run() -> None:
        async with serve_raw(WHOLE, WHOLE) as server:
            assert gather(await hear(make(server.url + "/", f" {KEY}\n"), REQUEST)).text == "He nods."
            await hear(make(server.url), REQUEST)
        head = server.heads[0].decode().lower()
        assert head.startswith("post /v1/chat/completions http/1.1\r\n")
        for line in (
            f"authorization: bearer {KEY}",
            "content-type: application/json",
            "accept-encoding: identity",
        ):
            assert f"\r\n{line}\r\n" in head
        assert "authorization" not in server.heads[1].decode().lower()
        assert json.loads(server.bodies[0])["messages"] == [{"role": "user", "content": "Go on."}]
        assert KEY.encode() not in server.bodies[0]

    asyncio.run(run())


STALLS = [
    (Answer([], hangs=True), "no answer began within 0.15 seconds", None),
    (Answer([EVENTS], hangs=True), "no answer began within 0.15 seconds", None),
    (
        Answer([EVENTS, event({"role": "assistant"}), b": ping\n\n"], hangs=True),
        "no answer began within 0.15 seconds",
        None,
    ),
    (
        Answer([EVENTS, event({"content": "He"})], hangs=True),
        "the answer did not go on within 0.03 seconds",
        None,
    ),
    (
        Answer([EVENTS, event({"content": "He"}, usage={"prompt_tokens": 3})], hangs=True),
        "the answer did not go on within 0.03 seconds",
        Usage(3),
    ),
    (
        Answer([b"HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\n"], hangs=True),
        "no answer began within 0.15 seconds",
        None,
    ),
]


@pytest.mark.parametrize(("answer", "words", "usage"), STALLS)
def test_stalls(answer: Answer, words: str, usage: Usage | None) -> None:
    # Only the limit that is meant is short: a busy machine must not reach another one first.
    begins = words.startswith("no answer")
    error = fail(
        answer, timeouts=ProviderTimeouts(9.0, 0.15 if begins else 9.0, 9.0 if begins else 0.03, 9.0)
    )
    assert (error.trouble, error.usage, error.unpaid) == (Trouble.SLOW, usage, False)
    assert error.message.endswith(words)


def test_all_of_an_answer_has_a_limit() -> None:
    error = fail(
        Answer([EVENTS, event({"content": "He"})], hangs=True), timeouts=ProviderTimeouts(9.0, 9.0, 9.0, 0.15)
    )
    assert error.message.endswith("the answer did not end within 0.15 seconds")


def test_a_whole_answer_survives_a_farewell_that_does_not_come() -> None:
    told = EVENTS + event({"content": "He nods."}, "stop")
    quick = ProviderTimeouts(9.0, 9.0, 0.03, 9.0, farewell_seconds=0.03, costs_seconds=0.03)
    for ending in (b"", DONE, event(usage={"prompt_tokens": 3})):
        chunks = ask(Answer([told + ending], hangs=True), timeouts=quick)
        assert gather(chunks).stop is StopReason.END
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9999\r\n\r\n"
    assert gather(ask(head + told[len(EVENTS) :], timeouts=quick)).text == "He nods."


def test_what_an_answer_costs_is_waited_for_only_a_little() -> None:
    told = EVENTS + event({"content": "He nods."}, "stop")
    start = time.monotonic()
    ask(Answer([told, b": ping\n\n"], hangs=True), timeouts=replace(PATIENT, costs_seconds=0.05))
    assert time.monotonic() - start < PATIENT.between_chunks_seconds / 2


def test_a_server_that_does_not_stream_has_all_the_time_of_an_answer() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
    error = fail(Answer([head], hangs=True), timeouts=ProviderTimeouts(9.0, 0.2, 9.0, 0.4))
    assert error.message.endswith("the answer did not end within 0.4 seconds")


PROXIES = ["socks://somebody:secret@127.0.0.1:9"]
if find_spec("socksio") is None:
    PROXIES.append("socks5://127.0.0.1:9")


@pytest.mark.parametrize("proxy", PROXIES)
def test_a_proxy_that_cannot_be_used_is_told(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ALL_PROXY", proxy)
    with pytest.raises(ProviderError) as caught:
        asyncio.run(hear(make("http://api.example.com/v1", KEY), REQUEST))
    error = caught.value
    assert (error.trouble, error.unpaid) == (Trouble.REQUEST, True)
    assert error.message == "the proxy that the environment names cannot be used"
    assert "httpx[socks]" in error.hint
    assert "secret" not in str(error) + error.hint


BREAKS = [
    (Answer([]), Trouble.UNREACHABLE, "cannot be reached"),
    (b"SSH-2.0-nothing\r\n\r\n", Trouble.UNREACHABLE, "cannot be reached"),
    (
        EVENTS.replace(b"Connection: close", b"Content-Length: 50") + b"data:",
        Trouble.UNREACHABLE,
        "cannot be reached",
    ),
    (EVENTS + event({"content": "He"}), Trouble.UNREACHABLE, "broke off in the middle"),
    (
        EVENTS.replace(b"Connection: close", b"Content-Length: 999") + event({"content": "He"}),
        Trouble.UNREACHABLE,
        "broke off",
    ),
    (EVENTS, Trouble.GARBLED, "an empty answer"),
    (reply("200 OK", b"", "Content-Type: application/json"), Trouble.GARBLED, "an empty answer"),
    (reply("200 OK", b"<html>", "Content-Type: text/html"), Trouble.GARBLED, "text/html instead of events"),
    (reply("200 OK", b"hello"), Trouble.GARBLED, "no type instead of events"),
    (reply("200 OK", b"{", "Content-Type: application/json"), Trouble.GARBLED, "no JSON"),
    (reply("200 OK", b"{" * (1 << 22), "Content-Type: application/json"), Trouble.GARBLED, "far too much"),
    (
        reply("200 OK", b"x", "Content-Type: text/event-stream", "Content-Encoding: gzip"),
        Trouble.GARBLED,
        "encoding",
    ),
    (EVENTS + b"data: " + b"x" * 10_000_000, Trouble.GARBLED, "far too much at once"),
    (reply("302 Found", b"", "Location: http://127.0.0.1:9/"), Trouble.REQUEST, "sends us on"),
    (reply("401 No", b'{"error": {"message": "sk-canary-3f9a1c77"}}'), Trouble.KEY, "does not accept"),
    (reply("500 No", b"e" * 200_000), Trouble.BUSY, "(status 500): eee"),
]


@pytest.mark.parametrize(("answer", "trouble", "words"), BREAKS)
def test_breaks(answer: Answer | bytes, trouble: Trouble, words: str) -> None:
    error = fail(answer)
    assert error.trouble is trouble
    assert words in error.message


def test_a_server_that_does_not_stream() -> None:
    body = json.dumps({"choices": [{"message": {"content": "He nods."}, "finish_reason": "stop"}]}).encode()
    chunks = ask(reply("200 OK", body, "Content-Type: application/json; charset=utf-8"))
    assert chunks == [Text("He nods."), Stop(StopReason.END)]


def test_nobody_listens() -> None:
    async def run() -> ProviderError:
        async with serve_raw() as server:
            pass
        with pytest.raises(ProviderError) as caught:
            await hear(make(server.url), REQUEST)
        return caught.value

    error = asyncio.run(run())
    assert (error.trouble, error.unpaid) == (Trouble.UNREACHABLE, True)
    assert error.hint == "Start the model server on this machine, or check its port."


BAD = [
    "",
    "api.example.com",
    "ftp://example.com",
    "file:///etc/passwd",
    "https://",
    f"https://me:{KEY}@example.com/v1",
    f"https://example.com/v1?key={KEY}",
    f"https://example.com/#{KEY}",
    "http://[::1",
    "https://exa mple.com",
    "https://\u2488.example.com",
    "http://example.com:99999999",
]


@pytest.mark.parametrize("url", BAD)
def test_addresses_that_cannot_be_used(url: str) -> None:
    with pytest.raises(ProviderError) as caught:
        make(url, KEY)
    assert caught.value.message == "the address of the model server cannot be used"
    assert KEY not in show(caught.value)


@pytest.mark.parametrize("key", ["sk canary", "密钥", "sk-\ncanary", "sk-\x00"])
def test_keys_that_are_none(key: str) -> None:
    with pytest.raises(ProviderError) as caught:
        make("http://127.0.0.1:1/v1", key)
    assert caught.value.trouble is Trouble.KEY
    assert key not in show(caught.value)


def show(error: BaseException) -> str:
    return "".join(traceback.format_exception(error)) + repr(error) + str(error.__dict__)


ECHO = json.dumps({"error": {"message": f"the key {KEY} is bad", "code": KEY, "type": KEY}}).encode()
ECHOES = [
    *(reply(f"{status} No", ECHO) for status in (400, 401, 403, 404, 429, 500, 999)),
    EVENTS + b"data: " + ECHO + b"\n\n",
    EVENTS + b"error: " + ECHO + b"\n\n",
    EVENTS + KEY.encode() + b"\ndata: " + KEY.encode() + b"\n\n",
]
HEADS = [
    KEY.encode() + b"\r\n\r\n",
    reply("200 OK", KEY.encode(), f"Content-Type: {KEY}"),
    reply("302 No", b"", f"Location: http://{KEY}/"),
]


def show_failures(answers: list[bytes]) -> str:
    """All that can be seen of a provider while these answers fail."""

    async def run() -> str:
        shown = ""
        async with serve_raw(*answers) as server:
            for _ in answers:
                provider = make(server.url, KEY)
                shown += repr(provider) + str(provider) + repr(provider.profile)
                with pytest.raises(ProviderError) as caught:
                    await hear(provider, REQUEST)
                shown += show(caught.value)
        return shown

    return asyncio.run(run())


def test_the_key_shows_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    shown = show_failures(ECHOES)
    assert "[key]" in shown
    assert KEY not in shown
    assert caplog.records
    assert KEY not in caplog.text


def test_the_key_shows_nowhere_even_if_a_server_writes_it_into_its_head() -> None:
    # What a server puts into its head the HTTP library may write down when it is told to write everything.
    assert KEY not in show_failures(HEADS)


def test_connections_are_used_again_and_half_read_ones_are_not() -> None:
    async def run() -> None:
        async with serve(Wire.OPENAI, lambda asked: "word " * 60, key=KEY) as server:
            provider = OpenAICompatible(
                "gpt-4.1-mini", server.url + "/v1", KEY, profile=find_profile("gpt-4.1-mini")
            )
            for turn in range(3):
                assert gather([chunk async for chunk in provider.stream(REQUEST)]).stop is StopReason.END
                client = provider._client
                assert client is not None
                pool = client._transport._pool  # type: ignore[attr-defined]  # no public way to count them
                assert len(pool.connections) == 1, turn
                kept = pool.connections[0]
            stream = provider.stream(REQUEST)
            await anext(stream)
            await stream.aclose()
            assert pool.connections == []
            assert kept.is_closed()
            await provider.close()
            await provider.close()

    asyncio.run(run())


def test_a_storm_of_cancelling_leaves_nothing_behind() -> None:
    async def run() -> None:
        async with serve(Wire.OPENAI, lambda asked: str(asked.body["user"]) * 40, key=KEY) as server:
            profile = replace(find_profile("gpt-4.1-mini"))
            providers = [
                OpenAICompatible(
                    "m", server.url + "/v1", KEY, profile=replace(profile, extra=json.dumps({"user": name}))
                )
                for name in "abcd"
            ]
            shared = httpx.AsyncClient()
            for provider in providers:
                provider._client, provider._owns_client = shared, False

            async def ask(turn: int) -> None:
                name = "abcd"[turn % 4]
                task = asyncio.ensure_future(hear(providers[turn % 4], REQUEST))
                for _ in range(turn % 29):
                    await asyncio.sleep(0)
                if turn % 3:
                    task.cancel()
                try:
                    assert set(gather(await task).text) == {name}
                except asyncio.CancelledError:
                    assert turn % 3

            await asyncio.gather(*(ask(turn) for turn in range(120)))
            assert set(gather(await hear(providers[0], REQUEST)).text) == {"a"}
            await shared.aclose()

    asyncio.run(run())
    gc.collect()


def test_models_are_listed() -> None:
    async def run() -> tuple[str, ...]:
        async with serve(Wire.OPENAI, [], models=("zeta", "alpha"), key=KEY) as server:
            provider = OpenAICompatible("m", server.url + "/v1", KEY, profile=Profile("m"))
            try:
                return await provider.list_models()
            finally:
                await provider.close()

    assert asyncio.run(run()) == ("alpha", "zeta")


@pytest.mark.parametrize("body", [b"", b"[]", b'{"data": 7}', b'{"data": [7]}', b"<html>", b"[" * 9_999])
def test_what_is_no_list_of_models(body: bytes) -> None:
    async def run() -> None:
        async with serve_raw(reply("200 OK", body)) as server:
            provider = make(server.url)
            with pytest.raises(ProviderError) as caught:
                await provider.list_models()
            assert caught.value.trouble is Trouble.GARBLED
            await provider.close()

    asyncio.run(run())
