"""Runs of hidden texts: how characters are folded, where runs begin and end, and what is kept ready."""

import random

import pytest

from talewright.contract.text.leak_guard import (
    LAYER_RUNS_MIN,
    LAYERS_KEPT_MAX,
    LONG_LENGTH,
    RUN_LENGTH,
    RUN_LETTERS_MIN,
    HiddenRuns,
    fold,
    fold_text,
    holds_run,
    keep_layer,
)

SECRET = "The chaplain buried the second key under the third flagstone, counted from the well."
WIDE = "守灯人把第二把钥匙埋在从井边数起的第三块石板底下，谁也不知道。"
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
    runs = HiddenRuns([SECRET])
    assert (RUN_LENGTH, RUN_LETTERS_MIN) == (40, 8)
    assert (LONG_LENGTH, LAYER_RUNS_MIN, LAYERS_KEPT_MAX) == (500, 400, 32)
    first = fold_text(SECRET[:40])
    assert runs.begin_like("")
    assert runs.begin_like("thechap")
    assert runs.begin_like(first)
    assert not runs.begin_like("thechapx")
    assert not runs.begin_like("zz")
    assert runs.end(f"he says: {first}") == {fold_text(SECRET[1:41]), first}
    assert runs.end(first[:-1]) == runs.end(f"{first}!") == runs.end("") == set()
    assert runs.shortest == min(len(fold_text(SECRET[at : at + 40])) for at in range(len(SECRET) - 39))


def test_where_one_run_is_the_end_of_another_both_are_found() -> None:
    # The same letters once with blanks between them and once without.
    close, wide = "abcdefghij" * 4, " ".join("efghijabcdefghijabcd")
    runs = HiddenRuns([close, f"{wide} "])
    assert runs.end(close) == {close}
    assert runs.end("abcdefghijabcdefghijabcd" + "efghijabcdefghijabcd") == {fold_text(wide)}
    assert runs.end("x" + close[:20] + "efghijabcdefghijabcd") == {fold_text(wide)}
    assert HiddenRuns([close, " ".join(close[-20:]) + " "]).end(close) == {close, close[-20:]}


def test_what_is_too_short_or_says_nothing_has_no_runs() -> None:
    for text in ("", SECRET[:39], " " * 60, "_" * 60, "a" + " " * 40 + "b", "a " * 7 + " " * 40):
        runs = HiddenRuns([text])
        assert runs.shortest == 0, text
        assert not runs.begin_like("")
        assert runs.end("a" * 50) == set()
        assert runs.layers == ()
    eight = "abcdefgh".ljust(40)
    assert HiddenRuns([eight]).shortest == 8
    assert HiddenRuns([eight.replace("h", " ")]).shortest == 0


def test_controls_are_not_counted() -> None:
    assert HiddenRuns(["\x07".join(SECRET[:39])]).shortest == 0
    assert HiddenRuns(["\x07".join(SECRET[:40])]).end(fold_text(SECRET[:40]))


def test_a_run_of_wide_characters_is_half_as_long() -> None:
    runs = HiddenRuns([WIDE])
    assert runs.shortest == 20
    assert runs.end(WIDE[:20]) == {WIDE[:20]}
    assert runs.end(WIDE[:19]) == set()
    assert runs.end(WIDE[1:21]) == {WIDE[1:21]}
    assert HiddenRuns([WIDE[:19]]).shortest == 0
    assert HiddenRuns([WIDE[:20]]).shortest == 20


@pytest.mark.parametrize(
    ("text", "run"),
    [
        (WIDE[:19] + "ab", WIDE[:19] + "ab"),
        (WIDE[:10] + "abcdefghijklmnopqrst", WIDE[:10] + "abcdefghijklmnopqrst"),
        # The last one is too heavy and belongs to it all the same.
        ("a" + WIDE[:20], "a" + WIDE[:20]),
        (SECRET[:39] + "井", fold_text(SECRET[:39]) + "井"),
        # They are weighed before they are folded.
        ("Ａ" * 20, "a" * 20),
        (WIDE[:8] + "\u3000" * 12, WIDE[:8]),
    ],
)
def test_a_run_may_be_mixed(text: str, run: str) -> None:
    assert run in HiddenRuns([text]).end(fold_text(text))
    assert HiddenRuns([text[:-1]]).end(fold_text(text)[: len(run) - 1]) == set()


def test_letters_of_a_wide_run_are_counted_and_not_weighed() -> None:
    assert HiddenRuns([WIDE[:7] + "\u3000" * 33]).shortest == 0
    assert HiddenRuns([WIDE[:8] + "\u3000" * 32]).shortest == 8


