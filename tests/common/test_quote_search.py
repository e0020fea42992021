"""The quote search: what is a quotation, what is known, and how it is taken out."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talewright.common import quote_search
from talewright.common.letter_folding import fold, weigh_letters
from talewright.common.quote_search import (
    LAYERS_KEPT_MAX,
    PLACES_MAX,
    QuoteIndex,
    QuoteSearch,
    QuoteTally,
    fold_all,
    keep_layer,
    take_out,
)

SECRET = "The chaplain buried the second key under the third flagstone, counted from the well."
WIDE = "守灯人把第二把钥匙埋在从井边数起的第三块石板底下，谁也不知道。"


def search(text: str, *hidden: str, known: str = "", size: int = 1_000_000) -> tuple[int, int] | None:
    looking = QuoteSearch(QuoteIndex(hidden), lambda: fold(known))
    for at in range(0, len(text), size):
        looking.feed(text[at : at + size])
    looking.finish()
    return looking.quoted


@pytest.mark.parametrize("size", [1, 3, 7, 1_000])
def test_twenty_letters_or_eight_of_chinese_are_a_quotation(size: int) -> None:
    letters = "thechaplainburiedthes"
    assert search(f"A: {letters[:20]}!", SECRET, size=size) == (3, 23)
    assert search(f"A: {letters[:19]}!", SECRET, size=size) is None
    assert search(f"他说：{WIDE[3:11]}。", WIDE, size=size) == (3, 11)
    assert search(f"他说：{WIDE[3:10]}。", WIDE, size=size) is None
    assert search("第二把钥匙key埋在", "第二把钥匙key埋在这里", size=size) == (0, 10)


@pytest.mark.parametrize("size", [1, 1_000])
def test_half_of_a_sentence_in_pieces_is_a_quotation_in_any_order(size: int) -> None:
    pieces = [SECRET[at : at + 15] for at in range(0, len(SECRET), 15)]
    assert search(" xx ".join(pieces), SECRET, size=size)
    assert search(" xx ".join(reversed(pieces)), SECRET, size=size)
    # Two of six are not half, and eleven letters are no piece.
    assert search(" xx ".join(pieces[:2]), SECRET, size=size) is None
    assert search(" xx ".join(SECRET[at : at + 11] for at in range(0, len(SECRET), 11)), SECRET) is None
    wide = [WIDE[at : at + 5] for at in range(0, 30, 5)]
    assert search("，风，".join(reversed(wide)), WIDE, size=size)
    assert search("，风，".join(wide[:2]), WIDE, size=size) is None
    assert search("，风，".join(WIDE[at : at + 4] for at in range(0, 30, 4)), WIDE) is None


def test_a_half_is_that_of_one_sentence() -> None:
    other = "Nobody has ever asked who pays the ferryman in the winter months, or why he comes."
    pieces = " xx ".join((SECRET[:15], other[:18], SECRET[19:34], other[40:55]))
    assert search(pieces, f"{SECRET} {other}") is None
    assert search(f"{pieces} yy {SECRET[46:62]}", f"{SECRET} {other}")


def test_the_same_piece_twice_counts_once() -> None:
    assert search(" xx ".join([SECRET[:15]] * 6), SECRET) is None


def test_letters_that_are_known_do_not_count() -> None:
    known = "A letter: the second key under the third flagstone"
    assert search("He has the second key under the third flagstone, he says.", SECRET, known=known) is None
    # Nor does a name with a letter or two more.
    hidden = "Harbourmaster Bartholomew is the arsonist of the northern quay."
    assert search("Harbourmaster Bartholomew is tired.", hidden, known=hidden[:25]) is None
    assert search("Harbourmaster Bartholomew is the arsonist.", hidden, known=hidden[:25])
    assert search(f"{SECRET} He laughs.", SECRET, known=known)


def test_what_is_known_counts_in_no_part_of_a_longer_piece() -> None:
    hidden = "Bartholomews own brother set the northern quay on fire that night."
    letters = fold(hidden)
    # Of the first piece, all but eight letters are known; a dozen more are not half of the sentence.
    told = f"{letters[:20]} zz {letters[32:44]}"
    assert search(told, hidden, known=letters[:12]) is None
    assert search(told, hidden)


def test_a_quotation_may_begin_where_settled_letters_are_discarded() -> None:
    before = "Wind and rain. " * 20
    letters = "thechaplainburiedthe"
    # The first part of the text ends within the quotation, so that all before it is settled.
    assert search(f"{before}{letters}!", SECRET, size=len(before) + 15) == (len(before), len(before) + 20)


def test_one_quotation_is_found_or_all() -> None:
    for finds_all, count in ((False, 1), (True, 2)):
        looking = QuoteSearch(QuoteIndex([SECRET, WIDE]), finds_all=finds_all)
        looking.feed("He says: the chaplain buried the. Later: 第二把钥匙埋在从。")
        looking.finish()
        assert len(looking.quotes) == count


@pytest.mark.parametrize("unmasks", [True, False])
def test_a_masked_text_is_unmasked_unless_an_older_engine_asks(unmasks: bool) -> None:
    looking = QuoteSearch(QuoteIndex([SECRET]), unmasks=unmasks)
    looking.feed("Th3 ch4pl41n bur13d th3 s3c0nd k3y.")
    looking.finish()
    assert (looking.quoted is not None) is unmasks
    # What is not masked is found either way.
    plain = QuoteSearch(QuoteIndex([SECRET]), unmasks=unmasks)
    plain.feed(SECRET)
    assert plain.quoted is not None


def test_known_words_are_read_only_where_something_looks_quoted() -> None:
    asked = []

    def list_known() -> str:
        asked.append(1)
        return ""

    looking = QuoteSearch(QuoteIndex([SECRET]), list_known)
    looking.feed("Nothing of it, whatever the chaplain says.")
    looking.finish()
    assert not asked
    looking.feed(SECRET)
    assert asked


def test_a_tally_goes_on_over_several_texts() -> None:
    index, tally = QuoteIndex([SECRET]), QuoteTally()
    for at, quoted in ((0, False), (20, False), (40, True)):
        before = tally.copy()
        looking = QuoteSearch(index, tally=tally)
        looking.feed(SECRET[at : at + 16])
        looking.finish()
        assert (looking.quoted is not None) is quoted
        assert before.told != tally.told


def test_a_list_that_breaks_words_is_read_through() -> None:
    lines = [SECRET[at : at + 6] for at in range(0, len(SECRET), 6)]
    for text in (
        "\n".join(f"{chr(97 + at)}) {line}" for at, line in enumerate(lines)),
        "\n".join(f"{at}. {line}" for at, line in enumerate(lines, 1)),
        "".join(f"{line}[{at}](https://x.y/{at})" for at, line in enumerate(lines)),
        "".join(f"<em>{line}</em>" for line in lines),
        "".join(f"&#{ord(sign)};" for sign in SECRET),
    ):
        for size in (1, 5, 1_000):
            assert search(text, SECRET, size=size), text
    # A long text before it is let go of.
    assert search(f"{'Rain and wind. ' * 60}\n1. {SECRET}", SECRET, size=3)
    assert search(f"{'Rain and wind. ' * 60}\n1. Rain", SECRET, size=3) is None


def test_short_texts_and_sentences() -> None:
    assert search("It is afraid of the dark.", "It is afraid of the dark.") is None
    assert search(SECRET, "", "...", " " * 99) is None
    # A short sentence belongs to its neighbour.
    assert search("He lies. He is the one who lit the fire.", "He lies. He is the one who lit the fire. Yes.")
    assert search("one who lit the fire. Yes. No", "He lies. He is the one who lit the fire. Yes. No")


def test_sentences_that_quote_are_taken_out() -> None:
    index = QuoteIndex([SECRET])

    def clean(text: str) -> str:
        return take_out(text, lambda: QuoteSearch(index, finds_all=True))

    assert clean(f"They slept. {SECRET} It rained.") == "They slept. It rained."
    assert clean(SECRET) == ""
    assert clean("They slept.") == "They slept."
    # As many pieces as make up the half go, the others stay.
    parts = [f"{SECRET[at : at + 15]}." for at in range(0, 75, 15)]
    assert clean(" Yes. ".join(parts)).count("Yes.") == 4
    assert search(clean(" Yes. ".join(parts)), SECRET) is None


def test_layers_are_kept_and_short_texts_share_one() -> None:
    rng = random.Random(3)
    long = ["".join(rng.choices("abcdefghijklnopqrstuvwxyz", k=600)) for _ in range(2)]
    index = QuoteIndex([*long, SECRET])
    assert [len(layer.texts) for layer in index.layers] == [1, 1, 1]
    assert index.layers[0] is keep_layer((long[0],))
    wider = QuoteIndex([WIDE, long[0]], index.layers)
    assert [len(layer.texts) for layer in wider.layers] == [1, 1, 2]
    assert wider.pieces > index.pieces
    for text in (*long, SECRET, WIDE):
        letters = fold(text)
        assert [place[1] for place in wider.find(letters[3:11])] == [3]
        assert wider.begins_like(letters[3:11])
    assert not QuoteIndex([]).layers
    assert not QuoteIndex([]).pieces
    assert not QuoteIndex([], [keep_layer(())]).layers
    assert keep_layer.cache_info().maxsize == LAYERS_KEPT_MAX
    assert len(list(QuoteIndex(["ab" * 300]).find("abab"))) == PLACES_MAX


def test_two_known_texts_do_not_make_a_third() -> None:
    looking = QuoteSearch(QuoteIndex([SECRET]), lambda: fold_all([SECRET[:10], SECRET[10:20], SECRET[20:]]))
    looking.feed(SECRET[:30])
    assert looking.quoted


PARTS = (
    "a",
    "b",
    "ab ",
    "井",
    "底，",
    "井a",
    "Ａ",
    "\u3000",
    "ß",
    "*",
    "\u200b",
    "井底井底井",
    "ababab",
    ". ",
)
words = st.lists(st.sampled_from(PARTS), min_size=12, max_size=25).map("".join)


def find_naively(hidden: list[str], known: str, told: str) -> bool:
    """By the rule, place by place."""
    letters, texts = fold(told), [fold(text) for text in hidden]
    heard: dict[str, set[int]] = {text: set() for text in texts}
    matched = 0
    for start in range(len(letters)):
        ends = range(start + 1, len(letters) + 1)
        found = [end for end in ends if any(letters[start:end] in text for text in texts)]
        # No longer than a run, and not within the one before.
        piece = min(
            (letters[start:end] for end in found if weigh_letters(letters[start:end]) >= 40), default=""
        )
        piece = piece or letters[start : max(found, default=start)]
        if weigh_letters(piece) < 24 or start + len(piece) <= matched:
            continue
        matched = start + len(piece)
        cuts = [(i, j) for i in range(len(piece)) for j in range(i, len(piece) + 1)]
        seen = {
            at
            for i, j in cuts
            if weigh_letters(piece[i:j]) >= 24 and piece[i:j] in known
            for at in range(i, j)
        }
        unknown = [at for at in range(len(piece)) if at not in seen]
        if weigh_letters(piece) >= 40 and weigh_letters("".join(piece[at] for at in unknown)) >= 24:
            return True
        for text in texts:
            places = [place for place in range(len(text)) if text.startswith(piece, place)]
            heard[text] |= {place + at for place in places for at in unknown}
    return any(
        weigh_letters("".join(text[at] for at in told)) >= max(40, weigh_letters(text) / 2)
        for text, told in heard.items()
    )


@given(hidden=st.lists(words, min_size=1, max_size=3), known=words, data=st.data())
def test_a_search_finds_what_the_rule_says(hidden: list[str], known: str, data: st.DataObject) -> None:
    # One sentence each: where sentences end is another test's business.
    hidden = [text.replace(". ", "") for text in hidden]
    pieces = st.tuples(st.sampled_from(["b", *hidden]), st.integers(0, 9), st.integers(5, 40))
    told = "x".join(text[at : at + length] for text, at, length in data.draw(st.lists(pieces, max_size=4)))
    size = data.draw(st.integers(1, 60))
    kept = [text for text in hidden if weigh_letters(fold(text)) >= 40]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quote_search, "LONG_LENGTH", 45)
        patch.setattr(quote_search, "LAYER_STRETCHES_MIN", 10)
        patch.setattr(quote_search, "PLACES_MAX", 10_000)
        quoted = search(told, *hidden, known=known, size=size)
    assert (quoted is not None) is find_naively(list(dict.fromkeys(kept)), fold(known), told)
