"""Words are counted alike in languages with spaces and without."""

import pytest

from talewright.contract.patch.dialect import count_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        (" ... -- !", 0),
        ("You wait.", 2),
        ("You don't re-enter; it’s 10 o'clock", 6),
        ("你", 1),
        ("你等", 1),
        ("你等着", 2),
        ("你等着，天亮了。", 3),
        ("你说 hello 了", 3),
        ("カタカナ", 2),
        ("\U00020000\U0003fffd", 1),
        ("\u3400\u4dbf\uf900\ufaff", 2),
        ("한국어 말", 2),
    ],
)
def test_words(text: str, words: int) -> None:
    assert count_words(text) == words
