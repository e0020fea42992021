"""A ModelChooser whose trials take as long as a test wants, and whose service repeats keys in its errors."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from talewright.play.model_choices import ModelCandidate, ModelSource, TrialView
from tests.faces.http.fake_models import FakeModels

QUESTIONS = ("whether it follows a JSON Schema", "whether it calls tools", "how much it can read")
CLOUD = ModelSource("cloud", "Cloud", False, ("big-1", "small-1"), "CLOUD_API_KEY")
READY = ModelSource("ready", "Ready", False, ("ready-1",), "READY_API_KEY", has_key=True)
WRONG = "wrong"
"""A key that contains this is refused."""

FOUND = "It follows a JSON Schema.\nIt reads 8,192 tokens."
HELD = "Its key could not be stored (no keyring). It works until you quit."


@dataclass
class TriedModels(FakeModels):
    """Models that are tried question by question."""

    pause_seconds: float | None = None
    """How long a question takes; None to wait until it is skipped."""

    skipped: asyncio.Event = field(default_factory=asyncio.Event)

    async def services(self) -> tuple[ModelSource, ...]:
        """Two services, one with a key."""
        return (CLOUD, READY)

    async def at_address(self, base_url: str) -> ModelSource:
        """A server that may need a key."""
        return ModelSource(
            "", "127.0.0.1:9", False, ("own-1",), "OWN_KEY", base_url=base_url, needs_key=False
        )

    async def test(self, candidate: ModelCandidate) -> TrialView:
        """A wrong key is refused, in words that repeat it."""
        if WRONG in candidate.key:
            return TrialView(False, f"401: {candidate.key} is not a key", f"Check {candidate.key}.")
        return TrialView(True, "The <b>lamp</b> is lit.", seconds=1.25, price="$0.0004")

    async def find_abilities(
        self, candidate: ModelCandidate, progress: Callable[[str, int, int], None]
    ) -> str:
        """Three questions."""
        for number, question in enumerate(QUESTIONS, 1):
            self.skipped.clear()
            progress(question, number, len(QUESTIONS))
            with suppress(TimeoutError):
                await asyncio.wait_for(self.skipped.wait(), self.pause_seconds)
        return FOUND

    def skip_question(self) -> None:
        """Go on."""
        self.skipped.set()

    async def keep(self, candidate: ModelCandidate) -> str:
        """There is no keyring."""
        await super().keep(candidate)
        return f"{candidate.model} is now your storyteller.\n{HELD}"
