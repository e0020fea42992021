"""Sentences: a narration that was cut off ends with its last whole sentence."""

import pytest

from talewright.contract.text.sentences import keep_whole_sentences


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("You wait. Fog comes in. The bell ri", "You wait. Fog comes in."),
        ("You wait! Who is there? The be", "You wait! Who is there?"),
        ("You wait.", "You wait."),
        ("你等着。雾来了！钟声还没", "你等着。雾来了！"),
        ("他说：“进来。”你走进去，", "他说：“进来。”"),
        ('"Come in." She steps aside. "The t', '"Come in." She steps aside.'),
        # A quotation that stays open is no good end, as long as there is another.
        ("He looks up from the book. “Sit down. The boat", "He looks up from the book."),
        ("“Sit down. The boat leaves at nine. The fog", "“Sit down. The boat leaves at nine."),
        ("You meet a tall man. Mr. Hale and Dr. Sy", "You meet a tall man."),
        ("It costs a lot of money, 3.5 crowns. You p", "It costs a lot of money, 3.5 crowns."),
        ("There are two ways out of here:\n1. the roof and\n2. the cel", ""),
        ("You wait… and wait… The fog", "You wait… and wait…"),
        ("**The bell rings.** *You turn.* The", "**The bell rings.** *You turn.*"),
        ("You wait. Then the fog comes in over the harbour wall and nobody can be seen any", ""),
        ("The fog", ""),
        ("", ""),
    ],
)
def test_the_last_whole_sentence_is_the_end(text: str, kept: str) -> None:
    assert keep_whole_sentences(text) == kept
