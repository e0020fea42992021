"""Model trials: a test question and the questions to a server, run in the background of a page's requests.

A key stays in memory between the trial and the moment the model is saved; no view has it. Trials are few,
one runs at a time, and each is forgotten after a while.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from talewright.errors import TalewrightError
from talewright.play.model_choices import (
    ModelCandidate,
    ModelChooser,
    ModelTrialView,
    TrialPhase,
    TrialView,
)

TRIALS_MAX = 4
QUESTION_SECONDS_MAX = 120.0
"""How long a model may take to answer the test question."""

PROBE_SECONDS_MAX = 900.0
"""How long the questions to a server may take together."""

FORGET_SECONDS = 900.0
"""How long a trial is kept, and its key with it."""

TIMED_OUT = "it did not answer in time"


@dataclass
class _Trial:
    """A trial, with the data that no view contains."""

    candidate: ModelCandidate
    chooser: ModelChooser
    view: ModelTrialView
    task: "asyncio.Task[None] | None" = None
    timer: asyncio.TimerHandle | None = None


class ModelTrials:
    """The trials of a server."""

    def __init__(self, new_id: Callable[[], str], forget_seconds: float = FORGET_SECONDS) -> None:
        self._new_id = new_id
        self._forget_seconds = forget_seconds
        self._trials: dict[str, _Trial] = {}

    async def start(
        self, candidate: ModelCandidate, chooser: ModelChooser, *, asks: bool = True
    ) -> ModelTrialView:
        """Start a trial; without `asks`, only its server is questioned. A running trial is stopped."""
        for other in list(self._trials):
            await self.stop(other)
        while len(self._trials) >= TRIALS_MAX:
            self._forget(next(iter(self._trials)))
        phase = TrialPhase.ASKING if asks else TrialPhase.PROBING
        name = self._new_id()
        trial = _Trial(candidate, chooser, ModelTrialView(name, phase, candidate.source, candidate.model))
        self._trials[name] = trial
        trial.timer = asyncio.get_running_loop().call_later(self._forget_seconds, self._forget, name)
        trial.task = asyncio.create_task(self._run(trial, asks))
        return trial.view

    def find(self, name: str) -> ModelTrialView | None:
        """A trial; None if there is none, or none any more."""
        trial = self._trials.get(name)
        return None if trial is None else trial.view

    def skip(self, name: str) -> ModelTrialView | None:
        """Continue with the next question to the server."""
        trial = self._trials.get(name)
        if trial is not None and trial.view.phase is TrialPhase.PROBING:
            trial.chooser.skip_question()
        return self.find(name)

    async def stop(self, name: str) -> ModelTrialView | None:
        """End a running trial; its findings so far are kept."""
        trial = self._trials.get(name)
        if trial is not None and trial.task is not None and trial.view.is_running:
            trial.task.cancel()
            await asyncio.wait([trial.task])
        return self.find(name)

    async def repeat(self, name: str) -> ModelTrialView | None:
        """Test the same model again, with the same key."""
        trial = self._trials.get(name)
        return None if trial is None else await self.start(trial.candidate, trial.chooser)

    async def keep(self, name: str) -> ModelTrialView | None:
        """Save the model if it has answered; then its key is forgotten here."""
        trial = self._trials.get(name)
        if trial is None or trial.view.phase not in (TrialPhase.ANSWERED, TrialPhase.STOPPED):
            return self.find(name)
        if trial.view.answer is None or not trial.view.answer.good:
            return trial.view
        try:
            told = trial.candidate.hide_key(await trial.chooser.keep(trial.candidate))
        except TalewrightError as error:
            self._fail(trial, error)
        else:
            trial.view = replace(trial.view, phase=TrialPhase.KEPT, told=told)
            trial.candidate = replace(trial.candidate, key="")
        return trial.view

    async def close(self) -> None:
        """End every trial."""
        for name in list(self._trials):
            await self.stop(name)
            self._forget(name)

    def _forget(self, name: str) -> None:
        trial = self._trials.pop(name, None)
        if trial is None:
            return
        if trial.timer is not None:
            trial.timer.cancel()
        if trial.task is not None:
            trial.task.cancel()

    async def _run(self, trial: _Trial, asks: bool) -> None:
        try:
            if not asks or await self._ask(trial):
                await self._probe(trial)
        except asyncio.CancelledError:
            trial.view = replace(trial.view, phase=TrialPhase.STOPPED, question="")
        except TimeoutError:
            self._fail(trial, TalewrightError(TIMED_OUT))
        except TalewrightError as error:
            self._fail(trial, error)

    async def _ask(self, trial: _Trial) -> bool:
        async with asyncio.timeout(QUESTION_SECONDS_MAX):
            answer = await trial.chooser.test(trial.candidate)
        answer = _clean(answer, trial.candidate)
        phase = TrialPhase.PROBING if answer.good else TrialPhase.FAILED
        trial.view = replace(trial.view, phase=phase, answer=answer)
        return answer.good

    async def _probe(self, trial: _Trial) -> None:
        """Question the server; whatever goes wrong, a model that answered can be saved."""

        def progress(question: str, number: int, of: int) -> None:
            trial.view = replace(trial.view, question=question, number=number, of=of)

        try:
            async with asyncio.timeout(PROBE_SECONDS_MAX):
                found = await trial.chooser.find_abilities(trial.candidate, progress)
        except TimeoutError:
            found = TIMED_OUT
        except TalewrightError as error:
            found = error.message
        trial.view = replace(
            trial.view,
            phase=TrialPhase.ANSWERED,
            question="",
            abilities=trial.candidate.hide_key(found),
        )

    def _fail(self, trial: _Trial, error: TalewrightError) -> None:
        hide = trial.candidate.hide_key
        trial.view = replace(
            trial.view, phase=TrialPhase.FAILED, told=hide(error.message), hint=hide(error.hint)
        )


def _clean(answer: TrialView, candidate: ModelCandidate) -> TrialView:
    return replace(answer, text=candidate.hide_key(answer.text), hint=candidate.hide_key(answer.hint))
