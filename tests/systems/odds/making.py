"""A small game with odds, for the tests of the system."""

from collections.abc import Mapping
from dataclasses import replace

from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import JudgedStep, judge
from talewright.kernel.judging.moves import MODEL, Call
from talewright.kernel.judging.rulings import Granted, Refused
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.state import Position, begin
from talewright.kernel.system import Sight
from talewright.systems.odds.odds_system import Odds
from talewright.systems.odds.rulebook import read_steps
from tests.kernel.making import Scripted, integer, make_game, make_layout, record

ODDS = Odds()
STEPS = "- easy: 0.2\n- hard: 0.6, somebody listens\n- hopeless: blocked\n"
SKILLS = {"stealth": integer(14), "perception": integer(30), "Prayer": integer(-3)}
LAYOUT = make_layout({"player": record(skills=record(**SKILLS)), **ODDS.slots({})})


def game_with(steps: str = STEPS) -> Game:
    files = {"odds": {"odds.md": read_steps(steps, "odds.md")[0]}} if steps else {}
    return replace(make_game(LAYOUT, systems=[ODDS]), files=files)


GAME = game_with()
START = begin(GAME)


def take(*faces: int, position: Position = START, game: Game = GAME, **said: Json) -> JudgedStep:
    """One call of `attempt` by a storyteller."""
    return take_said(said, *faces, position=position, game=game)


def take_said(
    said: Mapping[str, Json], *faces: int, position: Position = START, game: Game = GAME
) -> JudgedStep:
    """The same, with everything said in one mapping."""
    return judge(game, position, [Call("attempt", said)], MODEL, Scripted(*faces))


def granted(step: JudgedStep) -> Json:
    (ruling,) = step.rulings
    assert isinstance(ruling, Granted), ruling
    return ruling.result


def refused(step: JudgedStep) -> str:
    (ruling,) = step.rulings
    assert isinstance(ruling, Refused)
    assert ruling in step.mends
    return ruling.reason


def sight(position: Position = START, game: Game = GAME) -> Sight:
    return WorkingState(game, position).sight(ODDS)
