"""The compiler as a whole: the games that are shipped, the starter, and the same answer every time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from talewright.kernel.game import Game
from talewright.kernel.state.state import begin
from talewright.kernel.story.scene_rules import current_scene, is_over, offered
from talewright.pack.compiler import check_folder, compile_files, compile_folder
from talewright.pack.faults import FAULTS_MAX, FaultList
from talewright.pack.files.folder_reader import GameFolder
from talewright.pack.game_folders import TEMPLATE, write_starter
from tests.kernel.scene_walk import begin_story, play
from tests.pack.fault_cases import FOLDERS
from tests.pack.making import compile_game

ROOT = Path(__file__).parents[2]
GAME = ROOT / "games/lantern_road"
STATES_MAX = 2_000


def test_a_game_is_compiled_whole() -> None:
    compiled = compile_folder(GAME, {})
    game = compiled.game
    assert compiled.faults == ()
    assert game is not None
    assert (len(game.scenes), len(game.triggers), len(game.endings), game.languages) == (
        14,
        4,
        4,
        ("en", "zh-CN"),
    )
    assert compiled.texts.keys() == {"en", "zh-CN"}
    assert len(compiled.digest) == 64


def test_errors_leave_no_game_and_warnings_do() -> None:
    assert compile_game("tune: a\n").game is None
    warned = compile_game("", {"notes.yaml": "a: b\n"})
    assert warned.game is not None
    assert len(warned.faults) == 1


def test_the_digest_is_that_of_the_folder() -> None:
    folder = GameFolder({"game.yaml": b"- a\n"}, ())
    assert compile_files(folder, {}, FaultList()).digest == folder.digest
    assert compile_folder(GAME / "absent", {}).digest == ""


def test_a_folder_of_mistakes_is_told_up_to_a_number() -> None:
    lines = "".join(f"  - {{id: v{number}, type: what}}\n" for number in range(FAULTS_MAX + 50))
    assert len(compile_game(f"variables:\n{lines}").faults) == FAULTS_MAX


TELLER = """
import json, sys
from pathlib import Path
from talewright.pack.cache.compiled_game import pack_game
from talewright.pack.compiler import check_folder
told = []
for name in sys.argv[1:]:
    compiled = check_folder(Path(name), {})
    told.append([repr(compiled.faults), compiled.game and pack_game(compiled.game, compiled.texts, ())])
print(json.dumps(told))
"""


@pytest.mark.process
def test_every_process_tells_the_same() -> None:
    """Sets have another order in every process; what is told must not show it."""
    folders = [str(GAME), *(str(folder) for folder in sorted(FOLDERS.iterdir()))]
    answers = {
        subprocess.run(
            [sys.executable, "-c", TELLER, *folders],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT / "src")},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1


@pytest.mark.parametrize("title", ["Salt Road", 'The "Salt" Road', "a: b # c", "盐路", "back\\slash {x} 'y'"])
def test_the_starter_has_no_faults_and_can_be_played(tmp_path: Path, title: str) -> None:
    written = write_starter(tmp_path / "salt_road", "salt_road", title)
    assert sorted(file.relative_to(tmp_path / "salt_road").as_posix() for file in written) == sorted(
        file.relative_to(TEMPLATE).as_posix() for file in TEMPLATE.rglob("*") if file.is_file()
    )
    compiled = check_folder(tmp_path / "salt_road", {})
    assert compiled.faults == ()
    game = compiled.game
    assert game is not None
    assert game.id == "salt_road"
    assert compiled.texts["en"].entries["title"] == title
    endings, scenes = play_through(game)
    assert scenes == set(game.scenes)
    assert endings == {ending.id for ending in game.endings}


class Fixed:
    """A chance that always shows the same face."""

    def __init__(self, low: bool) -> None:
        self._low = low

    def draw(self, sides: int, why: str = "") -> int:
        return 1 if self._low else sides


def play_through(game: Game) -> tuple[set[str], set[str]]:
    """The endings and scenes that all series of choices reach; every state has a choice or is over."""
    endings: set[str] = set()
    scenes: set[str] = set()
    seen: set[str] = set()
    waiting = [begin_story(game, begin(game), Fixed(True)).position]
    while waiting:
        position = waiting.pop()
        if position.state.digest in seen:
            continue
        seen.add(position.state.digest)
        if is_over(position):
            endings.add(str(position.state.read(("_engine", "ending"))))
            continue
        scene = current_scene(game, position)
        assert scene is not None
        scenes.add(scene.id)
        choices = offered(scene, position)
        assert choices
        for choice in choices:
            waiting += [play(game, position, choice.id, Fixed(low)).position for low in (True, False)]
        assert len(seen) < STATES_MAX
    return endings, scenes
