"""The ModelChooser port: which models there are, who tells which campaign, how a new one is set up.

A key passes through here once, on its way to where keys are kept; nothing here shows one.
"""

from dataclasses import field
from typing import Protocol

from talewright.common.frozen_values import frozen

NO_MODEL = "none"
"""The choice by which the scenes tell."""


@frozen
class ModelChoice:
    """A model that can be chosen."""

    name: str
    title: str
    """The model's own name."""

    place: str
    """Where it runs, in words: on this machine, or at a service."""

    price: str = ""
    """In words, such as `about $0.002 a turn`; empty where it is not known."""

    trouble: str = ""
    """Why it cannot tell now, such as a missing key; empty where it can."""

    hint: str = ""


@frozen
class ModelSource:
    """Somewhere models are to be had: a server that answers on this machine, or a service."""

    name: str
    title: str
    is_local: bool
    models: tuple[str, ...] = ()
    key_name: str = ""
    """The name of the key it wants; empty where it wants none."""

    has_key: bool = False
    """Whether that key is there already."""

    base_url: str = ""
    """The address of a server that is none of those known; empty for all others."""

    needs_key: bool = True
    """Whether it surely wants its key; a server of the player's own may do without."""


@frozen
class ModelCandidate:
    """A model that is to be tried."""

    source: str
    model: str
    key: str = field(default="", repr=False)
    """As the player typed it; empty where it is kept already or none is needed."""

    base_url: str = ""
    """Of a server that is none of those known, in place of the source."""


@frozen
class TrialView:
    """How a model answered one question."""

    good: bool
    text: str
    """What it said; where it is not good, what went wrong, in words."""

    hint: str = ""
    seconds: float = 0.0
    price: str = ""


class ModelChooser(Protocol):
    """Where models are chosen and set up."""

    async def choices(self) -> tuple[ModelChoice, ...]:
        """What is set up."""

    async def chosen(self, campaign: str = "", game: str = "") -> str:
        """Who tells a campaign: a name out of `choices`, or NO_MODEL; without one, who tells usually."""

    async def choose(self, name: str, campaign: str = "") -> None:
        """Let a model, or NO_MODEL, tell a campaign from when it is opened next; without one, usually."""

    async def local(self) -> tuple[ModelSource, ...]:
        """The servers that answer on this machine at the usual addresses."""

    async def services(self) -> tuple[ModelSource, ...]:
        """The services that are known, each with models to begin with."""

    async def at_address(self, base_url: str) -> ModelSource:
        """The server at an address that the player typed; a TalewrightError where it is none."""

    async def test(self, candidate: ModelCandidate) -> TrialView:
        """Ask it one short question; nothing is kept."""

    async def keep(self, candidate: ModelCandidate) -> str:
        """Keep it as the model that tells usually, and its key in the keyring; in words, what was done."""
