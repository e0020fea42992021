"""Rolls in words: what fell, what was needed, and nothing a system did not mean for everyone."""

from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.kernel.story.game_texts import Texts
from talewright.play.campaign_view import RollView, Viewer
from talewright.play.presentation.roll_wording import tell_rolls
from talewright.play.presentation.value_wording import Wording
from talewright.systems.spiral.words.chinese import CHINESE
from talewright.systems.spiral.words.english import ENGLISH
from talewright.systems.spiral.words.phrases import SpiralPhrases
from tests.kernel.making import make_game, make_layout

GAME = make_game(make_layout({}))

EN = Wording(Texts("en", {"climbing": "Climbing", "scene.a.b.word.1": "Yes, and..."}), "en")
ZH = Wording(Texts("zh-CN", {"scene.a.b.word.1": "是，而且……"}), "zh-CN")
DICE: Json = {"kind": "roll", "text": "2d6 (3, 4) = 7", "total": 7, "needed": 8, "success": False}
LADDER: Json = {
    "kind": "roll",
    "text": "2d6kh1 (3, 6) = 6",
    "total": 6,
    "success": True,
    "word": "scene.a.b.word.1",
}
TRIAL: dict[str, Json] = {
    "kind": "trial",
    "skill": "climbing",
    "difficulty": "hard",
    "value": 12,
    "p": 0.44,
    "rand": 0.2,
    "outcome": "success",
}


@pytest.mark.parametrize(
    ("roll", "told"),
    [
        (DICE, RollView("2d6 (3, 4) = 7, 8 or more needed: failure", 7, "2d6", (3, 4), "fail")),
        (LADDER, RollView("best of 2d6 (3, 6) = 6: Yes, and...", 6, "best of 2d6", (3, 6), "success")),
        ({"kind": "roll", "text": "d6", "success": False}, RollView("d6: failure", None, "", (), "fail")),
        (
            {"kind": "trial", "skill": "x", "success": True, "word": "CNRY"},
            RollView("x: success", None, "x", (), "success"),
        ),
        (TRIAL, RollView("Climbing, hard, 44% chance, 20 drawn: success", None, "Climbing", (), "success")),
        (
            {"kind": "trial", "skill": "x", "outcome": "blocked"},
            RollView("x: not possible", None, "x", (), "blocked"),
        ),
        (
            {"kind": "trial", "skill": "x", "outcome": "odd\x1b" + "d" * 90},
            RollView("x", None, "x", (), "odd" + "d" * 37),
        ),
        (
            {"kind": "trial", "skill": "x", "outcome": "odd", "success": True},
            RollView("x: success", None, "x", (), "success"),
        ),
        ({"kind": "call", "tool": "CNRY", "result": {"rolled": 4, "note": "CNRY"}}, RollView("4", 4)),
        ({"kind": "call", "result": {"text": "d6 = 4\x1b", "total": 4.5}}, RollView("d6 = 4", 4.5)),
    ],
)
def test_a_roll_is_told(roll: Json, told: RollView) -> None:
    (view,) = tell_rolls([roll], GAME, EN, Viewer.PLAYER)
    assert replace(view, chances=None, favor="", subject="", figures="", verdict="") == told
    assert (view.chances is not None) == (roll in (DICE, LADDER, TRIAL))


def test_a_check_is_told_in_parts_that_say_nothing_twice() -> None:
    attack: dict[str, Json] = {
        "kind": "call",
        "text": "Ann attacks, Club: 1d20 (14) + 2 = 16",
        "needed": 12,
        "outcome": "success",
    }
    attack |= {"total": 16, "dice": "1d20+2", "throws": [{"dice": [{"faces": [{"face": 14}]}]}]}
    stakes = {**TRIAL, "stakes": "the rope"}
    told = tell_rolls([attack, stakes], GAME, EN, Viewer.PLAYER)
    assert [(one.subject, one.figures, one.verdict, one.stakes) for one in told] == [
        ("Ann attacks, Club", "1d20 (14) + 2 = 16, 12 or more needed", "Success", ""),
        ("Climbing, hard", "20 drawn", "Success", "the rope"),
    ]
    odds = told[1].chances
    assert odds is not None
    assert (odds.success, odds.at, odds.text) == (0.44, 0.2, "44% chance of success")


