"""The game cache: stores compiled games in the user's cache folder, so that each is compiled only once.

It is outside the game folders and contains only JSON. Damaged or outdated entries are recompiled.
"""

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from talewright.kernel.game import Game
from talewright.kernel.system import AuthorFiles, System
from talewright.kernel.system.system_parts import file_patterns, sort_systems
from talewright.pack.cache.compiled_game import (
    FORM_NUMBER,
    SLOT,
    CompiledGame,
    PackedGame,
    digest_form,
    garbage_collection_paused,
    pack_game,
    unpack_game,
)
from talewright.pack.faults import FaultList
from talewright.pack.files.folder_reader import FolderLimits, GameFolder, read_folder
from talewright.version import __version__

CACHE_FILES_MAX = 40
"""Compiled games in the cache; the least recently used are deleted first."""

CACHE_BYTES_MAX = 256 * 2**20
"""Bytes in one compiled game."""

_SUFFIX = ".game.json"


def load_folder(
    root: Path, systems: Mapping[str, System], cache: Path | None, limits: FolderLimits | None = None
) -> CompiledGame:
    """Load the game in a folder, from the cache if possible; with `cache` None, always compile it."""
    fault_list = FaultList()
    folder = read_folder(root, fault_list, limits)
    if folder is None:
        return CompiledGame(None, {}, fault_list.faults(), "")
    if cache is None or fault_list.faults() or cache.resolve().is_relative_to(root.resolve()):
        return _compile(folder, systems, fault_list)
    digest = folder.digest
    file = cache / f"{_key(digest)}{_SUFFIX}"
    kept = _read(file, systems, folder, digest)
    if kept is not None:
        return kept
    compiled = _compile(folder, systems, fault_list)
    if compiled.game is not None:
        _write(file, compiled)
    return compiled


def _compile(folder: GameFolder, systems: Mapping[str, System], fault_list: FaultList) -> CompiledGame:
    # Imported late: a cached game does not need the compiler.
    from talewright.pack.compiler import compile_files

    return compile_files(folder, systems, fault_list)


def _key(digest: str) -> str:
    """A key for what a compiled game depends on, except its systems, which are listed in the file."""
    return hashlib.sha256(json.dumps([FORM_NUMBER, __version__, digest]).encode()).hexdigest()


def _describe(game: Game) -> dict[str, str]:
    """A digest of what each of its systems adds to a game."""
    return {system.name: _digest(system, game.files_of(system), game.language) for system in game.systems}


def _digest(system: System, files: AuthorFiles, language: str) -> str:
    parts = sort_systems([system])
    brought = [
        {root: SLOT.pack(slot) for one in parts.slots for root, slot in one.slots(files).items()},
        [
            [path, SLOT.pack(computed.slot), computed.reads]
            for one in parts.computed_slots
            for path, computed in one.computed_slots(files).items()
        ],
        list(file_patterns([system])),
        [
            [tool.name, tool.parameters, tool.authored]
            for one in parts.tools
            for tool in one.tools(files, language)
        ],
    ]
    return hashlib.sha256(json.dumps(brought, sort_keys=True).encode()).hexdigest()


def _digest_code(systems: Iterable[System]) -> str:
    """A digest of the code files of the systems; empty if one of the systems is not built in.

    The code of other systems could be anywhere.
    """
    total = hashlib.sha256()
    for system in systems:
        module = sys.modules.get(type(system).__module__)
        if module is None or not module.__name__.startswith("talewright.systems.") or not module.__file__:
            return ""
        folder = Path(module.__file__).parent
        for file in sorted(folder.rglob("*.py")):
            about = file.stat()
            total.update(f"{file.relative_to(folder)}:{about.st_size}:{about.st_mtime_ns}\n".encode())
    return total.hexdigest()


def _read(file: Path, systems: Mapping[str, System], folder: GameFolder, digest: str) -> CompiledGame | None:
    try:
        with file.open("rb") as opened:
            seal = opened.readline(100).decode("ascii").strip()
            body = opened.read(CACHE_BYTES_MAX + 1)
        if hashlib.sha256(body).hexdigest() != seal:
            return None
        with garbage_collection_paused():
            kept = json.loads(body)
            game, texts, faults = unpack_game(kept["game"], systems)
        os.utime(file)
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return None
    # Packing the game again would give the same form, and take as long as reading it.
    packed = PackedGame({**kept["game"], "faults": []}, kept["digest"]) if "digest" in kept else None
    if not game.systems:
        return CompiledGame(game, texts, faults, digest, packed)
    # Systems parse their own files, and may have changed since.
    fault_list = FaultList()
    if not kept.get("code") or kept["code"] != _digest_code(game.systems):
        from talewright.pack.build.system_builder import read_system_files

        game, packed = replace(game, files=read_system_files(game.systems, folder, fault_list)), None
    if fault_list.faults() or _describe(game) != kept["systems"]:
        return None
    return CompiledGame(game, texts, faults, digest, packed)


def _write(file: Path, compiled: CompiledGame) -> None:
    """Store a compiled game. Failing to write is not an error."""
    # Imported here: a game that is in the cache should not wait for it.
    import tempfile

    assert compiled.game is not None
    packed = pack_game(compiled.game, compiled.texts, compiled.faults)
    form = {
        "systems": _describe(compiled.game),
        "code": _digest_code(compiled.game.systems),
        "digest": digest_form({**packed, "faults": []}),
        "game": packed,
    }
    body = json.dumps(form, ensure_ascii=False, separators=(",", ":")).encode()
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as opened:
                opened.write(hashlib.sha256(body).hexdigest().encode("ascii") + b"\n" + body)
            os.replace(name, file)
        except OSError:
            os.unlink(name)
            raise
        _prune(file.parent)


def _prune(folder: Path) -> None:
    kept = sorted(folder.glob(f"*{_SUFFIX}"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in kept[CACHE_FILES_MAX:]:
        file.unlink(missing_ok=True)
