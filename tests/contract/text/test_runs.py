"""Runs of hidden texts: how characters are folded, where runs begin and end, and what is kept ready."""

import random

import pytest

from talewright.contract.text.runs import (
    RUN_LENGTH,
    RUN_LETTERS_MIN,
    RUNS_KEPT_MAX,
    Runs,
    fold,
    fold_text,
    keep_runs,
)

SECRET = "The chaplain buried the second key under the third flagstone, counted from the well."
LETTERS = "thechaplainburiedthesecondkeyunderthethirdflagstone,countedfromthewell."


def test_a_text_is_folded_to_what_counts_of_it() -> None:
    assert fold_text(SECRET) == LETTERS
    assert fold_text("") == ""


@pytest.mark.parametrize(
    ("sign", "folded"),
    [
        ("A", "a"),
        ("Ａ", "a"),
        ("é", "e"),
        ("\u0301", ""),
        ("ß", "ss"),
        ("ﬁ", "fi"),
        ("…", "..."),
        ("Ⅳ", "iv"),
        (" ", ""),
        ("\n", ""),
        ("\u3000", ""),
        ("\u200b", ""),
        ("\u00ad", ""),
        ("\u202e", ""),
        ("\x1b", ""),
        ("\ud800", ""),
        ("\u20dd", ""),
        ("*", ""),
        ("_", ""),
        ("~", ""),
        ("\u2019", "'"),
        ("\u201c", '"'),
        ("\u2014", "-"),
        ("井", "井"),
        ("，", ","),
        ("7", "7"),
        ("#", "#"),
    ],
)
def test_a_sign_is_folded(sign: str, folded: str) -> None:
    assert fold(sign) == folded


def test_runs_are_forty_characters_of_the_text_whatever_is_left_of_them() -> None:
    runs = Runs([SECRET])
    assert (RUN_LENGTH, RUN_LETTERS_MIN, RUNS_KEPT_MAX) == (40, 8, 16)
    first = fold_text(SECRET[:40])
    assert runs.begin_like("")
    assert runs.begin_like("thechap")
    assert runs.begin_like(first)
    assert not runs.begin_like("thechapx")
    assert not runs.begin_like("zz")
    assert runs.end(f"he says: {first}") == [fold_text(SECRET[1:41]), first]
    assert runs.end(first[:-1]) == []
    assert runs.end(f"{first}!") == []
    assert runs.shortest == min(len(fold_text(SECRET[at : at + 40])) for at in range(len(SECRET) - 39))


def test_where_one_run_is_the_end_of_another_both_are_found() -> None:
    # The same letters once with blanks between them and once without.
    close, wide = "abcdefghij" * 4, " ".join("efghijabcdefghijabcd")
    runs = Runs([close, f"{wide} "])
    assert runs.end(close) == [close]
    assert runs.end("abcdefghijabcdefghijabcd" + "efghijabcdefghijabcd") == [fold_text(wide)]
    assert runs.end("x" + close[:20] + "efghijabcdefghijabcd")[0] == fold_text(wide)


def test_what_is_too_short_or_says_nothing_has_no_runs() -> None:
    for text in ("", SECRET[:39], " " * 60, "_" * 60, "a" + " " * 40 + "b", "a " * 7 + " " * 40):
        runs = Runs([text])
        assert runs.shortest == 0, text
        assert not runs.begin_like("")
        assert runs.end("a" * 50) == []
    eight = "abcdefgh".ljust(40)
    assert Runs([eight]).shortest == 8
    assert Runs([eight.replace("h", " ")]).shortest == 0


def test_controls_are_not_counted() -> None:
    assert Runs(["\x07".join(SECRET[:39])]).shortest == 0
    assert Runs(["\x07".join(SECRET[:40])]).end(fold_text(SECRET[:40]))


def test_runs_go_on_from_others() -> None:
    before = Runs([SECRET])
    other = "q" * 45
    both = Runs([other], before)
    assert both.end(fold_text(SECRET[:40])) == before.end(fold_text(SECRET[:40])) != []
    assert both.end(other[:40]) == [other[:40]]
    assert before.end(other[:40]) == []
    assert both.begin_like("thechap")
    assert both.begin_like("qqq")
    assert both.shortest == before.shortest
    assert Runs([], before).end(fold_text(SECRET[:40]))
    assert Runs(["q" * 40], Runs(["ab" + " " * 32 + "cdefgh"])).shortest == 8


def test_runs_of_standing_texts_are_kept() -> None:
    assert keep_runs((SECRET,)) is keep_runs((SECRET,))
    assert keep_runs(()).shortest == 0


def test_folding_pieces_is_folding_the_whole() -> None:
    rng = random.Random(5)
    signs = "aAé ß\n*\u200b井。ﬁ'\u2019-"
    for number in range(200):
        text = "".join(rng.choice(signs) for _ in range(30))
        at = rng.randrange(30)
        assert fold_text(text[:at]) + fold_text(text[at:]) == fold_text(text), f"seed 5, number {number}"
