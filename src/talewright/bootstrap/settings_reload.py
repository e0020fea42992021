"""Settings reload: replaces the provider factory whenever the settings file changes.

Open campaigns keep their storyteller; its connections are closed at the end.
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
    """A provider factory for lobbies and model choosers that follows the settings."""

    def __init__(self, open_agency: Callable[[], ProviderFactory]) -> None:
        self._open_agency = open_agency
        self._agency: ProviderFactory | None = None
        self._mark: tuple[int, int] | None = None
        """The mark of the settings file when the factory was opened."""

        self._held: TemporaryKeyring | None = None
        self._wished = True
        """Whether the choice on the command line still applies."""

        self._left: list[ProviderFactory] = []
        """Earlier factories, whose storytellers may still be in use."""

    def open(self) -> ProviderFactory:
        """The factory for the current settings. Raises TalewrightError if they are not valid."""
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
        """Follow the settings from now on, and ignore the choice on the command line."""
        self._wished = False
        self._leave()

    def hold_key(self, name: str, key: ApiKey) -> None:
        """Keep a key in memory until the program ends."""
        self.open()
        assert self._held is not None
        self._held.hold(name, key)

    def hire(self, game: str, campaign: str) -> Teller | None:
        """The storyteller of a campaign; None to play scenes only."""
        return self.open().hire(game, campaign)

    def tell_who(self, game: str, campaign: str) -> str:
        """The name of the model for a campaign when it is next opened; empty for scenes only."""
        try:
            factory = self.open()
            model = factory.loaded.find_model(factory.decide(game, campaign).model or NO_MODEL)
        except TalewrightError:
            # Errors in the settings are reported when someone plays with them.
            return ""
        return "" if model is None else model.model

    def look_up(self, model: str) -> Profile:
        """The abilities and prices of a model, by its name on the server."""
        try:
            return self.open().loaded.profile_of(model)
        except TalewrightError:
            return find_profile(model)

    @property
    def limits(self) -> TurnLimits:
        """The limits of a turn, from the settings."""
        try:
            return self.open().limits
        except TalewrightError:
            return TurnLimits()

    async def close(self) -> None:
        """Close all connections."""
        self._leave()
        while self._left:
            await self._left.pop().close()

    def _leave(self) -> None:
        if self._agency is not None:
            self._left.append(self._agency)
            self._agency = None


def _look_at(file: Path) -> tuple[int, int] | None:
    """A mark that changes with a file; None if there is no file."""
    try:
        known = file.stat()
    except OSError:
        return None
    return known.st_mtime_ns, known.st_size
