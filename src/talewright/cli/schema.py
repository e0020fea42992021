"""`talewright schema`: what each file of a game may hold, for editors that complete and check.

It prints or writes; the schemas come from the compiler's own forms.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from talewright.cli.parsers import Commands
from talewright.errors import TalewrightError
from talewright.pack.schema.file_schemas import FILE_KINDS, FileKind, schema_of


def add(commands: Commands) -> None:
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
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print or write."""
    chosen = [kind for kind in FILE_KINDS if arguments.kind in (None, kind.role.value)]
    if arguments.out is not None:
        _write(chosen, arguments.out)
    elif arguments.kind is not None:
        print(_text(chosen[0]))
    else:
        for kind in chosen:
            print(f"{kind.role.value:<14} {kind.pattern:<24} {kind.title}")
        print("Print one with `talewright schema KIND`, or write all with `talewright schema --out FOLDER`.")
    return 0


def _write(kinds: Sequence[FileKind], folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for kind in kinds:
            target = folder / f"{kind.role.value}.schema.json"
            target.write_text(_text(kind) + "\n", "utf-8")
            print(f"{kind.pattern:<24} {target}")
    except OSError as error:
        raise TalewrightError(
            f"{folder} cannot be written: {error.strerror}", "Name a folder in which you may write."
        ) from error


def _text(kind: FileKind) -> str:
    return json.dumps(schema_of(kind), indent=2, ensure_ascii=False)
