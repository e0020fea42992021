"""The shelf: games found by name, id or path, opened once, and unpacked from what a campaign kept."""

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from talewright.bootstrap import installed_systems
from talewright.bootstrap.games.game_library import FolderGameLibrary
from talewright.bootstrap.games.stored_games import count_nodes
from talewright.errors import TalewrightError
from talewright.kernel.system import System
from talewright.pack.cache.compiled_game import CompiledGame
from talewright.pack.cache.game_cache import load_folder
from talewright.pack.files import yaml_errors
from talewright.pack.game_folders import shipped_games, write_starter
from talewright.play.playable_games import UnknownGameError, UnplayableGameError
from tests.plugs.toll import Toll


def no_systems() -> Mapping[str, System]:
    return {}


@pytest.fixture(name="games")
def make_games(tmp_path: Path) -> Path:
    games = tmp_path / "games"
    games.mkdir()
    write_starter(games / "salt_road", "salt_road", "Salt Road")
    (games / "broken").mkdir()
    (games / "broken" / "game.yaml").write_text("game_id: 7\n", "utf-8")
    return games


@pytest.fixture(name="shelf")
def make_shelf(games: Path, tmp_path: Path) -> FolderGameLibrary:
    return FolderGameLibrary([games], tmp_path / "cache", no_systems)


def test_the_games_there_are(games: Path, shelf: FolderGameLibrary, tmp_path: Path) -> None:
    for one in (shelf, shelf, FolderGameLibrary([games], tmp_path / "cache", no_systems)):
        (info,) = one.games()
        assert (info.id, info.title, info.place) == ("salt_road", "Salt Road", str(games / "salt_road"))


def test_a_host_tells_nobody_its_folders(games: Path, tmp_path: Path) -> None:
    (info,) = FolderGameLibrary([games], tmp_path / "cache", no_systems, allowed=frozenset()).games()
    assert (info.id, info.place) == ("salt_road", "installed")


@pytest.mark.slow
def test_shipped_games_are_said_to_be(tmp_path: Path) -> None:
    infos = {info.id: info for info in FolderGameLibrary([shipped_games()], tmp_path, no_systems).games()}
    assert infos["mist_harbor"].place == "shipped"
    assert infos["mist_harbor"].languages == ("zh-CN", "en")
    # English, where nobody says which language; the player's, where the game has it.
    assert infos["mist_harbor"].title == "Mist Harbor Echoes"
    for language, title in (
        ("en-GB", "Mist Harbor Echoes"),
        ("de-DE", "Mist Harbor Echoes"),
        ("zh", "雾港回声"),
    ):
        found = FolderGameLibrary([shipped_games()], tmp_path, no_systems, language).games()
        assert title in {info.title for info in found}


@pytest.mark.slow
def test_a_game_says_how_it_sounds_how_long_it_is_and_who_can_tell_it(games: Path, tmp_path: Path) -> None:
    told = {}
    for language in ("en", "zh-CN"):
        for _ in range(2):
            infos = FolderGameLibrary([shipped_games()], tmp_path / "cache", no_systems, language).games()
            (info,) = [info for info in infos if info.id == "mist_harbor"]
            told[language, info.tone, info.turns, info.needs_model] = True
    assert list(told) == [("en", "noir mystery", 30, False), ("zh-CN", "黑色悬疑", 30, False)]
    bare = games / "bare"
    bare.mkdir()
    (bare / "game.yaml").write_text("game_id: bare\ntitle: Bare\n", "utf-8")
    (bare / "world.md").write_text("An empty place.", "utf-8")
    infos = FolderGameLibrary([games], tmp_path / "cache", no_systems).games()
    (info,) = [info for info in infos if info.id == "bare"]
    assert (info.tone, info.turns, info.needs_model) == ("", 0, True)


def test_a_game_is_opened_once_while_it_is_the_same(games: Path, shelf: FolderGameLibrary) -> None:
    first = shelf.edition("salt_road")
    assert shelf.edition("salt_road") is first
    assert shelf.latest("salt_road") is first
    assert shelf.admit(str(games / "salt_road")).digest == first.digest
    file = games / "salt_road" / "game.yaml"
    file.write_text(file.read_text("utf-8").replace("Salt Road", "Salt Way"), "utf-8")
    newer = shelf.latest("salt_road")
    assert newer is not None
    assert newer.words("en").get("title") == "Salt Way"
    assert newer.digest != first.digest


