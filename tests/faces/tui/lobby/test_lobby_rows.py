"""Rows of the lobby."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from talewright.faces.tui.lobby.lobby_rows import draw_campaign, draw_game, name_language, tell_cost
from talewright.faces.tui.words.lobby_words import lobby_words
from talewright.play.lobby import CampaignDetails, CampaignInfo, GameInfo

ENGLISH = lobby_words("en")
CHINESE = lobby_words("zh-CN")

NOW = datetime(2031, 1, 3, 12, tzinfo=UTC)
GAME = GameInfo("mist", "Mist Harbor", ("zh-CN", "fr"), "shipped", "noir", 20)
INFO = CampaignInfo("mist-1", "mist", "Mist Harbor", "en", "2031-01-02T10:00:00Z")
DETAILS = CampaignDetails("mist-1", 12, "The door closes.", "llama3.2", 1.234, 900)


def test_game_with_all_it_can_say() -> None:
    assert draw_game(GAME, ENGLISH).plain.split("\n") == [
        "Mist Harbor",
        "about 20 turns · noir",
        "no model needed · 中文 · fr",
    ]


def test_game_says_what_it_is_about() -> None:
    game = replace(GAME, description="Find out who pulled the switch.")
    assert draw_game(game, ENGLISH).plain.split("\n")[:2] == [
        "Mist Harbor",
        "Find out who pulled the switch.",
    ]


def test_where_lines_are_few_a_game_says_what_it_is_about_and_what_it_needs() -> None:
    game = replace(GAME, description="Find out who pulled the switch.")
    assert draw_game(game, ENGLISH, spare=True).plain == "Mist Harbor\nFind out who pulled the switch."
    needy = replace(game, needs_model=True)
    assert draw_game(needy, ENGLISH, spare=True).plain.startswith("Mist Harbor · needs a model\n")
    assert draw_game(GAME, ENGLISH, spare=True) == draw_game(GAME, ENGLISH)


def test_game_that_says_little() -> None:
    game = GameInfo("x", "X", ("en",), needs_model=True)
    assert draw_game(game, CHINESE).plain == "X\n需要模型 · English"


def test_campaign_before_its_details_come() -> None:
    assert draw_campaign(INFO, None, ENGLISH, NOW).plain == "Mist Harbor · mist-1 · yesterday\n\n..."


def test_campaign_with_its_details() -> None:
    assert draw_campaign(INFO, DETAILS, ENGLISH, NOW).plain.split("\n")[1:] == [
        "The door closes.",
        "turn 12 · llama3.2 · $1.23 so far",
    ]


def test_last_line_is_words_without_signs() -> None:
    details = replace(DETAILS, last="> The **door** closes.")
    assert draw_campaign(INFO, details, ENGLISH, NOW).plain.split("\n")[1] == "The door closes."


def test_campaign_that_scenes_tell_and_that_was_won() -> None:
    details = CampaignDetails("mist-1", 20, "The end.", "", None, 0, "win")
    assert draw_campaign(INFO, details, ENGLISH, NOW).plain.endswith("turn 20 · won · written scenes")


def test_damaged_campaign_says_what_to_do() -> None:
    drawn = draw_campaign(replace(INFO, damaged=True), None, ENGLISH, NOW).plain
    assert "! damaged · Rebuild it: talewright saves recover mist-1" in drawn


def test_campaign_whose_details_cannot_be_read() -> None:
    assert "! details cannot be read · no game" in draw_campaign(INFO, None, ENGLISH, NOW, "no game").plain


@pytest.mark.parametrize(
    ("dollars", "model", "told"),
    [
        (None, "m", ""),
        (0.0, "m", "free"),
        (0.0, "", ""),
        (0.0099, "m", "under $0.01 so far"),
        (0.01, "m", "$0.01 so far"),
        (12.345, "m", "$12.35 so far"),
    ],
)
def test_cost(dollars: float | None, model: str, told: str) -> None:
    assert tell_cost(CampaignDetails("a", model=model, dollars=dollars), ENGLISH) == told


def test_language_is_named_by_its_speakers() -> None:
    assert [name_language(code) for code in ("en", "zh-CN", "x\x1by")] == ["English", "中文", "xy"]
    assert [name_language(code) for code in ("EN", "zh_cn", "en-GB")] == ["English", "中文", "en-GB"]


def test_nothing_hostile_comes_through() -> None:
    hostile = "[red]\x1b]8;;x\x07\u202e\nsecond"
    drawn = draw_campaign(
        replace(INFO, title=hostile, name=hostile, at=hostile),
        CampaignDetails("a", 1, hostile, hostile),
        ENGLISH,
        NOW,
    )
    assert drawn.plain.count("\n") == 2
    assert not set(drawn.plain) & set("\x1b\x07\u202e")
    assert "[red]" in drawn.plain
