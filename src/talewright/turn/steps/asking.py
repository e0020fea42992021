"""Asking: one request to a model, its reply shown as it arrives and stored unchanged.

The reader interprets the reply, the leak guard decides how much of it is shown, and the kernel what is
allowed.
"""

from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.quote_search import QuoteTally
from talewright.contract.dialect import AnswerGround, Dialect, ModelAnswer
from talewright.contract.text.leak_guard import HiddenTexts, LeakGuard
from talewright.contract.text.repetition import RepetitionWatch, say_once
from talewright.crashpoints import around, crash_point
from talewright.llm.provider import Provider, ProviderError, Trouble
from talewright.llm.reply_chunks import (
    Again,
    CallPart,
    Chunk,
    Piece,
    PromptProgress,
    Reply,
    Stop,
    StopReason,
    Text,
    Usage,
    gather,
)
from talewright.llm.requests import Request
from talewright.prompt.past_turns_part import DISARMED_SINCE_ENGINE
from talewright.prompt.prompt_assembly import disarm_messages
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.records.commit_body import (
    BROKEN_OFF,
    SKIPPED,
    read_reply,
    replay,
    write_reply,
    write_trouble,
    write_usage,
)
from talewright.turn.records.turn_attempts import AttemptLedger
from talewright.turn.spending import SpendingSum, write_spending
from talewright.turn.steps.model_waits import ModelWait
from talewright.turn.turn_context import ASK, Road, TurnKey, name_ask
from talewright.turn.turn_outcomes import OutcomeReason
from talewright.turn.turn_signals import NarrationDelta, NarrationReset, RepairCause


class UntoldError(Exception):
    """The turn cannot be narrated: the storyteller was not reached, or its answers could not be repaired."""

    def __init__(self, detail: str, reason: OutcomeReason = OutcomeReason.UNTOLD, trouble: str = "") -> None:
        super().__init__(detail)
        self.detail = detail
        self.trouble = trouble
        """The kind of provider trouble, if that was the cause."""

        self.reason = reason


@frozen
class HeardAnswer:
    """One answer, parsed."""

    answer: ModelAnswer
    raw: str
    """The text as it came, to be shown to the model again; a part that went round in circles appears once."""

    leaked: bool
    """Whether it quoted something the player may not know."""

    exchange: dict[str, Json]
    """The record of the exchange, to which results and repair demands are added."""

    calls: tuple[tuple[str, str, str], ...] = ()
    """Id, name and arguments of every tool call, unchanged."""

    objection: str = ""
    """The moderation's objection to the narration."""


@dataclass(slots=True)
class AnswerGuard:
    """The texts that no answer may repeat, and the pieces of them that were narrated.

    The prompt, once written, adds more to hide.
    """

    veil: HiddenTexts
    told: QuoteTally = field(default_factory=QuoteTally)
    """Pieces in the accepted answers of this turn."""

    heard: QuoteTally = field(default_factory=QuoteTally)
    """The same, including those of the answer that is being judged."""

    def keep(self) -> None:
        """Accept the answer."""
        self.told = self.heard


@frozen
class AskSetting:
    """Where a request belongs."""

    key: TurnKey
    before: SpendingSum = SpendingSum()
    """What the campaign had spent when the attempt started."""

    work: str = ASK
    """The name of its steps: a runner that stores results finds them by key and name."""

    can_skip: bool = False
    """Whether a scene can narrate the turn instead."""

    engine: int = ENGINE_NUMBER
    """The engine number of the turn: requests of older ones are made as they were."""


@frozen
class AnswerReading:
    """A whole reply, read."""

    answer: ModelAnswer
    shown: str
    """The narration as far as the guard lets it through."""

    leaked: bool


def read_answer(dialect: Dialect, ground: AnswerGround, guard: AnswerGuard, reply: Reply) -> AnswerReading:
    """Read a reply as a whole; how its text was cut into pieces makes no difference."""
    screen = AnswerDisplay(None, dialect, ground, guard)
    for chunk in replay(reply):
        screen.show(chunk)
    return screen.read()


