"""The lobby of an examination: one model narrates, without fallback, with dice and ids derived from a seed.

The same seed gives every model the same dice. `workshop` decides what is examined and how.
"""

import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from talewright.bootstrap import SECRET_BYTES, open_game_library, open_store, utc_now
from talewright.bootstrap.provider_factory import ProviderFactory, open_provider_factory
from talewright.common.frozen_values import frozen
from talewright.config.environment import NO_MODEL
from talewright.config.model_settings import TYPICAL_TURN, ModelPreference
from talewright.llm.cost_meter import cost
from talewright.play.playable_games import GameLibrary
from talewright.play.sessions.store_lobby import StoreLobby


@frozen
class ExamLobby:
    """The lobby in which a model is examined."""

    lobby: StoreLobby
    game: str
    """The id of the game."""

    dollars_a_turn: float
    """The approximate cost of a turn; 0 if it is free or unknown."""


@asynccontextmanager
async def open_exam_lobby(
    environment: Mapping[str, str], model: str, game: str, saves: Path, seed: int
) -> AsyncIterator[ExamLobby]:
    """A lobby in which one model narrates a game, given by id or by folder; its connections are closed
    afterwards.

    Raises TalewrightError if there is no such model or game.
    """
    # Neither a fallback nor the cheap model may answer instead.
    wish = ModelPreference(model=model, cheap=NO_MODEL)
    factory = open_provider_factory(environment, Path.home(), Path.cwd(), wish)
    # Reading ahead depends on the player's timing and would make the figures differ from run to run.
    settings = replace(factory.loaded.settings, fallback=(), send_ahead=False)
    factory = replace(factory, loaded=replace(factory.loaded, settings=settings))
    try:
        shelf = open_game_library()
        named = shelf.admit(game).game.id
        yield ExamLobby(_make_lobby(factory, shelf, saves, seed), named, _price_turn(factory, model))
    finally:
        await factory.close()


def _make_lobby(factory: ProviderFactory, shelf: GameLibrary, saves: Path, seed: int) -> StoreLobby:
    lot = random.Random(f"exam/{seed}")
    secret = lot.randbytes(SECRET_BYTES)
    return StoreLobby(
        store=open_store(saves, git=False),
        shelf=shelf,
        now=utc_now,
        # If a game's dice are fresh every turn, they are derived from such an id.
        new_id=lambda: f"{lot.getrandbits(128):032x}",
        new_secret=lambda: secret,
        hire=factory.hire,
        limits=factory.limits,
        lookup=factory.loaded.profile_of,
    )


def _price_turn(factory: ProviderFactory, model: str) -> float:
    found = factory.loaded.find_model(model)
    prices = None if found is None else found.profile.prices
    return 0.0 if prices is None else cost(TYPICAL_TURN, prices)
