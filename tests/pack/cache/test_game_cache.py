"""The cache: a second load gives an equal game, and what is damaged, old or foreign is compiled anew."""

import gc
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from talewright.common.json_values import Json
from talewright.kernel.system import System
from talewright.pack.cache import compiled_game
from talewright.pack.cache import game_cache as cache_room
from talewright.pack.cache.compiled_game import (
    CompiledGame,
    digest_form,
    garbage_collection_paused,
    pack_game,
)
from talewright.pack.cache.game_cache import CACHE_FILES_MAX, load_folder
from talewright.pack.compiler import compile_files, compile_folder
from talewright.pack.faults import FaultList
from talewright.pack.files.folder_reader import GameFolder
from talewright.pack.user_folders import cache_folder
from tests.pack.fault_cases import write_game
from tests.pack.samples import LORE, SCENES, TRIGGERS
from tests.plugs.toll import Toll

ROOT = Path(__file__).parents[3]
GAMES = [ROOT / "games/lantern_road", ROOT / "src/talewright/pack/template", ROOT / "tests/games/seed_harbor"]


class Counter:
    """Counts how often a folder is compiled."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(
        self, folder: GameFolder, systems: Mapping[str, System], fault_list: FaultList
    ) -> CompiledGame:
        self.count += 1
        return compile_files(folder, systems, fault_list)


@pytest.fixture(name="compiles")
def count_compiles(monkeypatch: pytest.MonkeyPatch) -> Counter:
    counter = Counter()
    monkeypatch.setattr(cache_room, "_compile", counter)
    return counter


@pytest.fixture(name="game")
def make_game(tmp_path: Path) -> Path:
    write_game(tmp_path / "game")
    return tmp_path / "game"


def kept_file(cache: Path) -> Path:
    (file,) = cache.iterdir()
    return file


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_a_second_load_gives_an_equal_game(folder: Path, tmp_path: Path, compiles: Counter) -> None:
    bare = compile_folder(folder, {})
    first = load_folder(folder, {}, tmp_path)
    second = load_folder(folder, {}, tmp_path)
    assert compiles.count == 1
    assert first == second == bare
    assert second.game is not None
    assert second.packed is not None
    form = pack_game(second.game, second.texts, ())
    assert (second.packed.form, second.packed.digest) == (form, digest_form(form))


def test_every_part_of_a_game_comes_back(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    write_game(folder)
    more = """  - {id: lit, type: boolean}
  - {id: twice, type: integer, derived: rope * 2}
  - {id: bag, type: list, items: {type: enum, enum_values: [key]}}
  - {id: shelf, type: object, open: true, values: {type: number}, nullable: true}
  - {id: time, type: object, default: {hour: 8, minute: 0}, rules: {readonly: true, clamp: false}}
chance: {fate: fresh, dice: [d6, dF]}
status_bar: {items: [{var_id: rope, style: meter, critical_threshold: 2}]}
systems: [toll]
endings:
  - {id: a, when: rope > 8, kind: win, finale: [{label: x, ending: b, updates: [{op: toggle, path: lit}]}]}
