"""The cover cache: stores a game's title and intro, to show them before the game is loaded.

A cover is valid only for the files it was made from, by name, size and modification time. This module
imports nothing of ours, because the splash screen waits for it.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, field
from pathlib import Path

from talewright.common.frozen_values import frozen

COVER_BYTES_MAX = 1_000_000
"""Bytes in one cover."""

ENTRIES_MAX = 5_000
"""Files and folders in a folder; one with more has no cover."""

DESCRIPTION, TONE, LENGTH_TURNS = "description", "tone", "length_turns"
"""Text keys for what a list of games shows besides the title. Translating the tone is optional."""

INVITATION = ("invitation.sentence", "invitation.button")
"""Text keys for the first words to a new player, and the button below them."""

_FORM_NUMBER = 5
_SUFFIX = ".cover.json"
_SEVERAL = ("languages", "colors", "light_theme", "dark_theme")


@frozen
class GameCover:
    """What is known about a game before it is loaded."""

    id: str
    languages: tuple[str, ...]
    """The language the game is written in comes first."""

    titles: Mapping[str, str]
    intros: Mapping[str, str]
    """The intro, by language; empty if the game starts with a scene."""

    tones: Mapping[str, str] = field(default_factory=dict)
    """The tone, by language."""

    turns: int = 0
    """About how many turns a campaign takes; 0 if unknown."""

    has_scenes: bool = True
    """Whether it can be played without a model."""

    descriptions: Mapping[str, str] = field(default_factory=dict)
    """What it is about, by language; empty if unknown."""

    motif: str = ""
    """What its picture shows; empty if the author does not say."""

    colors: tuple[str, ...] = ()
    """The colours of its picture: sky, light and ground; empty if the author does not say."""

    light_theme: tuple[str, ...] = ()
    """The colours of its table: paper, raised, ink, quiet and accent; empty if the author does not say."""

    dark_theme: tuple[str, ...] = ()
    invitations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The first words to a new player and the button below them, by language; empty without any."""

    endings: int = 0
    """How many endings it has; 0 if players are not told."""


def read_cover(folder: Path, cache: Path) -> GameCover | None:
    """The cover of a game folder; None if there is none or the folder has changed."""
    try:
        with _file(folder, cache).open("rb") as opened:
            kept = json.loads(opened.read(COVER_BYTES_MAX))
        if [kept["form"], kept["mark"]] != [_FORM_NUMBER, take_mark(folder)]:
            return None
        cover = kept["cover"]
        several = {name: tuple(cover[name]) for name in _SEVERAL}
        invitations = {language: tuple(words) for language, words in cover["invitations"].items()}
        return GameCover(**{**cover, **several, "invitations": invitations})
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def write_cover(folder: Path, cache: Path, mark: str, cover: GameCover) -> None:
    """Store a cover with the folder's mark. Failing to write is not an error."""
    form = {"form": _FORM_NUMBER, "mark": mark, "cover": asdict(cover)}
    file = _file(folder, cache)
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    with suppress(OSError):
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
        part.write_text(json.dumps(form, ensure_ascii=False), "utf-8", newline="\n")
        os.replace(part, file)


def take_mark(folder: Path) -> str:
    """A mark that changes with the names, sizes and modification times of a folder's files."""
    return hashlib.sha256(json.dumps(sorted(_entries(str(folder), [0]))).encode()).hexdigest()


def _entries(folder: str, count: list[int]) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as listing:
        for entry in listing:
            count[0] += 1
            if count[0] > ENTRIES_MAX:
                raise OSError("the folder holds too much")
            if entry.is_dir(follow_symlinks=False):
                yield from _entries(entry.path, count)
            else:
                known = entry.stat(follow_symlinks=False)
                yield entry.path, known.st_size, known.st_mtime_ns


def _file(folder: Path, cache: Path) -> Path:
    name = hashlib.sha256(str(folder.resolve()).encode("utf-8", "surrogateescape")).hexdigest()
    return cache / f"{name}{_SUFFIX}"
