"""Bootstrap: creates all components and connects them (the composition root).

Everything else receives what it needs from here. Modules are imported on first use, so that a game appears on
the screen without loading them all.
"""

import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from talewright.bootstrap.mcp_launcher import McpCommandOptions
    from talewright.bootstrap.model_trial import ServerProbe
    from talewright.bootstrap.provider_factory import ProviderFactory
    from talewright.bootstrap.settings_reload import ReloadingProviderFactory
    from talewright.bootstrap.splash import PlayCommandOptions
    from talewright.chronicle.store import StorageLimits
    from talewright.kernel.system import System
    from talewright.pack.user_folders import UserFolders
    from talewright.play.lobby import Lobby
    from talewright.play.playable_games import GameLibrary, OwnGameLibrary
    from talewright.play.sessions.store_lobby import StoreLobby
    from talewright.stores.folder.folder_store import FolderStore

ID_BYTES = 16
"""Random bytes in an id: 128 bits."""

SECRET_BYTES = 32
"""Random bytes in the secret of a campaign's dice."""


def installed_systems() -> "Mapping[str, System]":
    """Every installed system, by its name in `game.yaml`."""
    from talewright.bootstrap.system_plugins import load_systems

    return load_systems()


def user_places() -> "UserFolders":
    """The folders of games, campaigns and caches of the current user."""
    from talewright.pack.user_folders import find_user_folders

    return find_user_folders(os.environ, Path.home(), Path.cwd())


def open_game_library(places: "UserFolders | None" = None, language: str = "") -> "OwnGameLibrary":
    """The user's games, with titles in the given language if available."""
    from talewright.bootstrap.games.game_library import FolderGameLibrary

    places = places or user_places()
    return FolderGameLibrary(places.games, places.cache, installed_systems, language)


def find_game_folder(name_or_path: str) -> Path:
    """The folder of a game, by path or by id. Raises TalewrightError if there is none."""
    folder = Path(name_or_path).expanduser()
    if folder.is_dir():
        return folder
    from talewright.bootstrap.games.game_library import FolderGameLibrary

    places = user_places()
    return FolderGameLibrary(places.games, places.cache, installed_systems).folder_of(name_or_path)


def open_store(
    saves: Path | None = None, *, git: bool = True, limits: "StorageLimits | None" = None
) -> "FolderStore":
    """The campaigns in a folder; None uses the user's default."""
    from talewright.stores.folder.folder_store import FolderStore

    return FolderStore(saves or user_places().saves, git=git, limits=limits)


def open_lobby(
    saves: Path | None = None,
    *,
    shelf: "GameLibrary | None" = None,
    git: bool = True,
    language: str = "",
    secret: bytes | None = None,
    factory: "ProviderFactory | None" = None,
    reloading_factory: "ReloadingProviderFactory | None" = None,
    limits: "StorageLimits | None" = None,
) -> "StoreLobby":
    """Where a user starts and continues campaigns; only tests pass the secret of the dice."""
    from dataclasses import replace

    from talewright.play.sessions.store_lobby import StoreLobby

    lobby = StoreLobby(
        store=open_store(saves, git=git, limits=limits),
        shelf=shelf or open_game_library(),
        now=utc_now,
        new_id=new_id,
        new_secret=new_secret if secret is None else lambda: secret,
        language=language,
    )
    if reloading_factory is not None:
        return replace(
            lobby,
            hire=reloading_factory.hire,
            limits=reloading_factory.limits,
            lookup=reloading_factory.look_up,
            tell_who=reloading_factory.tell_who,
        )
    if factory is not None:
        return replace(lobby, hire=factory.hire, limits=factory.limits, lookup=factory.loaded.profile_of)
    return lobby


@asynccontextmanager
async def open_embedded_lobby(
    saves: "str | os.PathLike[str] | None" = None, *, language: str = "", model: str = ""
) -> "AsyncIterator[Lobby]":
    """A lobby for another program, with the user's games and models; `talewright.open_lobby` describes it."""
    from talewright.bootstrap.serving.saves_presence import enter_saves
    from talewright.config.environment import NO_MODEL

    places = user_places()
    folder = places.saves if saves is None else Path(saves)
    wants_model = model != NO_MODEL and (bool(model) or has_models(os.environ))
    factory = open_provider_factory(os.environ, model) if wants_model else None
    shelf = open_game_library(places, language)
    try:
        with enter_saves(folder):
            yield open_lobby(folder, shelf=shelf, language=language, factory=factory)
    finally:
        if factory is not None:
            await factory.close()


def open_provider_factory(environment: Mapping[str, str], model: str = "") -> "ProviderFactory":
    """The factory of providers; `model` is the name of an explicitly requested one."""
    from talewright.bootstrap.provider_factory import open_provider_factory
    from talewright.config.model_settings import ModelPreference

    return open_provider_factory(environment, Path.home(), Path.cwd(), ModelPreference(model=model))


