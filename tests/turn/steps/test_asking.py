"""Asking: what is shown while an answer arrives, what is kept of it, and what it costs."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from talewright.contract.dialect import IN_CIRCLES, AnswerGround
from talewright.contract.dialect_table import DIALECTS
from talewright.contract.text.leak_guard import NOTHING_HIDDEN, HiddenTexts
from talewright.kernel.state.state import begin
from talewright.llm.profiles import Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Again, Chunk, Reply, Stop, StopReason, Text
from talewright.llm.requests import Request, SystemMessage, ToolCall, UserMessage
from talewright.llm.token_estimate import estimate_usage
from talewright.providers.scripted import Cut, Scripted, ScriptedReply, by, whole
from talewright.turn.records.commit_body import write_usage
from talewright.turn.records.turn_attempts import AttemptLedger
from talewright.turn.steps.asking import HeardAnswer, UntoldError
from talewright.turn.turn_limits import TurnLimits
from talewright.turn.turn_outcomes import OutcomeReason
from talewright.turn.turn_signals import Activity, Doing, NarrationDelta, NarrationReset, Signal
from tests.turn.doubles import Keeping
from tests.turn.making import USED, Bench, bridge, calls, lay_bench, make_asker, plain

REQUEST = Request((SystemMessage("Tell."), UserMessage("Go on.")))
GRUDGE = "the keeper once drowned a man who would not pay, and sold his boots"


async def ask(
    line: str | ScriptedReply,
    *,
    cut: Cut = whole,
    hidden: tuple[str, ...] = (),
    limits: TurnLimits | None = None,
) -> tuple[HeardAnswer, Bench, AttemptLedger]:
    bench = await lay_bench(bridge(), [line], cut=cut, limits=limits or TurnLimits())
    ledger = AttemptLedger()
    asker = make_asker(bench.road, DIALECTS["tools"], HiddenTexts(hidden), ledger)
    game = bridge().game
    ground = AnswerGround(game, begin(game), tools=tuple(game.tools))
    heard = await asker.ask(bench.provider, REQUEST, ground, "tell")
    return heard, bench, ledger


def test_an_answer_is_shown_while_it_arrives_and_kept_as_it_came() -> None:
    async def run() -> None:
        heard, bench, ledger = await ask(calls("He nods.", ("pay", {"coins": 1})), cut=by(3))
        assert "".join(s.text for s in bench.signals if isinstance(s, NarrationDelta)) == "He nods."
        told = [signal for signal in bench.signals if not isinstance(signal, NarrationDelta)]
        assert told == [Activity(Doing.READING), Activity(Doing.TELLING)]
        assert (heard.answer.prose, heard.raw, heard.leaked) == ("He nods.", "He nods.", False)
        assert heard.calls == (("call-1", "pay", '{"coins": 1}'),)
        assert ledger.exchanges == [
            {
                "purpose": "tell",
                "model": "scripted",
                "text": "He nods.",
                "stop": "calls",
                "calls": [{"id": "call-1", "name": "pay", "arguments": '{"coins": 1}'}],
                "usage": {"input_tokens": 100, "output_tokens": 20, "cached_tokens": 0},
                "flaws": [],
            }
        ]
        assert heard.exchange is ledger.exchanges[0]
        assert (ledger.usage, ledger.asks, ledger.made) == (USED, 1, "")

    asyncio.run(run())


class Restless:
    """A provider whose reply begins anew after its first words, or after none."""

    profile = Profile("restless")

    def __init__(self, *first: Chunk) -> None:
        self._first = first

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        for chunk in (*self._first, Again("the line broke"), Text("He nods."), Stop(StopReason.END)):
            yield chunk

    async def close(self) -> None:
        """Nothing to let go of."""


@pytest.mark.parametrize(("first", "resets"), [((Text("He sha"),), [NarrationReset("")]), ((), [])])
def test_a_reply_that_begins_anew_is_shown_anew(first: tuple[Chunk, ...], resets: list[Signal]) -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), [])
        asker = make_asker(bench.road, DIALECTS["tools"], NOTHING_HIDDEN, AttemptLedger())
        ground = AnswerGround(bridge().game, begin(bridge().game))
        heard = await asker.ask(Restless(*first), REQUEST, ground, "tell")
        assert (heard.answer.prose, heard.raw) == ("He nods.", "He nods.")
        assert [signal for signal in bench.signals if isinstance(signal, NarrationReset)] == resets
        after = bench.signals[bench.signals.index(resets[0]) + 1 :] if resets else bench.signals
        assert "".join(signal.text for signal in after if isinstance(signal, NarrationDelta)) == "He nods."

    asyncio.run(run())


def test_what_a_void_beginning_has_leaked_does_not_hold_back_the_next() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), [])
        asker = make_asker(bench.road, DIALECTS["tools"], HiddenTexts((GRUDGE,)), AttemptLedger())
        ground = AnswerGround(bridge().game, begin(bridge().game))
        heard = await asker.ask(Restless(Text(f"They say {GRUDGE}.")), REQUEST, ground, "tell")
        assert not heard.leaked
        resets = [signal for signal in bench.signals if isinstance(signal, NarrationReset)]
        assert resets == [NarrationReset("")]
        assert bench.screen() == "He nods."

    asyncio.run(run())


def test_flaws_of_the_form_are_kept_with_the_reply() -> None:
    async def run() -> None:
        heard, _, ledger = await ask(ScriptedReply(""))
        assert ledger.exchanges[0]["flaws"] == [flaw.message for flaw in heard.answer.flaws] != []

    asyncio.run(run())


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_what_is_hidden_stops_before_it_shows(size: int) -> None:
    async def run() -> None:
        heard, bench, _ = await ask(f"They say {GRUDGE}.", cut=by(size), hidden=(GRUDGE,))
        assert heard.leaked
        assert bench.screen() == "They say "

    asyncio.run(run())


def test_a_screen_that_saw_something_else_is_set_right() -> None:
    async def run() -> None:
        # The reply is cut off by us within a word that was held back; the reader then lets it go.
        heard, bench, ledger = await ask("He nods. ```", cut=by(1), limits=TurnLimits(reply_length_max=9))
        assert ledger.exchanges[0]["stop"] == "length"
        assert heard.answer.prose == bench.screen()
        assert isinstance(bench.signals[-1], NarrationDelta | NarrationReset)

    asyncio.run(run())


def test_a_reply_is_closed_where_it_grows_too_long() -> None:
    async def run() -> None:
        arguments = ScriptedReply("", (ToolCall("c", "pay", "x" * 100),))
        for line, length in ((ScriptedReply("x" * 100), 9), (arguments, 9)):
            heard, bench, ledger = await ask(line, cut=by(3), limits=TurnLimits(reply_length_max=length))
            kept = heard.raw + "".join(call[2] for call in heard.calls)
            assert kept == "x" * 12
            assert ledger.exchanges[0]["stop"] == "length"
            assert len(bench.provider.requests) == 1

    asyncio.run(run())


ROUND = "The keeper looks at the water and says nothing at all about the toll. "


@pytest.mark.parametrize("size", [1, 7, 5_000])
def test_a_reply_in_circles_is_stopped_and_shown_to_the_model_once(size: int) -> None:
    async def run() -> None:
        heard, bench, ledger = await ask("He nods. " + ROUND * 40, cut=by(size))
        kept = plain(ledger.exchanges[0])
        assert kept["stop"] == "repetition"
        # However the text arrived, it is stopped at the same character.
        assert 4 * len(ROUND) <= len(kept["text"]) <= 5 * len(ROUND)
        assert kept["flaws"] == [IN_CIRCLES.message]
        assert heard.raw.count(ROUND[:40]) == 1
        assert bench.screen() == heard.answer.prose == kept["text"].rstrip()
        call = ScriptedReply("", (ToolCall("c", "pay", "1, " * 400),))
        heard, _, ledger = await ask(call, cut=by(size))
        assert (ledger.exchanges[0]["stop"], len(heard.calls[0][2])) == ("repetition", 480)
        assert heard.answer.flaws == (IN_CIRCLES,)

    asyncio.run(run())


def test_a_circle_begins_anew_with_the_reply() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), [])
        asker = make_asker(bench.road, DIALECTS["tools"], NOTHING_HIDDEN, AttemptLedger())
        ground = AnswerGround(bridge().game, begin(bridge().game))
        heard = await asker.ask(Restless(Text(ROUND * 3)), REQUEST, ground, "tell")
        assert heard.answer.prose == "He nods."

    asyncio.run(run())


def test_a_plain_answer_in_circles_is_said_once() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), [ROUND * 40, ROUND * 2])
        asker = make_asker(bench.road, DIALECTS["tools"], NOTHING_HIDDEN, AttemptLedger())
        text = await asker.ask_plainly(bench.provider, REQUEST, "errand x")
        assert len(ROUND) <= len(text) < 2 * len(ROUND)
        assert await asker.ask_plainly(bench.provider, REQUEST, "errand y") == ROUND * 2

    asyncio.run(run())


def test_what_was_shown_is_corrected_to_the_last_whole_sentence() -> None:
    async def run() -> None:
        line = ScriptedReply("He nods. You pay the toll. The bo", stop=StopReason.LENGTH)
        heard, bench, ledger = await ask(line)
        assert heard.answer.prose == bench.screen() == "He nods. You pay the toll."
        assert bench.signals[-1] == NarrationReset("He nods. You pay the toll.")
        assert ledger.exchanges[0]["text"] == "He nods. You pay the toll. The bo"

    asyncio.run(run())


def test_trouble_is_kept_and_the_turn_is_untold() -> None:
    async def run() -> None:
        bench = await lay_bench(
            bridge(), [ScriptedReply("He", error=ProviderError(Trouble.SLOW, "no answer"))]
        )
        ledger = AttemptLedger()
        asker = make_asker(bench.road, DIALECTS["tools"], NOTHING_HIDDEN, ledger)
        with pytest.raises(UntoldError) as caught:
            await asker.ask_plainly(bench.provider, REQUEST, "errand x")
        assert (caught.value.detail, str(caught.value)) == ("no answer", "no answer")
        (exchange,) = ledger.exchanges
        assert (exchange["purpose"], exchange["text"], exchange["stop"]) == ("errand x", "He", None)
        assert (exchange["trouble"], exchange["message"]) == ("slow", "no answer")
        assert bench.signals == []

    asyncio.run(run())


def test_no_more_asks_than_the_limit_and_their_steps_are_numbered() -> None:
    async def run() -> None:
        runner = Keeping()
        bench = await lay_bench(bridge(), ["a", "b", "c"], limits=TurnLimits(asks_max=2), runner=runner)
        ledger = AttemptLedger()
        asker = make_asker(bench.road, DIALECTS["tools"], NOTHING_HIDDEN, ledger, "errand")
        assert [await asker.ask_plainly(bench.provider, REQUEST, "x") for _ in range(2)] == ["a", "b"]
        with pytest.raises(UntoldError) as caught:
            await asker.ask_plainly(bench.provider, REQUEST, "x")
        assert caught.value.detail == "2 asks were not enough"
        assert (runner.ran, ledger.asks) == (["errand 1", "errand 2"], 2)

    asyncio.run(run())


def test_nobody_is_asked_once_the_time_of_a_turn_is_used_up() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), ["a"], limits=TurnLimits(turn_seconds_max=30.0))
        ledger = AttemptLedger(seconds=30.0)
        asker = make_asker(bench.road, DIALECTS["tools"], NOTHING_HIDDEN, ledger)
        with pytest.raises(UntoldError) as caught:
            await asker.ask_plainly(bench.provider, REQUEST, "x")
        assert caught.value.reason is OutcomeReason.TIMED_OUT
        assert (bench.provider.requests, ledger.steps) == ([], 0)

    asyncio.run(run())


def test_a_provider_that_breaks_has_been_paid_all_the_same() -> None:
    def break_down(request: Request) -> ScriptedReply:
        raise ZeroDivisionError

    async def run() -> None:
        bench = await lay_bench(bridge(), [])
        ledger = AttemptLedger()
        asker = make_asker(bench.road, DIALECTS["tools"], NOTHING_HIDDEN, ledger)
        with pytest.raises(ZeroDivisionError):
            await asker.ask_plainly(Scripted(break_down), REQUEST, "x")
        assert ledger.exchanges == [
            {
                "purpose": "x",
                "model": "scripted",
                "text": "",
                "stop": None,
                "trouble": "broken off",
                "usage": write_usage(estimate_usage(REQUEST, Reply())),
            }
        ]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("line", "limits", "readers"),
    [
        # Once to begin with; again only where the stored reply is not what was heard.
        (plain("He nods, and says nothing more."), TurnLimits(), 1),
        (calls("He nods.", ("pay", {"coins": 1})), TurnLimits(), 2),
        (plain("He nods, and says nothing more."), TurnLimits(reply_length_max=10), 2),
    ],
)
def test_a_reply_that_was_heard_as_it_is_stored_is_not_read_again(
    monkeypatch: pytest.MonkeyPatch, line: ScriptedReply, limits: TurnLimits, readers: int
) -> None:
    made: list[AnswerGround] = []
    dialect = DIALECTS["tools"]
    read = type(dialect).reader

    def count(self: object, ground: AnswerGround) -> object:
        made.append(ground)
        return read(self, ground)  # type: ignore[arg-type]

    monkeypatch.setattr(type(dialect), "reader", count)

    async def run() -> None:
        heard, bench, _ = await ask(line, cut=by(3), limits=limits)
        shown = "".join(s.text for s in bench.signals if isinstance(s, NarrationDelta))
        assert heard.answer.prose == shown[: len(heard.answer.prose)]
        assert len(made) == readers

    asyncio.run(run())
