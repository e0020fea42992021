"""The desk: answers one request after another in a vendor's protocol, by script, cache and faults.

It works on connections others have accepted, and it alone writes the ledger.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from talewright.testing.fake_provider import mischief, tokens
from talewright.testing.fake_provider.asked import Asked, RejectionError
from talewright.testing.fake_provider.bodies import parse_object, spell
from talewright.testing.fake_provider.caching import Cache, Hit
from talewright.testing.fake_provider.clocks import Clock
from talewright.testing.fake_provider.faults import OUTAGES, STATUSES, Fault, Place, Placed, Plan
from talewright.testing.fake_provider.http import Exchange, GoneError, HttpRequest
from talewright.testing.fake_provider.ledger import KEY_MARK, Ending, Entry, Ledger, Page, hide_headers
from talewright.testing.fake_provider.player import Player
from talewright.testing.fake_provider.scripts import Answer, Pace, Script, SpentError, limit, pick
from talewright.testing.fake_provider.wires import Act, Errand, Event, Part, Tally, Telling, WireForm

MODELS = ("fake-model",)
"""The models that are listed where none were named; any name is taken then."""

PORTAL = b"<!doctype html><title>Sign in</title><p>Please sign in to this network.</p>"
"""What stands where an answer should be when something on the way has answered."""

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
"""What an error says, by its status."""


@dataclass(slots=True)
class Desk:
    """Everything one server answers with."""

    form: WireForm
    script: Script
    plan: Plan
    cache: Cache
    pace: Pace
    key: str
    models: tuple[str, ...]
    clock: Clock
    ledger: Ledger = field(default_factory=Ledger)
    asks: int = 0
    looped: Answer | None = None
    """What is said for ever once a model goes round in circles."""

    async def answer(
        self, exchange: Exchange, request: HttpRequest, before_end: Callable[[int], None]
    ) -> None:
        """Answer one request; `before_end` gets the number of an ask before its client knows it is over."""
        entry = Entry(request.method, request.path, hide_headers(request.headers), asked_at=self.clock.now())
        page = self.ledger.open(entry)
        ending = Ending.CUT
        try:
            ending = await self._answer(exchange, request, page, before_end)
        except RejectionError as error:
            page.write(replace(page.entry, status=error.status))
            before_end(page.entry.number)
            await exchange.respond_json(error.status, self.form.tell_error(error), _retry(page.entry.fault))
            ending = Ending.WHOLE
        except GoneError:
            ending = Ending.LEFT
            raise
        finally:
            before_end(page.entry.number)
            page.end(ending, self.clock.now())

    async def _answer(
        self, exchange: Exchange, request: HttpRequest, page: Page, before_end: Callable[[int], None]
    ) -> Ending:
        errand = self.form.route(request.method, request.path, request.query)
        if errand.act is Act.ASK:
            self.asks += 1
            page.write(replace(page.entry, number=self.asks))
        self._check_key(request)
        if errand.act is Act.LIST:
            page.write(replace(page.entry, status=200))
            listed = self.form.list_models(self.models or MODELS, int(self.clock.now()))
            await exchange.respond_json(200, listed)
            return Ending.WHOLE
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

    def _read(self, request: HttpRequest, errand: Errand, page: Page) -> Asked:
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

    def _pick(self, asked: Asked) -> Answer:
        if self.looped is not None:
            return self.looped
        try:
            return limit(pick(self.script, asked), asked.output_tokens_max)
        except SpentError as spent:
            # Not a server's error: nobody should try again.
            raise RejectionError(400, str(spent)) from spent

    def _strike(self, asked: Asked, answer: Answer) -> Placed | None:
        for placed in self.plan.due(asked.number):
            if placed.fault not in OUTAGES and mischief.can_strike(placed, asked, answer):
                self.plan.strike(placed)
                return placed
        return None

    async def _tell(
        self,
        exchange: Exchange,
        page: Page,
        asked: Asked,
        answer: Answer,
        placed: Placed | None,
        before_end: Callable[[int], None],
    ) -> Ending:
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
            if placed.place is Place.START and placed.fault in STATUSES:
                raise self._error(placed)
            answer, pace = mischief.alter(placed, asked, answer), mischief.tighten(pace, placed, answer)
            if placed.fault is Fault.TOOL_LOOP:
                self.looped = answer
            if placed.fault in (Fault.EMPTY, Fault.WRONG_TYPE):
                return await self._tell_nothing(exchange, page, placed.fault, before_end)
        telling = Telling(asked, answer, self._count(hit, answer, placed), pace, int(now))
        if asked.stream:
            events = self.form.tell_stream(telling)
        else:
            whole = spell(self.form.tell_whole(telling), escaped=pace.escaped).encode()
            events = [Event(Part.WHOLE, whole, answer.spoken)]
        steps: list[mischief.Step] = [mischief.Send(event) for event in events]
        if placed is not None:
            error = self.form.tell_error_event(self._error(placed)) if placed.fault in STATUSES else b""
            steps = mischief.disturb(placed, events, error)
        self.cache.keep(asked, now)
        player = Player(exchange, page, self.clock, pace, self._headers(asked))
        try:
            ending = await player.play(steps, lambda: before_end(asked.number))
        finally:
            self.cache.keep_said(asked, page.entry.said, self.clock.now())
        if ending is Ending.WHOLE:
            # Some thinking is generated and paid for without being sent.
            page.write(replace(page.entry, output_tokens=answer.tokens))
        return ending

    async def _tell_nothing(
        self, exchange: Exchange, page: Page, fault: Fault, before_end: Callable[[int], None]
    ) -> Ending:
        """An answer that is none: empty, or of somebody else."""
        page.write(replace(page.entry, status=200))
        before_end(page.entry.number)
        if fault is Fault.EMPTY:
            await exchange.respond(200, b"", {"content-type": self.form.stream_type})
        else:
            await exchange.respond(200, PORTAL, {"content-type": "text/html; charset=utf-8"})
        return Ending.CUT

    def _headers(self, asked: Asked) -> dict[str, str]:
        kind = self.form.stream_type if asked.stream and asked.events else "application/json"
        keeps = "close" if self.plan.find_outage(asked.number + 1) else "keep-alive"
        return {
            "content-type": kind,
            "cache-control": "no-cache",
            "connection": keeps,
            "x-request-id": "req_fake",
        }

    def _count(self, hit: Hit, answer: Answer, placed: Placed | None) -> Tally:
        tally = Tally(
            hit.prompt_tokens,
            hit.cached_tokens,
            hit.written_tokens,
            hit.written_long_tokens,
            answer.tokens,
            tokens.count(answer.reasoning),
        )
        return mischief.falsify(tally) if placed is not None and placed.fault is Fault.WRONG_USAGE else tally

    def _error(self, placed: Placed) -> RejectionError:
        status = STATUSES[placed.fault]
        return RejectionError(status, WORDS[status])


def _retry(placed: Placed | None) -> dict[str, str]:
    if placed is None or placed.fault is not Fault.BUSY_UNTIL:
        return {}
    return {"retry-after": placed.retry_after}
