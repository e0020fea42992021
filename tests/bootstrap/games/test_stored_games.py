"""Stored games: each is checked once, however often it is opened, and no invalid one is ever remembered."""

import asyncio
import copy
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from talewright.bootstrap.games import stored_games
from talewright.bootstrap.games.stored_games import NODE_STEPS, StoredGames, count_nodes
from talewright.common import work_meter
from talewright.common.json_values import Json
from talewright.errors import Fault
from talewright.pack.cache.compiled_game import digest_form, pack_game, unpack_foreign_game
from talewright.pack.compiler import compile_folder
from talewright.pack.game_folders import write_starter
from talewright.play.playable_games import UnplayableGameError
from talewright.turn.game_editions import Edition
from talewright.turn.steps.recalling import unpack_pinned


@pytest.fixture(name="form")
def make_form(tmp_path: Path) -> Any:
    write_starter(tmp_path / "road", "road", "Road")
    made = compile_folder(tmp_path / "road", {})
    assert made.game is not None
    return json.loads(json.dumps(pack_game(made.game, made.texts, ())))


def make_others(form: Any, count: int) -> list[Any]:
    """The same game with other titles."""
    made = []
    for number in range(count):
        other = copy.deepcopy(form)
        other["texts"]["en"][1]["title"] = f"Road {number}"
        made.append(other)
    return made


def test_a_game_is_checked_once(form: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []
    real = unpack_foreign_game

    def check(given: Any, systems: Any) -> Any:
        checked.append(given["texts"]["en"][1]["title"])
        return real(given, systems)

    monkeypatch.setattr(stored_games, "unpack_foreign_game", check)
    monkeypatch.setattr(stored_games, "CONFIRMED_MAX", 2)
    games = StoredGames(dict)
    one, two, three = make_others(form, 3)
    first = games.unpack(one)
    again = games.unpack(copy.deepcopy(one))
    assert (first.game, first.texts, first.digest) == (again.game, again.texts, again.digest)
    # It is made anew for everyone, so that nobody holds what another one opened.
    assert first.game is not again.game
    games.unpack(two)
    games.unpack(one)
    games.unpack(three)
    games.unpack(one)
    assert checked == ["Road 0", "Road 1", "Road 2"]
    games.unpack(two)
    assert checked[3:] == ["Road 1"]


def test_an_invalid_game_is_refused_every_time(form: Any) -> None:
    games = StoredGames(dict)
    games.unpack(form)
    wrong = copy.deepcopy(form)
    wrong["layout"][next(iter(wrong["layout"]))][0] = 7
    for _ in range(2):
        with pytest.raises(UnplayableGameError):
            games.unpack(wrong)
    games.unpack(form)


@pytest.mark.parametrize("form", [None, float("nan"), "\ud800", {"game": {1: 2}}])
def test_what_cannot_be_stored_is_refused(form: Any) -> None:
    with pytest.raises(UnplayableGameError):
        StoredGames(dict).unpack(form)


class Stored:
    """Editions that are all stored in campaigns."""

    def __init__(self, games: StoredGames) -> None:
        self._games = games

    def unpack(self, form: Json) -> Edition:
        return self._games.unpack(form)

    def latest(self, game: str) -> Edition | None:
        return None

    def find_faults(self, game: str) -> tuple[Fault, ...]:
        return ()


@pytest.mark.parametrize("most", [10**9, 1_000])
def test_a_large_game_is_restored_outside_of_the_event_loop(
    form: Any, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    threads: list[bool] = []
    real = digest_form

    def digest(given: Any) -> str:
        threads.append(threading.current_thread() is threading.main_thread())
        return real(given)

    monkeypatch.setattr(stored_games, "digest_form", digest)
    monkeypatch.setattr(work_meter, "LOOP_WORK_MAX", most)
    games = Stored(StoredGames(dict))
    edition = asyncio.run(unpack_pinned(games, form, real(form)))
    assert edition.digest == real(form)
    # Nothing of it is done on the event loop, not even its digest.
    assert threads == [NODE_STEPS * count_nodes(form) <= most]
