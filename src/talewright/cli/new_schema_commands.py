"""`talewright new` and `talewright schema`: create a small game, and print JSON Schemas for editors.

`new` writes only to a folder that does not exist yet. The schemas are those that the compiler uses.
"""

import argparse
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from talewright.bootstrap import installed_systems
from talewright.bootstrap.games.scenario_games import (
    GAME_ID,
    GAME_ID_RULE,
    SCENARIO_BYTES_MAX,
    find_scenario_reader,
)
from talewright.cli.help.help_texts import Commands, add_command
from talewright.cli.terminal_text import printable
from talewright.common.plain_files import read_plain
from talewright.errors import TalewrightError
from talewright.kernel.system import HasStarters, Starter
from talewright.pack.game_folders import write_scenario_game, write_starter
from talewright.pack.schema.file_schemas import FILE_KINDS, FileKind, schema_of

TITLE_LENGTH_MAX = 100
"""Characters in a title on the command line."""

LEFT_OUT_SHOWN_MAX = 10
"""Members of a scenario that are named as left out."""


def add_new(commands: Commands) -> None:
    """Add this command to the parser."""
    starters = list_starters()
    parser = add_command(
        commands,
        "new",
        "Create a small, complete, well-commented game in a new folder, for you to change.",
        "talewright new salt_road",
        *(f"talewright new salt_road_{one} --rules {one}" for one in list(starters)[:1]),
    )
    parser.add_argument(
        "name", metavar="FOLDER", help="the folder to create; its last part becomes the id of the game"
    )
    parser.add_argument("--title", help="the title of the game (default: made from the id)")
    if starters:
        told = "; ".join(f"{one.name} ({one.summary})" for _, one in starters.values()).replace("%", "%%")
        parser.add_argument(
            "--rules", choices=list(starters), metavar="RULES", help=f"start with a rulebook: {told}"
        )
    parser.add_argument(
        "--scenario",
        type=Path,
        metavar="FILE",
        help="make the game from a scenario: a JSON file from `talewright export --format scenario`",
    )
    parser.set_defaults(run=run_new, rules=None)


def list_starters() -> dict[str, tuple[str, Starter]]:
    """The rules that installed systems offer for new games, by name, each with the name of its system.

    A system that cannot be loaded offers none. If two offer the same name, the first one counts.
    """
    systems = installed_systems()
    found: dict[str, tuple[str, Starter]] = {}
    for name in systems:
        with suppress(TalewrightError):
            system = systems[name]
            if isinstance(system, HasStarters):
                found = {**{one.name: (name, one) for one in system.starters()}, **found}
    return found


def run_new(arguments: argparse.Namespace) -> int:
    """Write the folder, and print what to do next."""
    folder = Path(arguments.name)
    name = folder.name
    if arguments.scenario is not None and arguments.rules is not None:
        raise TalewrightError(
            "--scenario and --rules cannot be combined", "Make the game first, then add a rulebook to it."
        )
    title: str = name.replace("_", " ").title() if arguments.title is None else arguments.title
    if not GAME_ID.fullmatch(name):
        raise TalewrightError(
            f"{name!r} cannot be the id of a game",
            f"{GAME_ID_RULE}: talewright new salt_road",
        )
    if not title.strip() or not title.isprintable() or len(title) > TITLE_LENGTH_MAX:
        raise TalewrightError(
            f"{title!r} cannot be a title", f"Write one line of 1 to {TITLE_LENGTH_MAX} characters."
        )
    # `exists` is false for a broken link, but nothing can be created in its place.
    if os.path.lexists(folder):
        raise TalewrightError(f"{folder} already exists", "Choose another name, or delete it first.")
    try:
        if arguments.scenario is not None:
            written = _write_from_scenario(arguments.scenario, folder, name, arguments.title)
        else:
            system, files = "", {}
            if arguments.rules is not None:
                system, starter = list_starters()[arguments.rules]
                files = dict(starter.files)
            written = write_starter(folder, name, title, system, files)
    except OSError as error:
        raise TalewrightError(
            f"{folder} cannot be written: {error.strerror}", "Choose a folder that you can write to."
        ) from error
    size = "a small game" if arguments.scenario is None else "a game"
    print(f"Created {size} with {len(written)} files in {folder}:")
    for file in written:
        print(f"  {file}")
    print(f"Open {folder / 'game.yaml'} first, then run: talewright check {folder}")
    return 0


def _write_from_scenario(file: Path, folder: Path, name: str, title: str | None) -> list[Path]:
    """Make a game with the first installed system that reads scenarios."""
    reader = find_scenario_reader(installed_systems())
    try:
        data = read_plain(file, SCENARIO_BYTES_MAX, follow=True)
    except OSError as error:
        raise TalewrightError(
            f"{file} cannot be read: {error.strerror or error}", "Give the JSON file of a scenario."
        ) from error
    scenario = reader.read_scenario(data)
    for member in scenario.left_out[:LEFT_OUT_SHOWN_MAX]:
        print(f"Left out: {printable(member)}")
    more = len(scenario.left_out) - LEFT_OUT_SHOWN_MAX
    if more > 0:
        print(f"Left out: {more} more")
    return write_scenario_game(folder, name, title or scenario.title, reader.name, scenario)


def add_schema(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_command(
        commands,
        "schema",
        "JSON Schemas let your editor complete and check the YAML files of a game. Without options, list the "
        "kinds of files; with KIND, print the schema of one; with --out, write them all.",
        "talewright schema",
        "talewright schema scenes",
        "talewright schema --out .schemas",
    )
    names = [kind.role.value for kind in FILE_KINDS]
    parser.add_argument(
        "kind", nargs="?", choices=names, metavar="KIND", help=f"the kind of file: {', '.join(names)}"
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write the schemas to this folder")
    parser.set_defaults(run=run_schema)


def run_schema(arguments: argparse.Namespace) -> int:
    """Print or write the schemas."""
    chosen = [kind for kind in FILE_KINDS if arguments.kind in (None, kind.role.value)]
    if arguments.out is not None:
        _write_schemas(chosen, arguments.out)
    elif arguments.kind is not None:
        print(_spell_schema(chosen[0]))
    else:
        for kind in chosen:
            print(f"{kind.role.value:<14} {kind.pattern:<24} {kind.title}")
        print("Print one with `talewright schema KIND`, or write all with `talewright schema --out FOLDER`.")
    return 0


def _write_schemas(kinds: Sequence[FileKind], folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for kind in kinds:
            target = folder / f"{kind.role.value}.schema.json"
            target.write_text(_spell_schema(kind) + "\n", "utf-8", newline="\n")
            print(f"{kind.pattern:<24} {target}")
    except OSError as error:
        raise TalewrightError(
            f"{folder} cannot be written: {error.strerror}", "Choose a folder that you can write to."
        ) from error


def _spell_schema(kind: FileKind) -> str:
    return json.dumps(schema_of(kind), indent=2, ensure_ascii=False)
