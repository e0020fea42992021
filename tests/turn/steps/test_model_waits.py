"""Waiting for a model: what is told of it, how long it usually takes, and going on without it."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

import pytest

from talewright.chronicle.records import AttemptVerdict
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import Again, Chunk, PromptProgress, Reply, Stop, StopReason, Text
from talewright.llm.requests import Request, UserMessage
from talewright.llm.token_estimate import estimate_usage
from talewright.providers.scripted import ScriptedReply
from talewright.turn.inputs.player_inputs import Choose, Say
from talewright.turn.records.turn_replay import replay_turn
from talewright.turn.steps.model_waits import AskPaces, AskSeconds, ModelWait
from talewright.turn.turn_context import ModelSkip, Teller
from talewright.turn.turn_outcomes import Committed, Failed, OutcomeReason
from talewright.turn.turn_signals import Activity, Doing, RepairCause, Signal, TurnFailed
from tests.turn.differences import find_differences
from tests.turn.doubles import Stalling, Strict
from tests.turn.making import USED, Bench, cards, ferry, lay_bench, plain, update

REQUEST = Request((UserMessage("x" * 400),), max_output_tokens=100)
TOKENS = estimate_usage(REQUEST, Reply()).input_tokens
FAST = Profile("fast", read_tokens_per_second=10.0, write_tokens_per_second=5.0)
PLAIN = Profile("plain")


class Listening:
    """A wait with a clock that is moved by hand."""

    def __init__(self, profile: Profile, paces: AskPaces | None = None, **parts: object) -> None:
        self.now = 0.0
        self.told: list[Signal] = []
        self.paces = paces or AskPaces()
        self.wait = ModelWait(
            self.told.append,
            lambda: self.now,
            self.paces,
            profile,
            REQUEST,
            **parts,  # type: ignore[arg-type]
        )

    def hear(self, at: float, chunk: Chunk) -> Signal:
        self.now = at
        self.wait.hear(chunk)
        return self.told[-1]


def test_a_model_of_known_speed_is_waited_for_with_an_estimate() -> None:
    heard = Listening(FAST, can_skip=True)
    heard.wait.begin(3.0)
    usual = 3.0 + TOKENS / 10.0 + 100 * 0.6 / 5.0
    assert heard.told == [Activity(Doing.READING, usual_seconds=usual, can_skip=True)]
    # By the server's own reports: as fast as it was measured, until there are two of them.
    first = heard.hear(2.0, PromptProgress(100, 300, 100))
    assert first == Activity(Doing.READING, share=1 / 3, usual_seconds=3.0 + 2.0 + 20.0 + 12.0, can_skip=True)
    second = heard.hear(4.0, PromptProgress(200, 300, 100))
    assert second == Activity(Doing.READING, share=2 / 3, usual_seconds=3.0 + 4.0 + 2.0 + 12.0, can_skip=True)
    assert heard.hear(6.0, Text("He")) == Activity(
        Doing.TELLING, usual_seconds=3.0 + 6.0 + 12.0, can_skip=True
    )
    count = len(heard.told)
    heard.hear(7.0, Text(" nods."))
    heard.hear(7.0, Stop(StopReason.END))
    assert len(heard.told) == count


def test_without_speeds_nothing_is_promised() -> None:
    heard = Listening(PLAIN)
    heard.wait.begin(0.0)
    assert heard.told == [Activity(Doing.READING)]
    assert heard.hear(1.0, PromptProgress(10, 40)) == Activity(Doing.READING, share=0.25)
    assert heard.hear(2.0, PromptProgress(20, 40)) == Activity(Doing.READING, share=0.5)
    assert heard.hear(3.0, Text("He")) == Activity(Doing.TELLING)


def test_earlier_asks_of_the_campaign_count_more_than_measured_speeds() -> None:
    paces = AskPaces()
    for seconds in (1.0, 30.0, 2.0):
        one = Listening(FAST, paces)
        one.wait.begin(0.0)
        one.hear(seconds, Text("He"))
        one.now = seconds * 3
        one.wait.end()
    assert paces.expect(FAST, REQUEST, Doing.READING) == AskSeconds(2.0, 4.0)
    # A repair is read in another time, and another model is another one.
    assert paces.expect(FAST, REQUEST, Doing.MENDING) == AskSeconds(TOKENS / 10.0, 4.0)
    assert paces.expect(PLAIN, REQUEST, Doing.READING).total is None
    silent = Listening(FAST, paces)
    silent.wait.begin(0.0)
    silent.wait.end()
    assert paces.expect(FAST, REQUEST, Doing.READING) == AskSeconds(2.0, 4.0)


def test_a_repair_says_why_and_a_reply_that_broke_off_too() -> None:
    heard = Listening(PLAIN, why=RepairCause.CUT)
    heard.wait.begin(0.0)
    assert heard.told == [Activity(Doing.MENDING, why=RepairCause.CUT)]
    assert heard.hear(1.0, Text("He")) == Activity(Doing.TELLING)
    assert heard.hear(2.0, Again("it broke")) == Activity(Doing.MENDING, why=RepairCause.BROKEN)
    assert heard.hear(3.0, PromptProgress(1, 2)) == Activity(Doing.MENDING, share=0.5, why=RepairCause.BROKEN)
    assert heard.hear(4.0, Text("He")) == Activity(Doing.TELLING)


class Slow:
    """A model that reports, and then waits for what never comes."""

    profile = Profile("slow")

    def __init__(self, *asks: Sequence[Chunk]) -> None:
        self.asks = list(asks)
        self.waits = asyncio.Event()

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        last = len(self.asks) == 1
        for chunk in self.asks.pop(0):
            yield chunk
        if last:
            self.waits.set()
            await asyncio.Event().wait()

    async def close(self) -> None:
        """Nothing to let go of."""


async def skip(bench: Bench, provider: Slow | Stalling, given: Choose | Say) -> object:
    road = replace(bench.road, teller=Teller(provider), skip=ModelSkip())
    turn = asyncio.create_task(replace(bench, road=road).take(given, "op"))
    await provider.waits.wait()
    road.skip.wish()
    road.skip.wish()
    return await turn


@pytest.mark.parametrize("pieces", [(), ('{"narrative_markdown": "He looks',)])
def test_the_scene_tells_a_turn_that_was_not_waited_for(pieces: tuple[str, ...]) -> None:
    async def run() -> None:
        bench, stalling = await lay_bench(ferry(), opened=True), Stalling(*pieces)
        outcome = await skip(bench, stalling, Choose("haggle"))
        assert isinstance(outcome, Committed)
        clean = await lay_bench(ferry(), opened=True)
        expected = await clean.commit(Choose("haggle"), "op")
        body = outcome.commit.body
        assert (body["told"], body["narration"]) == ("scenes", expected.narration)
        assert (await bench.head()).state_digest == (await clean.head()).state_digest
        (exchange,) = plain(body["exchanges"])
        assert (exchange["trouble"], exchange["text"]) == ("skipped", "".join(pieces))
        assert stalling.closed
        (attempt,) = await bench.attempts("op")
        assert (attempt.verdict, attempt.body["asks"]) == (AttemptVerdict.COMMITTED, 1)
        assert bench.screen() == ""
        again = await replay_turn(bench.road, outcome.commit)
        assert find_differences(outcome.commit, again) == ()

    asyncio.run(run())


def test_the_player_learns_that_a_scene_could_tell_it() -> None:
    async def run() -> None:
        for given, can_skip in ((Choose("haggle"), True), (Say("I wave"), False)):
            bench = await lay_bench(ferry(), [cards("He nods.")], opened=True)
            await bench.take(given, "op")
            told = [one for one in bench.signals if isinstance(one, Activity) and one.doing is Doing.TELLING]
            assert [one.can_skip for one in told] == [can_skip]

    asyncio.run(run())


def test_what_no_scene_can_tell_is_kept_as_if_it_were_stopped() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        before = await bench.standing()
        slow = Slow([PromptProgress(1, 4)])
        assert await skip(bench, slow, Say("I wave")) == Failed(OutcomeReason.SKIPPED)
        assert await bench.standing() == before
        (attempt,) = await bench.attempts("op")
        assert (attempt.verdict, attempt.body["reason"]) == (AttemptVerdict.CANCELLED, "skipped")
        assert bench.signals[-1] == TurnFailed("skipped")
        assert Activity(Doing.READING, share=0.25) in bench.signals

    asyncio.run(run())


def test_nothing_is_asked_once_the_player_went_on() -> None:
    async def run() -> None:
        road_skip = ModelSkip()
        road_skip.wish()
        bench = await lay_bench(ferry(), [cards("He nods.")], opened=True, skip=road_skip)
        body = await bench.commit(Choose("haggle"), "op")
        assert (body.told, bench.provider.requests) == ("scenes", [])
        (exchange,) = plain(body.exchanges)
        assert exchange["usage"] == {"input_tokens": 0, "output_tokens": 0, "cached_tokens": 0}
        assert exchange["trouble"] == "skipped"
        assert await bench.take(Say("I wave"), "other") == Failed(OutcomeReason.SKIPPED)

    asyncio.run(run())


def test_a_wish_that_comes_while_the_time_runs_out_changes_nothing() -> None:
    wish = ModelSkip()

    async def run() -> None:
        async with wish.limit(0.0):
            try:
                await asyncio.Event().wait()
            finally:
                wish.wish()

    with pytest.raises(TimeoutError):
        asyncio.run(run())
    assert wish.is_wished()


@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        (ScriptedReply("nonsense", usage=USED), RepairCause.FORM),
        (ScriptedReply("nonsense", usage=USED, stop=StopReason.LENGTH), RepairCause.CUT),
        (cards("He nods.", update("dec", "coins", 99)), RepairCause.RULES),
        (cards("Strictly forbidden."), RepairCause.WORDS),
    ],
)
def test_why_an_answer_is_asked_for_again(reply: ScriptedReply, cause: RepairCause) -> None:
    async def run() -> None:
        bench = await lay_bench(
            ferry(), [reply, cards("He nods.")], opened=True, moderation=Strict(told=("forbidden",))
        )
        await bench.commit(Say("I wave"), "op")
        told = [one for one in bench.signals if isinstance(one, Activity) and one.doing is Doing.MENDING]
        assert [one.why for one in told] == [cause]

    asyncio.run(run())