def test_a_game_is_found_by_its_id_where_the_folder_is_called_otherwise(
    games: Path, shelf: FolderGameLibrary
) -> None:
    (games / "salt_road").rename(games / "other")
    assert shelf.edition("salt_road").game.id == "salt_road"
    assert shelf.admit("other").game.id == "salt_road"
    assert shelf.latest("other") is None


def test_a_game_of_a_path_is_known_from_then_on(games: Path, tmp_path: Path) -> None:
    shelf = FolderGameLibrary([], tmp_path / "cache", no_systems)
    assert shelf.latest("salt_road") is None
    opened = shelf.admit(str(games / "salt_road"))
    assert shelf.latest("salt_road") is opened
    assert [info.id for info in shelf.games()] == ["salt_road"]


@pytest.fixture(name="twins")
def make_twins(tmp_path: Path) -> tuple[Path, Path]:
    """The folders of an author and of the package; both hold a game of one id, in folders of two names."""
    own, shipped = tmp_path / "own", tmp_path / "shipped"
    write_starter(own / "my_road", "salt_road", "My Road")
    write_starter(shipped / "salt_road", "salt_road", "Salt Road")
    return own, shipped


def test_a_game_that_was_asked_for_is_played_although_another_has_its_id(
    twins: tuple[Path, Path], tmp_path: Path
) -> None:
    # The first time nothing is in the cache, so that a list of the games opens all of them.
    for _ in range(2):
        shelf = FolderGameLibrary(twins, tmp_path / "cache", no_systems)
        asked = shelf.admit("my_road")
        shelf.games()
        assert shelf.edition("salt_road") is asked
        assert shelf.latest("salt_road") is asked


def test_the_game_that_is_listed_is_the_one_that_is_begun(twins: tuple[Path, Path], tmp_path: Path) -> None:
    for _ in range(2):
        shelf = FolderGameLibrary(twins, tmp_path / "cache", no_systems)
        assert [info.title for info in shelf.games()] == ["My Road"]
        assert shelf.edition("salt_road").words("en").get("title") == "My Road"
        newer = FolderGameLibrary(twins, tmp_path / "cache", no_systems).latest("salt_road")
        assert newer is not None
        assert newer.words("en").get("title") == "My Road"


def test_a_name_that_is_asked_for_means_a_folder_first(twins: tuple[Path, Path], tmp_path: Path) -> None:
    shelf = FolderGameLibrary(twins, tmp_path / "cache", no_systems)
    asked = shelf.admit("salt_road")
    assert asked.words("en").get("title") == "Salt Road"
    assert [info.title for info in shelf.games()] == ["Salt Road"]
    assert shelf.edition("salt_road") is asked


def test_whoever_works_in_the_folder_of_a_game_means_that_one(games: Path, tmp_path: Path) -> None:
    own = tmp_path / "elsewhere" / "salt_road"
    write_starter(own, "salt_road", "My Road")
    shelf = FolderGameLibrary([own, games], tmp_path / "cache", no_systems)
    assert shelf.edition("salt_road").words("en").get("title") == "My Road"


def test_a_game_that_goes_away(games: Path, shelf: FolderGameLibrary) -> None:
    shelf.edition("salt_road")
    shutil.rmtree(games / "salt_road")
    assert shelf.latest("salt_road") is None
    assert shelf.games() == ()


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("salt_raod", "Did you mean salt_road?"),
        ("zzz", "Available: broken, salt_road. You can also give the path of a folder with a game.yaml."),
    ],
)
def test_an_unknown_game(shelf: FolderGameLibrary, name: str, hint: str) -> None:
    with pytest.raises(TalewrightError) as error:
        shelf.admit(name)
    assert (error.value.message, error.value.hint) == (f"there is no game {name!r}", hint)


