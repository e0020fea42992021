"""Game folders: finds games by name or path, and writes new games from the template or from a scenario.

No game is read here. The files in `template/` are only copied.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from talewright.kernel.system import ImportedScenario

GAME_FILE = "game.yaml"
"""The file that makes a folder a game."""

RULEBOOK_FILE = "System.md"
"""A folder with only a rulebook is a game, too."""


BARE_ID_LENGTH_MAX = 60
"""Characters of an id that is made from the name of a folder."""


def shipped_games() -> Path:
    """The folder of the games that come with the package; in a clone, the one next to `src`."""
    package = Path(__file__).parents[1]
    inside = package / "games"
    return inside if inside.is_dir() else package.parents[1] / "games"


def find_game(name: str, folders: Sequence[Path]) -> Path | None:
    """Find a game by its path, or by its name in the folders or among those that are games themselves."""
    asked = Path(name).expanduser()
    if is_game(asked):
        return asked
    if asked.name != name:
        return None
    places = (place for folder in folders for place in (folder / name, folder))
    return next((place for place in places if place.name == name and is_game(place)), None)


def list_games(folders: Sequence[Path]) -> Iterator[Path]:
    """List the games in the folders, and the folders that are games; the first of each name wins."""
    seen: set[str] = set()
    for folder in folders:
        if is_game(folder):
            # Authors often work inside the folder of their game.
            seen.add(folder.name)
            yield folder
            continue
        for game in _list_entries(folder):
            if game.name not in seen and not game.name.startswith(".") and is_game(game):
                seen.add(game.name)
                yield game


def is_game(folder: Path) -> bool:
    """Whether a folder looks like a game."""
    # Unlike Path.is_file, this does not raise if access is denied.
    return os.path.isfile(folder / GAME_FILE) or os.path.isfile(folder / RULEBOOK_FILE)


def name_bare_game(folder: str) -> str:
    """The id of the game in a folder with only a rulebook: the folder's name, as far as an id can have it."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", folder).strip("_-")[:BARE_ID_LENGTH_MAX]
    return name or "rulebook"


def _list_entries(folder: Path) -> list[Path]:
    """The entries of a folder, sorted; empty if it cannot be read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


TEMPLATE = Path(__file__).parent / "template"

ENABLED = """
# The rules of the game: what can be tried, and how the dice decide it. A storyteller calls them as tools.
systems: [{system}]
contract: tools
plan: tool_loop
"""
"""What is added to `game.yaml` to enable a system and its tools."""


SCENARIO_GAME = """\
# Made from a scenario. Run `talewright check` after every change.

game_id: {name}          # ASCII letters, digits and _; do not change it once people play
title: {title}
version: "0.1.0"
language: {language}
{description}{enabled}"""
"""The `game.yaml` of a game that was made from a scenario."""

DESCRIPTION_LENGTH_MAX = 400
"""Characters of a description in `game.yaml`; the introduction has all of it."""


def write_scenario_game(
    folder: Path, name: str, title: str, system: str, scenario: ImportedScenario
) -> list[Path]:
    """Write a game made from a scenario into a folder that does not exist yet; return the files written."""
    return write_texts(folder, compose_scenario_game(name, title, (system,), scenario))


def compose_scenario_game(
    name: str, title: str, systems: Sequence[str], scenario: ImportedScenario
) -> dict[str, str]:
    """The files of a game made from a scenario, by their path in its folder."""
    about = scenario.description
    line = about.split("\n", 1)[0][:DESCRIPTION_LENGTH_MAX].rstrip()
    if line != about:
        line += " …"
    game = SCENARIO_GAME.format(
        name=name,
        title=json.dumps(title, ensure_ascii=False),
        language=json.dumps(scenario.language, ensure_ascii=False),
        description=f"description: {json.dumps(line, ensure_ascii=False)}\n" if about else "",
        enabled=ENABLED.format(system=", ".join(systems)),
    )
    # The storyteller needs some description of the world.
    texts = {GAME_FILE: game, "world.md": f"{about or title}\n", **scenario.files}
    return {**texts, **({"intro.md": f"{about}\n"} if about else {})}


def write_starter(
    folder: Path, name: str, title: str, system: str = "", files: Mapping[str, str] | None = None
) -> list[Path]:
    """Write the template into a folder that does not exist yet; return the files written, in order.

    With a system, `game.yaml` enables it, and its files are added or replace those of the template.
    """
    # The title is in double quotes, where YAML understands JSON's escapes.
    quoted = json.dumps(title, ensure_ascii=False)[1:-1]
    texts = {
        source.relative_to(TEMPLATE).as_posix(): source.read_text("utf-8")
        for source in TEMPLATE.rglob("*")
        if source.is_file()
    }
    if system:
        texts[GAME_FILE] += ENABLED.format(system=system)
    filled = {
        path: text.replace("NAME_ID", name).replace("NAME_TITLE", quoted)
        for path, text in {**texts, **(files or {})}.items()
    }
    return write_texts(folder, filled)


def write_texts(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write files into a folder, by their path in it; return them in order."""
    written = []
    for path, text in sorted(texts.items()):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8", newline="\n")
        written.append(target)
    return written
