"""A small world for the tests of the system, and ways to play in it."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from talewright.common.json_values import Json
from talewright.kernel.chance import Chance, Fate
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import JudgedStep, judge, settle
from talewright.kernel.judging.moves_and_rulings import MODEL, Call, Granted, Refused, Waiting
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.state import Position, advance, begin
from talewright.kernel.system import Sight
from talewright.kernel.system_ticks import NOTHING_HEARD, Heard
from talewright.pack.compiler import CompiledGame, compile_folder
from talewright.systems.world.world_state import WorldState, read_world
from talewright.systems.world.world_system import World

SECRET = b"the secret of a world in a test, thirty-two"
WORLD = World()

GAME_YAML = """game_id: crossing
title: The Crossing
contract: tools
systems: [world]
variables:
  - {id: alarm, type: integer, min: 0, max: 9}
"""

PLACES = """
- id: inn
  name: The Dusty Tankard
  also: [the tavern, the pub, 酒馆]
  description: Low beams and a long fire.
  exits: [square, {to: cellar, ticks: 1}]
- id: square
  name: Market Square
  description: Stalls under striped cloth.
  exits: [inn, {to: mill, ticks: 9}]
- id: cellar
  name: The Cellar
  description: Barrels, and a draught from nowhere.
  exits: [inn]
  hidden: true
- id: mill
  name: Old Mill
  description: The wheel stands still.
  exits: [square]
"""

PEOPLE = """
- id: grim
  name: Grim
  also: [the barkeep]
  description: The barkeep, grey and broad.
  goals: keep the peace in his house
  at: inn
  knows: [dragon]
  relationships: {sera: 40, bran: -30}
- id: sera
  name: Sera
  description: A bard with ink on her fingers.
  goals: find out what burned the mill
  at: square
  schedule:
    - {from: "18:00", to: "02:00", at: inn}
    - {from: "02:00", to: "10:00", at: mill}
  relationships: {grim: 20}
- id: bran
  name: Bran
  description: A merchant who sells too cheaply.
  at: square
  knows: [false_coins]
  needs:
    - {id: drink, at: inn, every_hours: 6, hours: 1}
  agendas:
    - id: hide_coins
      goal: get the coins into the cellar
      segments: 2
      every_hours: 2
      outcome:
        event: Bran carried a heavy sack into the cellar.
        twists: [Bran carried a body into the cellar.]
        moves: {bran: cellar}
        relations: {grim: -20}
        updates: [{op: inc, path: alarm, value: 1}]
    - id: leave_town
      segments: 1
      every_hours: 3
      after: [hide_coins]
      outcome: {event: Bran left town by the mill road., moves: {bran: mill}}
- id: ann
  name: Ann
  also: [安娜]
  description: A thief behind the barrels.
  at: cellar
  hidden: true
  encounter_chance: 0.5
"""

FACTS = """
- id: dragon
  topic: the dragon
  text: A dragon was seen over the northern pass.
  twists: [Two dragons nest in the northern pass.]
- id: false_coins
  topic: Bran's coins
  text: Bran pays with false coins.
  trust: 50
"""

RULES = """
start: {at: inn, time: "16:30", narrative_time: Late afternoon}
player: {name: Wren, description: A courier.}
gossip: {chance: 1, delay_hours: 0, loss: 0, distortion: 0}
"""

FILES: Mapping[str, str] = {
    "game.yaml": GAME_YAML,
    "world.md": "A crossing of two roads.\n",
    "world/places.yaml": PLACES,
    "world/people.yaml": PEOPLE,
    "world/facts.yaml": FACTS,
    "world/rules.yaml": RULES,
}


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