@pytest.mark.parametrize(
    ("outcome", "shown", "words", "chinese"),
    [
        ("critical_success", "critical_success", "critical success", "大成功"),
        ("success", "success", "success", "成功"),
        ("partial_success", "partial_success", "partial success", "部分成功"),
        ("failure", "fail", "failure", "失败"),
        ("critical_failure", "critical_failure", "critical failure", "大失败"),
    ],
)
def test_degrees_of_success(outcome: str, shown: str, words: str, chinese: str) -> None:
    roll: Json = {"kind": "call", "result": {"text": "x", "outcome": outcome, "success": True}}
    favor = "bad" if "fail" in shown else "good"
    (english,), (chinese_view,) = (tell_rolls([roll], GAME, one, Viewer.PLAYER) for one in (EN, ZH))
    assert english == RollView(f"x: {words}", outcome=shown, favor=favor, verdict=words.capitalize())
    assert chinese_view == RollView(f"x：{chinese}", outcome=shown, favor=favor, verdict=chinese)


@pytest.mark.parametrize(
    ("words", "text", "botch"),
    [
        (ENGLISH, "4\u00a0action against 2\u00a0danger: {}. {}", "no dice left, a botch"),
        (CHINESE, "行动\u00a04 对危险\u00a02：{}。{}", "无骰可掷，大失手"),
    ],
)
def test_the_dice_of_the_spiral_are_named_once_and_come_to_the_highest(
    words: SpiralPhrases, text: str, botch: str
) -> None:
    dice, word = "2d6 (2, 5) = 5", "Yes, but..."
    told = words.rolled.format(action=4, danger=2, dice=dice, word=word)
    roll: Json = {"kind": "call", "result": {"highest": 5, "rolls": [2, 5], "outcome": word, "text": told}}
    view = RollView(text.format(dice, word), 5, "2d6", (2, 5), word)
    assert tell_rolls([roll], GAME, EN, Viewer.PLAYER) == (view,)
    told = words.rolled.format(action=4, danger=2, dice=words.no_dice, word=word)
    roll = {"kind": "call", "result": {"highest": 1, "rolls": [], "outcome": word, "text": told}}
    view = RollView(text.format(botch, word), 1, "", (), word)
    assert tell_rolls([roll], GAME, EN, Viewer.PLAYER) == (view,)


def test_trials_are_told_in_the_words_of_the_author() -> None:
    trial: Json = {
        "skill": "moving_quietly",
        "difficulty": "easy",
        "p": 0.9,
        "rand": 0.6358,
        "outcome": "fail",
    }
    texts = {"variable.player.skills.moving_quietly": "潜行", "value.odds.last.difficulty.easy": "容易"}
    (english,) = tell_rolls([trial], GAME, EN, Viewer.PLAYER)
    assert (english.text, english.pool) == (
        "moving quietly, easy, 90% chance, 63.58 drawn: failure",
        "moving quietly",
    )
    (chinese,) = tell_rolls([trial], GAME, Wording(Texts("zh-CN", texts), "zh-CN"), Viewer.PLAYER)
    assert (chinese.text, chinese.pool) == ("潜行、容易、成功率 90%、抽到 63.58：失败", "潜行")
    blocked: Json = {"skill": "prayer", "p": 0, "rand": None, "outcome": "blocked"}
    assert tell_rolls([blocked], GAME, EN, Viewer.PLAYER)[0].text == "prayer: not possible"


def test_rolls_are_told_in_chinese() -> None:
    assert tell_rolls([DICE], GAME, ZH, Viewer.PLAYER)[0].text == "2d6 (3, 4) = 7，需要 8 或以上：失败"
    assert tell_rolls([LADDER], GAME, ZH, Viewer.PLAYER)[0].text == "2d6 取最高 (3, 6) = 6：是，而且……"


@pytest.mark.parametrize(
    "roll",
    [
        "nothing",
        {"kind": "call", "tool": "CNRY", "result": {"secret": "CNRY"}},
        {"kind": "call", "result": "CNRY"},
        {"kind": "roll", "text": "", "total": True},
    ],
)
def test_what_is_not_known_is_not_told(roll: Json) -> None:
    assert tell_rolls([roll], GAME, EN, Viewer.AUTHOR) == ()


@pytest.mark.parametrize(
    "roll",
    [{"text": "d20 = 3", "total": 3, "hidden": True}, {"result": {"text": "d20 = 3", "hidden": True}}],
)
def test_hidden_rolls_are_not_for_players(roll: Json) -> None:
    assert tell_rolls([roll], GAME, EN, Viewer.PLAYER) == ()
    (seen,) = tell_rolls([roll], GAME, EN, Viewer.MASTER)
    assert seen.text == "d20 = 3 (hidden from the player)"
