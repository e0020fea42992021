"""File names: finds out what each file of a folder is, which are missing and which are never read.

It looks at names only and opens nothing.
"""

from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from posixpath import basename, dirname, splitext

from talewright.common.frozen_values import frozen
from talewright.common.name_suggestions import nearest
from talewright.errors import SourcePlace
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.folder_reader import GameFolder, matches_pattern
from talewright.pack.schema.file_schemas import FILE_KINDS, FileKind

GAME = "game.yaml"
WORLD = "world.md"
INTRO = "intro.md"
ENDINGS = "endings.md"
TEXTS = "texts"

LIKENESS_MIN = 0.7
"""How similar a file name must be to a known one for that to be suggested; 1 is equal."""

PROSE = (WORLD, INTRO, ENDINGS)
NEEDED = (GAME, WORLD)

_NEEDED_FOR = {
    GAME: "Add game.yaml; `talewright new` writes one to start from.",
    WORLD: "Add world.md with what the storyteller must know about the world.",
}


@frozen
class SortedFiles:
    """The files of a folder, by what they are."""

    kinds: Mapping[str, FileKind]
    """YAML files of the game, by name."""

    prose: tuple[str, ...]
    """Markdown files of the game, including those in other languages."""


def sort_files(folder: GameFolder, patterns: Iterable[str], fault_list: FaultList) -> SortedFiles:
    """Sort the files of a folder; `patterns` match the files that systems read.

    The patterns are asked for only if some file needs them, since that loads every installed system.
    """
    kinds: dict[str, FileKind] = {}
    prose: list[str] = []
    others: list[str] = []
    present = [*folder.files, *sorted(folder.unread)]
    for name in present:
        kind = next((kind for kind in FILE_KINDS if matches_pattern(name, kind.pattern)), None)
        if kind is not None:
            kinds[name] = kind
        elif _is_prose(name):
            prose.append(name)
        elif name not in folder.unread and not _may_be_notes(name):
            others.append(name)
    known = list(patterns) if others else []
    for name in others:
        if not any(matches_pattern(name, pattern) for pattern in known):
            _report_unexpected(name, fault_list)
    for name in NEEDED:
        if name not in present:
            fault_list.report(
                FaultCode.MISSING_FILE, SourcePlace(name), f"the game has no {name}", _NEEDED_FOR[name]
            )
    return SortedFiles(kinds, tuple(prose))


def language_of(name: str) -> str:
    """The language of a file in texts/; empty for other files."""
    parts = name.split("/")
    return parts[1] if parts[0] == TEXTS and len(parts) > 2 else ""


def within_language(name: str) -> str:
    """A file name without the folder of its language."""
    return name.split("/", 2)[2] if language_of(name) else name


def _is_prose(name: str) -> bool:
    return within_language(name) in PROSE


def _may_be_notes(name: str) -> bool:
    """Whether a file is Markdown that resembles no file of a game: notes, a README, a system's file."""
    return name.endswith(".md") and not _better_name(name)


def _report_unexpected(name: str, fault_list: FaultList) -> None:
    better = _better_name(name)
    suggestion = f"Rename it to {better}." if better else "Rename it, or move it out of the folder."
    fault_list.report(FaultCode.UNEXPECTED_FILE, SourcePlace(name), "this file is never read", suggestion)


def _alike(name: str, known: Iterable[str]) -> str:
    """The known name that a file name is a misspelling of; empty if none is similar enough."""
    near = nearest(name, sorted(known))
    return near if SequenceMatcher(None, name.casefold(), near).ratio() >= LIKENESS_MIN else ""


def _better_name(name: str) -> str:
    """The likely intended name of a file that is never read; empty if unclear."""
    inside = within_language(name)
    language = name.removesuffix(inside)
    stem, ending = splitext(basename(inside))
    ending = ".yaml" if ending == ".yml" else ending
    patterns = [kind.pattern for kind in FILE_KINDS if bool(language_of(kind.pattern)) == bool(language)]
    known = [*map(within_language, patterns), *PROSE]
    folders = {dirname(pattern) for pattern in known if "/" in pattern}
    if "/" in inside:
        folder = _alike(dirname(inside), folders)
        better = f"{folder}/{stem}{ending}" if folder else ""
    elif stem in folders:
        better = f"{stem}/{stem}.yaml"
    else:
        plain = {splitext(file)[0]: file for file in known if "/" not in file and file.endswith(ending)}
        better = plain.get(_alike(stem, plain), "")
    return f"{language}{better}" if better and better != inside else ""
