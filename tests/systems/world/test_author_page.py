"""The author's page: its files are a game without faults."""

import re
from pathlib import Path

from tests.systems.world.making import Play, compile_world
from tests.systems.world.scenarios.tankard import compile_scenario

PAGE = Path(__file__).resolve().parents[3] / "docs" / "author" / "world.md"
GAME = (
    "game_id: heron\ntitle: The Heron\nsystems: [world]\n"
    "variables:\n  - {id: ship_watched, type: boolean, default: true}\n"
)


def test_the_files_of_the_page_are_a_game() -> None:
    files = dict(re.findall(r"```yaml (\S+)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))
    assert sorted(files) == [f"world/{name}.yaml" for name in ("facts", "people", "places", "rules")]
    compiled = compile_world({"game.yaml": GAME, **files})
    assert compiled.game is not None, compiled.faults
    play = Play(compiled.game)
    assert play.go("the quay")["place"] == "The Quay"
    assert play.go("the pub")["present"] == ["Mara"]
    plain = compile_world({"game.yaml": GAME, **files, "world/rules.yaml": "start: {at: inn, time: '19:00'}"})
    assert plain.game is not None
    assert Play(plain.game).go("the quay")["tick"] == 5


def test_the_scenario_of_the_page_is_a_game() -> None:
    (text,) = re.findall(r"```json scenario\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    compiled = compile_scenario(text.encode())
    assert compiled.faults == ()
    assert compiled.game is not None
    play = Play(compiled.game)
    assert play.state.relation("mara", "tomas") == -20
    assert play.state.world.people["tomas"].hidden
