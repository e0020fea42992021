"""The request handler: answers requests from the script, with cache and faults applied.

It works on accepted connections, and nothing else writes to the ledger.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from talewright_testkit.fake_provider import fault_effects, parsed_request
from talewright_testkit.fake_provider.fake_clock import ServerClock
from talewright_testkit.fake_provider.fault_effects import (
    CutReply,
    DripBytes,
    ReplyStep,
    ResetConnection,
    SendEvent,
    StallReply,
)
from talewright_testkit.fake_provider.fault_plan import (
    OUTAGES,
    STATUSES,
    FaultPlace,
    FaultPlan,
    PlacedFault,
    ProviderFault,
)
from talewright_testkit.fake_provider.http_connection import ClientGoneError, HttpExchange, HttpRequest
from talewright_testkit.fake_provider.parsed_request import ParsedRequest, RejectionError, parse_object, spell
from talewright_testkit.fake_provider.reply_script import (
    FakeAnswer,
    ReplyPace,
    Script,
    ScriptSpentError,
    limit,
    pick,
)
from talewright_testkit.fake_provider.request_ledger import (
    KEY_MARK,
    ExchangeEnding,
    OpenRequestEntry,
    RequestLedger,
    RequestLedgerEntry,
    hide_headers,
)
from talewright_testkit.fake_provider.vendor_cache import VendorCache, VendorCacheHit
from talewright_testkit.fake_provider.wires.wire_form import (
    FakeWireEvent,
    OutgoingAnswer,
    ReplyTokenTally,
    RequestedAct,
    RoutedRequest,
    WireForm,
    WireReplyPart,
)


class ReplySender:
    """Sends one answer."""

    def __init__(
        self,
        exchange: HttpExchange,
        page: OpenRequestEntry,
        clock: ServerClock,
        pace: ReplyPace,
        headers: Mapping[str, str],
    ) -> None:
        self._exchange = exchange
        self._page = page
        self._clock = clock
        self._pace = pace
        self._headers = headers
        self._begun = False

    async def play(self, steps: Sequence[ReplyStep], before_end: Callable[[], None]) -> ExchangeEnding:
        """Carry out the steps; `before_end` is called before the client can see that the answer has ended."""
        for step in steps:
            match step:
                case SendEvent(event):
                    await self._send(event)
                case DripBytes(seconds):
                    self._pace = replace(self._pace, write_bytes=1, gap_seconds=seconds)
                case StallReply():
                    await self._begin()
                    await self._exchange.wait_until_gone()
                case ResetConnection():
                    before_end()
                    self._exchange.reset()
                    return ExchangeEnding.CUT
                case CutReply():
                    await self._finish(before_end)
                    return ExchangeEnding.CUT
                case _:
                    assert_never(step)
        await self._finish(before_end)
        return ExchangeEnding.WHOLE

    async def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            await self._exchange.begin(200, self._headers)
            self._page.write(replace(self._page.entry, status=200))

    async def _finish(self, before_end: Callable[[], None]) -> None:
        await self._begin()
        before_end()
        await self._exchange.finish()

    async def _send(self, event: FakeWireEvent) -> None:
        await self._begin()
        size = self._pace.write_bytes or len(event.data)
        for start in range(0, len(event.data), size):
            if self._pace.gap_seconds:
                await self._exchange.rest(asyncio.create_task(self._clock.sleep(self._pace.gap_seconds)))
            await self._exchange.send(event.data[start : start + size])
        entry = self._page.entry
        said = entry.said + event.said
        self._page.write(
            replace(
                entry,
                said=said,
                events=entry.events + 1,
                first_at=self._clock.now() if entry.first_at is None else entry.first_at,
                output_tokens=parsed_request.count_tokens(said),
            )
        )


MODELS = ("fake-model",)
"""The models listed by default; any name is then accepted."""

PORTAL = b"<!doctype html><title>Sign in</title><p>Please sign in to this network.</p>"
"""The body sent when a captive portal answers instead of the model."""

WORDS = {
    401: "The key was refused.",
    402: "Insufficient credits.",
    404: "There is no such model.",
    408: "The request timed out.",
    409: "The request conflicts with another one.",
    429: "Rate limit reached.",
    500: "The server had an error while processing your request.",
    503: "The service is temporarily unavailable.",
    529: "Overloaded",
}
"""Error messages by status."""


@dataclass(slots=True)
class RequestHandler:
    """Handles the requests of one server."""

    form: WireForm
    script: Script
    plan: FaultPlan
    cache: VendorCache
    pace: ReplyPace
    key: str
    models: tuple[str, ...]
    clock: ServerClock
    ledger: RequestLedger = field(default_factory=RequestLedger)
    asks: int = 0
    looped: FakeAnswer | None = None
    """The answer repeated forever once the model is in a loop."""

    async def answer(
        self, exchange: HttpExchange, request: HttpRequest, before_end: Callable[[int], None]
    ) -> None:
        """Answer one request; `before_end` gets the number of an ask before its client can see the end."""
        entry = RequestLedgerEntry(
            request.method, request.path, hide_headers(request.headers), asked_at=self.clock.now()
        )
        page = self.ledger.open(entry)
        ending = ExchangeEnding.CUT
        try:
            ending = await self._answer(exchange, request, page, before_end)
        except RejectionError as error:
            page.write(replace(page.entry, status=error.status))
            before_end(page.entry.number)
            await exchange.respond_json(error.status, self.form.tell_error(error), _retry(page.entry.fault))
            ending = ExchangeEnding.WHOLE
        except ClientGoneError:
            ending = ExchangeEnding.LEFT
            raise
        finally:
            before_end(page.entry.number)
            page.end(ending, self.clock.now())

    async def _answer(
        self,
        exchange: HttpExchange,
        request: HttpRequest,
        page: OpenRequestEntry,
        before_end: Callable[[int], None],
    ) -> ExchangeEnding:
        errand = self.form.route(request.method, request.path, request.query)
        if errand.act is RequestedAct.ASK:
            self.asks += 1
            page.write(replace(page.entry, number=self.asks))
        self._check_key(request)
        if errand.act is RequestedAct.LIST:
            page.write(replace(page.entry, status=200))
            listed = self.form.list_models(self.models or MODELS, int(self.clock.now()))
            await exchange.respond_json(200, listed)
            return ExchangeEnding.WHOLE
        asked = self._read(request, errand, page)
        answer = self._pick(asked)
        placed = self._strike(asked, answer)
        page.write(replace(page.entry, fault=placed))
        return await self._tell(exchange, page, asked, answer, placed, before_end)

    def _check_key(self, request: HttpRequest) -> None:
        shown = self.form.find_key(request.headers, request.query)
        refusal = None if shown == self.key else self.form.refuse_key(shown)
        if refusal is not None:
            raise refusal

    def _read(self, request: HttpRequest, errand: RoutedRequest, page: OpenRequestEntry) -> ParsedRequest:
        text = request.body.decode("utf-8", "replace")
        body = parse_object(text.replace(self.key, KEY_MARK))
        page.write(replace(page.entry, body=body, leaked=self.key in text))
        if body is None:
            raise RejectionError(400, "We could not parse the JSON body of your request.")
        asked = replace(self.form.read(body, request.headers, errand), number=page.entry.number)
        if self.models and asked.model not in self.models:
            raise self.form.refuse_model(asked.model)
        page.write(replace(page.entry, model=asked.model))
        return asked

    def _pick(self, asked: ParsedRequest) -> FakeAnswer:
        if self.looped is not None:
            return self.looped
        try:
            return limit(pick(self.script, asked), asked.output_tokens_max)
        except ScriptSpentError as spent:
            # Not a server error, so that clients do not retry.
            raise RejectionError(400, str(spent)) from spent

    def _strike(self, asked: ParsedRequest, answer: FakeAnswer) -> PlacedFault | None:
        for placed in self.plan.due(asked.number):
            if placed.fault not in OUTAGES and fault_effects.can_strike(placed, asked, answer):
                self.plan.strike(placed)
                return placed
        return None

    async def _tell(
        self,
        exchange: HttpExchange,
        page: OpenRequestEntry,
        asked: ParsedRequest,
        answer: FakeAnswer,
        placed: PlacedFault | None,
        before_end: Callable[[int], None],
    ) -> ExchangeEnding:
        now = self.clock.now()
        hit = self.cache.measure(asked, now)
        page.write(
            replace(
                page.entry,
                prompt_tokens=hit.prompt_tokens,
                cached_tokens=hit.cached_tokens,
                written_tokens=hit.written_tokens,
            )
        )
        pace = self.pace
        if placed is not None:
            if placed.place is FaultPlace.START and placed.fault in STATUSES:
                raise self._error(placed)
            pace = fault_effects.tighten(pace, placed, answer)
            answer = fault_effects.alter(placed, asked, answer)
            if placed.fault is ProviderFault.TOOL_LOOP:
                self.looped = answer
            if placed.fault in (ProviderFault.EMPTY, ProviderFault.WRONG_TYPE):
                return await self._tell_nothing(exchange, page, placed.fault, before_end)
        telling = OutgoingAnswer(asked, answer, self._count(hit, answer, placed), pace, int(now))
        if asked.stream:
            events = self.form.tell_stream(telling)
        else:
            whole = spell(self.form.tell_whole(telling), escaped=pace.escaped).encode()
            events = [FakeWireEvent(WireReplyPart.WHOLE, whole, answer.spoken)]
        steps: list[fault_effects.ReplyStep] = [fault_effects.SendEvent(event) for event in events]
        if placed is not None:
            error = self.form.tell_error_event(self._error(placed)) if placed.fault in STATUSES else b""
            steps = fault_effects.disturb(placed, events, error)
        self.cache.keep(asked, now)
        player = ReplySender(exchange, page, self.clock, pace, self._headers(asked))
        try:
            ending = await player.play(steps, lambda: before_end(asked.number))
        finally:
            self.cache.keep_said(asked, page.entry.said, self.clock.now())
        if ending is ExchangeEnding.WHOLE:
            # Some reasoning is generated and paid for without being sent.
            page.write(replace(page.entry, output_tokens=answer.tokens))
        return ending

    async def _tell_nothing(
        self,
        exchange: HttpExchange,
        page: OpenRequestEntry,
        fault: ProviderFault,
        before_end: Callable[[int], None],
    ) -> ExchangeEnding:
        """Send something that is not an answer: nothing, or the page of a captive portal."""
        page.write(replace(page.entry, status=200))
        before_end(page.entry.number)
        if fault is ProviderFault.EMPTY:
            await exchange.respond(200, b"", {"content-type": self.form.stream_type})
        else:
            await exchange.respond(200, PORTAL, {"content-type": "text/html; charset=utf-8"})
        return ExchangeEnding.CUT

    def _headers(self, asked: ParsedRequest) -> dict[str, str]:
        kind = self.form.stream_type if asked.stream and asked.events else "application/json"
        keeps = "close" if self.plan.find_outage(asked.number + 1) else "keep-alive"
        return {
            "content-type": kind,
            "cache-control": "no-cache",
            "connection": keeps,
            "x-request-id": "req_fake",
        }

    def _count(self, hit: VendorCacheHit, answer: FakeAnswer, placed: PlacedFault | None) -> ReplyTokenTally:
        tally = ReplyTokenTally(
            hit.prompt_tokens,
            hit.cached_tokens,
            hit.written_tokens,
            hit.written_long_tokens,
            answer.tokens,
            parsed_request.count_tokens(answer.reasoning),
        )
        return (
            fault_effects.falsify(tally)
            if placed is not None and placed.fault is ProviderFault.WRONG_USAGE
            else tally
        )

    def _error(self, placed: PlacedFault) -> RejectionError:
        status = STATUSES[placed.fault]
        return RejectionError(status, WORDS[status])


def _retry(placed: PlacedFault | None) -> dict[str, str]:
    if placed is None or placed.fault is not ProviderFault.BUSY_UNTIL:
        return {}
    return {"retry-after": placed.retry_after}
