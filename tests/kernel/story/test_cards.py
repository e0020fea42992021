"""What a card and a status item are where the author says nothing."""

from talewright.kernel.story.cards import (
    Card,
    CardFormat,
    CriticalWhen,
    PromptWeight,
    StatusItem,
    StatusStyle,
)


def test_words_of_the_author() -> None:
    assert [word.value for word in CardFormat] == ["bar", "plain", "list", "chips", "keyvalue"]
    assert [word.value for word in PromptWeight] == ["high", "medium", "low", "hidden"]
    assert [word.value for word in StatusStyle] == ["meter", "text"]
    assert [word.value for word in CriticalWhen] == ["below", "above"]


def test_defaults() -> None:
    assert Card("hp") == Card("hp", True, 0, CardFormat.PLAIN, PromptWeight.MEDIUM, ())
    assert StatusItem("hp") == StatusItem("hp", StatusStyle.TEXT, True, None, CriticalWhen.BELOW)
