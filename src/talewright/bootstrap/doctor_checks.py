"""Doctor checks: test whether everything a player needs works, with one finding each and what to do.

They repair nothing.
"""

import asyncio
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from urllib.parse import urlsplit

from talewright.bootstrap.keyrings import MISSING
from talewright.bootstrap.model_trial import probe
from talewright.bootstrap.provider_factory import ProviderFactory, missing_key
from talewright.chronicle.store import ChronicleError
from talewright.common.frozen_values import frozen
from talewright.config.model_settings import ModelSettings
from talewright.errors import Severity, TalewrightError
from talewright.kernel.system import System
from talewright.pack.cache.game_cache import load_folder
from talewright.pack.game_folders import list_games
from talewright.pack.user_folders import UserFolders
from talewright.play.history.campaign_troubles import TURN, CampaignTrouble, find_troubles
from talewright.stores.folder.folder_store import FolderStore
from talewright.stores.folder.pages.git_history import find_copy_trouble
from talewright.version import __version__

PYTHON_MIN = (3, 11)
GIT_SECONDS = 10.0
SIGNS = "雾港 · é"
"""Characters that a terminal must be able to show for the games in the package."""

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class CheckupResult(StrEnum):
    """The severity of a finding."""

    OK = "ok"
    NOTE = "note"
    """It works, but could be better."""

    BAD = "bad"
    """It does not work."""


@frozen
class CheckupFinding:
    """What was checked, and the result."""

    subject: str
    verdict: CheckupResult
    text: str
    todo: str = ""
    """What to do next, if anything."""


def examine(
    places: UserFolders,
    saves: Path,
    systems: Callable[[], Mapping[str, System]],
    hire: Callable[[], ProviderFactory],
    encoding: str,
) -> Iterator[CheckupFinding]:
    """Run all checks, in the order in which they matter to a player."""
    yield check_python()
    yield check_package()
    yield from check_games(places, systems)
    yield check_saves(saves)
    yield from check_campaigns(saves)
    yield check_git()
    yield from check_git_copies(saves)
    yield check_encoding(encoding)
    try:
        factory = hire()
    except TalewrightError as error:
        yield CheckupFinding("settings", CheckupResult.BAD, error.message, error.hint)
        return
    yield check_keyring(factory)
    yield from check_models(factory)


def check_python(found: tuple[int, int] = sys.version_info[:2]) -> CheckupFinding:
    """Check the version of Python."""
    text = f"Python {platform.python_version()} on {platform.system() or sys.platform}"
    if found < PYTHON_MIN:
        return CheckupFinding("python", CheckupResult.BAD, text, "Install Python 3.11 or newer.")
    return CheckupFinding("python", CheckupResult.OK, text)


def check_package() -> CheckupFinding:
    """Check whether the package is installed."""
    try:
        installed = version("talewright")
    except PackageNotFoundError:
        text = f"talewright {__version__}, run from its source"
        return CheckupFinding("package", CheckupResult.NOTE, text, "Install it: pip install -e .")
    if installed != __version__:
        text = f"talewright {__version__}, but version {installed} is installed"
        return CheckupFinding("package", CheckupResult.NOTE, text, "Reinstall it: pip install -e .")
    return CheckupFinding("package", CheckupResult.OK, f"talewright {__version__}")


def check_games(places: UserFolders, systems: Callable[[], Mapping[str, System]]) -> Iterator[CheckupFinding]:
    """Check that every game compiles."""
    good = []
    try:
        installed = systems()
    except TalewrightError as error:
        yield CheckupFinding("systems", CheckupResult.BAD, error.message, error.hint)
        return
    for folder in list_games(places.games):
        faults = load_folder(folder, installed, places.cache).faults
        errors = [fault for fault in faults if fault.severity is Severity.ERROR]
        if errors:
            text = f"{folder.name} does not compile: {errors[0].place}: {errors[0].message}"
            yield CheckupFinding("games", CheckupResult.BAD, text, f"Run: talewright check {folder}")
        else:
            good.append(folder.name)
    if good:
        yield CheckupFinding("games", CheckupResult.OK, f"{', '.join(good)} compile")
    else:
        yield CheckupFinding(
            "games", CheckupResult.BAD, "no playable game found", "Run: talewright new my_game"
        )


