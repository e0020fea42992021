import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.contract.text.leak_guard import (
    LEAK,
    NAMED,
    NOTHING_HIDDEN,
    HiddenTexts,
    LeakGuard,
    list_hidden_texts,
    list_words,
)
from talewright.kernel.judging.moves_and_rulings import Flaw
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


@pytest.mark.parametrize("sizes", [[1], [2], [7, 1, 30], [39], [40], [41], [1_000]])
def test_leak_is_cut_where_it_begins(sizes: list[int]) -> None:
    guard = LeakGuard(HiddenTexts([SECRET]))
    assert tell(guard, f"He says: {SECRET[10:50]} And more.", sizes) == "He says: "
    assert guard.leaked


@pytest.mark.parametrize("sizes", [[1], [2], [7, 1, 30], [19], [20], [1_000]])
def test_of_chinese_half_as_many_are_a_leak(sizes: list[int]) -> None:
    for told in (WIDE[3:23], " ".join(WIDE[3:23]), "\n**".join(WIDE[3:23])):
        guard = LeakGuard(HiddenTexts([WIDE]))
        assert tell(guard, f"他说：{told}就这些。", sizes) == "他说："
        assert guard.leaked
    guard = LeakGuard(HiddenTexts([WIDE]))
    assert tell(guard, f"他说：{WIDE[3:22]}就这些。", sizes) == f"他说：{WIDE[3:22]}就这些。"
    assert not guard.leaked


@pytest.mark.parametrize("sizes", [[1], [7, 1, 30], [1_000]])
def test_one_character_less_is_no_leak(sizes: list[int]) -> None:
    guard = LeakGuard(HiddenTexts([SECRET]))
    told = f"He says: {SECRET[10:49]} And more."
    assert tell(guard, told, sizes) == told
    assert not guard.leaked


def test_only_what_may_become_a_leak_is_held_back() -> None:
    guard = LeakGuard(HiddenTexts([SECRET]))
    assert guard.feed("Good. The chap") == "Good. "
    assert guard.feed("l") == ""
    assert guard.feed("!") == "The chapl!"
    # Too near the end of the hidden text to become a run of the full length, so nothing is held.
    assert guard.feed(SECRET[-38:]) == SECRET[-38:]
    assert guard.finish() == ""


def test_what_was_held_back_comes_in_the_end_once() -> None:
    guard = LeakGuard(HiddenTexts([SECRET]))
    assert guard.feed(SECRET[:39]) == ""
    assert guard.finish() == SECRET[:39]
    assert guard.finish() == ""


def test_nothing_passes_after_a_leak() -> None:
    guard = LeakGuard(HiddenTexts([SECRET]))
    assert guard.feed("A " + SECRET) == "A "
    assert guard.feed("Later.") == ""
    assert guard.finish() == ""
    assert guard.leaked


def test_run_may_begin_within_another_beginning() -> None:
    hidden = "ab" * 10 + "x" * 40
    guard = LeakGuard(HiddenTexts([hidden]))
    assert guard.feed("ababab" + hidden[:39]) == "ababab"
    assert guard.feed("x") == ""
    assert guard.leaked


def test_without_long_hidden_texts_everything_passes() -> None:
    for hidden in ([], ["", SECRET[:39]]):
        guard = LeakGuard(HiddenTexts(hidden))
        assert guard.feed(SECRET) == SECRET
        assert guard.finish() == ""
        assert not guard.leaked


def test_text_of_exactly_the_length_is_guarded() -> None:
    guard = LeakGuard(HiddenTexts(["short", SECRET[:40]]))
    assert guard.feed(SECRET[:40]) == ""
    assert guard.leaked


def test_hidden_texts_are_compared_as_they_would_be_told() -> None:
    guard = LeakGuard(HiddenTexts(["\r\n".join(SECRET.split(" "))]))
    assert guard.feed("\n".join(SECRET.split(" "))) == ""
    assert guard.leaked


def test_guard_agrees_with_a_plain_search() -> None:
    rng = random.Random(11)
    for number in range(300):
        hidden = ["".join(rng.choice("ab") for _ in range(rng.randint(30, 90))) for _ in range(2)]
        text = "".join(rng.choice("abc") for _ in range(20)).join(
            text[(at := rng.randrange(10)) : at + rng.randint(30, 45)] for text in hidden
        )
        runs = [at for at in range(len(text) - 39) if any(text[at : at + 40] in one for one in hidden)]
        for sizes in ([1], [rng.randint(1, 50) for _ in range(5)], [1_000]):
            guard = LeakGuard(HiddenTexts(hidden))
            assert tell(guard, text, sizes) == (text[: runs[0]] if runs else text), (
                f"seed 11, number {number}"
            )
            assert guard.leaked == bool(runs)


def test_leak_is_told_to_the_model() -> None:
    told = (
        "the answer repeats 40 characters or more, 20 of Chinese, of a text the player must not see; "
        "tell it again without quoting hidden texts"
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
    assert list_hidden_texts(game, position, [text("more"), "no"]) == listed
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
    assert guard.feed("s! ") == "THE \u200b chaps! "
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
    veil = HiddenTexts([SECRET], known=lambda: [SECRET[:30], SECRET[30:]])
    assert veil.covers([SECRET])


def test_a_veil_covers_texts_one_by_one() -> None:
    veil = HiddenTexts([SECRET], ("Never speak of the heron before the second bell.",))
    assert veil.covers(["a", SECRET[:40]])
    assert veil.covers(["never speak of the heron before the second bell"])
    assert not veil.covers([SECRET[:20], SECRET[20:40]])
    assert not veil.covers([])
    assert not NOTHING_HIDDEN.covers([SECRET])


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
    assert not wider.covers([SECRET[:45], "too short to be covered"])
    assert wider.names(["world"])
    # Nothing has happened to the one it was made from.
    assert not veil.covers([plan])
    told = wider.spread(told=[f"She says: {plan.upper()}"])
    assert not told.covers([plan, SECRET[:45]])
    assert told.covers([SECRET[5:]])
    assert NOTHING_HIDDEN.spread([plan[:40]]).covers([plan])
    assert not NOTHING_HIDDEN.spread([plan[:39]]).covers([plan])
    assert NOTHING_HIDDEN.spread([WIDE[:20]]).covers([WIDE])
    assert not NOTHING_HIDDEN.spread([WIDE[:19]]).covers([WIDE])


def test_a_veil_over_nothing_more_is_the_same() -> None:
    veil = HiddenTexts([SECRET])
    assert veil.spread() is veil
    assert veil.spread(["too short"], [""]) is veil
    assert veil.spread(told=["Yes."]).runs.layers == veil.runs.layers


def test_what_is_known_is_asked_for_once_however_far_a_veil_is_spread() -> None:
    asked = []

    def list_known() -> list[str]:
        asked.append(1)
        return [SECRET[:45]]

    veil = HiddenTexts([SECRET], known=list_known)
    wider = veil.spread(told=[SECRET[20:62]]).spread(told=[SECRET[62:]])
    assert not wider.covers([SECRET[:45], SECRET[20:62]])
    # What was told in two turns does not make a third.
    assert wider.covers([SECRET[22:]])
    assert wider.covers([SECRET[10:55]])
    assert not veil.covers([SECRET[:45]])
    assert veil.covers([SECRET[20:62]])
    # Nor does what was known at first with what was told since.
    assert HiddenTexts([SECRET], known=lambda: [SECRET[:30]]).spread(told=[SECRET[30:]]).covers([SECRET[:60]])
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