class AnswerDisplay:
    """The narration of one reply as the player sees it arrive."""

    def __init__(self, road: Road | None, dialect: Dialect, ground: AnswerGround, guard: AnswerGuard) -> None:
        self._road = road
        self._dialect = dialect
        self._ground = ground
        self._veil, self._told = guard.veil, guard.told
        self._reader = dialect.reader(ground)
        self._guard = LeakGuard(self._veil, self._told)
        self.shown = ""
        self._heard: list[Piece] = []
        """The text that the reader was fed."""

        self._held = ""
        """The text that the guard released at the end and that was not shown yet."""

        self._answer: ModelAnswer | None = None

    @property
    def leaked(self) -> bool:
        return self._guard.leaked

    def show(self, chunk: Piece | Again) -> None:
        if isinstance(chunk, Again):
            self._start_over()
        else:
            self._heard.append(chunk)
            self._put(self._guard.feed(self._reader.feed(chunk)))

    def _start_over(self) -> None:
        """Another attempt at the same reply has begun; what was shown of the first is void."""
        if self.shown and self._road is not None:
            self._road.listener(NarrationReset(""))
        self._reader = self._dialect.reader(self._ground)
        self._guard = LeakGuard(self._veil, self._told)
        self._heard = []
        self.shown = ""

    def has_heard(self, reply: Reply) -> bool:
        """Whether it was fed exactly this reply, though perhaps in other pieces; never one with calls."""
        texts = [chunk.text for chunk in self._heard if isinstance(chunk, Text)]
        rest = [chunk for chunk in self._heard if not isinstance(chunk, Text)]
        return not reply.calls and (Text("".join(texts)), *rest) == replay(reply)

    def read(self) -> AnswerReading:
        """The whole reply, read from what was fed; nothing more is shown before `finish`."""
        if self._answer is None:
            self._answer = self._reader.finish()
            self._held = self._guard.finish()
        shown = (self.shown + self._held)[: len(self._answer.prose)]
        # A reply that reached its length limit may end before what was shown of it.
        return AnswerReading(self._answer, shown, self.leaked)

    def finish(self) -> ModelAnswer:
        answer = self.read().answer
        self._put(self._held)
        self._held = ""
        return answer

    def _put(self, text: str) -> None:
        self.shown += text
        if text and self._road is not None:
            self._road.listener(NarrationDelta(text))