"""
    with (folder / "game.yaml").open("a", encoding="utf-8") as file:
        file.write(more)
    for name, text in {
        "triggers.yaml": TRIGGERS,
        "scenes/a.yaml": SCENES.replace("next: shaft", "next: rim"),
        "lore/a.yaml": LORE,
        "endings.md": "## b\nTold.\n",
        "Toll.md": "cart: 3\n",
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    systems = {"toll": Toll()}
    first = load_folder(folder, systems, tmp_path / "cache")
    assert [fault.code for fault in first.faults] == ["few-choices", "few-choices"]
    second = load_folder(folder, systems, tmp_path / "cache")
    assert second == first
    assert second.game is not None
    assert first.game is not None
    assert second.game.systems == (systems["toll"],)
    document = dict(first.game.initial)
    for one, other in zip(first.game.triggers, second.game.triggers, strict=True):
        assert one.when.tree == other.when.tree
        assert one.when.reads == other.when.reads
        assert one.when.holds(document, 1) is other.when.holds(document, 1)
    assert [one.expression.value(document, 1) for one in second.game.derived] == [0]


def test_a_change_in_any_file_compiles_anew(game: Path, tmp_path: Path, compiles: Counter) -> None:
    cache = tmp_path / "cache"
    load_folder(game, {}, cache)
    (game / "world.md").write_text("Another well.\n", "utf-8")
    assert load_folder(game, {}, cache).texts["en"].entries["world"] == "Another well."
    (game / "picture.png").write_bytes(b"not read")
    load_folder(game, {}, cache)
    assert compiles.count == 2


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda body: b"",
    "cut short": lambda body: body[: len(body) // 2],
    "one byte": lambda body: body[:200] + bytes([body[200] ^ 1]) + body[201:],
    "no seal": lambda body: body.partition(b"\n")[2],
    "another seal": lambda body: b"0" * 64 + b"\n" + body.partition(b"\n")[2],
    "bytes that are no text": lambda body: b"\xff\xfe" * 100,
    "longer": lambda body: body + b" ",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_cache_is_compiled_anew_and_mended(
    game: Path, tmp_path: Path, compiles: Counter, damage: str
) -> None:
    cache = tmp_path / "cache"
    first = load_folder(game, {}, cache)
    file = kept_file(cache)
    file.write_bytes(DAMAGE[damage](file.read_bytes()))
    assert load_folder(game, {}, cache) == first
    assert load_folder(game, {}, cache) == first
    assert compiles.count == 2


def seal(form: Json) -> bytes:
    body = json.dumps(form).encode()
    return hashlib.sha256(body).hexdigest().encode() + b"\n" + body


@pytest.mark.parametrize(
    "form",
    [
        None,
        [],
        {},
        3,
        {"systems": {}, "game": {"layout": {}, "systems": [], "game": [], "texts": {}, "faults": []}},
        {"systems": {}, "game": {"layout": {"a": [1, 2]}}},
        {"systems": {"toll": ""}, "game": {}},
    ],
)
def test_a_sealed_cache_of_another_form_is_compiled_anew(
    game: Path, tmp_path: Path, compiles: Counter, form: Json
) -> None:
    cache = tmp_path / "cache"
    first = load_folder(game, {}, cache)
    kept_file(cache).write_bytes(seal(form))
    assert load_folder(game, {}, cache) == first
    assert compiles.count == 2


def test_a_cache_of_another_engine_is_compiled_anew(
    game: Path, tmp_path: Path, compiles: Counter, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    load_folder(game, {}, cache)
    monkeypatch.setattr(cache_room, "__version__", "999.0.0")
    load_folder(game, {}, cache)
    monkeypatch.setattr(cache_room, "FORM_NUMBER", compiled_game.FORM_NUMBER + 1)
    load_folder(game, {}, cache)
    assert compiles.count == 3
    assert len(list(cache.iterdir())) == 3


def test_a_game_with_errors_is_not_kept(game: Path, tmp_path: Path) -> None:
    (game / "world.md").unlink()
    compiled = load_folder(game, {}, tmp_path / "cache")
    assert compiled.game is None
    assert not (tmp_path / "cache").exists()


def test_warnings_are_kept_with_the_game(game: Path, tmp_path: Path, compiles: Counter) -> None:
    (game / "notes.yaml").write_text("a: b\n", "utf-8")
    first = load_folder(game, {}, tmp_path / "cache")
    assert [fault.code for fault in first.faults] == ["unexpected-file"]
    assert load_folder(game, {}, tmp_path / "cache") == first
    assert compiles.count == 1


def test_no_cache_within_the_game(game: Path, compiles: Counter) -> None:
    for inside in (game, game / "cache", game / "../game/cache"):
        load_folder(game, {}, inside)
    assert sorted(file.name for file in game.iterdir()) == ["game.yaml", "world.md"]
    assert compiles.count == 3


def test_no_cache_at_all(game: Path, compiles: Counter) -> None:
    assert load_folder(game, {}, None).game is not None
    assert compiles.count == 1


def test_a_folder_with_a_fault_of_its_own_is_not_asked_of_the_cache(
    game: Path, tmp_path: Path, compiles: Counter
) -> None:
    load_folder(game, {}, tmp_path / "cache")
    (game / "intro.md").symlink_to(game / "world.md")
    compiled = load_folder(game, {}, tmp_path / "cache")
    assert [fault.code for fault in compiled.faults] == ["not-a-file"]
    assert compiles.count == 2


def test_no_folder_is_told(tmp_path: Path) -> None:
    compiled = load_folder(tmp_path / "absent", {}, tmp_path / "cache")
    assert [fault.code for fault in compiled.faults] == ["no-folder"]


UNWRITABLE: dict[str, Callable[[Path], object]] = {
    "a file in its place": lambda place: place.write_text("in the way", "utf-8"),
    "a file above it": lambda place: place.parent.write_text("in the way", "utf-8"),
    "a link to nowhere": lambda place: place.symlink_to(place.parent / "absent" / "deep"),
}


@pytest.mark.parametrize("hinder", UNWRITABLE)
def test_a_cache_that_cannot_be_written_is_no_error(
    game: Path, tmp_path: Path, compiles: Counter, hinder: str
) -> None:
    place = tmp_path / "caches" / "talewright"
    if hinder != "a file above it":
        place.parent.mkdir()
    UNWRITABLE[hinder](place)
    for _ in range(2):
        assert load_folder(game, {}, place).game is not None


def test_a_disk_that_is_full_leaves_nothing_behind(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: str, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    assert load_folder(game, {}, tmp_path / "cache").game is not None
    assert list((tmp_path / "cache").iterdir()) == []


def test_the_games_used_longest_ago_go_first(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    game = tmp_path / "game"
    write_game(game)
    load_folder(game, {}, cache)
    first = kept_file(cache)
    for number in range(CACHE_FILES_MAX + 2):
        old = cache / f"{number}.game.json"
        shutil.copy(first, old)
        os.utime(old, (number, number))
    (game / "world.md").write_text("Another.\n", "utf-8")
    load_folder(game, {}, cache)
    left = {file.name for file in cache.iterdir()}
    assert len(left) == CACHE_FILES_MAX
    assert first.name in left
    assert not {f"{number}.game.json" for number in range(4)} & left


def test_using_a_game_keeps_it(game: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    load_folder(game, {}, cache)
    file = kept_file(cache)
    os.utime(file, (1, 1))
    load_folder(game, {}, cache)
    assert file.stat().st_mtime > 1


def test_the_cache_is_the_user_s_alone(game: Path, tmp_path: Path) -> None:
    load_folder(game, {}, tmp_path / "cache")
    assert (tmp_path / "cache").stat().st_mode & 0o077 == 0
    assert kept_file(tmp_path / "cache").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {}, "/home/u/.cache/talewright"),
        ("linux", {"XDG_CACHE_HOME": "/c"}, "/c/talewright"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "/home/u/.cache/talewright"),
        ("darwin", {}, "/home/u/Library/Caches/talewright"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/talewright/cache"),
        ("win32", {}, "/home/u/AppData/Local/talewright/cache"),
    ],
)
def test_caches_lie_where_they_belong(
    platform: str, environment: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder(environment, Path("/home/u")) == Path(folder)


def test_the_collector_works_again_after_a_rest() -> None:
    assert gc.isenabled()
    with suppress(ValueError), garbage_collection_paused():
        assert not gc.isenabled()
        raise ValueError
    assert gc.isenabled()
    gc.disable()
    try:
        with garbage_collection_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
