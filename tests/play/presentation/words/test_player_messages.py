"""Messages: every phrase in both languages, with the same parts."""

import re

import pytest

from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import LANGUAGES, REASONS, activity, explain, say
from talewright.turn.turn_outcomes import OutcomeReason
from talewright.turn.turn_signals import Doing

PARTS = re.compile(r"\{(\w+)\}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_has_words(language: str) -> None:
    assert set(LANGUAGES[language]) == set(Phrase)
    assert all(LANGUAGES[language].values())


@pytest.mark.parametrize("phrase", Phrase)
def test_the_parts_of_a_phrase_are_the_same_in_every_language(phrase: Phrase) -> None:
    parts = {frozenset(PARTS.findall(words[phrase])) for words in LANGUAGES.values()}
    assert len(parts) == 1


def test_chinese_words_are_chinese() -> None:
    same = {phrase for phrase in Phrase if LANGUAGES["en"][phrase] == LANGUAGES["zh-CN"][phrase]}
    assert same == {Phrase.CHANGED, Phrase.GAINED, Phrase.LOST}


@pytest.mark.parametrize("reason", OutcomeReason)
def test_every_reason_is_explained(reason: OutcomeReason) -> None:
    english, chinese = explain("en", reason), explain("zh-CN", reason)
    assert english.endswith(".")
    assert chinese.endswith("。")
    assert explain("en", reason, "CNRY") == (
        f"{english} CNRY" if reason is OutcomeReason.NOT_ALLOWED else english
    )
    assert REASONS[reason].value == reason.value


@pytest.mark.parametrize("doing", Doing)
def test_every_activity_has_words(doing: Doing) -> None:
    assert activity("en", doing) != activity("zh-CN", doing)


def test_languages_are_found_by_their_beginning() -> None:
    assert [say(language, Phrase.YES) for language in ("zh", "zh-TW", "ZH-cn", "en", "fr", "")] == [
        "是",
        "是",
        "是",
        "yes",
        "yes",
        "yes",
    ]


def test_parts_are_filled_in() -> None:
    assert say("en", Phrase.WITHIN, value="{low}", low="1", high="2") == "{low} (1 to 2)"
