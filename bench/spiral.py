"""The spiral's mathematics: exact chances beside dice thrown with the engine's own chance, and played checks.

The rolls are derived by HMAC as in any campaign. The plays run under the rules of the system, judged by the
kernel. Both are set beside what was computed; then the pictures of `docs/play/spiral.md` are drawn again.
"""

from collections.abc import Iterator, Mapping

from bench.figures import at_most, report
from bench.spirals.chain import solve_run, steady
from bench.spirals.days import Habit, Life, live
from bench.spirals.options import CLEAN_FIVE, FLUSH_ON_BOTCH, SEED, oracle_of
from bench.spirals.pictures import draw_all
from bench.spirals.records import Record, Sample, measure_gap, sample, write_record
from bench.spirals.table import play_life, play_runs
from talewright.kernel.chance import Fate
from talewright.systems.spiral.oracle import BOTCH, SIDES

NET_DICE_MAX = 8
ROLLS = 1_000_000
"""Of each number of dice."""

GAP_POINTS_MAX = 0.2
RUNS = 500
LIVES = 250
DAYS = 6
"""Days of one played life."""

DIFFERENCE = 3
"""Dice of the played lives."""

ACTION_DICE, DANGER_DICE = range(2, 6), range(3)
SIGMAS_MAX = 5.0
"""Standard errors between play and computation; the dice are fixed, so a figure does not come and go."""

SECRET = bytes(range(32))
ROLLS_A_TURN = 500
"""A turn's fate keeps what it drew; a new one is taken before that grows."""


def throw_rolls(number: int, secret: bytes = SECRET) -> Mapping[int, list[int]]:
    """By net dice: how often each face was the highest in so many rolls.

    One throw of eight dice serves every smaller pool too: its first three are a roll of three. So the pools
    are not independent of one another; the rolls of one pool are.
    """
    found = {net: [0] * SIDES for net in range(NET_DICE_MAX + 1)}
    found[0][BOTCH - 1] = number
    fate = Fate(secret, 0)
    for roll in range(number):
        if roll % ROLLS_A_TURN == 0:
            fate = Fate(secret, roll // ROLLS_A_TURN)
        highest = 0
        for net in range(1, NET_DICE_MAX + 1):
            face = fate.draw(SIDES)
            if face > highest:
                highest = face
            found[net][highest - 1] += 1
    return found


def sample_runs(runs: int) -> Iterator[Sample]:
    """Runs of every pool under the rules of the original design, and of some under the options."""
    pools = [("seed", SEED, action, danger) for action in ACTION_DICE for danger in DANGER_DICE]
    pools += [("clean five", CLEAN_FIVE, action, 0) for action in (2, 3)]
    pools += [("flush on botch", FLUSH_ON_BOTCH, action, 0) for action in (2, 3)]
    for number, (name, prompt, action, danger) in enumerate(pools):
        expected = solve_run(oracle_of(prompt), steady(action - danger))
        played = list(play_runs(action, danger, runs, SECRET + bytes([number]), prompt))
        about = f"{name}, {action} against {danger}"
        yield sample(f"checks: {about}", [checks for checks, _ in played], expected.checks)
        yield sample(f"successes: {about}", [successes for _, successes in played], expected.successes)


def sample_lives(lives: int) -> Iterator[Sample]:
    """Days of players with each habit."""
    for number, habit in enumerate(Habit):
        life = Life(DIFFERENCE, habit)
        played = [list(play_life(life, DAYS, SECRET + bytes([100 + number, one]))) for one in range(lives)]
        for day, expected in enumerate(live(life, DAYS), 1):
            about = f"{habit.value}, day {day}"
            yield sample(f"successes: {about}", [days[day - 1][0] for days in played], expected.successes)
            yield sample(f"conditions: {about}", [days[day - 1][1] for days in played], expected.conditions)


def main() -> int:
    rolls = throw_rolls(ROLLS)
    gap = at_most("spiral_rolls_gap_points", measure_gap(rolls), GAP_POINTS_MAX)
    print(gap.line(), flush=True)
    runs, lives = list(sample_runs(RUNS)), list(sample_lives(LIVES))
    record = Record(rolls, [*runs, *lives])
    for one in record.samples:
        print(f"  {one.name}: computed {one.expected:.3f}, played {one.mean:.3f} +- {one.error:.3f}")
    write_record(record)
    draw_all(record)
    return report(
        [
            gap,
            at_most("spiral_runs_gap_sigmas", max(one.sigmas for one in runs), SIGMAS_MAX),
            at_most("spiral_days_gap_sigmas", max(one.sigmas for one in lives), SIGMAS_MAX),
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
