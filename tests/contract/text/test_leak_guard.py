from collections.abc import Callable
from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.common.quote_search import QuoteTally, ToldEarlier
from talewright.contract.text.leak_guard import (
    LEAK,
    NAMED,
    NOTHING_HIDDEN,
    HiddenTexts,
    LeakGuard,
    list_hidden_texts,
    list_words,
    recall_told,
)
from talewright.kernel.judging.rulings import Flaw
from talewright.kernel.state.state import State, position_of
from tests.kernel.making import integer, listing, make_game, make_layout, opened, record, string

SECRET = "The chaplain buried the second key under the third flagstone, counted from the well."
WIDE = "守灯人把第二把钥匙埋在从井边数起的第三块石板底下，谁也不知道。"


def tell(guard: LeakGuard, text: str, sizes: list[int]) -> str:
    """Feed a text in pieces of these sizes, over and over."""
    shown, at, turn = [], 0, 0
    while at < len(text):
        size = sizes[turn % len(sizes)]
        shown.append(guard.feed(text[at : at + size]))
        at += size
        turn += 1
    return "".join([*shown, guard.finish()])


@pytest.mark.parametrize("sizes", [[1], [2], [7, 1, 30], [39], [1_000]])
def test_leak_is_cut_where_it_begins(sizes: list[int]) -> None:
    guard = LeakGuard(HiddenTexts([SECRET]))
    assert tell(guard, f"He says: {SECRET[13:50]} And more.", sizes) == "He says: "
    assert guard.leaked


@pytest.mark.parametrize("sizes", [[1], [2], [7, 1, 30], [1_000]])
def test_of_chinese_eight_are_a_leak(sizes: list[int]) -> None:
    for told in (WIDE[3:11], " ".join(WIDE[3:11]), "\n**".join(WIDE[3:11])):
        guard = LeakGuard(HiddenTexts([WIDE]))
        assert tell(guard, f"他说：{told}就这些。", sizes) == "他说："
        assert guard.leaked
    guard = LeakGuard(HiddenTexts([WIDE]))
    assert tell(guard, f"他说：{WIDE[3:10]}就这些。", sizes) == f"他说：{WIDE[3:10]}就这些。"
    assert not guard.leaked


@pytest.mark.parametrize("sizes", [[1], [7, 1, 30], [1_000]])
def test_one_letter_less_is_no_leak(sizes: list[int]) -> None:
    for end, leaks in ((36, False), (37, True)):
        guard = LeakGuard(HiddenTexts([SECRET]))
        told = f"He says: {SECRET[13:end]}. Zero."
        assert (tell(guard, told, sizes) == told) is not leaks
        assert guard.leaked is leaks


def test_only_what_may_become_a_leak_is_held_back() -> None:
    guard = LeakGuard(HiddenTexts([SECRET]))
    assert guard.feed("Good. The chap") == "Good. "
    assert guard.feed("l") == ""
    assert guard.feed("!") == ""
    assert guard.feed("s") == "The chapl!"
    # Too near the end of the hidden text to become a piece, so nothing is held.
    assert guard.feed("m the wz") == "sm the wz"
    assert guard.finish() == ""


def test_what_was_held_back_comes_in_the_end_once() -> None:
    guard = LeakGuard(HiddenTexts([SECRET]))
    assert guard.feed(SECRET[:20]) == ""
    assert guard.finish() == SECRET[:20]
    assert guard.finish() == ""


def test_nothing_passes_after_a_leak() -> None:
    guard = LeakGuard(HiddenTexts([SECRET]))
    assert guard.feed("A " + SECRET) == "A "
    assert guard.feed("Later.") == ""
    assert guard.finish() == ""
    assert guard.leaked


def test_the_piece_that_makes_up_half_is_not_shown() -> None:
    pieces = [SECRET[at : at + 16] for at in range(0, len(SECRET), 16)]
    guard = LeakGuard(HiddenTexts([SECRET]))
    assert tell(guard, " oh ".join(pieces), [5]) == " oh ".join(pieces[:2]) + " oh "
    assert guard.leaked
    # Also where it is the last thing that is said.
    guard = LeakGuard(HiddenTexts([SECRET]))
    assert tell(guard, " oh ".join(pieces[:3]), [5]) == " oh ".join(pieces[:2]) + " oh "


