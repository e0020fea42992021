"""Dice in words: the notation of the kernel as players say it, in both languages."""

import re

import pytest

from talewright.kernel.chance import Fate
from talewright.kernel.dice.dice_parser import parse
from talewright.kernel.dice.dice_rolls import roll
from talewright.kernel.story.game_texts import Texts
from talewright.play.campaign_view import Viewer
from talewright.play.presentation.dice_wording import TEXT_LENGTH_MAX, word_pools, word_throws
from talewright.play.presentation.roll_wording import tell_rolls
from talewright.play.presentation.value_wording import Wording
from tests.kernel.making import make_game, make_layout

GAME = make_game(make_layout({}))

EN, ZH = Wording(Texts("en"), "en"), Wording(Texts("zh-CN"), "zh-CN")


@pytest.mark.parametrize(
    ("told", "english", "chinese"),
    [
        (
            "3d6kh1 (5, 4 dropped, 1 dropped) = 5",
            "best of 3d6 (5; not counted: 4, 1) = 5",
            "3d6 取最高 (5；不计 4, 1) = 5",
        ),
        (
            "2d6ro<3 (2 rerolled to 4, 3) = 7",
            "2d6, rerolling 2 or less (2 rerolled to 4, 3) = 7",
            "2d6，2 或以下 重掷 (2 重掷得 4, 3) = 7",
        ),
        (
            "2d6mi3 (1 as 3, 5) = 8",
            "2d6, each at least 3 (1 as 3, 5) = 8",
            "2d6，每个至少算 3 (1 算作 3, 5) = 8",
        ),
        (
            "2d10s>=8 (9 counts, 2) = 1",
            "2d10, counting 8 or more (9 counts, 2) = 1",
            "2d10，只数 8 或以上 (9 计中, 2) = 1",
        ),
        (
            "2d6e kl1 ((6 then 2) dropped, 3) = 3",
            "worst of 2d6, exploding on 6 (3; not counted: (6 then 2)) = 3",
            "2d6，6 加掷 取最低 (3；不计 (6 再掷得 2)) = 3",
        ),
        ("2d6 (3, 4) = 7", "2d6 (3, 4) = 7", "2d6 (3, 4) = 7"),
        *(
            (words, words, words)
            for words in ("The guard dropped his lamp (as he does).", "d6 (1 dropped)" * TEXT_LENGTH_MAX)
        ),
    ],
)
def test_a_throw_is_told_in_the_language_of_the_viewer(told: str, english: str, chinese: str) -> None:
    assert word_throws(told, EN) == english
    assert word_throws(told, ZH) == chinese


@pytest.mark.parametrize(
    ("pool", "english", "chinese"),
    [
        ("4d6kh3 + 1", "best 3 of 4d6 + 1", "4d6 取最高 3 个 + 1"),
        ("4d6 KL 2", "worst 2 of 4d6", "4d6 取最低 2 个"),
        ("d20adv", "best of 2d20", "2d20 取最高"),
        ("d20dis - 1", "worst of 2d20 - 1", "2d20 取最低 - 1"),
        ("4d6dh", "4d6 without the highest", "4d6 去掉最高"),
        ("5d6ph2", "5d6 without the highest 2", "5d6 去掉最高 2 个"),
        ("4d6pl1", "4d6 without the lowest", "4d6 去掉最低"),
        ("5d6dl2", "5d6 without the lowest 2", "5d6 去掉最低 2 个"),
        ("3d6ro1", "3d6, rerolling 1", "3d6，1 重掷"),
        ("3d10e>8", "3d10, exploding on 9 or more", "3d10，9 或以上 加掷"),
        ("2d%!", "2d%, exploding on 100", "2d%，100 加掷"),
        ("4dFe", "4dF, exploding on +1", "4dF，+1 加掷"),
        ("6d10s<=2", "6d10, counting 2 or less", "6d10，只数 2 或以下"),
        ("3d6ma5", "3d6, each at most 5", "3d6，每个至多算 5"),
        ("2d6 [d6 extra] + 3", "2d6 [d6 extra] + 3", "2d6 [d6 extra] + 3"),
        ("d6 stealth", "d6 stealth", "d6 stealth"),
        ("d6kh1" * TEXT_LENGTH_MAX, "d6kh1" * TEXT_LENGTH_MAX, "d6kh1" * TEXT_LENGTH_MAX),
    ],
)
def test_the_rules_of_a_pool_are_words(pool: str, english: str, chinese: str) -> None:
    assert word_pools(pool, EN) == english
    assert word_pools(pool, ZH) == chinese


RULES = (
    *("kh2", "kl1", "dh1", "pl2", " kh 2", "ro1", "ro<3", "e", "!>=5", "s>=4", "mi2", "ma5"),
    *("ekl2", "ro1e6dl1"),
)


@pytest.mark.parametrize("rule", RULES)
def test_nothing_of_the_notation_is_left(rule: str) -> None:
    for seed in range(20):
        rolled = roll(parse(f"4d6{rule} + 1"), Fate(b"dice", seed))
        for wording in (EN, ZH):
            (view,) = tell_rolls([{**rolled.to_json(), "text": str(rolled)}], GAME, wording, Viewer.PLAYER)
            for told in (view.text, view.pool):
                assert "4d6" in told, seed
                assert not re.search(r"dropped|d6 ?[a-z!]+ ?\d|d6[a-z!<>=]", told), seed
