"""The page of the spiral: its pictures are what the code draws, its numbers what the code computes."""

import itertools
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bench.spirals import options
from bench.spirals.chain import solve_run, steady
from bench.spirals.days import Habit, Life, live
from bench.spirals.drawing import Bar, Line, Panel, draw_bars, draw_chart
from bench.spirals.page import TABLES
from bench.spirals.pictures import FOLDER, PICTURES, draw_all
from bench.spirals.records import Record, measure_gap, read_record
from talewright.systems.spiral.oracle import DEFAULT_ORACLE
from talewright.systems.spiral.rulebook import (
    ClockTick,
    CompanionDice,
    ConditionsEndedBy,
    SpiralRulebook,
    TagRelevance,
    read_rulebook,
)

PAGE = (Path(__file__).parents[2] / "docs" / "play" / "spiral.md").read_text(encoding="utf-8")
RECORD = read_record()
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(("name", "draw"), PICTURES.items(), ids=PICTURES.keys())
def test_picture_is_what_the_code_draws(name: str, draw: Callable[[Record], str]) -> None:
    drawn = draw(RECORD)
    assert (FOLDER / name).read_text(encoding="utf-8") == drawn, "run `python -m bench spiral`"
    assert ElementTree.fromstring(drawn).tag == f"{SVG}svg"
    assert f"(../pictures/{name})" in PAGE


def test_no_picture_is_left_over() -> None:
    assert sorted(path.name for path in FOLDER.glob("spiral-*")) == sorted(PICTURES)


def test_all_pictures_are_written(tmp_path: Path) -> None:
    draw_all(RECORD, tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        name: (FOLDER / name).read_bytes() for name in PICTURES
    }


@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table.__name__))
def test_table_is_what_the_code_computes(table: Callable[[], list[str]]) -> None:
    assert "\n".join(table()) in PAGE, "run `python -m bench.spirals.page` and copy it"


def test_rules_on_the_page_are_the_rules_of_the_curves() -> None:
    shown = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert [read_rulebook(text)[1] for text in shown] == [()] * 6
    assert {options.CLEAN_FIVE, options.FLUSH_ON_BOTCH, options.HALF_DAY, options.TOLD} < set(shown)
    found = [read_rulebook(text)[0] for text in shown]
    plain = SpiralRulebook()
    assert [rules.relevance for rules in found if rules.relevance != plain.relevance] == [
        TagRelevance.GENEROUS
    ]
    assert [rules.tick for rules in found if rules.tick != plain.tick] == [ClockTick.HALF_DAY]
    assert [rules.companion_dice for rules in found if rules.companion_dice != plain.companion_dice] == [
        CompanionDice.TOLD
    ]
    assert [rules.conditions for rules in found if rules.conditions != plain.conditions] == [
        ConditionsEndedBy.STORY
    ]


def test_sentences_of_the_page_are_true() -> None:
    assert measure_gap(RECORD.rolls) <= 0.09
    lengths = [solve_run(DEFAULT_ORACLE, steady(more)) for more in range(6)]
    for run, longer in itertools.pairwise(lengths):
        assert 1.7 <= longer.checks / run.checks <= 2
    assert all(run.conditions > 0.5 for run in lengths)
    never = list(live(Life(3, Habit.NONE), 10))
    assert (round(never[0].successes), round(never[-1].successes)) == (6, 2)
    for difference, is_held in ((3, False), (4, True)):
        *_, before, last = live(Life(difference, Habit.EITHER), 10)
        assert (last.conditions - before.conditions < 0.01) is is_held
    clean = options.oracle_of(options.CLEAN_FIVE)
    assert solve_run(clean, steady(5)).checks > 100
    two, clean_two = lengths[2], solve_run(clean, steady(2))
    assert (f"{float(clean_two.checks):.1f}", f"{float(two.checks):.1f}") == ("5.2", "3.7")
    assert 0.5 <= clean_two.conditions_a_check / two.conditions_a_check <= 0.6
    botch = solve_run(options.oracle_of(options.FLUSH_ON_BOTCH), steady(3))
    assert botch.checks > lengths[3].checks
    assert botch.success_share < lengths[3].success_share


def test_points_stand_where_the_scale_says() -> None:
    panel = Panel("t", "x", (0, 10), (1, 100), [], is_log=True)
    assert (panel.x(0), panel.x(5), panel.x(10)) == (0, 125, 250)
    assert panel.y(10) == pytest.approx(95)
    assert (Panel("t", "x", (0, 1), (0, 4), []).y(1), panel.y(100)) == (142.5, 0)


def test_chart_escapes_names_and_breaks_its_legend() -> None:
    lines = [Line(f"a rather long name, <{number}>", [(0, 0), (1, 1)]) for number in range(3)]
    drawn = draw_chart("a & b", [Panel("p", "x", (0, 1), (0, 1), lines, marks=[(0.5, "here")])])
    texts = [text.text for text in ElementTree.fromstring(drawn).iter(f"{SVG}text")]
    assert texts[:4] == ["a & b", *(f"a rather long name, <{number}>" for number in range(3))]
    assert "here" in texts
    assert "dots: played" not in texts
    heights = {text.get("y") for text in ElementTree.fromstring(drawn).iter(f"{SVG}text")}
    assert {"46", "66", "86"} <= heights


def test_bars_write_only_parts_that_have_room() -> None:
    drawn = draw_bars("t", "x", list("abcde"), [Bar("one", (0.0, 0.01, 0.04, 0.45, 0.5), (0.5,))])
    texts = [text.text for text in ElementTree.fromstring(drawn).iter(f"{SVG}text")]
    assert [text for text in texts if text in {"0.0", "1.0", "4.0", "45.0", "50.0"}] == ["45.0", "50.0"]