def test_run_may_begin_within_another_beginning() -> None:
    hidden = "ab" * 5 + "x" * 40
    guard = LeakGuard(HiddenTexts([hidden]))
    assert guard.feed("ababab" + hidden[:19]) == "ababab"
    assert guard.feed("x") == ""
    assert guard.leaked


def test_without_hidden_texts_everything_passes() -> None:
    for hidden in ([], ["", SECRET[:21]]):
        guard = LeakGuard(HiddenTexts(hidden))
        assert guard.feed(SECRET) == SECRET
        assert guard.finish() == ""
        assert not guard.leaked


def test_hidden_texts_are_compared_as_they_would_be_told() -> None:
    guard = LeakGuard(HiddenTexts(["\r\n".join(SECRET.split(" "))]))
    assert guard.feed("\n".join(SECRET.split(" "))) == ""
    assert guard.leaked


def test_leak_is_told_to_the_model() -> None:
    told = (
        "the answer quotes 20 letters or more in a row, 8 of Chinese, or half of a sentence in pieces, "
        "of a text the player must not see; tell it again in words of your own"
    )
    assert Flaw(told) == LEAK
    named = (
        "a label, hint, reason, event or tag is the name of a text of the game; "
        "write what the player should read"
    )
    assert Flaw(named) == NAMED


def test_hidden_and_secret_texts_are_listed_once_each() -> None:
    def text(name: str, length: int = 40) -> str:
        return name.ljust(length, ".")

    layout = make_layout(
        {
            "open": string(text("open")),
            "hidden": replace(string(text("hidden")), hidden=True),
            "short": replace(string(text("short", 39)), hidden=True),
            "wide": replace(string("守" * 20), hidden=True),
            "too_narrow": replace(string("守" * 19 + "."), hidden=True),
            "secret": replace(record(a=string(text("secret")), b=integer(7)), secret=True),
            "partly": record(
                a=string(text("seen")), b=replace(listing(string(), text("listed"), "x"), hidden=True)
            ),
            "map": replace(opened(string(), {text("key"): text("value"), "k": text("hidden")}), hidden=True),
            "free": opened(string(), {text("free key"): text("free value")}),
            "rows": listing(record(note=replace(string(), hidden=True), name=string())),
        }
    )
    game = make_game(layout)
    document = {**game.initial, "rows": [{"note": text("row"), "name": text("name")}]}
    position = position_of(game, State(document, 3))
    listed = (
        *map(text, ("more", "hidden")),
        "守" * 20,
        *map(text, ("secret", "listed", "key", "value", "row")),
    )
    assert list_hidden_texts(game, position, [text("more")]) == listed
    # What an author has hidden is guarded from twenty letters on, a value in a slot from forty characters.
    assert list_hidden_texts(game, position, ["short"])[0] == "short"
    assert list_hidden_texts(game, position)[0] == text("hidden")


@pytest.mark.parametrize("size", [1, 3, 1_000])
@pytest.mark.parametrize(
    "dress",
    [
        str.upper,
        lambda text: text.replace(" ", "\n"),
        " ".join,
        "\u200b".join,
        lambda text: text.replace(" ", " **"),
        lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
    ],
)
def test_a_text_that_is_set_otherwise_is_still_that_text(dress: Callable[[str], str], size: int) -> None:
    guard = LeakGuard(HiddenTexts([SECRET]))
    assert tell(guard, f"He says: {dress(SECRET)}", [size]) == "He says: "
    assert guard.leaked


