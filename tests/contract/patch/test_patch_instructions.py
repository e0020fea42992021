"""The words of the patch dialect: the same bytes each time, and an example that its own reader takes."""

import pytest

from talewright.contract.patch.dialect import PatchDialect
from talewright.contract.patch.patch_instructions import patch_demand, patch_rules
from talewright.kernel.judging.rulings import Flaw
from talewright.llm.reply_chunks import Stop, StopReason, Text
from tests.contract.chapel import Trying, chapel, ground, trying

FIRST = '{"op":"test","path":"/version","value":12}'
LAST = '{"op":"replace","path":"/version","value":13}'


@pytest.mark.parametrize(
    ("language", "prose"), [("en", "You kneel by the pew."), ("zh-CN", "你在长椅旁跪下。")]
)
@pytest.mark.parametrize("draws", [False, True])
def test_example_is_a_good_answer(language: str, prose: str, draws: bool) -> None:
    game = chapel(Trying()) if draws else chapel()
    rules = patch_rules(game, language)
    assert rules == patch_rules(game, language)
    example = rules[rules.index(prose) :].replace("copper_coin", "silver_coin")
    reader = PatchDialect().reader(trying())
    told = reader.feed(Text(example)) + reader.feed(Stop(StopReason.END))
    answer = reader.finish()
    assert answer.flaws == ()
    assert told.startswith(prose)
    assert len(answer.moves) == (3 if draws else 2)
    assert answer.operation_id == "find-coin-7f3"
    assert [len(answer.choices), len(answer.events)] == [2, 1]


@pytest.mark.parametrize(
    ("language", "mechanics", "steps", "inventories"),
    [
        ("en", "The engine draws rand", "Each turn has two steps.", "A list whose things have id and qty"),
        ("zh-CN", "rand 由引擎抽取", "每回合分两步。", "元素带有 id 和 qty 的列表是物品栏"),
    ],
)
def test_rules_say_what_the_game_has(language: str, mechanics: str, steps: str, inventories: str) -> None:
    plain = patch_rules(chapel(plan="moves_first"), language)
    assert mechanics not in plain
    assert steps not in plain
    assert '"mechanics"' not in plain
    # Nothing stands in the place of what is left out.
    assert f"\n{inventories}" in plain
    drawn = patch_rules(chapel(Trying()), language)
    assert mechanics in drawn
    assert steps not in drawn
    both = patch_rules(chapel(Trying(), plan="moves_first"), language)
    assert drawn.startswith(plain.partition("next_actions")[0])
    assert mechanics in both
    assert steps in both
    for text in (plain, drawn, both):
        assert text.startswith("# ")
        assert "[INVENTORY_INDEX_BY_ID]" in text
        assert text.endswith("```\n")


def test_rules_in_other_languages_are_english() -> None:
    assert patch_rules(chapel(), "fr") == patch_rules(chapel(), "en")
    assert patch_rules(chapel(), "zh") == patch_rules(chapel(), "zh-CN")


def test_demand_names_the_flaws_and_what_is_wanted() -> None:
    flaws = (Flaw("a is wrong"), Flaw("b is wrong"))
    assert patch_demand(flaws, ground()) == (
        "Your last answer could not be used:\n- a is wrong\n- b is wrong\n"
        "Answer in full: the narration, then exactly one final ```json block. base_version is 12; the patch "
        f"begins with {FIRST} and ends with {LAST}."
    )
    assert patch_demand(flaws, ground(language="zh-CN")) == (
        "你上一次的回答无法使用：\n- a is wrong\n- b is wrong\n"
        "请完整回答：先叙事，再以唯一一个 ```json 代码块收尾。base_version 是 12；"
        f"patch 以 {FIRST} 开头，以 {LAST} 结束。"
    )


def test_demand_without_flaws_is_what_is_wanted() -> None:
    assert patch_demand((), ground(updates_only=True)) == (
        "The narration stands and has been shown; do not tell it again. Answer with the whole ```json block "
        f"alone. base_version is 12; the patch begins with {FIRST} and ends with {LAST}."
    )
    assert patch_demand((), ground(updates_only=True, language="zh-CN")) == (
        "叙事有效，已经展示给玩家，不要重写。只输出完整的 ```json 代码块。base_version 是 12；"
        f"patch 以 {FIRST} 开头，以 {LAST} 结束。"
    )
    assert patch_demand((), ground(moves_only=True)) == (
        'Answer with one ```json block alone and no narration: {"mechanics": {"skill_used": "...", '
        '"difficulty": "..."}}, or {"mechanics": null} where nothing can go wrong.'
    )
    assert patch_demand((), ground(moves_only=True, language="zh-CN")) == (
        '只输出一个 ```json 代码块，不写叙事：{"mechanics": {"skill_used": "...", "difficulty": "..."}}，'
        '没有什么会失败时写 {"mechanics": null}。'
    )
