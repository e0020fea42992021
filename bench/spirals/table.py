"""The table: play under the engine's own rules, by a player of fixed habits and a storyteller who obeys.

Every check is judged by the kernel with the system switched on, from the card to the glitch; nothing of the
rules is told twice here. It computes no chances.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import cast

from bench.spirals.chain import SUCCESS_MIN
from bench.spirals.days import Life
from bench.spirals.options import SEED, oracle_of
from talewright.common.json_values import Json
from talewright.kernel.chance import Chance, Fate
from talewright.kernel.judging.move_resolution import judge
from talewright.kernel.judging.moves import MODEL, PLAYER, Call
from talewright.kernel.judging.rulings import Granted
from talewright.kernel.state.state import advance
from talewright.systems.spiral import tool_descriptions as tools
from talewright.systems.spiral.checks import CARD, ROLL, ROLL_WITH_RESIST
from talewright.systems.spiral.moves.player_sheet import CLEAR, CLEAR_COST
from talewright.systems.spiral.oracle import OracleEffect
from talewright.systems.spiral.slots import SEGMENTS
from tests.systems.spiral.making import READY, game_with, write

GOOD = tuple(f"good {number}" for number in range(1, 8))
BAD = tuple(f"bad {number}" for number in range(1, 5))
"""Tags of the sheet and of the scene; as many of them count as a pool wants."""

FIRST_CLOCK = "first"


class Table:
    """One campaign, played check by check."""

    def __init__(self, secret: bytes, prompt: str = SEED) -> None:
        self.game = game_with(prompt)
        sheet: Mapping[str, Json] = {
            "player.inherent_tags": list(GOOD),
            "scene.negative_tags": list(BAD),
            "spiral.prompt": prompt,
        }
        self.position = write(READY, sheet, self.game)
        self.secret = secret
        self.named = 0

    @property
    def player(self) -> Mapping[str, Json]:
        """The sheet as it stands."""
        return cast(Mapping[str, Json], self.position.state.document["player"])

    @property
    def glitches(self) -> list[str]:
        """Glitches as they stand."""
        return cast(list[str], self.player["glitch_tags"])

    @property
    def conditions(self) -> list[str]:
        """Conditions as they stand."""
        return cast(list[str], self.player["conditions"])

    @property
    def resist(self) -> int:
        """Points left."""
        return cast(Mapping[str, int], self.player["resist"])["current"]

    def check(
        self, action: int, danger: int, bearing: Sequence[str] = (), *, with_resist: bool = False
    ) -> int:
        """One check with so many action dice and other danger dice; the highest die."""
        arguments: Mapping[str, Json] = {
            "action_dice": action,
            "danger_dice": danger + len(bearing) + len(self.glitches),
            "context": "try it",
            "action_tags": list(GOOD[: action - 1]),
            "danger_tags": [*BAD[:danger], *bearing],
        }
        answer = ROLL_WITH_RESIST if with_resist and self.resist else ROLL
        result = self.judge(Call(tools.ROLL_CHECK, arguments, CARD), PLAYER, {CARD: answer})
        for effect in cast(list[str], result["effects"]):
            self.judge(self._call_for(OracleEffect(effect)), MODEL)
        self.position = advance(self.position)
        return cast(int, result["highest"])

    def pass_segment(self) -> Mapping[str, Json]:
        """Time goes on; what the calendar answers."""
        result = self.judge(Call(tools.ADVANCE_TIME, {"reason": "on the road"}), MODEL)
        self.position = advance(self.position)
        return result

    def mend(self) -> None:
        """Clear a condition in the morning, if there is one and the points are there."""
        if self.conditions and self.resist >= CLEAR_COST:
            arguments: Mapping[str, Json] = {"purpose": CLEAR, "condition": self.conditions[0]}
            self.judge(Call(tools.SPEND_RESIST, arguments), MODEL)

    def _call_for(self, effect: OracleEffect) -> Call:
        """What a storyteller calls for an effect."""
        self.named += 1
        match effect:
            case OracleEffect.ADD_GLITCH:
                return Call(tools.ADD_GLITCH, {"tag": f"glitch {self.named}"})
            case OracleEffect.REMOVE_GLITCH:
                return Call(tools.UPDATE_PLAYER, {"remove_glitch": [self.glitches[0]]})
            case OracleEffect.FLUSH:
                return Call(tools.FLUSH_GLITCHES, {})
            case OracleEffect.CONDITION:
                return Call(tools.UPDATE_PLAYER, {"add_condition": [f"condition {self.named}"]})

    def judge(self, call: Call, cause: str, answers: Mapping[str, Json] | None = None) -> Mapping[str, Json]:
        """Have one call judged that must be granted; its result."""
        fate = Fate(self.secret, self.position.turn)
        step = judge(self.game, self.position, [call], cause, fate, answers)
        (ruling,) = step.rulings
        assert isinstance(ruling, Granted), ruling
        self.position = step.position
        return cast(Mapping[str, Json], ruling.result)


def play_runs(
    action: int, danger: int, number: int, secret: bytes, prompt: str = SEED
) -> Iterator[tuple[int, int]]:
    """Checks and successes of so many runs, each from a clean sheet to the answer that flushes.

    Conditions bear on none of these checks: the pool stays as it is.
    """
    table = Table(secret, prompt)
    flushing = [
        face for face, answer in oracle_of(prompt).answers.items() if OracleEffect.FLUSH in answer.effects
    ]
    for _ in range(number):
        checks = successes = 0
        highest = 0
        while highest not in flushing:
            highest = table.check(action, danger)
            checks += 1
            successes += highest >= SUCCESS_MIN
        assert not table.glitches
        yield checks, successes


def play_life(life: Life, days: int, secret: bytes, prompt: str = SEED) -> Iterator[tuple[int, int]]:
    """Of each day its successes, and the conditions that stand when it ends."""
    table = Table(secret, prompt)
    whims = Fate(secret[::-1], 0)
    for number in range(days):
        successes = 0
        if number and life.habit.mends:
            table.mend()
        for _ in range(SEGMENTS):
            for _ in range(life.checks_a_day // SEGMENTS):
                bearing = [tag for tag in table.conditions if _happens(life.conditions_bear, whims)]
                highest = table.check(life.difference, 0, bearing, with_resist=life.habit.negates)
                successes += highest >= SUCCESS_MIN
            standing = len(table.conditions)
            table.pass_segment()
        yield successes, standing


def _happens(odds: Fraction, chance: Chance) -> bool:
    return chance.draw(odds.denominator) <= odds.numerator


def fill_clock(clock_max: int, prompt: str) -> int:
    """Segments that pass until a new clock is full, from the first morning on."""
    table = Table(bytes(32), prompt)
    person: Mapping[str, Json] = {
        "id": FIRST_CLOCK,
        "name": "First",
        "concept": "a clock",
        "positive_tags": [],
        "negative_tags": [],
        "disposition": "hostile",
        "goal": "to be full",
        "clock_max": clock_max,
    }
    table.judge(Call(tools.CREATE_NPC, person), MODEL)
    segments = 0
    while True:
        segments += 1
        filled = cast(list[Mapping[str, Json]], table.pass_segment()["filled_clocks"])
        if any(clock["id"] == FIRST_CLOCK for clock in filled):
            return segments