def test_what_is_held_back_comes_as_it_was_written() -> None:
    guard = LeakGuard(HiddenTexts([SECRET]))
    assert guard.feed("So.  THE \u200b ch") == "So.  "
    assert guard.feed("ap") == ""
    assert guard.feed("s! q") == "THE \u200b chaps! q"
    assert guard.feed(" \n ") == " \n "
    assert guard.feed("The") == ""
    assert guard.finish() == "The"
    assert guard.feed("chaplain") == ""
    assert guard.finish() == "chaplain"


def test_a_sign_that_is_several_letters_is_held_whole() -> None:
    guard = LeakGuard(HiddenTexts(["sausage and strasse are the words of the house"]))
    assert guard.feed("ß") == ""
    assert guard.feed("ausage") == ""
    assert guard.finish() == "ßausage"


def test_an_entity_is_held_until_it_is_known() -> None:
    guard = LeakGuard(HiddenTexts([SECRET]))
    assert guard.feed("Q &#84") == "Q "
    assert guard.feed(";h") == ""
    assert guard.feed("ose") == "&#84;ho"
    assert guard.finish() == "se"


@pytest.mark.parametrize("size", [1, 5, 1_000])
def test_what_the_player_can_read_anyway_is_let_through(size: int) -> None:
    asked = []

    def list_known() -> list[str]:
        asked.append(1)
        return ["A letter: the second key under the third flagstone, counted from the WELL.", "And more."]

    veil = HiddenTexts([SECRET], known=list_known)
    told = "He says: the second key under the third flagstone, counted from the well."
    assert tell(LeakGuard(veil), told, [size]) == told
    assert tell(LeakGuard(veil), "Nothing of it.", [size]) == "Nothing of it."
    guard = LeakGuard(veil)
    assert tell(guard, f"Well. {SECRET}", [size]) == "Well. "
    assert guard.leaked
    # It is read once, and only where it matters.
    assert len(asked) == 1


def test_two_known_texts_do_not_make_a_third() -> None:
    veil = HiddenTexts([SECRET], known=lambda: [SECRET[:10], SECRET[10:20], SECRET[20:]])
    assert veil.covers([SECRET[:40]])


def test_a_veil_covers_texts_one_after_the_other() -> None:
    veil = HiddenTexts([SECRET], ("Never speak of the heron before the second bell.",))
    assert veil.covers(["a", SECRET[:40]])
    assert veil.covers(["never speak of the heron before the second bell"])
    # Cut up over fields it is still that text, in their order or, in larger pieces, in any.
    assert veil.covers(SECRET.split(" "))
    assert veil.covers(["well.", "a", *(SECRET[at : at + 15] for at in (60, 0, 30, 15))])
    assert not veil.covers(reversed(SECRET.split(" ")))
    assert not veil.covers([])
    assert not NOTHING_HIDDEN.covers([SECRET])


def test_a_quotation_that_the_last_turn_began_is_cut_where_this_one_continues_it() -> None:
    veil = HiddenTexts([SECRET], earlier=ToldEarlier(f"He says: {SECRET[:17]}"))
    guard = LeakGuard(veil)
    assert tell(guard, f"{SECRET[17:27]} And more.", [4]) == ""
    assert guard.leaked
    # Whatever is no narration does not continue one.
    assert not veil.covers([SECRET[17:27]])
    assert veil.covers([SECRET[17:27]], continues=True)
    assert tell(LeakGuard(HiddenTexts([SECRET])), SECRET[17:27], [4]) == SECRET[17:27]


def test_pieces_that_earlier_turns_told_count_too() -> None:
    asked = []

    def list_rows() -> list[list[str]]:
        asked.append(1)
        # In its first row a whole quotation, and after it a piece of another text.
        return [[WIDE[:8], SECRET[:16]], [SECRET[20:36]]]

    earlier = recall_told("", list_rows, [SECRET, WIDE], list)
    veil = HiddenTexts([SECRET, WIDE], earlier=earlier)
    assert not veil.covers(["Nothing of it."])
    assert not asked
    assert veil.covers([SECRET[40:56]])
    assert not HiddenTexts([SECRET, WIDE]).covers([SECRET[40:56]])
    assert veil.covers([SECRET[40:56]])
    assert len(asked) == 1