class Asker:
    """Sends the requests of one turn."""

    def __init__(
        self, road: Road, setting: AskSetting, dialect: Dialect, guard: AnswerGuard, ledger: AttemptLedger
    ) -> None:
        self._road = road
        self._setting = setting
        self._dialect = dialect
        self.guard = guard
        self._ledger = ledger

    async def ask(
        self,
        provider: Provider,
        request: Request,
        ground: AnswerGround,
        purpose: str,
        why: RepairCause | None = None,
    ) -> HeardAnswer:
        """Ask for an answer in the game's dialect; narration is shown while it arrives."""
        road = self._road
        screen = AnswerDisplay(road, self._dialect, ground, self.guard)
        wait = ModelWait(
            road.listener, road.seconds, road.paces, provider.profile, request, self._setting.can_skip, why
        )
        readings: list[AnswerReading] = []

        def read(reply: Reply) -> ModelAnswer:
            # Text that was read while it arrived need not be read again.
            known = screen.read() if screen.has_heard(reply) else None
            readings.append(known or read_answer(self._dialect, ground, self.guard, reply))
            return readings[0].answer

        exchange, objection = await self._run(provider, request, purpose, _Audience(screen, wait), read)
        screen.finish()
        reply = read_reply(exchange)
        with around("final text"):
            # A runner may have returned a stored reply without a stream.
            answer = readings[0].answer if readings else read(reply)
        reading = readings[0]
        if reading.shown != screen.shown:
            road.listener(NarrationReset(reading.shown))
        exchange["flaws"] = [flaw.message for flaw in answer.flaws]
        if objection:
            exchange["objection"] = objection
        calls = tuple((call.id, call.name, call.arguments) for call in reply.calls)
        return HeardAnswer(answer, _write_out(reply), reading.leaked, exchange, calls, objection)

    async def ask_plainly(self, provider: Provider, request: Request, purpose: str) -> str:
        """Ask for text that is not shown to the player."""
        exchange, _ = await self._run(provider, request, purpose, None, None)
        return _write_out(read_reply(exchange))

    async def _run(
        self,
        provider: Provider,
        request: Request,
        purpose: str,
        audience: "_Audience | None",
        read: Callable[[Reply], ModelAnswer] | None,
    ) -> tuple[dict[str, Json], str]:
        """Run one request as a step; return its record and the moderation's objection."""
        ledger, limits = self._ledger, self._road.limits
        if self._setting.engine >= DISARMED_SINCE_ENGINE:
            request = replace(request, messages=disarm_messages(request.messages))
        if ledger.asks >= limits.asks_max:
            raise UntoldError(f"{ledger.asks} asks were not enough")
        if ledger.seconds >= limits.turn_seconds_max:
            raise UntoldError("", OutcomeReason.TIMED_OUT)
        ledger.steps += 1
        arrived: list[Chunk] = []
        result: Json = None

        async def step() -> Json:
            excess = self._find_excess(provider, request)
            if excess:
                return {"refused": excess}
            return await self._hear(provider, request, audience, arrived, read)

        try:
            name = name_ask(ledger.steps, self._setting.work)
            result = await self._road.runner.run(self._setting.key, name, step)
        finally:
            if result is None:
                # An interrupted request is paid for like any other.
                broken: Json = {**write_reply(gather(arrived)), "trouble": BROKEN_OFF}
                ledger.enter(purpose, request, provider.profile, self._count({"reply": broken}))
        heard = cast(Mapping[str, Json], result)
        if "refused" in heard:
            ledger.refused[ledger.steps] = cast(str, heard["refused"])
            raise UntoldError(cast(str, heard["refused"]), OutcomeReason.BUDGET)
        exchange = ledger.enter(purpose, request, provider.profile, heard)
        trouble = cast(str, exchange.get("trouble", ""))
        if trouble == SKIPPED:
            raise UntoldError("", OutcomeReason.SKIPPED)
        if trouble == BROKEN_OFF:
            raise UntoldError("", OutcomeReason.TIMED_OUT)
        if trouble == Trouble.BUDGET:
            raise UntoldError(cast(str, exchange["message"]), OutcomeReason.BUDGET)
        if trouble:
            raise UntoldError(cast(str, exchange["message"]), trouble=trouble)
        return exchange, cast(str, heard.get("objection", ""))

    def _find_excess(self, provider: Provider, request: Request) -> str:
        tracker = None if self._road.teller is None else self._road.teller.spending_tracker
        if tracker is None:
            return ""
        return tracker.find_excess(self._setting.before, self._ledger.spent, provider.profile, request)

    def _count(self, result: dict[str, Json]) -> dict[str, Json]:
        """Add what the meters have counted to a result, if there are any."""
        teller = self._road.teller
        if teller is not None and teller.spending_tracker is not None:
            result["spent"] = [write_spending(one) for one in teller.spending_tracker.empty()]
        return result

    async def _hear(
        self,
        provider: Provider,
        request: Request,
        audience: "_Audience | None",
        arrived: list[Chunk],
        read: Callable[[Reply], ModelAnswer] | None,
    ) -> Json:
        """Do everything in a request that involves the outside: reply, duration, cost and objection."""
        road = self._road
        if road.skip.is_wished():
            # Nothing is asked, and nothing is paid.
            unasked = {**write_reply(Reply()), "usage": write_usage(Usage()), "trouble": SKIPPED}
            return self._count({"reply": unasked, "seconds": 0.0})
        begun = road.seconds()
        try:
            async with road.skip.limit(road.limits.turn_seconds_max - self._ledger.seconds):
                reply = await self._stream(provider, request, audience, arrived)
        except TimeoutError:
            trouble = SKIPPED if road.skip.is_wished() else BROKEN_OFF
            reply = {**write_reply(gather(arrived)), "trouble": trouble}
        seconds = road.seconds() - begun
        if reply.get("trouble") == BROKEN_OFF:
            seconds = max(seconds, road.limits.turn_seconds_max - self._ledger.seconds)
        result: dict[str, Json] = {"reply": reply, "seconds": seconds}
        if read is not None and "trouble" not in reply:
            prose = read(read_reply(reply)).prose
            objection = await road.moderation.read(prose) if prose else None
            if objection is not None:
                result["objection"] = objection.reason
        return self._count(result)

    async def _stream(
        self, provider: Provider, request: Request, audience: "_Audience | None", arrived: list[Chunk]
    ) -> dict[str, Json]:
        length = 0
        if audience is not None:
            audience.wait.begin(self._ledger.seconds)
        watches: dict[int | None, RepetitionWatch] = {}
        try:
            with around("connect"):
                stream = provider.stream(request)
            async with aclosing(stream):
                async for chunk in stream:
                    if audience is not None:
                        audience.wait.hear(chunk)
                    if isinstance(chunk, PromptProgress):
                        continue
                    if not arrived:
                        crash_point("before first byte")
                    crash_point("before each chunk")
                    chunk, in_circles = _stop_circle(chunk, watches)
                    arrived.append(chunk)
                    length += _length(chunk)
                    if audience is not None:
                        audience.screen.show(chunk)
                    crash_point("after each chunk")
                    if len(arrived) == 1:
                        crash_point("after first byte")
                    if in_circles:
                        arrived.append(Stop(StopReason.REPETITION))
                        break
                    if length > self._road.limits.reply_length_max:
                        arrived.append(Stop(StopReason.LENGTH))
                        break
        except ProviderError as error:
            return {**write_reply(gather(arrived)), **write_trouble(error)}
        if audience is not None:
            audience.wait.end()
        return write_reply(gather(arrived))


@frozen
class _Audience:
    """A listener that hears an answer while it arrives."""

    screen: AnswerDisplay
    wait: ModelWait


def _write_out(reply: Reply) -> str:
    return say_once(reply.text) if reply.stop is StopReason.REPETITION else reply.text


def _stop_circle(
    chunk: Piece | Again, watches: dict[int | None, RepetitionWatch]
) -> tuple[Piece | Again, bool]:
    """A chunk as far as it is wanted, and whether the reply goes round in circles: in its text or a call."""
    match chunk:
        case Text(text):
            end = watches.setdefault(None, RepetitionWatch()).feed(text)
            return (chunk, False) if end is None else (Text(text[:end]), True)
        case CallPart(index=index, arguments=arguments):
            end = watches.setdefault(index, RepetitionWatch()).feed(arguments)
            return (chunk, False) if end is None else (replace(chunk, arguments=arguments[:end]), True)
        case Again():
            watches.clear()
            return chunk, False
        case _:
            return chunk, False


def _length(chunk: Chunk) -> int:
    match chunk:
        case Text(text):
            return len(text)
        case CallPart(arguments=arguments):
            return len(arguments)
        case _:
            return 0
