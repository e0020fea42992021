"""Trials of models: one at a time, a few kept, each forgotten in time, and no view with a key."""

import asyncio
from dataclasses import dataclass
from itertools import count

import pytest

from talewright.errors import TalewrightError
from talewright.play.model_choices import ModelCandidate, TrialPhase, TrialView
from talewright.play.serving import model_trials
from talewright.play.serving.model_trials import TRIALS_MAX, ModelTrials
from talewright.play.wire.view_codec import to_wire
from tests.play.serving.tried_models import FOUND, TriedModels

KEY = "sk-canary-0123456789"
CANDIDATE = ModelCandidate("cloud", "big-1", KEY)


def make_trials(forget_seconds: float = 100.0) -> ModelTrials:
    numbers = count(1)
    return ModelTrials(lambda: f"trial-{next(numbers)}", forget_seconds)


async def wait_for(trials: ModelTrials, name: str, *phases: TrialPhase) -> None:
    for _ in range(1000):
        found = trials.find(name)
        if found is None or found.phase in phases:
            return
        await asyncio.sleep(0)
    raise AssertionError(found)


@dataclass
class FailingModels(TriedModels):
    """Models whose server breaks off."""

    async def find_abilities(self, candidate: ModelCandidate, progress: object) -> str:
        raise TalewrightError(f"no answer for {candidate.key}")

    async def keep(self, candidate: ModelCandidate) -> str:
        raise TalewrightError(f"cannot write {candidate.key}", "Look at the file.")


class SilentModels(TriedModels):
    """Models that never answer."""

    async def test(self, candidate: ModelCandidate) -> TrialView:
        await asyncio.Event().wait()
        raise AssertionError


def test_one_runs_at_a_time_and_few_are_kept() -> None:
    async def run() -> None:
        trials = make_trials()
        first = await trials.start(CANDIDATE, TriedModels())
        await wait_for(trials, first.id, TrialPhase.PROBING)
        for _ in range(TRIALS_MAX - 1):
            await trials.start(CANDIDATE, TriedModels())
        stopped = trials.find(first.id)
        assert stopped is not None
        assert stopped.phase is TrialPhase.STOPPED
        last = await trials.start(CANDIDATE, TriedModels())
        assert trials.find(first.id) is None
        await trials.close()
        assert trials.find(last.id) is None

    asyncio.run(run())


def test_a_trial_is_forgotten_with_its_key() -> None:
    async def run() -> None:
        trials = make_trials(forget_seconds=0.0)
        models = TriedModels()
        begun = await trials.start(CANDIDATE, models)
        while trials.find(begun.id) is not None:
            await asyncio.sleep(0)
        assert await trials.keep(begun.id) is None
        assert await trials.repeat(begun.id) is None
        assert await trials.stop(begun.id) is None
        assert trials.skip(begun.id) is None
        assert models.kept == []

    asyncio.run(run())


def test_only_the_server_is_asked_if_nobody_wants_the_question() -> None:
    async def run() -> None:
        trials = make_trials()
        begun = await trials.start(CANDIDATE, TriedModels(pause_seconds=0.0), asks=False)
        assert begun.phase is TrialPhase.PROBING
        await asyncio.wait_for(_until_done(trials, begun.id), 10)
        found = trials.find(begun.id)
        assert found is not None
        assert (found.phase, found.abilities, found.answer) == (TrialPhase.ANSWERED, FOUND, None)
        assert KEY not in str(to_wire(found))
        await trials.close()

    asyncio.run(run())


async def _until_done(trials: ModelTrials, name: str) -> None:
    while (found := trials.find(name)) is not None and found.is_running:
        await asyncio.sleep(0)


def test_errors_hide_the_key_and_a_model_that_answered_can_be_saved() -> None:
    async def run() -> None:
        trials = make_trials()
        begun = await trials.start(CANDIDATE, FailingModels())
        await wait_for(trials, begun.id, TrialPhase.ANSWERED)
        found = await trials.keep(begun.id)
        assert found is not None
        assert found.abilities == "no answer for …"
        assert (found.phase, found.told, found.hint) == (
            TrialPhase.FAILED,
            "cannot write …",
            "Look at the file.",
        )
        await trials.close()

    asyncio.run(run())


def test_a_model_that_never_answers_does_not_hold_anything_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_trials, "QUESTION_SECONDS_MAX", 0.0)

    async def run() -> None:
        trials = make_trials()
        begun = await trials.start(CANDIDATE, SilentModels())
        await asyncio.wait_for(_until_done(trials, begun.id), 10)
        found = trials.find(begun.id)
        assert found is not None
        assert (found.phase, found.told) == (TrialPhase.FAILED, model_trials.TIMED_OUT)
        await trials.close()

    asyncio.run(run())
