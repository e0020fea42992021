"""The cache and systems: a game is compiled anew if one of its systems brings something else."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from talewright.common.json_values import Json
from talewright.errors import Fault, SourcePlace
from talewright.kernel.slots.slot_types import ComputedSlot, Slot, SlotKind
from talewright.kernel.system import AuthorFileReader, AuthorFiles, AuthorYaml, System, Tool
from talewright.pack.cache import game_cache as cache_room
from talewright.pack.cache.game_cache import load_folder
from talewright.systems.world.world_system import World
from tests.pack.cache.test_game_cache import Counter
from tests.pack.fault_cases import write_game
from tests.plugs.toll import Toll


@pytest.fixture(name="compiles")
def count_compiles(monkeypatch: pytest.MonkeyPatch) -> Counter:
    counter = Counter()
    monkeypatch.setattr(cache_room, "_compile", counter)
    return counter


@pytest.fixture(name="game")
def make_game(tmp_path: Path) -> Path:
    write_game(tmp_path / "game")
    return tmp_path / "game"


class Wider(Toll):
    """The same system with another slot, and another reader."""

    def slots(self, files: AuthorFiles) -> dict[str, Slot]:
        return {**super().slots(files), "river": Slot(kind=SlotKind.INTEGER, default=0)}


class Fussier(Toll):
    """The same system, whose tools take other arguments."""

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        return tuple(replace(tool, parameters={"type": "object"}) for tool in super().tools(files, language))


class Unboarded(Toll):
    """The same system, which computes less."""

    def computed_slots(self, files: AuthorFiles) -> dict[tuple[str, ...], ComputedSlot]:
        return dict(list(super().computed_slots(files).items())[1:])


class Stricter(Toll):
    """The same system, whose reader has changed its mind."""

    def reads(self) -> tuple[AuthorFileReader, ...]:
        def refuse(text: str, file: str) -> tuple[Json, tuple[Fault, ...]]:
            return {}, (Fault("toll-shut", "the bridge is shut", SourcePlace(file), "Swim."),)

        return (AuthorFileReader("Toll.md", refuse),)


def test_another_system_compiles_anew(game: Path, tmp_path: Path, compiles: Counter) -> None:
    cache = tmp_path / "cache"
    with (game / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("systems: [toll]\n")
    for system in (Toll(), Wider(), Fussier(), Unboarded()):
        load_folder(game, {"toll": system}, cache)
    assert compiles.count == 4


def test_a_kept_game_reads_what_its_system_computes(game: Path, tmp_path: Path, compiles: Counter) -> None:
    with (game / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("systems: [toll]\n")
    (game / "triggers.yaml").write_text("- {id: wet, when: bridge.freeboard < 3}\n", "utf-8")
    for _ in range(2):
        found = load_folder(game, {"toll": Toll()}, tmp_path / "cache").game
        assert found is not None
        condition = found.triggers[0].when
        assert [condition.holds({"bridge": {"water": water}}, 1) for water in (2, 3)] == [False, True]
    assert compiles.count == 1


class Heavier(Toll):
    """The same system, whose reader finds more in the same file."""

    def reads(self) -> tuple[AuthorFileReader, ...]:
        return (AuthorFileReader("Toll.md", lambda text, file: ({"cart": 3, "ox": 5}, ())),)


def test_what_a_system_makes_of_its_files_compiles_anew(
    game: Path, tmp_path: Path, compiles: Counter
) -> None:
    with (game / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("systems: [toll]\n")
    (game / "Toll.md").write_text("cart: 3\n", "utf-8")
    for system in (Toll(), Toll(), Heavier()):
        found = load_folder(game, {"toll": system}, tmp_path / "cache").game
    assert compiles.count == 2
    assert found is not None
    assert found.layout.roots["bridge"].fields["load"].enum_values == ("", "cart", "ox")


class Untouched(Mapping[str, System]):
    """Systems that nobody may ask for."""

    def __getitem__(self, name: str) -> System:
        raise AssertionError(f"{name} was loaded")

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("the systems were looked for")

    def __len__(self) -> int:
        raise AssertionError("the systems were looked for")


def test_systems_are_not_even_looked_for_where_a_kept_game_uses_none(
    game: Path, tmp_path: Path, compiles: Counter
) -> None:
    cache = tmp_path / "cache"
    first = load_folder(game, {"toll": Toll()}, cache)
    assert load_folder(game, Untouched(), cache) == first
    assert compiles.count == 1


def test_a_system_reads_its_files_itself_every_time(game: Path, tmp_path: Path, compiles: Counter) -> None:
    with (game / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("systems: [toll]\n")
    (game / "Toll.md").write_text("cart: 3\n", "utf-8")
    cache = tmp_path / "cache"
    load_folder(game, {"toll": Toll()}, cache)
    again = load_folder(game, {"toll": Toll()}, cache)
    assert again.game is not None
    assert again.game.files == {"toll": {"Toll.md": {"cart": 3}}}
    assert compiles.count == 1
    shut = load_folder(game, {"toll": Stricter()}, cache)
    assert [fault.code for fault in shut.faults] == ["toll-shut"]


def test_a_built_in_system_reads_its_files_again_only_if_its_code_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(__file__).parents[2] / "plays" / "games" / "crossing"
    systems = {"world": World()}
    first = load_folder(folder, systems, tmp_path)
    assert first.game is not None, first.faults
    reads: list[int] = []
    real = World.read_yaml

    def read(self: World, files: Mapping[str, AuthorYaml]) -> tuple[AuthorFiles, tuple[Fault, ...]]:
        reads.append(len(files))
        return real(self, files)

    monkeypatch.setattr(World, "read_yaml", read)
    kept = load_folder(folder, systems, tmp_path)
    assert kept == first
    assert kept.packed is not None
    assert reads == []
    monkeypatch.setattr(cache_room, "_digest_code", lambda systems: "other")
    read_again = load_folder(folder, systems, tmp_path)
    assert read_again == first
    # What the cache has may differ from it now.
    assert read_again.packed is None
    assert reads == [4]
