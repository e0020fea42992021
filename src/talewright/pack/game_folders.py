"""Game folders: games found by name or path, and the starter that a new game begins with.

No game is read here. The starter's files lie in `template/` beside this one and are only copied.
"""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

GAME_FILE = "game.yaml"
"""What makes a folder a game."""


def shipped_games() -> Path:
    """The games of the package; in a clone, those that lie beside the sources."""
    package = Path(__file__).parents[1]
    inside = package / "games"
    return inside if inside.is_dir() else package.parents[1] / "games"


def find_game(name: str, folders: Sequence[Path]) -> Path | None:
    """The folder of a game, by its path or by its name: in one of the folders, or of one that is a game."""
    asked = Path(name).expanduser()
    if is_game(asked):
        return asked
    if asked.name != name:
        return None
    places = (place for folder in folders for place in (folder / name, folder))
    return next((place for place in places if place.name == name and is_game(place)), None)


def list_games(folders: Sequence[Path]) -> Iterator[Path]:
    """Every game in the folders, by name, and each that is a game itself; of two with one name the first."""
    seen: set[str] = set()
    for folder in folders:
        if is_game(folder):
            # Whoever writes a game works in its folder.
            seen.add(folder.name)
            yield folder
            continue
        for game in _list_entries(folder):
            if game.name not in seen and not game.name.startswith(".") and is_game(game):
                seen.add(game.name)
                yield game


def is_game(folder: Path) -> bool:
    """Whether a folder looks like a game."""
    # Unlike a path's own question, this one is no error where nobody may look.
    return os.path.isfile(folder / GAME_FILE)


def _list_entries(folder: Path) -> list[Path]:
    """What a folder holds, by name; nothing where it cannot be read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


TEMPLATE = Path(__file__).parent / "template"


def write_starter(folder: Path, name: str, title: str) -> list[Path]:
    """Write the starter into a folder that does not exist yet; the files written, in order."""
    # The title stands between double quotes, where YAML reads JSON's escapes.
    quoted = json.dumps(title, ensure_ascii=False)[1:-1]
    written = []
    for source in sorted(TEMPLATE.rglob("*")):
        if not source.is_file():
            continue
        text = source.read_text("utf-8").replace("NAME_ID", name).replace("NAME_TITLE", quoted)
        target = folder / source.relative_to(TEMPLATE)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
        written.append(target)
    return written
