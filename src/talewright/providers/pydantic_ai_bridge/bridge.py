"""The bridge: one model of Anthropic or Google as a Provider, through pydantic-ai's Model interface.

It does not retry, meter or choose: wrappers do. The key goes to the vendor's library and nowhere else.
"""

import asyncio
import importlib
from collections.abc import AsyncGenerator, Awaitable, Mapping
from contextlib import AsyncExitStack
from types import MappingProxyType
from typing import TypeAlias, TypeVar, cast

from pydantic_ai.messages import ModelResponseStreamEvent
from pydantic_ai.models import ModelRequestParameters, StreamedResponse

from talewright.llm.known_models import SERVICES
from talewright.llm.profiles import Profile, Wire
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request
from talewright.providers.http_errors import ProviderErrorReporter
from talewright.providers.key_redaction import read_key, silence_loggers
from talewright.providers.model_http_client import choose_options, name_host
from talewright.providers.outgoing_addresses import OutgoingAddresses
from talewright.providers.pydantic_ai_bridge.anthropic_google_errors import CAUGHT, let_go, translate
from talewright.providers.pydantic_ai_bridge.anthropic_google_replies import BridgeEventReader, is_complete
from talewright.providers.pydantic_ai_bridge.anthropic_google_requests import (
    AnyModel,
    VendorAccess,
    VendorSide,
    place_marks,
    write_messages,
    write_rules,
    write_tool,
)
from talewright.providers.pydantic_ai_bridge.guarded_client import make_client, read_address
from talewright.providers.reply_timeouts import ProviderTimeouts, ReplyDeadline

SIDES: Mapping[Wire, tuple[str, str]] = MappingProxyType(
    {
        "anthropic": ("talewright.providers.pydantic_ai_bridge.anthropic_client", "AnthropicSide"),
        "google": ("talewright.providers.pydantic_ai_bridge.google_client", "GoogleSide"),
    }
)
"""The module and class of each vendor. Loaded on demand: each has its own extra."""

Events: TypeAlias = AsyncGenerator[ModelResponseStreamEvent, None]
_T = TypeVar("_T")


class Bridge:
    """A model used through pydantic-ai."""

    def __init__(
        self,
        side: VendorSide,
        model: str,
        key: str,
        *,
        profile: Profile,
        base_url: str,
        timeouts: ProviderTimeouts = ProviderTimeouts(),  # noqa: B008 - a frozen value
        outgoing: OutgoingAddresses | None = None,
    ) -> None:
        self._side = side
        self._model = model
        self._key = key
        self._profile = profile
        self._url = read_address(base_url)
        self._timeouts = timeouts
        self._options = choose_options(self._url, timeouts, outgoing)
        self._reporter = ProviderErrorReporter(name_host(self._url), model, key)
        self._opened: tuple[VendorAccess, AnyModel] | None = None

    def __repr__(self) -> str:
        return f"Bridge({self._model!r}, {name_host(self._url)!r})"

    @property
    def profile(self) -> Profile:
        """What the model can do."""
        return self._profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask, and yield the answer as it arrives."""
        times, clock = self._timeouts, asyncio.get_running_loop().time
        hearing = BridgeEventReader(self._reporter)
        end = ReplyDeadline(clock() + times.total_seconds, times.total_seconds, "the answer did not end")
        first, pause = times.first_token_seconds, times.between_chunks_seconds
        limit = min(ReplyDeadline(clock() + first, first, "no answer began"), end)
        async with AsyncExitStack() as stack:
            answer = await self._wait(self._ask(request, stack), limit, hearing)
            events = cast(Events, aiter(answer))
            stack.push_async_callback(events.aclose)
            progress = 0
            while (event := await self._hear(events, limit, hearing, answer)) is not None:
                for chunk in hearing.take(event):
                    yield chunk
                if hearing.progress != progress:
                    progress = hearing.progress
                    limit = min(ReplyDeadline(clock() + pause, pause, "the answer did not go on"), end)
            last = hearing.finish(answer)
        for chunk in last:
            yield chunk

    async def close(self) -> None:
        """Close the connections."""
        if self._opened is not None:
            door, _ = self._opened
            self._opened = None
            await door.client.aclose()

    async def _ask(self, request: Request, stack: AsyncExitStack) -> StreamedResponse:
        model = self._open()
        marks = place_marks(request, self._profile.cache)
        parameters = ModelRequestParameters(
            function_tools=[*map(write_tool, request.tools)] if self._profile.takes_tools else [],
            instruction_parts=write_rules(request.messages),
        )
        asking = model.request_stream(
            write_messages(request.messages, marks.before),
            self._side.write_settings(request, self._profile, model, marks),
            self._side.write_form(parameters, request, self._profile, model),
        )
        return await stack.enter_async_context(asking)

    def _open(self) -> AnyModel:
        if self._opened is None:
            client = make_client(self._options, self._reporter)
            door = VendorAccess(self._model, self._key, str(self._url), client)
            self._opened = door, self._side.open(door)
            silence_loggers()
        return self._opened[1]

    async def _hear(
        self, events: Events, limit: ReplyDeadline, hearing: BridgeEventReader, answer: StreamedResponse
    ) -> ModelResponseStreamEvent | None:
        """The next event; None at the end."""
        try:
            return await self._wait(anext(events, None), limit, hearing, answer)
        except ProviderError:
            # A complete answer is not discarded because closing the stream failed.
            if is_complete(answer):
                return None
            raise

    async def _wait(
        self,
        work: Awaitable[_T],
        limit: ReplyDeadline,
        hearing: BridgeEventReader,
        answer: StreamedResponse | None = None,
    ) -> _T:
        """Await a piece of work; whatever goes wrong becomes a ProviderError."""
        caught: tuple[type[Exception], ...] = (*CAUGHT, *self._side.failures)
        try:
            async with asyncio.timeout_at(limit.at):
                return await work
        except TimeoutError:
            error = self._reporter.slow(limit.what, limit.seconds, usage=hearing.guess_usage(answer))
        except ProviderError as guarded:
            error = guarded.costing(hearing.guess_usage(answer))
        except caught as raised:
            seconds, usage = self._timeouts.connect_seconds, hearing.guess_usage(answer)
            error = translate(raised, self._reporter, seconds, hearing.progress, usage)
            let_go(raised)
        # A library's exception may show headers, and with them the key.
        raise error from None


def make_bridge(
    wire: Wire,
    model: str,
    key: str = "",
    *,
    profile: Profile,
    base_url: str = "",
    timeouts: ProviderTimeouts = ProviderTimeouts(),  # noqa: B008 - a frozen value
    outgoing: OutgoingAddresses | None = None,
) -> Bridge:
    """A provider for a vendor's wire; raises ProviderError if its library is not installed."""
    place, name = SIDES[wire]
    try:
        side = cast(type[VendorSide], getattr(importlib.import_module(place), name))
    except ImportError:
        raise ProviderError(
            Trouble.REQUEST,
            f"the library that speaks the wire of {wire} is not installed",
            f"Install it: pip install 'talewright[{wire}]'",
            unpaid=True,
        ) from None
    return Bridge(
        side(),
        model,
        read_key(key),
        profile=profile,
        base_url=base_url or SERVICES[wire].base_url,
        timeouts=timeouts,
        outgoing=outgoing,
    )