def check_saves(saves: Path) -> CheckupFinding:
    """Check that campaigns can be written."""
    # The first campaign creates the folder; until then, check its nearest existing parent.
    there = next((folder for folder in (saves, *saves.parents) if folder.exists()), saves)
    try:
        with tempfile.TemporaryFile(dir=there) as stream:
            stream.write(b"ok")
    except OSError as error:
        return CheckupFinding(
            "saves",
            CheckupResult.BAD,
            f"{saves} cannot be written: {error.strerror}",
            "Check its permissions and free space, or use another folder: --saves FOLDER",
        )
    return CheckupFinding("saves", CheckupResult.OK, f"{saves} can be written")


def check_campaigns(saves: Path) -> Iterator[CheckupFinding]:
    """Find damaged campaigns."""
    for listing in asyncio.run(FolderStore(saves).campaigns()):
        subject = f"campaign {listing.campaign}"
        for notice in listing.notices:
            # The notice says what to do.
            yield CheckupFinding(subject, CheckupResult.NOTE, notice.text)
        if listing.damaged and not listing.notices:
            todo = _DAMAGE_TODO.format(listing.campaign)
            yield CheckupFinding(subject, CheckupResult.NOTE, "part of its record is damaged", todo)
        unread, troubles = asyncio.run(_find_troubles(saves, listing.campaign))
        if unread is not None and not listing.damaged:
            yield CheckupFinding(subject, CheckupResult.NOTE, unread.message, unread.hint)
        for trouble in troubles:
            yield CheckupFinding(subject, CheckupResult.NOTE, tell_trouble(trouble), _TROUBLE_TODO)


def check_git_copies(saves: Path) -> Iterator[CheckupFinding]:
    """Find campaigns without a copy in git; nothing if git is not installed."""
    if shutil.which("git") is None:
        return
    for listing in asyncio.run(FolderStore(saves).campaigns()):
        lacking = "" if listing.damaged else find_copy_trouble(saves / listing.campaign)
        if lacking:
            text = f"campaign {listing.campaign}: {lacking}"
            yield CheckupFinding("git", CheckupResult.NOTE, text, _COPY_TODO)


_COPY_TODO = "Play a turn without --no-git: lost records can be recovered from git."
_TROUBLE_TODO = "The story is safe and can continue. Report this to the author of what failed."


_DAMAGE_TODO = "Run: talewright saves recover {}"


async def _find_troubles(
    saves: Path, campaign: str
) -> tuple[TalewrightError | None, tuple[CampaignTrouble, ...]]:
    """Why a campaign cannot be read completely, and the errors recorded in it."""
    try:
        book = await FolderStore(saves, git=False).open(campaign)
    except ChronicleError as error:
        return error, ()
    try:
        await book.read_through(sys.maxsize)
        if (await book.look()).damage is not None:
            return TalewrightError("part of its record is damaged", _DAMAGE_TODO.format(campaign)), ()
        return None, await find_troubles(book)
    except ChronicleError as error:
        return error, ()
    finally:
        await book.close()


def tell_trouble(trouble: CampaignTrouble) -> str:
    """Describe what went wrong, for the operator."""
    whose = f" of the system {trouble.system}" if trouble.system else ""
    often = f" ({trouble.times} times so far)" if trouble.times > 1 else ""
    if trouble.what == TURN:
        return f"turn {trouble.turn} failed: {trouble.message}{often}"
    return f"after turn {trouble.turn} the {trouble.what}{whose} failed: {trouble.message}{often}"


