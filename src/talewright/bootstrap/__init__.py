"""Bootstrap: creates all components and connects them (the composition root).

Everything else receives what it needs from here. Modules are imported on first use, so that a game appears on
the screen without loading them all.
"""

import importlib
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from talewright.bootstrap.serving.saves_presence import enter_saves
from talewright.bootstrap.splash import PlayCommandOptions, show_splash
from talewright.common.language_tags import locale_language
from talewright.config.environment import MODEL, NO_MODEL
from talewright.faces.plain.plain_output import PlainOutput, terminal_columns
from talewright.pack.user_folders import UserFolders, data_folder, find_user_folders

if TYPE_CHECKING:
    from talewright.bootstrap.mcp_launcher import McpCommandOptions
    from talewright.bootstrap.model_trial import ServerProbe
    from talewright.bootstrap.provider_factory import ProviderFactory
    from talewright.bootstrap.serving.server_launcher import ServerOptions
    from talewright.bootstrap.settings_reload import ReloadingProviderFactory
    from talewright.config.environment import EnvironmentVariables
    from talewright.config.model_settings import ModelPreference
    from talewright.kernel.system import System
    from talewright.play.playable_games import GameLibrary
    from talewright.play.sessions.store_lobby import StoreLobby
    from talewright.stores.folder.folder_store import FolderStore

ID_BYTES = 16
"""Random bytes in an id: 128 bits."""

SECRET_BYTES = 32
"""Random bytes in the secret of a campaign's dice."""


def installed_systems() -> "Mapping[str, System]":
    """Every installed system, by its name in `game.yaml`."""
    find: Callable[[], Mapping[str, System]]
    find = importlib.import_module("talewright.bootstrap.system_plugins").load_systems
    return find()


def user_places() -> UserFolders:
    """The folders of games, campaigns and caches of the current user."""
    return find_user_folders(os.environ, Path.home(), Path.cwd())


def open_game_library(places: UserFolders | None = None, language: str = "") -> "GameLibrary":
    """The user's games, with titles in the given language if available."""
    places = places or user_places()
    make: Callable[..., GameLibrary] = importlib.import_module(
        "talewright.bootstrap.game_library"
    ).FolderGameLibrary
    return make(places.games, places.cache, installed_systems, language)


def find_game_folder(name_or_path: str) -> Path:
    """The folder of a game, by path or by id. Raises TalewrightError if there is none."""
    folder = Path(name_or_path).expanduser()
    if folder.is_dir():
        return folder
    from talewright.bootstrap.game_library import FolderGameLibrary

    places = user_places()
    return FolderGameLibrary(places.games, places.cache, installed_systems).folder_of(name_or_path)


def open_store(saves: Path | None = None, *, git: bool = True) -> "FolderStore":
    """The campaigns in a folder; None uses the user's default."""
    make: Callable[..., FolderStore] = importlib.import_module(
        "talewright.stores.folder.folder_store"
    ).FolderStore
    return make(saves or user_places().saves, git=git)


def open_lobby(
    saves: Path | None = None,
    *,
    shelf: "GameLibrary | None" = None,
    git: bool = True,
    language: str = "",
    secret: bytes | None = None,
    factory: "ProviderFactory | None" = None,
    reloading_factory: "ReloadingProviderFactory | None" = None,
) -> "StoreLobby":
    """Where a user starts and continues campaigns; only tests pass the secret of the dice."""
    make: Callable[..., StoreLobby] = importlib.import_module(
        "talewright.play.sessions.store_lobby"
    ).StoreLobby
    hiring: dict[str, object] = {}
    if factory is not None:
        hiring = {"hire": factory.hire, "limits": factory.limits, "lookup": factory.loaded.profile_of}
    if reloading_factory is not None:
        hiring = {
            "hire": reloading_factory.hire,
            "limits": reloading_factory.limits,
            "lookup": reloading_factory.look_up,
        }
        hiring["tell_who"] = reloading_factory.tell_who
    return make(
        store=open_store(saves, git=git),
        shelf=shelf or open_game_library(),
        now=utc_now,
        new_id=new_id,
        new_secret=new_secret if secret is None else lambda: secret,
        language=language,
        **hiring,
    )


def open_provider_factory(environment: Mapping[str, str], model: str = "") -> "ProviderFactory":
    """The factory of providers; `model` is the name of an explicitly requested one."""
    rooms = importlib.import_module
    choice: Callable[..., ModelPreference] = rooms("talewright.config.model_settings").ModelPreference
    make: Callable[..., ProviderFactory] = rooms(
        "talewright.bootstrap.provider_factory"
    ).open_provider_factory
    return make(environment, Path.home(), Path.cwd(), choice(model=model))


async def probe_local(progress: Callable[[int, int], None]) -> "tuple[ServerProbe, ...]":
    """Look for model servers at the usual addresses on this machine."""
    probes = importlib.import_module("talewright.bootstrap.model_trial")
    found: tuple[ServerProbe, ...] = await probes.probe_servers(probes.local_servers(), progress)
    return found