def test_a_tally_counts_over_several_answers() -> None:
    veil, tally = HiddenTexts([SECRET]), QuoteTally()
    assert [veil.covers([SECRET[at : at + 16]], tally) for at in (0, 20, 40)] == [False, False, True]
    assert not veil.covers([SECRET[:16]])


def test_sentences_are_taken_out() -> None:
    veil = HiddenTexts([SECRET], known=lambda: ["the second key under the third flagstone"])
    text = f"It rained. {SECRET} He has the second key under the third flagstone."
    assert veil.take_out(text) == "It rained. He has the second key under the third flagstone."
    assert NOTHING_HIDDEN.take_out(SECRET) == SECRET


def test_a_veil_knows_the_names_of_texts() -> None:
    veil = HiddenTexts(names={"world": "A harbour.", "npc.lian.secret": ""})
    assert veil.names(["Wait", " world\n"])
    assert veil.names(["npc.lian.secret"])
    assert not veil.names(["World", "the world", "npc.lian"])
    assert not NOTHING_HIDDEN.names(["world"])


def test_a_veil_can_be_spread_over_more() -> None:
    plan = "At the third bell the keeper locks the cellar and sends for the reeve."
    veil = HiddenTexts([SECRET], known=lambda: ["A letter: " + SECRET[:45]], names={"world": ""})
    wider = veil.spread([plan, "too short to be covered"])
    assert wider.covers([plan])
    assert wider.covers([SECRET[5:]])
    assert not wider.covers([SECRET[:45]])
    assert not wider.covers(["too short to be covered"])
    assert wider.names(["world"])
    # Nothing has happened to the one it was made from.
    assert not veil.covers([plan])
    told = wider.spread(told=[f"She says: {plan.upper()}"])
    assert not told.covers([plan])
    assert not told.covers([SECRET[:45]])
    assert told.covers([SECRET[5:]])
    assert NOTHING_HIDDEN.spread([plan[:40]]).covers([plan])
    assert not NOTHING_HIDDEN.spread([plan[:39]]).covers([plan])
    assert NOTHING_HIDDEN.spread([WIDE[:20]]).covers([WIDE])
    assert not NOTHING_HIDDEN.spread([WIDE[:19]]).covers([WIDE])


def test_a_veil_over_nothing_more_is_the_same() -> None:
    veil = HiddenTexts([SECRET])
    assert veil.spread() is veil
    assert veil.spread(["too short"], [""]) is veil
    assert veil.spread(told=["Yes."]).index.layers == veil.index.layers


def test_what_is_known_is_asked_for_once_however_far_a_veil_is_spread() -> None:
    asked = []

    def list_known() -> list[str]:
        asked.append(1)
        return [SECRET[:45]]

    veil = HiddenTexts([SECRET], known=list_known)
    wider = veil.spread(told=[SECRET[20:62]]).spread(told=[SECRET[62:]])
    assert not wider.covers([SECRET[:45]])
    assert not wider.covers([SECRET[20:62]])
    assert not veil.covers([SECRET[:45]])
    assert veil.covers([SECRET[20:]])
    # What was known at first and what was told since do not make a third.
    both = HiddenTexts([SECRET], known=lambda: [SECRET[:11]]).spread(told=[SECRET[11:22]])
    assert both.covers([SECRET[:30]])
    assert len(asked) == 1


def test_words_of_a_value_are_open_or_closed() -> None:
    slot = make_layout(
        {
            "v": record(
                face=string(),
                motive=replace(string(), hidden=True),
                bag=listing(string()),
                ties=opened(replace(integer(), secret=True)),
            )
        }
    ).roots["v"]
    value: Json = {"face": "old", "motive": "gold", "bag": ["rope"], "ties": {"lian": 3}}
    assert list(list_words(slot, value)) == [
        ("face", False),
        ("old", False),
        ("motive", True),
        ("gold", True),
        ("bag", False),
        ("rope", False),
        ("ties", False),
        ("lian", True),
    ]
