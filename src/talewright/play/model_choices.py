"""The ModelChooser port: lists models, chooses one for a campaign, and sets up new ones.

An API key passes through here once, on its way to the keyring; nothing here shows one.
"""

from collections.abc import Callable
from dataclasses import field
from enum import StrEnum
from typing import Protocol

from talewright.common.frozen_values import frozen

NO_MODEL = "none"
"""The choice of playing with scenes only."""


KEY_LENGTH_MIN = 6
"""Shorter keys are not searched for in what is shown: they would match by chance."""

HIDDEN_KEY = "…"


@frozen
class ModelChoice:
    """A model that can be chosen."""

    name: str
    title: str
    """The model's own name."""

    place: str
    """Where it runs, in words: on this machine, or at a service."""

    price: str = ""
    """In words, such as `about $0.002 a turn`; empty if unknown."""

    trouble: str = ""
    """Why it cannot be used now, such as a missing key; empty if it can."""

    hint: str = ""


@frozen
class ModelSource:
    """A source of models: a server on this machine, or a service."""

    name: str
    title: str
    is_local: bool
    models: tuple[str, ...] = ()
    key_name: str = ""
    """The name of its API key; empty if it needs none."""

    has_key: bool = False
    """Whether that key is stored already."""

    base_url: str = ""
    """The address of a custom server; empty for known ones."""

    needs_key: bool = True
    """Whether it certainly needs a key; a custom server may not."""


@frozen
class ModelCandidate:
    """A model to be tested."""

    source: str
    model: str
    key: str = field(default="", repr=False)
    """As typed by the player; empty if it is stored already or not needed."""

    base_url: str = ""
    """The address of a custom server, in place of the source."""

    def hide_key(self, text: str) -> str:
        """A text without the key: some services repeat it in error messages."""
        key = self.key.strip()
        return text.replace(key, HIDDEN_KEY) if len(key) >= KEY_LENGTH_MIN else text


@frozen
class TrialView:
    """A model's answer to a test question."""

    good: bool
    text: str
    """The answer; or, on failure, what went wrong, in words."""

    hint: str = ""
    seconds: float = 0.0
    price: str = ""


class TrialPhase(StrEnum):
    """How far a trial has come."""

    ASKING = "asking"
    """The model is answering the test question."""

    PROBING = "probing"
    """Its server is asked what it can do."""

    ANSWERED = "answered"
    FAILED = "failed"
    STOPPED = "stopped"
    KEPT = "kept"
    """The model is saved."""


@frozen
class ModelTrialView:
    """A trial of a model that takes a while: a test question, then questions to its server."""

    id: str
    phase: TrialPhase
    source: str = ""
    model: str = ""
    answer: TrialView | None = None
    """To the test question, once there is one."""

    question: str = ""
    """The current question to the server, in words."""

    number: int = 0
    of: int = 0
    abilities: str = ""
    """The abilities found for the server, in words."""

    told: str = ""
    """What was saved or what went wrong, in words."""

    hint: str = ""

    @property
    def is_running(self) -> bool:
        """Whether it is still running."""
        return self.phase in (TrialPhase.ASKING, TrialPhase.PROBING)


class ModelChooser(Protocol):
    """Lists, chooses and sets up models."""

    def in_language(self, language: str) -> "ModelChooser":
        """The same, with its texts in another language if it has them."""

    async def choices(self) -> tuple[ModelChoice, ...]:
        """The models that are set up."""

    async def chosen(self, campaign: str = "", game: str = "") -> str:
        """The model of a campaign: a name from `choices`, or NO_MODEL; without a campaign, the default."""

    async def choose(self, name: str, campaign: str = "") -> None:
        """Use a model, or NO_MODEL, for a campaign when it is next opened; without a campaign, by default."""

    async def local(self) -> tuple[ModelSource, ...]:
        """The servers that respond on this machine at the usual addresses."""

    async def services(self) -> tuple[ModelSource, ...]:
        """The known services, each with some models."""

    async def at_address(self, base_url: str) -> ModelSource:
        """The server at an address that the player typed. Raises TalewrightError if there is none."""

    async def test(self, candidate: ModelCandidate) -> TrialView:
        """Ask it one short question; nothing is saved."""

    async def find_abilities(
        self, candidate: ModelCandidate, progress: Callable[[str, int, int], None]
    ) -> str:
        """Ask its server what it can do, if that is free; returns the findings in words.

        `progress` is called with each question, in words, its number and how many there are. `keep` saves
        what was found.
        """

    def skip_question(self) -> None:
        """Continue with the next question of `find_abilities`."""

    async def keep(self, candidate: ModelCandidate) -> str:
        """Save it as the default model, and its key in the keyring; returns what was done, in words."""
