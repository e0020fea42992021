"""`talewright check`: reports everything that is wrong in a game, with file, line and column.

It changes nothing.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import get_terminal_size

from talewright.bootstrap import find_game_folder, installed_systems
from talewright.cli.command_options import add_game_argument, add_json
from talewright.cli.help.help_texts import Commands, add_command
from talewright.cli.terminal_text import printable, quote, wrap
from talewright.errors import Fault, Severity
from talewright.kernel.story.endings import list_endings
from talewright.pack.cache.compiled_game import CompiledGame
from talewright.pack.compiler import check_folder
from talewright.pack.fault_excerpts import find_line, split_lines
from talewright.pack.faults import FAULTS_MAX, FaultList
from talewright.pack.files.folder_reader import read_folder

FAULTS_FOUND = 1
"""The exit code if the folder has faults that count."""

_INDENT = "    "


def add_check(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_command(
        commands,
        "check",
        "Read a game and report every mistake, with its file, line and column and what to write instead. "
        "Nothing is changed.\n\n"
        "Exit code 0: no errors; 1: errors found (with --strict, also for warnings; hints never count); "
        "2: wrong usage.",
        "talewright check mist_harbor",
        "talewright check mist_harbor --strict",
    )
    add_game_argument(parser)
    parser.add_argument("--strict", action="store_true", help="treat warnings as errors")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check one game."""
    folder = find_game_folder(arguments.game)
    compiled = check_folder(folder, installed_systems())
    if arguments.json:
        print(json.dumps(_report(folder, compiled), indent=2, ensure_ascii=False))
    else:
        _tell(folder, compiled)
    counting = (Severity.ERROR, Severity.WARNING) if arguments.strict else (Severity.ERROR,)
    counts = any(fault.severity in counting for fault in compiled.faults)
    return FAULTS_FOUND if counts else 0


def _report(folder: Path, compiled: CompiledGame) -> dict[str, object]:
    return {
        "folder": str(folder),
        "playable": compiled.game is not None,
        "faults": [
            {
                "code": fault.code,
                "severity": fault.severity.value,
                "file": fault.place.file,
                "line": fault.place.line,
                "column": fault.place.column,
                "message": fault.message,
                "suggestion": fault.suggestion,
            }
            for fault in compiled.faults
        ],
    }


def _tell(folder: Path, compiled: CompiledGame) -> None:
    """Print every fault with its line, then a summary."""
    columns = get_terminal_size().columns
    # The folder is read again in the same safe way, so no link or pipe is opened to quote a line.
    found = read_folder(folder, FaultList()) if compiled.faults else None
    files = found.files if found is not None else {}
    lines: dict[str, list[str]] = {}
    # Hints come last, after what must be fixed.
    for fault in sorted(compiled.faults, key=lambda fault: fault.severity is Severity.HINT):
        file = fault.place.file
        if file not in lines:
            lines[file] = split_lines(files, file)
        print(_describe(folder, fault, lines[file], columns), end="\n\n")
    print(_fold(_summary(folder, compiled), columns))


def _describe(folder: Path, fault: Fault, lines: Sequence[str], columns: int) -> str:
    place = fault.place
    where = f"{folder / place.file}:{place.line}:{place.column}"
    told = [_fold(f"{where}: {fault.severity} [{fault.code}] {fault.message}", columns)]
    text = find_line(fault, lines)
    if text:
        told += quote(text, place.line, place.column, columns)
    if fault.suggestion:
        told.append(_fold(_INDENT + fault.suggestion, columns))
    return "\n".join(told)


def _fold(text: str, columns: int) -> str:
    """Wrap a sentence for a terminal; in a pipe, keep it on one line."""
    return wrap(printable(text), columns, _INDENT) if _is_terminal() else printable(text)


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _summary(folder: Path, compiled: CompiledGame) -> str:
    severities = [fault.severity for fault in compiled.faults]
    counts = [_count(severities.count(kind), kind.value) for kind in Severity if kind in severities]
    found = ", ".join(counts) or "no faults"
    if len(compiled.faults) == FAULTS_MAX:
        found += f" (at most {FAULTS_MAX} are shown)"
    game = compiled.game
    if game is None:
        return f"{folder}: {found}; it cannot be played yet"
    holds = [
        _count(len(game.scenes), "scene"),
        _count(len(game.triggers), "trigger"),
        _count(len(list_endings(game.endings)), "ending"),
        f"in {_join(game.languages)}",
    ]
    return f"{folder}: {found} ({', '.join(holds)})"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _join(words: Sequence[str]) -> str:
    return " and ".join(words) if len(words) < 3 else ", ".join(words)
