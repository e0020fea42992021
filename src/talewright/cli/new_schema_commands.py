"""`talewright new` and `talewright schema`: what an author starts from, a small game and JSON Schemas.

`new` writes only into a folder that does not exist yet; the schemas come from the compiler's own shapes.
"""

import argparse
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

from talewright.cli.command_options import Commands
from talewright.errors import TalewrightError
from talewright.pack.game_folders import write_starter
from talewright.pack.schema.file_schemas import FILE_KINDS, FileKind, schema_of

TITLE_LENGTH_MAX = 100
"""Characters of a title given on the command line."""

_GAME_ID = re.compile(r"[a-z][a-z0-9_]{0,39}")


def add_new(commands: Commands) -> None:
    """Teach the parser this command."""
    parser = commands.add_parser(
        "new",
        help="start a game: a small, commented, playable folder",
        description="Write a small game into a new folder: a start to change, not a frame to fill.",
        epilog="example: talewright new salt_road",
    )
    parser.add_argument("name", metavar="NAME", help="the folder; its last part becomes the game's id")
    parser.add_argument("--title", help="the game's title; made from the name where it is not given")
    parser.set_defaults(run=run_new)


def run_new(arguments: argparse.Namespace) -> int:
    """Write the folder and say what to do with it."""
    folder = Path(arguments.name)
    name = folder.name
    title: str = name.replace("_", " ").title() if arguments.title is None else arguments.title
    if not _GAME_ID.fullmatch(name):
        raise TalewrightError(
            f"{name!r} cannot be the id of a game",
            "Use at most 40 small letters, digits and underscores, a letter first: talewright new salt_road",
        )
    if not title.strip() or not title.isprintable() or len(title) > TITLE_LENGTH_MAX:
        raise TalewrightError(
            f"{title!r} cannot be a title", f"Write one line of 1 to {TITLE_LENGTH_MAX} characters."
        )
    # A link that leads nowhere does not exist for `exists`, and yet nothing can be made in its place.
    if os.path.lexists(folder):
        raise TalewrightError(f"{folder} exists already", "Choose another name, or remove it first.")
    try:
        files = write_starter(folder, name, title)
    except OSError as error:
        raise TalewrightError(
            f"{folder} cannot be written: {error.strerror}", "Choose a place where you may write."
        ) from error
    print(f"{folder} holds a small game in {len(files)} files:")
    for file in files:
        print(f"  {file}")
    print(f"Look into {folder / 'game.yaml'} first, then run: talewright check {folder}")
    return 0


def add_schema(commands: Commands) -> None:
    """Teach the parser this command."""
    parser = commands.add_parser(
        "schema",
        help="JSON Schemas of a game's files, for editors",
        description="List the kinds of files, print the JSON Schema of one, or write them all.",
        epilog="examples: talewright schema scenes\n          talewright schema --out .schemas",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = [kind.role.value for kind in FILE_KINDS]
    parser.add_argument("kind", nargs="?", choices=names, metavar="KIND", help=f"one of {', '.join(names)}")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write the schemas into this folder")
    parser.set_defaults(run=run_schema)


def run_schema(arguments: argparse.Namespace) -> int:
    """Print or write."""
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
            target.write_text(_spell_schema(kind) + "\n", "utf-8")
            print(f"{kind.pattern:<24} {target}")
    except OSError as error:
        raise TalewrightError(
            f"{folder} cannot be written: {error.strerror}", "Name a folder in which you may write."
        ) from error


def _spell_schema(kind: FileKind) -> str:
    return json.dumps(schema_of(kind), indent=2, ensure_ascii=False)
