"""The spiral's mathematics: chances, runs and days against counting by hand, and against thrown dice."""

import itertools
import math
from fractions import Fraction
from pathlib import Path

import pytest

from bench import spiral
from bench.spirals.chain import Run, binomial, move_glitches, running_after, scattered, solve_run, steady
from bench.spirals.days import Habit, Life, Plight, live, suffer, wake
from bench.spirals.options import CLEAN_FIVE, FLUSH_ON_BOTCH, HALF_DAY, SEED, oracle_of
from bench.spirals.pictures import TICK_SEGMENTS
from bench.spirals.records import Record, measure_gap, read_record, sample, write_record
from bench.spirals.table import fill_clock, play_life, play_runs
from talewright.systems.spiral.oracle import (
    DEFAULT_ORACLE,
    SIDES,
    Oracle,
    OracleAnswer,
    OracleEffect,
    chance_of,
)
from talewright.systems.spiral.rulebook import ClockTick

FACES = range(1, SIDES + 1)
ROLLS = 10_000
SIGMAS_MAX = 5
"""Standard errors that thrown dice may be off; they are fixed, so that no test comes and goes."""

RECORD = read_record()


@pytest.mark.parametrize("net", range(5))
def test_chances_are_what_counting_gives(net: int) -> None:
    highest = [max(faces, default=1) for faces in itertools.product(FACES, repeat=net)]
    for face in FACES:
        assert chance_of(face, net) == Fraction(highest.count(face), len(highest))


def test_thrown_dice_keep_to_the_chances() -> None:
    print(f"secret {spiral.SECRET.hex()}")
    for net, counts in spiral.throw_rolls(ROLLS).items():
        assert sum(counts) == ROLLS
        for face in FACES:
            share = float(chance_of(face, net))
            # The last summand is for chances so small that a handful of rolls decides.
            bound = SIGMAS_MAX * (math.sqrt(share * (1 - share) / ROLLS) + 1 / ROLLS)
            assert abs(counts[face - 1] / ROLLS - share) <= bound, (net, face)


def test_a_new_turn_goes_on_with_other_dice() -> None:
    turn, turns = spiral.ROLLS_A_TURN, 2 * spiral.ROLLS_A_TURN
    assert spiral.throw_rolls(turns)[1] != [2 * count for count in spiral.throw_rolls(turn)[1]]


def test_kept_rolls_are_a_million_of_each_and_near() -> None:
    assert {net: sum(counts) for net, counts in RECORD.rolls.items()} == dict.fromkeys(range(9), 1_000_000)
    assert measure_gap(RECORD.rolls) <= spiral.GAP_POINTS_MAX


def test_gap_is_the_largest_in_points() -> None:
    assert measure_gap({0: [10, 0, 0, 0, 0, 0], 1: [2, 1, 1, 1, 1, 0]}) == pytest.approx(100 / 6)


def test_kept_plays_are_near_what_is_computed_now() -> None:
    assert max(one.sigmas for one in RECORD.samples) <= spiral.SIGMAS_MAX
    for action in spiral.ACTION_DICE:
        for danger in spiral.DANGER_DICE:
            run = solve_run(DEFAULT_ORACLE, steady(action - danger))
            assert RECORD.find(f"checks: seed, {action} against {danger}").expected == float(run.checks)
    for habit in Habit:
        for number, day in enumerate(live(Life(spiral.DIFFERENCE, habit), spiral.DAYS), 1):
            kept = RECORD.find(f"conditions: {habit}, day {number}")
            assert kept.expected == pytest.approx(day.conditions)


def test_a_record_is_kept_and_read(tmp_path: Path) -> None:
    record = Record({0: [1, 0, 0, 0, 0, 0]}, [sample("a", [1, 3], Fraction(5, 2))])
    path = tmp_path / "spiral.json"
    write_record(record, path)
    assert read_record(path) == record
    (one,) = record.samples
    assert (one.number, one.mean, one.error, one.expected, one.sigmas) == (2, 2.0, 1.0, 2.5, 0.5)
    assert sample("b", [1, 1], 1).sigmas == 0
    assert sample("c", [1, 1], 2).sigmas == math.inf


def test_run_with_one_die_by_hand() -> None:
    # From none: 1 check, and again from none with 1/3 (a 6 or a 3), from one glitch with 1/3, where it ends.
    assert solve_run(DEFAULT_ORACLE, steady(1)) == Run(
        checks=Fraction(2), successes=Fraction(3, 4), conditions=Fraction(3, 4), flushed=Fraction(1, 2)
    )


def test_run_with_no_dice_is_one_botch() -> None:
    for more in (0, -3):
        assert solve_run(DEFAULT_ORACLE, steady(more)) == Run(
            Fraction(1), Fraction(0), Fraction(1), Fraction(0)
        )


def test_run_of_the_options_by_hand() -> None:
    assert solve_run(oracle_of(FLUSH_ON_BOTCH), steady(2)).checks == Fraction(68, 13)
    assert solve_run(oracle_of(FLUSH_ON_BOTCH), steady(4)).conditions == 1
    assert solve_run(oracle_of(CLEAN_FIVE), steady(1)).checks == Fraction(7, 3)


@pytest.mark.parametrize("prompt", [SEED, CLEAN_FIVE, FLUSH_ON_BOTCH])
def test_length_is_the_sum_of_what_still_runs(prompt: str) -> None:
    shares = running_after(oracle_of(prompt), steady(2), 80)
    assert shares[0] == 1
    assert shares == sorted(shares, reverse=True)
    assert float(sum(shares)) == pytest.approx(
        float(solve_run(oracle_of(prompt), steady(2)).checks), abs=1e-6
    )


