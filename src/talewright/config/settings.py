"""Settings: everything a player may decide about models, as one value.

What is decided for a campaign counts more than what is decided for its game, and that more than the usual.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from talewright.config.models import ModelSettings
from talewright.turn.spending import SpendingBudget


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What is decided for a campaign, a game, or in general; what is empty is decided elsewhere."""

    model: str = ""
    """The name of the model that tells, or `none`."""

    cheap: str = ""
    """The name of the one for errands and summaries."""

    temperature: float | None = None
    max_output_tokens: int | None = None
    budget: SpendingBudget = field(default_factory=SpendingBudget)

    def over(self, other: "Choice") -> "Choice":
        """This choice, and the other's where this one says nothing."""
        return Choice(
            model=self.model or other.model,
            cheap=self.cheap or other.cheap,
            temperature=other.temperature if self.temperature is None else self.temperature,
            max_output_tokens=self.max_output_tokens or other.max_output_tokens,
            budget=self.budget.over(other.budget),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """How long is waited for a model, in seconds; None takes the adapter's own."""

    connect_seconds: float | None = None
    first_token_seconds: float | None = None
    between_chunks_seconds: float | None = None
    total_seconds: float | None = None
    turn_seconds: float | None = None
    """For a whole turn with all its asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the settings file says."""

    models: Mapping[str, ModelSettings] = field(default_factory=dict)
    usual: Choice = field(default_factory=Choice)
    fallback: tuple[str, ...] = ()
    """Models that are asked, in order, where the one that tells cannot be reached."""

    games: Mapping[str, Choice] = field(default_factory=dict)
    campaigns: Mapping[str, Choice] = field(default_factory=dict)
    timeouts: Timeouts = field(default_factory=Timeouts)


def choose(settings: Settings, game: str, campaign: str, *wishes: Choice) -> Choice:
    """What holds for a campaign of a game: the wishes, the strongest first, then what the settings say."""
    decided = Choice()
    told = (settings.campaigns.get(campaign), settings.games.get(game), settings.usual)
    for choice in (*wishes, *told):
        decided = decided.over(choice) if choice is not None else decided
    return decided
