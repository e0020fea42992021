"""Keys: words of their own, in scripts with blanks and without."""

import pytest

from talewright.prompt.lore.lore_selection import SearchedPassage

WHOLE = [
    ("Ann", "I ask Ann.", True),
    ("Ann", "I planned it.", False),
    ("Ann", "the planner, then Ann", True),
    ("ann", "ANN!", True),
    ("forty marks", "Forty  marks", False),
    ("forty marks", "all forty marks.", True),
    ("bell", "bells", False),
    ("bell", "_bell", False),
    ("bell", "bell-rope", True),
    ("第十四条", "章程第十四条说", True),
    ("北堤", "他去了北堤公司", True),
    ("ABC", "用ABC公司的船", True),
    ("ABC", "用XABC公司", False),
    ("港A", "雾港A座", True),
    ("港A", "雾港AB座", False),
    ("하늘", "하늘이 맑다", True),
    ("café", "cafe\u0301 noir", True),
    ("cafe", "cafe\u0301 noir", False),
    ("cafe", "cafés", False),
    ("straße", "STRASSE", True),
    (" bell ", "a bell", True),
    ("C++", "in C++ then", True),
    ("鸟", "一只鸟飞过", True),
    ("x", "no such letter here", False),
    ("toolong", "to", False),
    ("", "anything", False),
    (" ", "any thing", False),
]


@pytest.mark.parametrize(("key", "text", "found"), WHOLE)
def test_a_key_is_a_word_of_its_own(key: str, text: str, found: bool) -> None:
    assert SearchedPassage(text).find([key], whole_words=True, case_sensitive=False) == (key if found else "")


def test_a_part_of_a_word_where_the_author_says_so() -> None:
    assert SearchedPassage("He coughed").find(["cough"], whole_words=False, case_sensitive=False) == "cough"
    assert SearchedPassage("He coughed").find(["cough"], whole_words=True, case_sensitive=False) == ""


def test_capitals_where_they_matter() -> None:
    passage = SearchedPassage("The Winter came in winter")
    assert passage.find(["Winter"], whole_words=True, case_sensitive=True) == "Winter"
    assert passage.find(["WINTER"], whole_words=True, case_sensitive=True) == ""
    assert passage.find(["WINTER"], whole_words=True, case_sensitive=False) == "WINTER"


def test_the_first_of_several() -> None:
    passage = SearchedPassage("a heron on a bridge")
    assert passage.find(["toll", "bridge", "heron"], whole_words=True, case_sensitive=False) == "bridge"
    assert SearchedPassage("").find(["toll"], whole_words=True, case_sensitive=False) == ""


def test_patterns() -> None:
    passage = SearchedPassage("He owes 40 marks")
    assert passage.match([r"\d+ coins", r"\d+ marks"], case_sensitive=False) == r"\d+ marks"
    assert passage.match(["OWES"], case_sensitive=False) == "OWES"
    assert passage.match(["OWES"], case_sensitive=True) == ""
    # What is no pattern never occurs.
    assert passage.match(["(", "(?=H)"], case_sensitive=False) == ""
