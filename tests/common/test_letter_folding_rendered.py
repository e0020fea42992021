"""Rendered letters: what is left of markup for whoever sees it rendered."""

import pytest

from talewright.common.letter_folding import (
    ENTITY_LENGTH_MAX,
    LEET,
    RenderedLetters,
    fold,
    has_markup,
    is_masked,
    list_alphabet,
)


def render(text: str, alphabet: frozenset[str] | None = None) -> str:
    reader, letters, before = RenderedLetters(alphabet), "", ""
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


KANA = list_alphabet(fold("データの中"))


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        *(("th3 k3y", "thekey"), ("7#3 k€¥", "tekey"), ("$3cr37 ro0m", "secretroorn")),
        *(("8i9 6ate 2oo", "biggatezoo"), ("ᵗh³ k③y", "thekey"), ("ki||ed", "kiiied")),
        *(("bur!ed", "buried"), ("bur!!ed", "buried"), ("Stop! He", "stophe")),
        # List numbers are no letters.
        *(("1. th3\n2. k3y", "thekey"), ("<b>th3</b> k3y", "thekey")),
        # Neither are letters of other scripts.
        *(("tˌhˌe", "the"), ("tᐧhᐧe", "the"), ("tーhーe", "the"), ("tжhжe", "the"), ("tノhノe", "the")),
        *(("守ー灯丶人", "守灯人"), ("守ノ灯", "守灯"), ("ñandú", "nandu"), ("ДОМ", "orn"), ("", "")),
    ],
)
def test_a_masked_text_is_unmasked(text: str, letters: str) -> None:
    assert render(text, frozenset()) == letters
    assert is_masked(text, frozenset()) or render(text, frozenset()) == render(text)


def test_letters_that_hidden_texts_have_are_read() -> None:
    assert {"ー", "の"} < KANA
    assert render("データˌのˌ中", KANA) == fold("データの中")
    assert render("のˌ中ー", frozenset()) == "中"
    assert list_alphabet("thekey井") == frozenset()


def test_plain_text_is_not_masked() -> None:
    for text in ("The key!", "Wait! No!! Never.", "Un café à l'été.", "守灯人，你好！", "a-b_c (d) *e*", ""):
        assert not is_masked(text, frozenset()), text
    for text in ("k3y", "$", "bur!ed", "tˌh", "ー", "丶"):
        assert is_masked(text, frozenset()), text
    assert all(len(sign) == 1 for sign in (*LEET, *LEET.values()))
