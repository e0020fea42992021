"""What a card and a status item are where the author says nothing."""

from talewright.kernel.cards import Card, CriticalWhen, Format, PromptWeight, StatusItem, Style


def test_words_of_the_author() -> None:
    assert [word.value for word in Format] == ["bar", "plain", "list", "chips", "keyvalue"]
    assert [word.value for word in PromptWeight] == ["high", "medium", "low", "hidden"]
    assert [word.value for word in Style] == ["meter", "text"]
    assert [word.value for word in CriticalWhen] == ["below", "above"]


def test_defaults() -> None:
    assert Card("hp") == Card("hp", True, 0, Format.PLAIN, PromptWeight.MEDIUM, ())
    assert StatusItem("hp") == StatusItem("hp", Style.TEXT, True, None, CriticalWhen.BELOW)
