"""A small game made by hand: three scenes, a finale with two routes, and words for all of it."""

from dataclasses import replace

from talewright.kernel.game import Game
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.state.state import Position, State, begin
from talewright.kernel.story.endings import Outcome, Route
from talewright.kernel.story.scenes import Check, Choice, Risk, Scene, SceneResult, Variant
from talewright.turn.game_editions import Edition
from tests.kernel.making import enum, integer, make_ending, make_game, make_layout, make_scene, maybe
from tests.turn.making import make_edition

LAYOUT = make_layout({"coins": integer(3, 0, 9), "place": enum("hall", "tower", "roof")})

HALL = make_scene(
    LAYOUT,
    "hall",
    'place == "hall"',
    Choice("climb", updates=(Update(Op.SET, "place", "tower"),), text="climbed"),
    Choice("beg", maybe(LAYOUT, "coins == 0"), Risk.HIGH),
    Choice("jump", next="cellar"),
    Choice(
        "dice",
        check=Check("1d6", 1, SceneResult("lucky", (Update(Op.INC, "coins", 1),)), SceneResult("unlucky")),
    ),
)
TOWER = make_scene(
    LAYOUT, "tower", 'place == "tower"', Choice("up", updates=(Update(Op.SET, "place", "roof"),))
)
CELLAR: Scene = replace(
    make_scene(LAYOUT, "cellar", None, Choice("out", next="hall")),
    variants=(Variant("cellar.poor", maybe(LAYOUT, "coins < 3")), Variant("cellar.rich")),
)
FINALE = make_ending(
    LAYOUT,
    "dawn",
    'place == "roof"',
    Outcome.WIN,
    Route("fly", "flown", Outcome.WIN, Risk.HIGH, (Update(Op.SET, "coins", 0),)),
    Route("stay", "stayed", Outcome.LOSE),
)
WORDS = {
    "scene.hall.text.1": "A hall with a stair.",
    "scene.hall.climb.label": "Climb the stair",
    "scene.hall.climb.hint": "It is steep.",
    "scene.hall.beg.label": "Beg",
    "scene.hall.jump.label": "Jump into the dark",
    "scene.hall.dice.label": "Throw a die",
    "scene.tower.text.1": "A tower.",
    "scene.tower.up.label": "Go up",
    "scene.cellar.out.label": "Out",
    "cellar.poor": "A cellar, and no coin to spend in it.",
    "cellar.rich": "A cellar.",
    "climbed": "Step after step.",
    "lucky": "It falls well.",
    "finale.dawn": "The sun comes up.",
    "finale.dawn.fly.label": "Fly",
    "finale.dawn.fly.hint": "It is far down.",
    "finale.dawn.stay.label": "Stay",
    "ending.flown": "You fly.",
}
LISTS = {"scene.hall.climb.also": ("take the stairs",), "finale.dawn.fly.also": ("spread your arms",)}


def tower_game(scenes: tuple[Scene, ...] = (HALL, TOWER, CELLAR)) -> Game:
    return make_game(LAYOUT, scenes=scenes, endings=[FINALE])


def tower(intro: str = "") -> Edition:
    """The whole story; with or without an introduction."""
    return make_edition(tower_game(), {**WORDS, **({"intro": intro} if intro else {})}, LISTS, "tower")


GAME = tower_game()


def stand(coins: int = 3, **memory: str) -> Position:
    """The fourth turn is over; `memory` is what the engine remembers."""
    first = begin(GAME)
    engine = first.state.document["_engine"]
    assert isinstance(engine, dict)
    document = {**first.state.document, "coins": coins, "_engine": {**engine, **memory}}
    return replace(first, state=State(document, 4))