async def probe_local(progress: Callable[[int, int], None]) -> "tuple[ServerProbe, ...]":
    """Look for model servers at the usual addresses on this machine."""
    from talewright.bootstrap.model_trial import local_servers, probe_servers

    return await probe_servers(local_servers(), progress)


def has_models(environment: Mapping[str, str]) -> bool:
    """Whether any model is configured; if not, no code for models is loaded."""
    from talewright.config.environment import MODEL, gather_variables

    if gather_variables(environment, Path.cwd()).get(MODEL):
        return True
    from talewright.config.settings_file import find_settings_file

    return find_settings_file(environment, Path.home()).is_file()


def recover_campaign(saves: Path | None, name: str) -> Iterator[str]:
    """Rebuild a damaged campaign from its intact parts; yields the report line by line."""
    from talewright.stores.folder.log_recovery import recover_in_words

    return recover_in_words((saves or user_places().saves) / name)


def new_id() -> str:
    """A unique id."""
    return os.urandom(ID_BYTES).hex()


def new_secret() -> bytes:
    """Unguessable random bytes."""
    return os.urandom(SECRET_BYTES)


def utc_now() -> str:
    """The time as ISO 8601 in UTC, to the microsecond."""
    from datetime import UTC, datetime

    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def run_plain(
    asked: "PlayCommandOptions",
    places: "UserFolders",
    source: TextIO,
    out: TextIO,
    environment: Mapping[str, str],
    secret: bytes | None = None,
) -> int:
    """Play in a terminal or a pipe; return the exit code. Only tests pass the secret of the dice."""
    from dataclasses import replace

    from talewright.bootstrap.serving.saves_presence import enter_saves
    from talewright.bootstrap.splash import show_splash
    from talewright.common.language_tags import locale_language
    from talewright.config.environment import NO_MODEL
    from talewright.faces.plain.plain_output import PlainOutput, terminal_columns

    asked = replace(asked, locale=asked.locale or locale_language(environment))
    sheet = PlainOutput(out, terminal_columns(out, environment))
    if asked.server:
        from talewright.bootstrap.serving.remote_play import play_plainly_there

        return play_plainly_there(asked, environment, sheet, source)
    shown = show_splash(asked, places, sheet)
    # After the splash: the player reads it while everything else is loaded.
    from talewright.bootstrap.plain_launcher import play_plainly

    shelf = open_game_library(places, asked.language or asked.locale)
    wants = asked.model != NO_MODEL and (asked.model or has_models(environment))
    factory = open_provider_factory(environment, asked.model) if wants else None
    lobby = open_lobby(
        asked.saves, shelf=shelf, git=asked.git, language=asked.language, secret=secret, factory=factory
    )
    closing = () if factory is None else (factory.close,)
    with enter_saves(asked.saves):
        return play_plainly(lobby, shelf, asked, sheet, source, shown, *closing)


def run_terminal(asked: "PlayCommandOptions", places: "UserFolders", environment: Mapping[str, str]) -> int:
    """Play in the terminal face; return the exit code."""
    if asked.server:
        from talewright.bootstrap.serving.remote_play import open_terminal_there

        return open_terminal_there(asked, places, environment)
    from talewright.bootstrap.serving.saves_presence import enter_saves
    from talewright.bootstrap.terminal_launcher import TerminalOpeners, open_terminal

    openers = TerminalOpeners(open_game_library, open_lobby, open_provider_factory)
    with enter_saves(asked.saves):
        return open_terminal(asked, places, environment, openers)


def run_mcp(
    asked: "McpCommandOptions",
    places: "UserFolders",
    environment: Mapping[str, str],
    secret: bytes | None = None,
) -> int:
    """Serve games to an assistant; return the exit code. Only tests pass the secret of the dice."""
    from dataclasses import replace

    from talewright.bootstrap.mcp_launcher import nothing_more_to_close, serve
    from talewright.bootstrap.serving.saves_presence import enter_saves

    shelf = open_game_library(places, asked.language)
    if asked.game:
        # Everyone else names games by their ids; only the command line may name a folder.
        asked = replace(asked, game=shelf.admit(asked.game).game.id)
    # A master tells the story; only players need a model.
    factory = open_provider_factory(environment) if asked.plays and has_models(environment) else None
    lobby = open_lobby(
        asked.saves,
        shelf=shelf,
        git=asked.git,
        secret=secret,
        factory=factory,
    )
    make_game = None
    if not asked.game and not asked.campaign:
        from talewright.bootstrap.games.pasted_games import PastedGameMaker

        make_game = PastedGameMaker(places.own_games[-1], places.cache, installed_systems, shelf.games)
    close = nothing_more_to_close if factory is None else factory.close
    with enter_saves(asked.saves):
        return serve(lobby, asked, environment, close, make_game)