@pytest.mark.parametrize(
    ("text", "long"),
    [
        *((SECRET[:39], False), (SECRET[:40], True), (SECRET, True), ("", False)),
        *((WIDE[:19], False), (WIDE[:20], True), (WIDE[:19] + "a", False), (WIDE[:19] + "ab", True)),
        *(("a" * 38 + "井", True), ("a" * 37 + "井", False)),
    ],
)
def test_a_text_holds_a_run_where_it_weighs_enough(text: str, long: bool) -> None:
    assert holds_run(text) is long


def count_layers(runs: HiddenRuns) -> list[int]:
    return [len(layer.ordered) for layer in runs.layers]


def test_runs_go_on_from_others() -> None:
    before = HiddenRuns([SECRET])
    other = "q" * 45
    both = HiddenRuns([other], before.layers)
    assert both.end(fold_text(SECRET[:40])) == before.end(fold_text(SECRET[:40])) != set()
    assert both.end(other[:40]) == {other[:40]}
    assert before.end(other[:40]) == set()
    assert both.begin_like("thechap")
    assert both.begin_like("qqq")
    assert both.shortest == before.shortest
    assert HiddenRuns([], before.layers).end(fold_text(SECRET[:40]))
    assert HiddenRuns(["q" * 40], HiddenRuns(["ab" + " " * 32 + "cdefgh"]).layers).shortest == 8


def make_text(length: int, seed: int) -> str:
    """A text in which no run is like another."""
    return "".join(random.Random(seed).choices("abcdefghijklmnopqrstuvwxyz", k=length))


def test_a_long_text_has_a_layer_of_its_own_that_is_kept() -> None:
    longer, long, short = make_text(501, 1), make_text(500, 2), make_text(499, 3)
    runs = HiddenRuns([short, long, SECRET, longer])
    assert count_layers(runs) == [462, 461, 504]
    assert runs.layers[0] is keep_layer((longer,))
    assert runs.layers[1] is keep_layer((long,))
    for text in (longer, long, short, LETTERS):
        assert runs.begin_like(text[5:35])
        assert runs.end(text[5:45])
    assert not runs.begin_like(longer[-39:])
    assert count_layers(HiddenRuns([long, long, " " * 500], runs.layers)) == [504, 462, 461]


def test_the_shortest_run_is_that_of_all_layers() -> None:
    wide = "".join(random.Random(1).choices(WIDE, k=600))
    for texts in ([wide, make_text(500, 2)], [make_text(700, 1), wide], [make_text(500, 2), wide, WIDE]):
        runs = HiddenRuns(texts)
        assert len(runs.layers) == len(texts)
        assert runs.shortest == 20


def test_short_texts_share_a_layer_until_it_is_full() -> None:
    first = HiddenRuns([make_text(399, 4)])
    assert count_layers(first) == [360]
    second = HiddenRuns([make_text(78, 5)], first.layers)
    assert count_layers(second) == [399]
    third = HiddenRuns([make_text(40, 6)], second.layers)
    assert count_layers(third) == [400]
    fourth = HiddenRuns([make_text(41, 7)], third.layers)
    assert count_layers(fourth) == [400, 2]
    # The smallest is the one that takes more.
    fifth = HiddenRuns([make_text(900, 8), make_text(42, 9)], fourth.layers)
    assert count_layers(fifth) == [861, 400, 5]
    assert fifth.layers[1] is third.layers[0]
    for seed, length in ((4, 399), (5, 78), (6, 40), (7, 41), (8, 900), (9, 42)):
        text = make_text(length, seed)
        assert fifth.end(text) == {text[-40:]}
    assert HiddenRuns([], fifth.layers).layers == fifth.layers
    assert fifth.shortest == 40


def test_runs_of_standing_texts_are_kept_in_one_layer() -> None:
    texts = (make_text(600, 1), make_text(700, 2), SECRET)
    layer = keep_layer(texts)
    assert layer is keep_layer(texts)
    assert count_layers(HiddenRuns([], [layer])) == [561 + 661 + 44]
    assert layer.ordered == tuple(sorted(layer.ordered))
    assert layer.lengths == tuple(sorted({len(run) for run in layer.ordered}))
    assert (keep_layer(()).ordered, keep_layer(()).lengths) == ((), ())
    assert HiddenRuns([], [keep_layer(())]).layers == ()
    assert keep_layer.cache_info().maxsize == LAYERS_KEPT_MAX


def test_folding_pieces_is_folding_the_whole() -> None:
    rng = random.Random(5)
    signs = "aAé ß\n*\u200b井。ﬁ'\u2019-"
    for number in range(200):
        text = "".join(rng.choice(signs) for _ in range(30))
        at = rng.randrange(30)
        assert fold_text(text[:at]) + fold_text(text[at:]) == fold_text(text), f"seed 5, number {number}"
