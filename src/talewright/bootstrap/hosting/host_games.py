"""The games of a host: those in the operator's folders, and which games imported campaigns may have.

Owners cannot bring games of their own: a game's text goes to the operator's models, at the operator's cost.
"""

import re
from collections.abc import Mapping

from talewright.bootstrap import installed_systems
from talewright.bootstrap.games.game_library import FolderGameLibrary
from talewright.errors import SettingsError
from talewright.pack.user_folders import UserFolders

ALLOWED_GAMES = "TALEWRIGHT_ALLOWED_GAMES"
"""The variable with the digests of further games whose campaigns may be imported."""

_DIGEST = re.compile("[0-9a-f]{64}")


def open_host_games(places: UserFolders, environment: Mapping[str, str]) -> FolderGameLibrary:
    """The operator's games. Raises SettingsError if the list of further games cannot be read."""
    allowed = read_allowed_games(environment.get(ALLOWED_GAMES, ""))
    return FolderGameLibrary(places.games, places.cache, installed_systems, allowed=allowed)


def read_allowed_games(text: str) -> frozenset[str]:
    """The digests in a list, separated by commas or white space. Raises SettingsError."""
    found = text.replace(",", " ").split()
    wrong = next((one for one in found if not _DIGEST.fullmatch(one)), None)
    if wrong is not None:
        raise SettingsError(
            f"{ALLOWED_GAMES} contains {wrong[:80]!r}, which is not the digest of a game",
            "A digest has 64 digits from 0 to 9 and a to f; the refusal of an import shows it.",
        )
    return frozenset(found)