@pytest.mark.parametrize(
    ("name", "hint"), [("salt_raod", "Did you mean salt_road?"), ("zzz", "Available: broken, salt_road.")]
)
def test_whoever_must_name_an_id_is_not_told_to_name_a_folder(
    shelf: FolderGameLibrary, name: str, hint: str
) -> None:
    with pytest.raises(UnknownGameError) as error:
        shelf.edition(name)
    assert (error.value.message, error.value.hint) == (f"there is no game {name!r}", hint)


def test_the_name_of_an_unknown_game_is_cut_short(shelf: FolderGameLibrary) -> None:
    with pytest.raises(UnknownGameError) as error:
        shelf.edition("x" * 1_000_000)
    assert len(error.value.message) < 500


def test_a_folder_whose_game_has_another_id_by_now_is_not_listed_any_more(
    games: Path, shelf: FolderGameLibrary
) -> None:
    shelf.edition("salt_road")
    shutil.rmtree(games / "salt_road")
    write_starter(games / "salt_road", "sugar_road", "Sugar Road")
    with pytest.raises(UnknownGameError):
        shelf.edition("salt_road")
    assert shelf.edition("sugar_road").game.id == "sugar_road"


def test_no_games_at_all(tmp_path: Path) -> None:
    with pytest.raises(TalewrightError) as error:
        FolderGameLibrary([], tmp_path, no_systems).admit("x")
    assert error.value.hint == "You can also give the path of a folder with a game.yaml."


def test_a_game_with_faults_says_where(games: Path, shelf: FolderGameLibrary) -> None:
    with pytest.raises(TalewrightError, match=r"cannot be played: game\.yaml:1:\d+: ") as error:
        shelf.admit("broken")
    assert error.value.hint == f"Run: talewright check {games / 'broken'}"
    assert shelf.latest("broken") is None


def test_a_mistake_that_is_made_while_a_game_is_played_is_found(
    games: Path, shelf: FolderGameLibrary, tmp_path: Path
) -> None:
    shelf.edition("salt_road")
    assert shelf.find_faults("salt_road") == ()
    file = games / "salt_road" / "game.yaml"
    good = file.read_text("utf-8")
    file.write_text(good + "titel: Salt\n", "utf-8")
    for one in (shelf, FolderGameLibrary([games], tmp_path / "cache", no_systems)):
        assert one.latest("salt_road") is None
        (fault,) = one.find_faults("salt_road")
        assert (fault.code, fault.place.file) == ("unknown-field", "game.yaml")
    file.write_text(good, "utf-8")
    assert shelf.find_faults("salt_road") == ()
    assert shelf.latest("salt_road") is not None
    shutil.rmtree(games / "salt_road")
    assert shelf.latest("salt_road") is None
    assert shelf.find_faults("salt_road") == shelf.find_faults("no_game") == ()


