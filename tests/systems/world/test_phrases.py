"""The world's phrases fit everybody: nobody is called he, she or they."""

import dataclasses
import re
from collections.abc import Iterator

import pytest

from talewright.systems.world.words.chinese import CHINESE
from talewright.systems.world.words.english import ENGLISH
from talewright.systems.world.words.phrases import WorldPhrases

PRONOUN = re.compile(r"\b(he|she|they|his|her|hers|him|them|their|theirs)\b|[他她]", re.IGNORECASE)

TOLD_TO_PLAYERS = (
    "arrive",
    "wait_told",
    "see",
    "see_nobody",
    "says",
    "says_heard",
    "nothing_new",
    "new_face",
)


def wordings(phrases: WorldPhrases) -> Iterator[str]:
    for field in dataclasses.fields(phrases):
        if field.name in TOLD_TO_PLAYERS:
            value = getattr(phrases, field.name)
            yield from (value,) if isinstance(value, str) else value


@pytest.mark.parametrize("phrases", [ENGLISH, CHINESE], ids=["en", "zh-CN"])
def test_nobody_is_called_by_a_pronoun(phrases: WorldPhrases) -> None:
    told = list(wordings(phrases))
    assert len(told) > len(TOLD_TO_PLAYERS)
    assert [text for text in told if PRONOUN.search(text)] == []
