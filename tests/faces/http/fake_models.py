"""A ModelChooser for tests: two models, one source, and nothing outside this process."""

from collections.abc import Callable
from dataclasses import dataclass, field

from talewright.errors import TalewrightError
from talewright.play.model_choices import NO_MODEL, ModelCandidate, ModelChoice, ModelSource, TrialView

HOME = ModelChoice("home", "Home 8B", "on this machine")
AWAY = ModelChoice("away", "Away 70B", "at a service", "about $0.002 a turn")
SOURCE = ModelSource("home", "Home", is_local=True, models=("home-8b",))


@dataclass
class FakeModels:
    """Lists, chooses and sets up models."""

    chosen_by_campaign: dict[str, str] = field(default_factory=dict)
    kept: list[ModelCandidate] = field(default_factory=list)

    def in_language(self, language: str) -> "FakeModels":
        """Its words are English."""
        return self

    async def choices(self) -> tuple[ModelChoice, ...]:
        """The models that are set up."""
        return (HOME, AWAY)

    async def chosen(self, campaign: str = "", game: str = "") -> str:
        """The model of a campaign."""
        return self.chosen_by_campaign.get(campaign, NO_MODEL)

    async def choose(self, name: str, campaign: str = "") -> None:
        """Use a model."""
        if name not in (HOME.name, AWAY.name, NO_MODEL):
            raise TalewrightError("there is no such model", "Choose home or away.")
        self.chosen_by_campaign[campaign] = name

    async def local(self) -> tuple[ModelSource, ...]:
        """The servers on this machine."""
        return (SOURCE,)

    async def services(self) -> tuple[ModelSource, ...]:
        """The known services."""
        return ()

    async def at_address(self, base_url: str) -> ModelSource:
        """No server is anywhere."""
        raise TalewrightError("no model server answers there", "Start it first.")

    async def test(self, candidate: ModelCandidate) -> TrialView:
        """Every model answers the same."""
        return TrialView(good=True, text="The lamp is lit.", seconds=0.1)

    async def find_abilities(
        self, candidate: ModelCandidate, progress: Callable[[str, int, int], None]
    ) -> str:
        """Nothing is found."""
        return ""

    def skip_question(self) -> None:
        """There are no questions."""

    async def keep(self, candidate: ModelCandidate) -> str:
        """Remember it."""
        self.kept.append(candidate)
        return "It is the default model now."