def test_a_game_with_faults_is_looked_into_again_only_when_it_has_changed(
    games: Path, shelf: FolderGameLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []

    def look(folder: Path, systems: Mapping[str, System], cache: Path | None) -> CompiledGame:
        looked.append(folder.name)
        return load_folder(folder, systems, cache)

    monkeypatch.setattr("talewright.bootstrap.games.compiled_folders.load_folder", look)
    for _ in range(3):
        assert [info.id for info in shelf.games()] == ["salt_road"]
        with pytest.raises(TalewrightError, match=r"cannot be played: game\.yaml:1:\d+: "):
            shelf.admit("broken")
    assert looked.count("broken") == 1
    (games / "broken" / "notes.md").write_text("To do.", "utf-8")
    assert [info.id for info in shelf.games()] == ["salt_road"]
    assert looked.count("broken") == 2
    shutil.rmtree(games / "broken")
    write_starter(games / "broken", "mended", "Mended")
    assert [info.id for info in shelf.games()] == ["mended", "salt_road"]


def test_games_stand_by_title_whatever_was_opened(
    games: Path, shelf: FolderGameLibrary, tmp_path: Path
) -> None:
    write_starter(games / "a_last", "a_last", "Zephyr")
    write_starter(games / "z_first", "z_first", "ash and iron")
    write_starter(tmp_path / "elsewhere", "elsewhere", "Moor")
    assert [info.title for info in shelf.games()] == ["ash and iron", "Salt Road", "Zephyr"]
    shelf.admit("a_last")
    shelf.admit(str(tmp_path / "elsewhere"))
    assert [info.title for info in shelf.games()] == ["ash and iron", "Moor", "Salt Road", "Zephyr"]


def test_what_a_campaign_kept_is_the_same_edition_again(games: Path, shelf: FolderGameLibrary) -> None:
    opened = shelf.edition("salt_road")
    kept = json.loads(json.dumps(opened.form))
    assert shelf.unpack(kept) is opened
    shutil.rmtree(games)
    elsewhere = FolderGameLibrary([], games, no_systems).unpack(kept)
    assert (elsewhere.game, elsewhere.texts, elsewhere.digest) == (opened.game, opened.texts, opened.digest)


def test_a_game_that_a_stranger_changed_is_refused(games: Path, shelf: FolderGameLibrary) -> None:
    """One condition shows its text, and would be judged as another."""
    kept: Any = json.loads(json.dumps(shelf.edition("salt_road").form))
    formulas = [row for row in walk_lists(kept["game"]) if is_formula(row)]
    formulas[0][1] = True
    with pytest.raises(UnplayableGameError, match="is not what its text says"):
        shelf.unpack(kept)


def test_a_game_nested_too_deeply_is_refused(shelf: FolderGameLibrary) -> None:
    kept: Any = json.loads(json.dumps(shelf.edition("salt_road").form))
    row = next(row for row in walk_lists(kept["game"]) if is_formula(row))
    for _ in range(3_000):
        row[1] = ["not", row[1]]
    with pytest.raises(UnplayableGameError):
        shelf.unpack(kept)


def test_an_imported_game_is_no_larger_than_a_folder_may_be(
    shelf: FolderGameLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = shelf.edition("salt_road").form
    nodes = count_nodes(form)
    monkeypatch.setattr(yaml_errors, "NODES_MAX", nodes)
    assert shelf.unpack_imported(form).form == form
    monkeypatch.setattr(yaml_errors, "NODES_MAX", nodes - 1)
    with pytest.raises(UnplayableGameError, match=f"more than {nodes - 1} keys and values"):
        shelf.unpack_imported(form)


def test_the_pinned_game_is_taken_from_its_folder_if_it_is_still_the_same(
    games: Path, shelf: FolderGameLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever opens a campaign whose game has not changed parses no condition."""
    kept = json.loads(json.dumps(shelf.edition("salt_road").form))
    fresh = FolderGameLibrary([games], tmp_path / "cache", no_systems)
    monkeypatch.setattr("talewright.bootstrap.games.stored_games.unpack_foreign_game", None)
    assert fresh.unpack(kept) is fresh.latest("salt_road")


@pytest.mark.parametrize("form", [None, 1, "x", [], {}, {"game": []}, {"game": [7]}, {"game": ["../up"]}])
def test_what_is_no_game_is_refused(shelf: FolderGameLibrary, form: Any) -> None:
    with pytest.raises(UnplayableGameError):
        shelf.unpack(form)


def walk_lists(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from walk_lists(part)


def is_formula(row: Any) -> bool:
    """Whether a list is the text, tree and paths of a condition."""
    return len(row) == 3 and isinstance(row[0], str) and all(isinstance(one, list) and one for one in row[1:])


def test_a_system_that_is_gone_is_told(games: Path, tmp_path: Path) -> None:
    with (games / "salt_road" / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("systems: [toll]\n")
    form = FolderGameLibrary([games], tmp_path / "cache", lambda: {"toll": Toll()}).edition("salt_road").form
    with pytest.raises(TalewrightError, match="cannot be read: KeyError") as error:
        FolderGameLibrary([], tmp_path / "cache", no_systems).unpack(form)
    assert "Install the systems" in error.value.hint


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_every_game_says_what_it_is_about(games: Path, tmp_path: Path, language: str) -> None:
    for _ in range(2):  # from the folder, then from its cover
        folders = (shipped_games(), games)
        library = FolderGameLibrary(folders, tmp_path / "cache", installed_systems, language)
        told = {info.id: info.description for info in library.games()}
        assert len(told) == len(list(shipped_games().iterdir())) + 1
        assert all(told.values())
        assert ("午夜" in told["mist_harbor"]) is (language == "zh-CN")
        assert ("midnight" in told["mist_harbor"]) is (language == "en")
