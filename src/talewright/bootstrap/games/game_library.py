"""The game library: lists the games in some folders, and finds the editions that campaigns pin.

It decides which folders may be opened. Ids may come from strangers; paths come from the command line.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from talewright.bootstrap.games.compiled_folders import CompiledFolders
from talewright.bootstrap.games.stored_games import StoredGames, count_nodes
from talewright.common.json_values import Json
from talewright.common.language_tags import pick_told_language
from talewright.errors import Fault, TalewrightError
from talewright.kernel.system import System
from talewright.pack.cache.compiled_game import digest_form
from talewright.pack.game_folders import find_game, is_game, list_games, shipped_games
from talewright.play.lobby import GameInfo
from talewright.play.playable_games import ForeignGameError, UnknownGameError, UnplayableGameError
from talewright.turn.game_editions import Edition

SHIPPED, INSTALLED = "shipped", "installed"
"""The places of a game that comes with the package, and of any other game on a host: owners learn nothing of
the operator's folders.
"""

NAME_TOLD_MAX = 400
"""Characters of an unknown name to show; a stranger's may be as long as a file."""


class FolderGameLibrary:
    """The games in some folders, and those that the user of this machine has admitted.

    Everyone may ask for a listed id. Only `admit` takes a path, so only arguments of the command line may
    reach it.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        cache: Path,
        systems: Callable[[], Mapping[str, System]],
        language: str = "",
        allowed: frozenset[str] | None = None,
        compiled: CompiledFolders | None = None,
    ) -> None:
        """On a host, `allowed` are digests: imported campaigns must have listed games or games with these.

        `compiled` is given if several libraries share it; otherwise, this one has its own.
        """
        self._folders = tuple(folders)
        self._compiled = compiled or CompiledFolders(cache, systems)
        self._stored = StoredGames(systems)
        self._language = language
        """The language of titles, if a game has it."""

        self._allowed = allowed
        self._asked: dict[str, Path] = {}
        """Admitted folders by the id of their game; the last one admitted wins."""

        self._found: dict[str, Path] = {}
        """Folders of games by id; the first of several with the same id."""

    def games(self) -> tuple[GameInfo, ...]:
        """The playable games, sorted by title; folders with faults are left out."""
        found = {}
        self._found.clear()
        for folder in (*self._asked.values(), *list_games(self._folders)):
            cover = self._compiled.find_cover(folder)
            if cover is not None and cover.id not in found:
                self._found[cover.id] = folder
                place = INSTALLED if self._allowed is not None else str(folder)
                place = SHIPPED if folder.parent == shipped_games() else place
                spoken = pick_told_language(self._language, cover.languages)
                title = cover.titles.get(spoken, cover.id)
                tone = cover.tones.get(spoken, "")
                found[cover.id] = GameInfo(
                    cover.id,
                    title,
                    cover.languages,
                    place,
                    tone,
                    cover.turns,
                    not cover.has_scenes,
                    cover.descriptions.get(spoken, ""),
                    cover.motif,
                    cover.colors,
                    cover.light_theme,
                    cover.dark_theme,
                    cover.invitations.get(spoken, ()),
                    cover.endings,
                )
        return tuple(sorted(found.values(), key=lambda info: (info.title.casefold(), info.id)))

    def edition(self, game: str) -> Edition:
        """The listed game with an id. Raises TalewrightError if none has it, or if it has faults by now."""
        folder = self._find_listed(game)
        if folder is None:
            raise self._unknown(game)
        opened = self._compiled.open(folder)
        if opened.game.id != game:
            raise self._unknown(game)
        self._found[game] = folder
        return opened

    def admit(self, name_or_path: str) -> Edition:
        """The game that the user of this machine names: by id, by the name of its folder, or by any path.

        From now on it is listed, and its id means this folder. Raises TalewrightError if there is none or it
        has faults.
        """
        folder = self.folder_of(name_or_path)
        opened = self._compiled.open(folder)
        self._asked[opened.game.id] = folder
        return opened

    def folder_of(self, name_or_path: str) -> Path:
        """The folder of the game with a name or a path. Raises TalewrightError if there is none."""
        folder = self._recall(name_or_path) or find_game(name_or_path, self._folders)
        folder = folder or self._find_by_id(name_or_path)
        if folder is None:
            raise self._unknown(name_or_path, "You can also give the path of a folder with a game.yaml.")
        return folder

    def latest(self, game: str) -> Edition | None:
        """The current edition in the game's folder; None if it is not found or does not compile."""
        folder = self._find(game)
        try:
            found = None if folder is None else self._compiled.open(folder)
        except TalewrightError:
            return None
        return found if found is not None and found.game.id == game else None

    def find_faults(self, game: str) -> tuple[Fault, ...]:
        """Why the game's folder does not compile; empty if it does or is not found."""
        folder = self._find(game)
        if folder is None or self.latest(game) is not None or not is_game(folder):
            return ()
        return self._compiled.find_faults(folder)

    def _find(self, game: str) -> Path | None:
        """The folder of the game with an id. One that does not compile is only found by its name."""
        return self._recall(game) or self._find_by_id(game) or _find_by_name(game, self._folders)

    def _find_listed(self, game: str) -> Path | None:
        """The folder of a listed game. If one is called like the game, the others need not be read."""
        known = self._recall(game)
        if known is not None:
            return known
        named = _find_by_name(game, self._folders)
        cover = None if named is None else self._compiled.find_cover(named)
        return named if cover is not None and cover.id == game else self._find_by_id(game)

    def _recall(self, game: str) -> Path | None:
        """The folder of a game that was admitted or listed before."""
        return self._asked.get(game) or self._found.get(game)

    def unpack(self, form: Json) -> Edition:
        """Restore the edition that a campaign has pinned. Raises TalewrightError if it cannot be read."""
        return self._find_installed(form) or self._stored.unpack(form)

    def unpack_imported(self, form: Json) -> Edition:
        """Restore a game from an imported file. Raises ForeignGameError if campaigns of it are not taken."""
        if self._allowed is not None:
            digest = digest_form(form)
            installed = self._find_installed(form)
            if digest not in self._allowed and (installed is None or installed.digest != digest):
                raise ForeignGameError(
                    f"the game of this campaign is not installed here; its digest is {digest}",
                    "Import a campaign that was played with a game of this host in the same version, or ask "
                    "the operator to allow the game by its digest.",
                )
        # The forms of authors' files take a while to load, and imports are rare.
        from talewright.pack.files.yaml_errors import NODES_MAX
        from talewright.pack.schema.scalar_forms import NAME_PATTERN

        if count_nodes(form) > NODES_MAX:
            raise UnplayableGameError(f"the game in the file has more than {NODES_MAX} keys and values")
        edition = self.unpack(form)
        if not re.fullmatch(NAME_PATTERN, edition.game.id):
            raise UnplayableGameError("the game in the file has no valid id")
        return edition

    def _find_installed(self, form: Json) -> Edition | None:
        """The edition of a listed game, if this is its form; most campaigns use it."""
        for edition in self._compiled.editions():
            if edition.form == form:
                return edition
        row = form.get("game") if isinstance(form, Mapping) else None
        named = row[0] if isinstance(row, list) and row else None
        latest = self.latest(named) if isinstance(named, str) else None
        return latest if latest is not None and latest.form == form else None

    def _find_by_id(self, game: str) -> Path | None:
        """The first folder with the game of this id, whatever the folder's name."""
        for folder in list_games(self._folders):
            cover = self._compiled.find_cover(folder)
            if cover is not None and cover.id == game:
                self._found[game] = folder
                return folder
        return None

    def _unknown(self, name: str, more: str = "") -> UnknownGameError:
        names = [folder.name for folder in list_games(self._folders)]
        name = name if len(name) <= NAME_TOLD_MAX else f"{name[:NAME_TOLD_MAX]}…"
        near = get_close_matches(Path(name).name, names, 1)
        if near:
            return UnknownGameError(f"there is no game {name!r}", f"Did you mean {near[0]}?")
        known = [f"Available: {', '.join(names)}."] if names else []
        return UnknownGameError(f"there is no game {name!r}", " ".join([*known, *filter(None, [more])]))


def _find_by_name(name: str, folders: Sequence[Path]) -> Path | None:
    """The first game folder with this name. The name may come from a stranger: it is compared, and never
    becomes part of a path.
    """
    return next((folder for folder in list_games(folders) if folder.name == name), None)