def check_git() -> CheckupFinding:
    """Check git, which keeps the history of a campaign's pages."""
    program = shutil.which("git")
    if program is None:
        todo = "Install git for a history of each campaign's pages, or play with --no-git."
        return CheckupFinding(
            "git", CheckupResult.NOTE, "git is not installed; campaigns are saved without it", todo
        )
    try:
        done = subprocess.run(
            (program, "--version"), capture_output=True, text=True, timeout=GIT_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return CheckupFinding(
            "git", CheckupResult.NOTE, "git does not run", "Reinstall it, or play with --no-git."
        )
    return CheckupFinding("git", CheckupResult.OK, done.stdout.strip())


def check_encoding(encoding: str) -> CheckupFinding:
    """Check that the terminal can show the games' characters."""
    try:
        SIGNS.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        todo = "Set PYTHONUTF8=1, or a UTF-8 locale such as LANG=C.UTF-8."
        return CheckupFinding(
            "terminal", CheckupResult.NOTE, f"{encoding or 'no encoding'} cannot show all characters", todo
        )
    return CheckupFinding("terminal", CheckupResult.OK, f"{encoding} shows all characters")


def check_keyring(factory: ProviderFactory) -> CheckupFinding:
    """Check that the operating system's keyring works."""
    trouble = factory.keyring.trouble
    if trouble:
        todo = "You can put keys in the environment instead."
        if trouble == MISSING:
            todo += " For a keyring: pip install 'talewright[keyring]'"
        return CheckupFinding("keyring", CheckupResult.NOTE, trouble, todo)
    return CheckupFinding("keyring", CheckupResult.OK, "the keyring works")


def check_models(factory: ProviderFactory) -> Iterator[CheckupFinding]:
    """Check that every model in use can be reached."""
    try:
        meant = list_meant(factory)
    except TalewrightError as error:
        yield CheckupFinding("models", CheckupResult.BAD, error.message, error.hint)
        return
    if not meant:
        todo = "Without a model, games use their written scenes. To set up a model: talewright setup"
        yield CheckupFinding("models", CheckupResult.NOTE, "no model is set up", todo)
    for model in meant:
        yield asyncio.run(_check_model(factory, model))


def list_meant(factory: ProviderFactory) -> list[ModelSettings]:
    """The models that a game, a campaign or the environment uses, each once."""
    loaded = factory.loaded
    settings = loaded.settings
    choices = [factory.decide("", ""), *settings.games.values(), *settings.campaigns.values()]
    names = [name for choice in choices for name in (choice.model, choice.cheap) if name]
    found = [loaded.find_model(name) for name in dict.fromkeys([*names, *settings.fallback])]
    return [model for model in found if model is not None]


async def _check_model(factory: ProviderFactory, model: ModelSettings) -> CheckupFinding:
    subject = f"model {model.name}"
    found = factory.find_key(model)
    if model.key_name and found is None:
        error = missing_key(model)
        return CheckupFinding(subject, CheckupResult.BAD, error.message, error.hint)
    if found is not None and _is_open(model.base_url):
        todo = "Use https, or a server on this machine."
        return CheckupFinding(
            subject, CheckupResult.NOTE, f"its key goes unencrypted to {_host(model)}", todo
        )
    if model.wire != "openai":
        return CheckupFinding(subject, CheckupResult.OK, f"{model.model} at {_host(model)}; its key is set")
    answer = await probe(model, None if found is None else found.key)
    if answer.trouble:
        return CheckupFinding(subject, CheckupResult.BAD, answer.trouble, answer.hint)
    if answer.models and model.model not in answer.models:
        offered = ", ".join(answer.models[:5])
        text = f"{_host(model)} answers, but does not list {model.model}"
        return CheckupFinding(
            subject, CheckupResult.NOTE, text, f"It offers {offered}. Run: talewright setup"
        )
    return CheckupFinding(subject, CheckupResult.OK, f"{model.model} at {_host(model)} answers")


def _is_open(base_url: str) -> bool:
    parts = urlsplit(base_url)
    return parts.scheme == "http" and parts.hostname not in LOOPBACK


def _host(model: ModelSettings) -> str:
    return urlsplit(model.base_url).netloc
