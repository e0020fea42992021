"""Rendered letters: what is left of markup for whoever sees it rendered."""

import pytest

from talewright.common.letter_folding import ENTITY_LENGTH_MAX, RenderedLetters, has_markup


def render(text: str) -> str:
    reader, letters, before = RenderedLetters(), "", ""
    for sign in text:
        step = reader.read(sign)
        if step.begins_word:
            before = letters
        if step.drops_word:
            letters = before
        letters += step.letters
    return letters + reader.finish().letters


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("The key", "thekey"),
        ("<b>The</b> <i class='x'>key</i><!-- no --><br/>", "thekey"),
        ("3 < 4, a <3 b", "ab"),
        ("[The](https://x.y/z) ![key](z 'title')", "thekey"),
        ("[The][ref] key", "thekey"),
        ("a] (b)", "a"),
        ("&#84;he&nbsp;k&eacute;y", "thekey"),
        ("Tom & Ann; b&b", "tornannbb"),
        (f"&{'x' * ENTITY_LENGTH_MAX}", "x" * ENTITY_LENGTH_MAX),
        ("end &am", "endarn"),
        ("1. The\n2) key\n10: no", "thekeyno"),
        ("- a) The\n> (b) key\niii. no", "thekeyno"),
        ("一、守灯人\n十二、把", "守灯人把"),
        ("The a) key b) no", "thekeyno"),
        # Words that are no numbers stay.
        ("Then: the key", "thenthekey"),
        ("key a.", "keya"),
        ("① The ２ key", "thekey"),
        ("", ""),
    ],
)
def test_markup_is_not_read(text: str, letters: str) -> None:
    assert render(text) == letters


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        *(("The key.", False), ("*The* `key`, (again)", False), ("Then: the", False)),
        *(("<b>", True), ("&", True), ("x]", True), ("7", True), ("a) The", True), ("The b) key", True)),
        *(("x\nNo. Never", True), ("\n- a: b", True), ("一、守", True)),
    ],
)
def test_markup_is_noticed(text: str, marked: bool) -> None:
    assert has_markup(text) is marked


def test_what_may_yet_be_letters_is_open() -> None:
    reader = RenderedLetters()
    for sign, is_open in (("a", False), ("&", True), ("#", True), ("8", True), (";", False)):
        reader.read(sign)
        assert reader.is_open is is_open
