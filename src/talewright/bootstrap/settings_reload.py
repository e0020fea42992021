"""Settings reload: a provider factory that is made anew whenever the settings file has changed.

Whoever tells a campaign that is open goes on telling it; its connections are let go at the end.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from talewright.bootstrap.keyrings import TemporaryKeyring
from talewright.bootstrap.provider_factory import ProviderFactory
from talewright.config.api_keys import ApiKey
from talewright.config.environment import NO_MODEL
from talewright.config.model_settings import ModelPreference
from talewright.errors import TalewrightError
from talewright.llm.known_models import find_profile
from talewright.llm.profiles import Profile
from talewright.turn.turn_context import Teller
from talewright.turn.turn_limits import TurnLimits


class ReloadingProviderFactory:
    """Where a lobby gets its storytellers, and a model chooser its models."""

    def __init__(self, open_agency: Callable[[], ProviderFactory]) -> None:
        self._open_agency = open_agency
        self._agency: ProviderFactory | None = None
        self._mark: tuple[int, int] | None = None
        """What the settings file looked like when the factory was opened."""

        self._held: TemporaryKeyring | None = None
        self._wished = True
        """Whether what was asked for on the command line still counts."""

        self._left: list[ProviderFactory] = []
        """Earlier agencies, whose tellers may still be telling."""

    def open(self) -> ProviderFactory:
        """The factory as the settings are now; a TalewrightError where they do not fit."""
        if self._agency is not None and _look_at(self._agency.loaded.file) != self._mark:
            self._leave()
        if self._agency is None:
            opened = self._open_agency()
            self._held = self._held or TemporaryKeyring(opened.keyring)
            wish = opened.wish if self._wished else ModelPreference()
            self._mark = _look_at(opened.loaded.file)
            self._agency = replace(opened, keyring=self._held, wish=wish)
        return self._agency

    def follow_settings(self) -> None:
        """Do as the settings say from now on, whatever was asked for on the command line."""
        self._wished = False
        self._leave()

    def hold_key(self, name: str, key: ApiKey) -> None:
        """Have a key until the program ends."""
        self.open()
        assert self._held is not None
        self._held.hold(name, key)

    def hire(self, game: str, campaign: str) -> Teller | None:
        """Whoever tells a campaign; None: the scenes alone."""
        return self.open().hire(game, campaign)

    def tell_who(self, game: str, campaign: str) -> str:
        """Who tells a campaign when it is opened next, in words; empty where the scenes do."""
        try:
            factory = self.open()
            model = factory.loaded.find_model(factory.decide(game, campaign).model or NO_MODEL)
        except TalewrightError:
            # What is wrong with the settings is told when somebody wants to play with them.
            return ""
        return "" if model is None else model.model

    def look_up(self, model: str) -> Profile:
        """What a model can do and costs, by the name its server has for it."""
        try:
            return self.open().loaded.profile_of(model)
        except TalewrightError:
            return find_profile(model)

    @property
    def limits(self) -> TurnLimits:
        """The bounds of a turn, as the settings have them."""
        try:
            return self.open().limits
        except TalewrightError:
            return TurnLimits()

    async def close(self) -> None:
        """Let go of all connections."""
        self._leave()
        while self._left:
            await self._left.pop().close()

    def _leave(self) -> None:
        if self._agency is not None:
            self._left.append(self._agency)
            self._agency = None


def _look_at(file: Path) -> tuple[int, int] | None:
    """A mark that changes with a file; None where there is none."""
    try:
        known = file.stat()
    except OSError:
        return None
    return known.st_mtime_ns, known.st_size