def has_models(environment: Mapping[str, str]) -> bool:
    """Whether any model is configured; if not, no code for models is loaded."""
    rooms = importlib.import_module
    variables: EnvironmentVariables = rooms("talewright.config.environment").gather_variables(
        environment, Path.cwd()
    )
    find: Callable[..., Path] = rooms("talewright.config.settings_file").find_settings_file
    return bool(variables.get(MODEL)) or find(environment, Path.home()).is_file()


def recover_campaign(saves: Path | None, name: str) -> Iterator[str]:
    """Rebuild a damaged campaign from its intact parts; yields the report line by line."""
    recover: Callable[[Path], Iterator[str]]
    recover = importlib.import_module("talewright.stores.folder.log_recovery").recover_in_words
    return recover((saves or user_places().saves) / name)


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
    asked: PlayCommandOptions,
    places: UserFolders,
    source: TextIO,
    out: TextIO,
    environment: Mapping[str, str],
    secret: bytes | None = None,
) -> int:
    """Play in a terminal or a pipe; return the exit code. Only tests pass the secret of the dice."""
    asked = replace(asked, locale=asked.locale or locale_language(environment))
    sheet = PlainOutput(out, terminal_columns(out, environment))
    if asked.server:
        play_there: Callable[..., int] = importlib.import_module(
            "talewright.bootstrap.serving.remote_play"
        ).play_plainly_there
        return play_there(asked, environment, sheet, source)
    shown = show_splash(asked, places, sheet)
    play: Callable[..., int] = importlib.import_module("talewright.bootstrap.plain_launcher").play_plainly
    shelf = open_game_library(places, asked.language or asked.locale)
    wants = asked.model != NO_MODEL and (asked.model or has_models(environment))
    factory = open_provider_factory(environment, asked.model) if wants else None
    lobby = open_lobby(
        asked.saves, shelf=shelf, git=asked.git, language=asked.language, secret=secret, factory=factory
    )
    closing = () if factory is None else (factory.close,)
    with enter_saves(asked.saves):
        return play(lobby, shelf, asked, sheet, source, shown, *closing)


def run_terminal(asked: PlayCommandOptions, places: UserFolders, environment: Mapping[str, str]) -> int:
    """Play in the terminal face; return the exit code."""
    if asked.server:
        play_there: Callable[..., int] = importlib.import_module(
            "talewright.bootstrap.serving.remote_play"
        ).open_terminal_there
        return play_there(asked, places, environment)
    room = importlib.import_module("talewright.bootstrap.terminal_launcher")
    play: Callable[..., int] = room.open_terminal
    openers = room.TerminalOpeners(open_game_library, open_lobby, open_provider_factory)
    with enter_saves(asked.saves):
        return play(asked, places, environment, openers)


def run_mcp(
    asked: "McpCommandOptions",
    places: UserFolders,
    environment: Mapping[str, str],
    secret: bytes | None = None,
) -> int:
    """Serve a game to an assistant; return the exit code. Only tests pass the secret of the dice."""
    room = importlib.import_module("talewright.bootstrap.mcp_launcher")
    # The game master narrates; only players need a model.
    factory = open_provider_factory(environment) if asked.plays and has_models(environment) else None
    lobby = open_lobby(
        asked.saves,
        shelf=open_game_library(places, asked.language),
        git=asked.git,
        secret=secret,
        factory=factory,
    )
    serve: Callable[..., int] = room.serve
    with enter_saves(asked.saves):
        return serve(lobby, asked, environment, *(() if factory is None else (factory.close,)))


def run_server(
    asked: "ServerOptions",
    places: UserFolders,
    environment: Mapping[str, str],
    secret: bytes | None = None,
) -> int:
    """Serve all campaigns over HTTP; return the exit code. Only tests pass the secret of the dice."""
    room = importlib.import_module
    factory: ReloadingProviderFactory = room("talewright.bootstrap.settings_reload").ReloadingProviderFactory(
        lambda: open_provider_factory(environment)
    )
    language = asked.language or locale_language(environment)
    lobby = open_lobby(
        asked.saves,
        shelf=open_game_library(places, language),
        git=asked.git,
        secret=secret,
        reloading_factory=factory,
    )
    chooser = room("talewright.bootstrap.model_chooser").LocalModelChooser(factory, lambda: language)
    games = Path.cwd() / data_folder(environment, Path.home()) / "games"
    importer = room("talewright.bootstrap.scenario_games").ScenarioImporter(games, installed_systems())
    launcher = room("talewright.bootstrap.serving.server_launcher")
    serve: Callable[..., int] = launcher.serve_lobby
    served = launcher.ServedLobby(
        lobby,
        new_id,
        chooser,
        importer,
        lambda wanted: open_game_library(places, wanted).games(),
        factory.close,
        room("talewright.bootstrap.serving.folder_workbench").FolderWorkbench(
            places.own_games, installed_systems, utc_now
        ),
    )
    return serve(served, asked, environment)
