"""Clipping: a beginning that ends well."""

import pytest

from talewright.llm.token_estimate import estimate_tokens
from talewright.prompt.token_budget import MORE, clip, first_sentence

PARAGRAPHS = "One two three four five. Six seven eight.\n\nNine ten eleven. Twelve thirteen fourteen fifteen."


def test_what_fits_is_left_alone() -> None:
    assert clip(PARAGRAPHS, estimate_tokens(PARAGRAPHS)) == PARAGRAPHS
    assert clip("", 0) == ""


@pytest.mark.parametrize("tokens", range(estimate_tokens(PARAGRAPHS)))
def test_what_is_clipped_fits_and_is_the_beginning(tokens: int) -> None:
    clipped = clip(PARAGRAPHS, tokens)
    assert estimate_tokens(clipped) <= max(tokens, 1)
    assert clipped == "" or clipped.endswith(MORE)
    assert PARAGRAPHS.startswith(clipped.removesuffix(MORE))


def test_a_text_ends_with_a_paragraph_a_sentence_or_a_word() -> None:
    assert clip(PARAGRAPHS, 17) == "One two three four five. Six seven eight...."
    assert clip("One two three. Four five six seven eight nine ten eleven.", 7) == "One two three...."
    assert clip("one two three four five six seven eight nine ten", 8) == "one two three four five..."
    assert clip("雾从门缝里进来。灯暗了一下，谁也没抬头，只有他。", 16) == "雾从门缝里进来。..."
    assert clip("雾从门缝里进来先坐下再看你，灯暗了一下谁也没抬头", 18) == "雾从门缝里进来先坐下再看你，..."
    assert clip("雾从门缝里进来先坐下再看你灯暗了一下谁也没抬头", 12).startswith("雾从门缝里进来")


def test_no_room_for_anything() -> None:
    assert clip("Something long enough not to fit", 1) == ""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("He nods. Then he goes.", "He nods."),
        ("  He\n nods! Then", "He nods!"),
        ("No end", "No end"),
        ("", ""),
        ("At 3.15 he nods. Then", "At 3.15 he nods."),
        ("他点头。然后走了。", "他点头。"),
        ("“走吧。”他说。", "“走吧。”"),
        ("Really?! Yes.", "Really?!"),
    ],
)
def test_the_first_sentence(text: str, sentence: str) -> None:
    assert first_sentence(text, 100) == sentence


def test_a_sentence_no_longer_than_that() -> None:
    assert first_sentence("one two three four", 10) == "one two..."
    assert len(first_sentence("x" * 50, 20)) == 20
