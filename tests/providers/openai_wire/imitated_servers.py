"""Imitated servers: the documented wires of servers on players' machines, with what each of them can do.

They answer within the process and in virtual time: a slow server costs a test nothing.
"""

import asyncio
import json
import selectors
from collections.abc import AsyncIterator, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx

from talewright.providers.openai_wire.server_probe import CAPITAL

T = TypeVar("T")
MODEL = "tale-1"
TEMPLATE_TOKENS = 12
"""What the frame of a chat adds to a prompt."""

TOOL_TOKENS = 90


class VirtualTimeSelector(selectors.DefaultSelector):
    """A selector that never waits: the time of its loop jumps to the next timer instead."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        assert timeout is not None, "nothing left to wait for"
        self.now += max(timeout, 0.0)
        return super().select(0)


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time; nothing in it may wait for the world outside."""

    def __init__(self) -> None:
        self._virtual = VirtualTimeSelector()
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.now


def run_virtually(work: Coroutine[Any, Any, T]) -> tuple[T, float]:
    """Run a coroutine in virtual time; return its result and how long it took."""
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        result = runner.run(work)
        return result, runner.get_loop().time()


@dataclass
class ImitatedServer:
    """What a server says of itself, and what it does."""

    kind: str = ""
    pages: Mapping[str, object] = field(default_factory=dict)
    header: str = ""
    context: int | None = None
    """What it has allocated, if it says so."""

    holds: frozenset[str] = frozenset()
    """Which of `json_schema`, `object_schema`, `json_object` and `grammar` it enforces."""

    refuses: frozenset[str] = frozenset()
    """Fields of a question that it answers with 400."""

    calls_tools: bool = True
    drops_tools: bool = False
    tells_usage: bool = True
    keeps: bool = True
    tells_cached: bool = False
    tells_timings: bool = False
    tells_progress: bool = False
    reads: float = 400.0
    writes: float = 40.0
    thinks: bool = False
    lies: bool = False
    """Whether all that it says about itself is wrong."""

    breaks_every: int = 0
    """Every so many questions, the connection breaks in the middle."""

    silent_after: int | None = None
    """After so many requests it says nothing more."""

    asked: list[dict[str, Any]] = field(default_factory=list)
    requests: int = 0
    _kept: str = ""

    async def answer_question(self, question: dict[str, Any]) -> AsyncIterator[bytes]:
        """The events of an answer."""
        self.asked.append(question)
        breaks = self.breaks_every and len(self.asked) % self.breaks_every == 0
        text = question["messages"][0]["content"]
        has_tools = "tools" in question and not self.drops_tools
        tokens = TEMPLATE_TOKENS + len(text.split()) + (TOOL_TOKENS if has_tools else 0)
        cached = tokens - 1 if self.keeps and text == self._kept else 0
        self._kept = text
        if self.tells_progress and question.get("return_progress"):
            yield _event({"choices": [], "prompt_progress": {"total": tokens, "processed": 0, "cache": 0}})
        await asyncio.sleep((tokens - cached) / self.reads)
        words = self._choose_words(question, text, has_tools)[: question["max_tokens"]]
        for number, delta in enumerate(words):
            if number:
                await asyncio.sleep(1 / self.writes)
            yield _event({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
            if breaks:
                raise httpx.ReadError("broken off")
        yield _event(self._end(question, tokens, cached, len(words)))
        yield b"data: [DONE]\n\n"

    def _choose_words(self, question: dict[str, Any], text: str, has_tools: bool) -> list[dict[str, Any]]:
        form = question.get("response_format", {})
        thoughts = [{"reasoning_content": "Hm, "}] * (100 if self.thinks else 0)
        if form.get("type") == "json_schema" and "json_schema" in self.holds:
            return [*thoughts, *_say("{ ", '"number"', ": ", "73", "19", " }")]
        if form.get("type") == "json_object" and "schema" in form and "object_schema" in self.holds:
            return [*thoughts, *_say("\n \n", '{"number":', "8426", "}")]
        if form.get("type") == "json_object" and "json_object" in self.holds:
            return [*thoughts, *_say("{", '"capital":', ' "Paris"', "}")]
        if "grammar" in question and "grammar" in self.holds:
            return [*thoughts, *_say("73", "19")]
        if has_tools and self.calls_tools:
            call = {"index": 0, "id": "c", "function": {"name": "look_up_weather", "arguments": '{"city":'}}
            rest = {"index": 0, "function": {"arguments": ' "Paris"}'}}
            return [*thoughts, {"tool_calls": [call]}, {"tool_calls": [rest]}]
        said = "The capital of France is Paris." if text == CAPITAL else "It rains there, and it"
        return [*thoughts, *_say(*(f"{word} " for word in (said.split() * 30)))]

    def _end(self, question: dict[str, Any], tokens: int, cached: int, written: int) -> dict[str, Any]:
        end: dict[str, Any] = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        if self.lies:
            usage = {"prompt_tokens": -7, "completion_tokens": 10**30, "prompt_tokens_details": {}}
            usage["prompt_tokens_details"] = {"cached_tokens": 10**12}
            times = {"prompt_n": 10**7, "prompt_ms": 0.001, "predicted_n": 10**7, "predicted_ms": 0.001}
            return {**end, "usage": usage, "timings": times}
        if self.tells_usage and question.get("stream_options"):
            end["usage"] = {"prompt_tokens": tokens, "completion_tokens": written}
            if self.tells_cached:
                end["usage"]["prompt_tokens_details"] = {"cached_tokens": cached}
        if self.tells_timings:
            end["timings"] = {
                "cache_n": cached,
                "prompt_n": tokens - cached,
                "prompt_ms": 1000 * (tokens - cached) / self.reads,
                "predicted_n": written,
                "predicted_ms": 1000 * max(written - 1, 1) / self.writes,
            }
        return end


class ImitatedTransport(httpx.AsyncBaseTransport):
    """The way to an imitated server."""

    def __init__(self, server: ImitatedServer) -> None:
        self._server = server

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        server = self._server
        server.requests += 1
        if server.silent_after is not None and server.requests > server.silent_after:
            await asyncio.sleep(1e6)
        path = request.url.path
        if path == "/v1/chat/completions":
            question = json.loads(await request.aread())
            refused = sorted(server.refuses & (set(question) | _find_forms(question)))
            if refused:
                return httpx.Response(400, json={"error": {"message": f"unknown field {refused[0]}"}})
            kind = {"content-type": "text/event-stream"}
            return httpx.Response(200, headers=kind, stream=EventStream(server.answer_question(question)))
        if path not in server.pages:
            return httpx.Response(404, json={"error": "not found"})
        headers = {"server": server.header} if server.header else {}
        page = server.pages[path]
        body = page if isinstance(page, bytes) else json.dumps(page).encode()
        return httpx.Response(200, headers=headers, stream=EventStream(_yield_once(body)))


class EventStream(httpx.AsyncByteStream):
    """A body that comes in pieces."""

    def __init__(self, events: AsyncIterator[bytes]) -> None:
        self._events = events

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._events


async def _yield_once(body: bytes) -> AsyncIterator[bytes]:
    yield body


def _find_forms(question: Mapping[str, Any]) -> set[str]:
    form = question.get("response_format", {})
    return {f"response_format.{form.get('type')}"} if form else set()


def _event(event: object) -> bytes:
    return b"data: " + json.dumps(event).encode() + b"\n\n"


def _say(*words: str) -> list[dict[str, Any]]:
    return [{"content": word} for word in words]


def list_models(owner: str, **more: object) -> dict[str, object]:
    """A list of models as the OpenAI wire has it."""
    return {"object": "list", "data": [{"id": MODEL, "object": "model", "owned_by": owner, **more}]}


def make_servers() -> dict[str, ImitatedServer]:
    """Every server by name, each new and with nothing asked."""
    schema, grammar = frozenset({"json_schema"}), frozenset({"grammar"})
    return {
        "ollama": ImitatedServer(
            "ollama",
            {
                "/v1/models": list_models("library"),
                "/api/version": {"version": "0.12.6"},
                "/api/ps": {"models": [{"name": f"{MODEL}:latest", "context_length": 4096}]},
                "/api/show": {"model_info": {"llama.context_length": 131072}, "parameters": ""},
            },
            context=4096,
            holds=schema,
        ),
        "ollama_old": ImitatedServer(
            "ollama",
            {
                "/v1/models": list_models("library"),
                "/api/version": {"version": "0.5.1"},
                "/api/ps": {"models": [{"name": MODEL, "size": 1}]},
                "/api/show": {"model_info": {"a.context_length": 32768}, "parameters": "num_ctx   8192\n"},
            },
            context=8192,
            holds=schema,
        ),
        "lm_studio": ImitatedServer(
            "lm_studio",
            {
                "/v1/models": list_models("organization_owner"),
                "/api/v1/models": {
                    "models": [
                        {
                            "key": MODEL,
                            "max_context_length": 131072,
                            "loaded_instances": [{"id": MODEL, "config": {"context_length": 16384}}],
                        }
                    ]
                },
            },
            context=16384,
            holds=schema,
            refuses=frozenset({"response_format.json_object"}),
        ),
        "lm_studio_old": ImitatedServer(
            "lm_studio",
            {
                "/v1/models": list_models("organization_owner"),
                "/api/v0/models": {
                    "data": [{"id": MODEL, "max_context_length": 32768, "loaded_context_length": 8192}]
                },
            },
            context=8192,
            holds=schema,
            keeps=False,
        ),
        "vllm": ImitatedServer(
            "vllm",
            {"/v1/models": list_models("vllm", max_model_len=32768), "/version": {"version": "0.13.0"}},
            header="uvicorn",
            context=32768,
            holds=frozenset({"json_schema", "json_object"}),
            reads=3000.0,
            writes=90.0,
        ),
        "kobold_cpp": ImitatedServer(
            "kobold_cpp",
            {
                "/v1/models": list_models("koboldcpp"),
                "/api/version": {"version": "0.7.0"},
                "/props": {"default_generation_settings": {"n_ctx": 2048}},
                "/api/extra/version": {"result": "KoboldCpp", "version": "1.98"},
                "/api/extra/true_max_context_length": {"value": 12288},
            },
            context=12288,
            holds=grammar,
            calls_tools=False,
            tells_usage=False,
        ),
        "llama_cpp": ImitatedServer(
            "llama_cpp",
            {
                "/v1/models": list_models("llamacpp", meta={"n_ctx": 8192, "n_ctx_train": 131072}),
                "/props": {"default_generation_settings": {"n_ctx": 8192}, "total_slots": 1},
            },
            header="llama.cpp",
            context=8192,
            holds=schema | grammar | {"object_schema", "json_object"},
            tells_cached=True,
            tells_timings=True,
            tells_progress=True,
            reads=45.0,
            writes=17.0,
        ),
        "llama_cpp_old": ImitatedServer(
            "llama_cpp",
            {
                "/v1/models": list_models("llamacpp", meta={"n_ctx_train": 131072}),
                "/props": {"default_generation_settings": {"n_ctx": 4096}},
            },
            header="llama.cpp",
            context=4096,
            # Its `json_schema` was read in another place, and anything else was ignored.
            holds=grammar | {"object_schema"},
            refuses=frozenset({"tools"}),
            tells_timings=True,
        ),
        "liar": ImitatedServer(
            "llama_cpp",
            {
                "/v1/models": list_models("llamacpp", meta={"n_ctx": 10**9}, max_model_len="many"),
                "/props": {"default_generation_settings": {"n_ctx": 8192}},
                "/api/version": {"version": 7},
            },
            header="llama.cpp",
            calls_tools=False,
            drops_tools=True,
            keeps=False,
            lies=True,
        ),
        "silent": ImitatedServer(silent_after=0),
    }
