"""A small world for the tests of the system, and ways to play in it."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from talewright.common.json_values import Json
from talewright.kernel.chance import Chance, Fate
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import JudgedStep, judge, settle
from talewright.kernel.judging.moves import MODEL, Call
from talewright.kernel.judging.rulings import Granted, Refused, Waiting
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.state import Position, advance, begin
from talewright.kernel.system import NOTHING_HEARD, Heard, Sight
from talewright.pack.compiler import CompiledGame, compile_folder
from talewright.systems.world.world_state import WorldState, read_world
from talewright.systems.world.world_system import World

SECRET = b"the secret of a world in a test, thirty-two"
WORLD = World()

FOLDER = Path(__file__).resolve().parents[2] / "plays" / "games" / "crossing"
FILES: Mapping[str, str] = {
    file.relative_to(FOLDER).as_posix(): file.read_text(encoding="utf-8")
    for file in sorted(FOLDER.rglob("*.*"))
}
PLACES, PEOPLE, FACTS, RULES = (
    FILES[f"world/{name}.yaml"] for name in ("places", "people", "facts", "rules")
)


def compile_world(changed: Mapping[str, str] | None = None) -> CompiledGame:
    """A game made from the files of the small world, some of them changed."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**FILES, **(changed or {})}.items():
            file = Path(folder) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return compile_folder(Path(folder), {"world": WORLD})


def make_world(changed: Mapping[str, str] | None = None) -> Game:
    """The same, which must have no faults."""
    compiled = compile_world(changed)
    assert compiled.game is not None, compiled.faults
    return compiled.game


GAME = make_world()


class Play:
    """A campaign in a world, move by move."""

    def __init__(self, game: Game = GAME, language: str = "en", seed: bytes = SECRET) -> None:
        self.game = game
        self.seed = seed
        self.position: Position = begin(game, language)
        self.steps: list[JudgedStep] = []
        self.chance: Chance | None = None

    def _fate(self) -> Chance:
        return self.chance or Fate(self.seed, self.position.turn, start=len(self.steps))

    def rule(self, tool: str, answers: Mapping[str, Json] | None = None, **arguments: Any) -> Any:
        """The ruling on a call; what is granted happens."""
        step = judge(self.game, self.position, [Call(tool, arguments)], MODEL, self._fate(), answers)
        self.steps.append(step)
        self.position = step.position
        return step.rulings[0]

    def do(self, tool: str, answers: Mapping[str, Json] | None = None, **arguments: Any) -> Mapping[str, Any]:
        """The result of a call that must be granted."""
        ruling = self.rule(tool, answers, **arguments)
        assert isinstance(ruling, Granted), ruling
        return cast(Mapping[str, Any], ruling.result)

    def refuse(self, tool: str, answers: Mapping[str, Json] | None = None, **arguments: Any) -> str:
        """The reason why a call is refused."""
        ruling = self.rule(tool, answers, **arguments)
        assert isinstance(ruling, Refused), ruling
        return ruling.reason

    def wait_for(self, tool: str, **arguments: Any) -> Waiting:
        """What a call waits for."""
        ruling = self.rule(tool, **arguments)
        assert isinstance(ruling, Waiting), ruling
        return ruling

    def go(self, destination: str, *companions: str, time: str = "") -> Mapping[str, Any]:
        return self.do(
            "moveToLocation", destination=destination, narrativeTime=time, accompaniedBy=list(companions)
        )

    def wait(self, ticks: int, time: str = "") -> Mapping[str, Any]:
        return self.do("advanceTime", narrativeTime=time, ticks=ticks)

    def end_turn(self, narration: str = "", facts: Sequence[str] = ()) -> JudgedStep:
        """Let happen what follows by itself, and begin the next turn."""
        told = Heard(narration=narration, facts=tuple(facts)) if narration or facts else NOTHING_HEARD
        step = settle(self.game, self.position, self._fate(), (), told)
        self.steps.append(step)
        self.position = advance(step.position)
        return step

    @property
    def sight(self) -> Sight:
        return WorkingState(self.game, self.position).sight(WORLD)

    @property
    def state(self) -> WorldState:
        return read_world(self.sight)

    @property
    def own(self) -> Mapping[str, Any]:
        """The world's part of the document."""
        return cast(Mapping[str, Any], self.position.state.document["world"])

    def notes(self) -> list[str]:
        return [note.text for note in WORLD.notes(self.sight)]
