"""Messages: what is said for a reason, an activity or a number."""

import pytest

from talewright.common.word_catalogues import find_word, read_counted
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import (
    DOMAIN,
    REASONS,
    activity,
    explain,
    say,
    say_counted,
)
from talewright.turn.turn_outcomes import OutcomeReason
from talewright.turn.turn_signals import Doing


def _read(phrase: Phrase, language: str) -> str:
    # The first releases of Python 3.11 read a text with a form for each number only with a number.
    return find_word(DOMAIN, phrase, language) or read_counted(DOMAIN, phrase, language, 1)


def test_chinese_words_are_chinese() -> None:
    same = {phrase for phrase in Phrase if _read(phrase, "en") == _read(phrase, "zh-CN")}
    assert same == {Phrase.CHANGED, Phrase.GAINED, Phrase.LOST, Phrase.MEASURED}


@pytest.mark.parametrize(
    ("count", "told"), [(0, "0 hours"), (1, "1 hour"), (2, "2 hours"), (0.5, "0.5 hours")]
)
def test_a_number_of_hours(count: float, told: str) -> None:
    assert say_counted("en", Phrase.HOURS, count) == told
    assert say_counted("zh-CN", Phrase.HOURS, count) == told.partition(" ")[0] + " 小时"


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