def test_rates_of_a_long_campaign() -> None:
    run = Run(Fraction(4), Fraction(3), Fraction(1, 2), Fraction(1))
    assert (run.success_share, run.conditions_a_check) == (Fraction(3, 4), Fraction(1, 8))


def test_rules_that_never_flush_have_no_runs() -> None:
    with pytest.raises(ValueError, match="never flush"):
        solve_run(Oracle({face: OracleAnswer("Yes") for face in FACES}), steady(2))


def test_a_rule_with_a_fault_is_no_option() -> None:
    with pytest.raises(ValueError, match="flush_on"):
        oracle_of("---\nflush_on: never\n---\n")


def test_scattered_tags_are_all_the_ways_they_can_count() -> None:
    pools = scattered(6, 3, Fraction(1, 4))
    assert sum(pools.values()) == 1
    assert sum(more * share for more, share in pools.items()) == 1 + Fraction(3, 4)
    assert {more for more, share in scattered(6, 3, Fraction(0)).items() if share} == {1}
    assert {more for more, share in scattered(6, 3, Fraction(1)).items() if share} == {4}
    assert binomial(3, 1, Fraction(1, 2)) == Fraction(3, 8)


def test_glitches_move_as_the_answer_says() -> None:
    assert move_glitches((OracleEffect.ADD_GLITCH,), 2) == 3
    assert move_glitches((OracleEffect.ADD_GLITCH,), 12) == 12
    assert move_glitches((OracleEffect.REMOVE_GLITCH,), 2) == 1
    assert move_glitches((OracleEffect.REMOVE_GLITCH,), 0) == 0
    assert move_glitches((OracleEffect.FLUSH, OracleEffect.CONDITION), 2) == 0
    assert move_glitches((), 2) == 2


def test_morning_and_answers_by_habit() -> None:
    tired = Plight(glitches=1, conditions=2, resist=0)
    assert wake(tired, Habit.NONE) == wake(tired, Habit.GLITCHES) == Plight(1, 2, 2)
    assert wake(tired, Habit.CONDITIONS) == wake(tired, Habit.EITHER) == Plight(1, 1, 0)
    assert wake(Plight(1, 0, 0), Habit.EITHER) == Plight(1, 0, 2)
    assert suffer(Plight(1, 0, 2), Life(3, Habit.GLITCHES), 5) == Plight(1, 0, 1)
    assert suffer(Plight(1, 0, 2), Life(3, Habit.CONDITIONS), 5) == Plight(2, 0, 2)
    assert suffer(Plight(1, 0, 0), Life(3, Habit.EITHER), 4) == Plight(2, 0, 0)
    assert suffer(Plight(1, 8, 2), Life(3, Habit.EITHER), 1) == Plight(0, 8, 2)
    assert suffer(Plight(1, 0, 2), Life(3), 1) == Plight(0, 1, 2)


def test_days_come_to_the_rates_of_the_runs() -> None:
    # Where conditions bear on nothing, days are runs one after the other.
    *_, last = live(Life(2, conditions_bear=Fraction(0)), 12)
    run = solve_run(DEFAULT_ORACLE, steady(2))
    assert last.successes == pytest.approx(8 * float(run.success_share), abs=1e-9)


def test_first_check_of_a_day_by_hand() -> None:
    (day,) = live(Life(3, checks_a_day=1), 1)
    assert day.successes == pytest.approx(1 - 1 / 8)
    assert day.gained == day.conditions == pytest.approx(1 / 216)
    assert day.flushes == 0


def test_every_way_is_counted_once() -> None:
    certain = Oracle({face: OracleAnswer("Yes", (OracleEffect.CONDITION,)) for face in range(4, 7)} | {
        face: OracleAnswer("No", (OracleEffect.CONDITION,)) for face in range(1, 4)
    })  # fmt: skip
    days = list(live(Life(3, oracle=certain, checks_a_day=6), 2))
    assert [round(day.gained, 12) for day in days] == [6, 2]
    assert days[1].conditions == pytest.approx(8, abs=1e-12)


@pytest.mark.parametrize(
    ("prompt", "action", "danger"), [(SEED, 4, 1), (CLEAN_FIVE, 2, 0), (FLUSH_ON_BOTCH, 2, 0)]
)
def test_play_under_the_rules_keeps_to_the_chain(prompt: str, action: int, danger: int) -> None:
    print(f"secret {spiral.SECRET.hex()}")
    played = list(play_runs(action, danger, 60, spiral.SECRET, prompt))
    run = solve_run(oracle_of(prompt), steady(action - danger))
    assert sample("checks", [checks for checks, _ in played], run.checks).sigmas <= SIGMAS_MAX
    assert sample("successes", [won for _, won in played], run.successes).sigmas <= SIGMAS_MAX


@pytest.mark.parametrize("habit", Habit)
def test_played_days_keep_to_the_sums(habit: Habit) -> None:
    life = Life(3, habit)
    played = [list(play_life(life, 2, bytes([number]))) for number in range(20)]
    for number, day in enumerate(live(life, 2)):
        won = [days[number][0] for days in played]
        hurt = [days[number][1] for days in played]
        assert sample("successes", won, day.successes).sigmas <= SIGMAS_MAX
        assert sample("conditions", hurt, day.conditions).sigmas <= SIGMAS_MAX


@pytest.mark.parametrize(("prompt", "tick"), [(SEED, ClockTick.DAY), (HALF_DAY, ClockTick.HALF_DAY)])
def test_clocks_are_full_when_the_picture_says(prompt: str, tick: ClockTick) -> None:
    for size in (1, 2, 4, 12):
        assert fill_clock(size, prompt) == size * TICK_SEGMENTS[tick]
