"""Letter folding: what counts of a text, and what it weighs."""

import random

import pytest

from talewright.common.confusables_table import CONFUSABLES_DAY, CONFUSABLES_VERSION, LOOK_ALIKES
from talewright.common.letter_folding import (
    LOOK_ALIKES_ADDED,
    SIGNS_KEPT_MAX,
    cut_stretches,
    find_end,
    fold,
    fold_signs,
    weigh_letters,
)
from tools.confusables import read_list, write_table


@pytest.mark.parametrize(
    ("sign", "folded"),
    [
        *(
            ("A", "a"),
            ("Ａ", "a"),
            ("é", "e"),
            ("ß", "ss"),
            ("ﬁ", "fi"),
            ("Ⅳ", "iv"),
            ("ø", "o"),
            ("æ", "ae"),
        ),
        # Look-alikes: Cyrillic, Greek, small capitals, signs in boxes.
        *(("а", "a"), ("Т", "t"), ("т", "t"), ("ѕ", "s"), ("Ν", "n"), ("ν", "v"), ("ᴛ", "t"), ("🅃", "t")),
        *(("🅣", "t"), ("🇹", "t"), ("𝐭", "t"), ("ⓣ", "t"), ("ǀ", "i"), ("Ӏ", "i")),
        # Of ASCII itself.
        *(("l", "i"), ("I", "i"), ("1", "i"), ("0", "o"), ("m", "rn"), ("7", "7")),
        # What is not read.
        *(
            (" ", ""),
            ("\n", ""),
            ("\u3000", ""),
            ("\u200b", ""),
            ("\u00ad", ""),
            ("\u202e", ""),
            ("\x1b", ""),
        ),
        *(("\ud800", ""), ("\u20dd", ""), ("\u0301", ""), ("\u3164", ""), ("\uffa0", ""), ("\u115f", "")),
        *(("\u2800", ""), ("\u180e", ""), ("\U000e0041", ""), ("\ufe0f", ""), ("ʼ", "")),
        *(("*", ""), ("_", ""), ("`", ""), (",", ""), ("，", ""), ("…", ""), ("|", ""), ("#", ""), ("—", "")),
        *(("井", "井"), ("⼈", "人"), ("士", "土"), ("が", "か"), ("д", "д")),
    ],
)
def test_a_sign_is_folded(sign: str, folded: str) -> None:
    assert fold(sign) == folded


def test_folding_pieces_is_folding_the_whole() -> None:
    rng = random.Random(5)
    for number in range(200):
        text = "".join(rng.choice("aAé ß\n*\u200b井。ﬁ'\u2019-аm") for _ in range(30))
        at = rng.randrange(30)
        assert fold(text[:at]) + fold(text[at:]) == fold(text) == "".join(fold_signs(text)), (
            f"seed 5, {number}"
        )


def test_more_characters_than_are_kept_are_folded_all_the_same() -> None:
    signs = "".join(map(chr, range(0x3400, 0x3400 + SIGNS_KEPT_MAX + 5_000)))
    assert fold(signs) == fold(signs)
    assert fold("Ａ") == "a"


def test_letters_are_weighed() -> None:
    assert [weigh_letters(text) for text in ("", "abc", "井", "井a", "か", "\U00020001", "\uac00")] == [
        *(0, 6, 5, 7, 2, 5, 2),
    ]
    # A cuneiform letter stands between two blocks of Chinese characters.
    assert weigh_letters("\U00012000") == 2


@pytest.mark.parametrize(
    "letters", ["", "abcdefghijklm", "井底井底井底", "a井b底c井d底", "abcdefghijk井", "井abcdefghijk"]
)
def test_stretches_are_the_shortest_that_weigh_enough(letters: str) -> None:
    for weight in (2, 5, 10, 24):
        expected = []
        for start in range(len(letters)):
            ends = [e for e in range(start, len(letters) + 1) if weigh_letters(letters[start:e]) >= weight]
            assert find_end(letters, start, weight) == (ends[0] if ends else len(letters) + 1)
            expected += [(start, ends[0])] if ends else []
        assert list(cut_stretches(letters, weight)) == expected


def test_the_table_is_dated_and_small() -> None:
    assert (CONFUSABLES_VERSION, CONFUSABLES_DAY) == ("17.0.0", "2025-07-22")
    assert 1_000 < len(LOOK_ALIKES) < 3_000
    assert not any(sign.isascii() for sign in LOOK_ALIKES)


def test_the_table_is_written_from_unicodes_list() -> None:
    listed = (
        "# Date: 2025-07-22, 05:49:37 GMT\n# Version: 17.0.0\n"
        "0422 ;\t0054 ;\tMA\t# CYRILLIC CAPITAL LETTER TE\n"
        "0441 ;\t0063 ;\tMA\t# CYRILLIC SMALL LETTER ES\n"
        "02BC ;\t0027 ;\tMA\t# MODIFIER LETTER APOSTROPHE\n"
        "2223 ;\t006C ;\tMA\t# DIVIDES\n"
        "0434 ;\t0436 ;\tMA\t# read as no letter of ASCII\n"
    )
    read = read_list(listed)
    # The small letter goes with the capital, and the other way.
    assert [read.get(sign) for sign in "Ттсʼ∣дС"] == ["t", "t", "c", "", None, None, "c"]
    table = write_table(listed)
    assert 'CONFUSABLES_DAY = "2025-07-22"' in table
    assert "\nc:" in table


def test_added_look_alikes_are_not_in_the_generated_table() -> None:
    assert not LOOK_ALIKES_ADDED.keys() & LOOK_ALIKES.keys()
    assert all(len(letter) == 1 for letter in LOOK_ALIKES_ADDED)
    assert {letter: fold(letter) for letter in LOOK_ALIKES_ADDED} == {
        letter: fold(read) for letter, read in LOOK_ALIKES_ADDED.items()
    }
