"""Asking: one question to a model, its answer shown while it arrives and kept as it came.

What the answer means is the reader's business; whether it is allowed, the kernel's.
"""

from collections.abc import Mapping
from contextlib import aclosing
from typing import cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.contract.dialect import AnswerGround, Dialect, ModelAnswer
from talewright.contract.text.leak_guard import HiddenTexts, LeakGuard
from talewright.crashpoints import around, crash_point
from talewright.llm.provider import Provider, ProviderError
from talewright.llm.reply_chunks import Again, CallPart, Chunk, Stop, StopReason, Text, gather
from talewright.llm.requests import Request
from talewright.turn.records.commit_body import BROKEN_OFF, read_reply, replay, write_reply, write_trouble
from talewright.turn.records.turn_attempts import AttemptLedger
from talewright.turn.turn_context import Road
from talewright.turn.turn_outcomes import OutcomeReason
from talewright.turn.turn_signals import NarrationDelta, NarrationReset


class UntoldError(Exception):
    """The turn cannot be told: the storyteller was not reached, or its answers could not be mended."""

    def __init__(self, detail: str, reason: OutcomeReason = OutcomeReason.UNTOLD, trouble: str = "") -> None:
        super().__init__(detail)
        self.detail = detail
        self.trouble = trouble
        """What kind of trouble the provider had, where it was that."""

        self.reason = reason


@frozen
class HeardAnswer:
    """One answer, read."""

    answer: ModelAnswer
    raw: str
    """The text as it came, to be shown to the model again."""

    leaked: bool
    """Whether it told word for word what the player may not know."""

    exchange: dict[str, Json]
    """What is kept of it, to which results and demands are added."""

    calls: tuple[tuple[str, str, str], ...] = ()
    """Id, name and arguments of every tool call, as they came."""


class Asker:
    """Asks on behalf of one turn."""

    def __init__(
        self, road: Road, dialect: Dialect, veil: HiddenTexts, ledger: AttemptLedger, work: str = "ask"
    ) -> None:
        self._road = road
        self._dialect = dialect
        self.veil = veil
        """What no answer may repeat; there is more of it once the prompt is written."""

        self._ledger = ledger
        self._work = work
        """How its steps are called: a runner that keeps results finds them by name."""

    async def ask(
        self, provider: Provider, request: Request, ground: AnswerGround, purpose: str
    ) -> HeardAnswer:
        """Ask for an answer in the game's dialect; narration is shown while it arrives."""
        screen = _Screen(self._road, self._dialect, ground, self.veil)
        exchange = await self._run(provider, request, purpose, screen)
        screen.finish()
        # The answer is read again from what was kept: a runner may have given back an earlier reply
        # without a stream, and a reader gives the same answer however its text was cut.
        reply = read_reply(exchange)
        again = _Screen(None, self._dialect, ground, self.veil)
        for chunk in replay(reply):
            again.show(chunk)
        with around("final text"):
            answer = again.finish()
        if again.shown != screen.shown:
            self._road.listener(NarrationReset(again.shown))
        exchange["flaws"] = [flaw.message for flaw in answer.flaws]
        calls = tuple((call.id, call.name, call.arguments) for call in reply.calls)
        return HeardAnswer(answer, reply.text, again.leaked, exchange, calls)

    async def ask_plainly(self, provider: Provider, request: Request, purpose: str) -> str:
        """Ask for text that nobody is shown."""
        return read_reply(await self._run(provider, request, purpose, None)).text

    async def _run(
        self, provider: Provider, request: Request, purpose: str, screen: "_Screen | None"
    ) -> dict[str, Json]:
        ledger = self._ledger
        if ledger.asks >= self._road.limits.asks_max:
            raise UntoldError(f"{ledger.asks} asks were not enough")
        spending_tracker = None if self._road.teller is None else self._road.teller.spending_tracker
        if spending_tracker is not None:
            excess = await spending_tracker.find_excess(
                self._road.book, ledger.spent, provider.profile, request
            )
            if excess:
                raise UntoldError(excess, OutcomeReason.BUDGET)
        ledger.asks += 1
        arrived: list[Chunk] = []
        raw: Json = None

        async def step() -> Json:
            return await self._stream(provider, request, screen, arrived)

        try:
            raw = await self._road.runner.run(f"{self._work} {ledger.asks}", step)
        finally:
            # An ask that was broken off has been paid for like any other.
            reply = cast(Mapping[str, Json], raw or {**write_reply(gather(arrived)), "trouble": BROKEN_OFF})
            exchange: dict[str, Json] = {"purpose": purpose, "model": provider.profile.name, **reply}
            ledger.enter(exchange, request, provider.profile, spending_tracker)
        if "trouble" in exchange:
            raise UntoldError(cast(str, exchange["message"]), trouble=cast(str, exchange["trouble"]))
        return exchange

    async def _stream(
        self, provider: Provider, request: Request, screen: "_Screen | None", arrived: list[Chunk]
    ) -> Json:
        length = 0
        try:
            with around("connect"):
                stream = provider.stream(request)
            async with aclosing(stream):
                async for chunk in stream:
                    if not arrived:
                        crash_point("before first byte")
                    crash_point("before each chunk")
                    arrived.append(chunk)
                    length += _length(chunk)
                    if screen is not None:
                        screen.show(chunk)
                    crash_point("after each chunk")
                    if len(arrived) == 1:
                        crash_point("after first byte")
                    if length > self._road.limits.reply_length_max:
                        arrived.append(Stop(StopReason.LENGTH))
                        break
        except ProviderError as error:
            return {**write_reply(gather(arrived)), **write_trouble(error)}
        return write_reply(gather(arrived))


class _Screen:
    """The narration of one reply as the player sees it arrive."""

    def __init__(self, road: Road | None, dialect: Dialect, ground: AnswerGround, veil: HiddenTexts) -> None:
        self._road = road
        self._dialect = dialect
        self._ground = ground
        self._veil = veil
        self._reader = dialect.reader(ground)
        self._guard = LeakGuard(veil)
        self.shown = ""

    @property
    def leaked(self) -> bool:
        return self._guard.leaked

    def show(self, chunk: Chunk) -> None:
        if isinstance(chunk, Again):
            self._start_over()
        else:
            self._put(self._guard.feed(self._reader.feed(chunk)))

    def _start_over(self) -> None:
        """Another try at the same reply has begun; what was shown of the first is void."""
        if self.shown and self._road is not None:
            self._road.listener(NarrationReset(""))
        self._reader = self._dialect.reader(self._ground)
        self._guard = LeakGuard(self._veil)
        self.shown = ""

    def finish(self) -> ModelAnswer:
        answer = self._reader.finish()
        self._put(self._guard.finish())
        return answer

    def _put(self, text: str) -> None:
        self.shown += text
        if text and self._road is not None:
            self._road.listener(NarrationDelta(text))


def _length(chunk: Chunk) -> int:
    match chunk:
        case Text(text):
            return len(text)
        case CallPart(arguments=arguments):
            return len(arguments)
        case _:
            return 0
