"""The author's page: its files are a game without faults."""

import re
from pathlib import Path

from talewright.kernel.chance import Fate
from talewright.kernel.game import Game
from talewright.kernel.story.scene_rules import carry_out_choice, open_scenes
from tests.systems.world.making import Play, compile_world
from tests.systems.world.scenarios.tankard import compile_scenario

PAGE = Path(__file__).resolve().parents[3] / "docs" / "author" / "world.md"
GAME = (
    "game_id: heron\ntitle: The Heron\nsystems: [world]\n"
    "variables:\n  - {id: ship_watched, type: boolean, default: true}\n"
)


def test_the_files_of_the_page_are_a_game() -> None:
    files = dict(re.findall(r"```yaml (\S+)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))
    world = [f"world/{name}.yaml" for name in ("facts", "people", "places", "rules")]
    assert sorted(files) == ["scenes/inn.yaml", *world]
    compiled = compile_world({"game.yaml": GAME, **files})
    assert compiled.game is not None, compiled.faults
    play = Play(compiled.game)
    assert play.go("the quay")["place"] == "The Quay"
    assert play.go("the pub")["present"] == ["Mara"]
    _take_choices(compiled.game)
    plain = compile_world({"game.yaml": GAME, **files, "world/rules.yaml": "start: {at: inn, time: '19:00'}"})
    assert plain.game is not None
    assert Play(plain.game).go("the quay")["tick"] == 5


def _take_choices(game: Game) -> None:
    """The scene of the page opens late in the evening, and its choices do what the page says."""
    play = Play(game)
    assert open_scenes(game, play.position) == []
    play.wait(36)
    (scene,) = open_scenes(game, play.position)
    ask, walk, _ = scene.choices
    asked = carry_out_choice(game, play.position, scene, ask, Fate(b"", 1)).step.position
    row = asked.state.read(("world", "knowledge", "player", "debt"))
    assert isinstance(row, dict)
    assert (row["source"], row["by"]) == ("told", "mara")
    walked = carry_out_choice(game, play.position, scene, walk, Fate(b"", 1)).step.position
    assert walked.state.read(("world", "at")) == "quay"


def test_the_scenario_of_the_page_is_a_game() -> None:
    (text,) = re.findall(r"```json scenario\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    compiled = compile_scenario(text.encode())
    assert compiled.faults == ()
    assert compiled.game is not None
    play = Play(compiled.game)
    assert play.state.relation("mara", "tomas") == -20
    assert play.state.world.people["tomas"].hidden
