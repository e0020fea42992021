from dataclasses import replace
from pathlib import Path

import pytest

from talewright.contract.cards.cards_instructions import PLACES_LISTED_MAX, cards_demand, cards_rules
from talewright.kernel.judging.rulings import Flaw
from talewright.kernel.story.endings import Outcome, Route
from tests.contract.cards_making import make_ground, make_well
from tests.kernel.making import integer, make_ending, make_game, make_layout

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"

FLAWS = (Flaw("`choices` is missing"), Flaw("`end` is wrong"))


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_rules_are_as_they_were(language: str) -> None:
    snapshot = (SNAPSHOTS / f"cards_rules.{language}.txt").read_text(encoding="utf-8")
    assert cards_rules(make_well(), language) == snapshot


def test_every_other_language_has_english_rules() -> None:
    assert cards_rules(make_well(), "fi") == cards_rules(make_well(), "en")
    assert cards_rules(make_well(), "zh-TW") == cards_rules(make_well(), "zh-CN")


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_secret_slots_are_not_named(language: str) -> None:
    rules = cards_rules(make_well(), language)
    assert "flags.plot: boolean" in rules
    for name in ("doom", "Ahti", "fate", "_engine", "key"):
        assert name not in rules


def test_endings_are_named_where_the_model_may_end() -> None:
    layout = make_layout({"hp": integer(80)})
    route = Route("burn", "ashes", Outcome.WIN)
    endings = [
        make_ending(layout, "dead", "hp <= 0"),
        make_ending(
            layout,
            "finale",
            "hp > 90",
            Outcome.WIN,
            route,
            replace(route, id="again"),
            Route("x", "dead", Outcome.LOSE),
        ),
    ]
    closed = make_game(layout, endings=endings)
    opened = make_game(layout, endings=endings, model_may_end=True)
    never = make_game(layout, model_may_end=True)
    english = (
        "\n- end: is_game_over is true only when the story is over; then ending_id names the ending and "
        "choices may be []. The endings: dead, ashes.\n"
    )
    assert english in cards_rules(opened, "en")
    chinese = (
        "\n- end：只有故事真正结束时 is_game_over 才为 true；此时 ending_id 写结局的 id，choices 可为 []。"
        "结局有：dead, ashes。\n"
    )
    assert chinese in cards_rules(opened, "zh-CN")
    for game in (closed, never):
        assert "- end: leave is_game_over false; the engine ends the game" in cards_rules(game, "en")
        assert "- end：is_game_over 保持 false；条件满足时由引擎结束游戏。\n" in cards_rules(game, "zh-CN")
        assert "ashes" not in cards_rules(game, "en")


def test_game_without_places_takes_no_updates() -> None:
    game = make_game(make_layout({"a": replace(integer(), readonly=True)}))
    told = "conditions hold.\n\nNothing in the state is yours to change: state_updates is always [].\n"
    assert cards_rules(game, "en").endswith(told)
    told = "由引擎结束游戏。\n\n状态里没有可由你改变的内容：state_updates 永远是 []。\n"
    assert cards_rules(game, "zh-CN").endswith(told)


def test_only_so_many_places_are_listed() -> None:
    assert PLACES_LISTED_MAX == 150
    for count, end in (
        (150, "- v149: integer\n"),
        (151, "- v149: integer\n... and 1 more, named as the state names them.\n"),
        (152, "- v149: integer\n... and 2 more, named as the state names them.\n"),
    ):
        game = make_game(make_layout({f"v{number}": integer() for number in range(count)}))
        assert cards_rules(game, "en").endswith(end)
    assert cards_rules(game, "zh-CN").endswith("- v149: integer\n……另有 2 处，路径与状态中的名称相同。\n")


def test_demand_is_whole_or_for_the_updates_alone() -> None:
    ground = make_ground()
    head = "Your last answer could not be used:\n- `choices` is missing\n- `end` is wrong\n"
    assert cards_demand(FLAWS, ground) == head + (
        "Answer with the whole JSON object, with all its members. Nothing but the JSON object."
    )
    assert cards_demand(FLAWS, replace(ground, updates_only=True)) == head + (
        "Your narration stands and has been shown; do not tell it again. Answer with a JSON object that has "
        'only "state_updates" and "choices": all updates the narration needs, also those that were right, '
        "and 3 to 6 choices. Nothing but the JSON object."
    )
    assert cards_demand(FLAWS, replace(ground, moves_only=True)) == head + (
        'Answer with a JSON object that has only "state_updates" and "end": what should change, '
        "without any narration. Nothing but the JSON object."
    )


def test_demand_is_made_in_chinese_too() -> None:
    ground = make_ground(language="zh-CN")
    head = "你上一次的回答无法使用：\n- `choices` is missing\n- `end` is wrong\n"
    assert cards_demand(FLAWS, ground) == head + (
        "请输出完整的 JSON 对象，所有字段都要有。除 JSON 对象外什么都不要写。"
    )
    assert cards_demand(FLAWS, replace(ground, updates_only=True)) == head + (
        "你的叙事有效，已经展示给玩家，不要重写。只输出一个 JSON 对象，"
        '其中只有 "state_updates" 和 "choices"：'
        "这段叙事需要的全部更新（原先正确的也要写上），以及 3 到 6 个选项。除 JSON 对象外什么都不要写。"
    )
    assert cards_demand(FLAWS, replace(ground, moves_only=True)) == head + (
        '请只输出一个 JSON 对象，其中只有 "state_updates" 和 "end"：写应当改变什么，不写叙事。'
        "除 JSON 对象外什么都不要写。"
    )
