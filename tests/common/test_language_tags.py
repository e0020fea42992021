"""Which language a tag means, and that all words are picked alike."""

from collections.abc import Callable, Mapping

import pytest

from talewright.bootstrap.model_chooser import model_chooser_words
from talewright.common.language_tags import normalize_tag, pick_language, pick_told_language, pick_words
from talewright.common.word_catalogues import pick_interface_language
from talewright.contract.cards.cards_instructions import _choose as choose_cards_words
from talewright.contract.patch.patch_instructions import _choose as choose_patch_words
from talewright.contract.tools.tools_instructions import tool_rules
from talewright.faces.plain.plain_words import words_for
from talewright.faces.tui.key_bindings import HELP
from talewright.faces.tui.words.history_words import history_words
from talewright.faces.tui.words.lobby_words import lobby_words
from talewright.faces.tui.words.setup_words import setup_words
from talewright.faces.tui.words.shared_words import shared_words
from talewright.faces.tui.words.table_words import table_words
from talewright.llm.provider import Trouble, word_trouble
from talewright.play.export.campaign_story import ExportedStory, StoryWord
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import say
from talewright.prompt.words import PHRASES
from talewright.systems.odds.odds_phrases import odds_phrases_in
from talewright.systems.spiral.spiral_system import spiral_phrases_in
from talewright.systems.world.time_words import world_phrases_in


@pytest.mark.parametrize(("tag", "folded"), [("zh-CN", "zh-cn"), ("zh_Hant_TW", "zh-hant-tw"), ("", "")])
def test_tags_are_compared_in_lower_case_with_hyphens(tag: str, folded: str) -> None:
    assert normalize_tag(tag) == folded


@pytest.mark.parametrize(
    ("wanted", "offered", "picked"),
    [
        ("en", ("zh-CN", "en"), "en"),
        ("EN", ("en-GB", "en"), "en"),
        ("zh_cn", ("zh", "zh-CN"), "zh-CN"),
        ("en-gb", ("en-GB", "EN-gb"), "en-GB"),
        ("EN-gb", ("en-GB", "EN-gb"), "EN-gb"),
        ("zh-Hant-TW", ("zh", "zh-Hans", "zh-Hant"), "zh-Hant"),
        ("zh-Hant-TW", ("zh-CN", "zh"), "zh"),
        ("en-US", ("zh-CN", "en-GB"), "en-GB"),
        ("zh", ("en", "zh-TW", "zh-CN"), "zh-TW"),
        ("zh-Hans-CN", ("en", "zh-CN"), "zh-CN"),
        ("zha", ("en", "zh-CN"), ""),
        ("de", ("zh-CN", "en"), ""),
        ("de", (), ""),
        ("", ("zh-CN", "en"), ""),
        ("", ("",), ""),
        ("-", ("-x", ""), ""),
    ],
)
def test_the_nearest_language_is_picked(wanted: str, offered: tuple[str, ...], picked: str) -> None:
    assert pick_language(wanted, offered) == picked
    assert pick_language(wanted, offered, "la") == (picked or "la")


@pytest.mark.parametrize(("wanted", "words"), [("zh", 2), ("EN_us", 1), ("fr", 1), ("", 1)])
def test_the_first_words_stand_in_for_every_other_language(wanted: str, words: int) -> None:
    assert pick_words(wanted, {"en": 1, "zh-CN": 2}) == words


@pytest.mark.parametrize(
    ("wanted", "offered", "told"),
    [
        ("zh-TW", ("en", "zh-CN"), "zh-CN"),
        ("de-DE", ("zh-CN", "en"), "en"),
        ("", ("zh-CN", "en-GB"), "en-GB"),
        ("de-DE", ("zh-CN", "ja"), "zh-CN"),
        ("de-DE", (), ""),
    ],
)
def test_who_is_not_served_is_told_in_english(wanted: str, offered: tuple[str, ...], told: str) -> None:
    assert pick_told_language(wanted, offered) == told


def close(language: str) -> Mapping[str, str]:
    story = ExportedStory("", language, "", "", "", ())
    return {word: story.word(word, number=1, text="") for word in StoryWord}


PICKED: Mapping[str, Callable[[str], object]] = {
    "model chooser": model_chooser_words,
    "cards": choose_cards_words,
    "patch": choose_patch_words,
    "tools": tool_rules,
    "plain face": words_for,
    "keys": HELP.does,
    "bar": HELP.short,
    "history": history_words,
    "lobby": lobby_words,
    "setup": setup_words,
    "shared": shared_words,
    "spoken": pick_interface_language,
    "table": table_words,
    "trouble": lambda language: word_trouble(Trouble.KEY, language),
    "export": close,
    "player": lambda language: say(language, Phrase.UNMATCHED),
    "prompt": lambda language: pick_words(language, PHRASES),
    "odds": odds_phrases_in,
    "spiral": spiral_phrases_in,
    "world": world_phrases_in,
}


@pytest.mark.parametrize("pick", PICKED.values(), ids=PICKED.keys())
def test_all_words_are_picked_alike(pick: Callable[[str], object]) -> None:
    english, chinese = pick("en"), pick("zh-CN")
    assert english != chinese
    assert all(pick(tag) == chinese for tag in ("zh", "zh-cn", "ZH_cn", "zh-Hans-CN", "zh-TW"))
    assert all(pick(tag) == english for tag in ("EN", "en_GB", "fr", "zha", ""))
