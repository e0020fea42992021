"""The curtain falls at the first sign of what is not prose, wherever the text is cut."""

import random

import pytest

from talewright.contract.text import hidden_tail
from talewright.contract.text.hidden_tail import HiddenTail, begins_with_sign


def draw(*pieces: str, close: bool = True) -> tuple[str, str]:
    """What is shown of the pieces, and what lies behind."""
    made = HiddenTail()
    shown = [made.feed(piece) for piece in pieces]
    if close:
        shown.append(made.close())
    return "".join(shown), made.behind


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("You wait.", "You wait."),
        ("  \n You wait. \n", "You wait."),
        ("You wait.\n\n```json\n{}", "You wait."),
        ("You wait. ```json\n{}", "You wait."),
        ("You wait.```", "You wait."),
        ("You wait.\n~~~\nx", "You wait."),
        ("You type `ls` and ``x`` again.", "You type `ls` and ``x`` again."),
        ("A ~ and ~~ are fine.", "A ~ and ~~ are fine."),
        ('You wait.\n{"a": 1}', "You wait."),
        ('You wait. {"a": 1}', "You wait."),
        ('You wait. [\n  {"op"', "You wait."),
        ("You wait. [ {", "You wait."),
        ("You wait.\n[{", "You wait."),
        ("You wait [for him].", "You wait [for him]."),
        ("[A door creaks.]", "[A door creaks.]"),
        ("You wait.\nGAME_STATE: x", "You wait."),
        ("You wait.\n[GAME_STATE]", "You wait."),
        ("You wait.\n### Game State\nhp 5", "You wait."),
        ("Game State: hp 5", ""),
        ("You wait.\nAnd wait.\nGame State: hp 5", "You wait.\nAnd wait."),
        ("X Game State is fine.", "X Game State is fine."),
        ("Xerxes {", "Xerxes"),
        ("You shout MAX{", "You shout MAX"),
        ("You wait.\n**State Ops**", "You wait."),
        ("You wait.\npatch bundle: x", "You wait."),
        ("You wait. (PATCH_BUNDLE) x", "You wait."),
        ("You wait. GameState x", "You wait."),
        ("You wait. state-ops x", "You wait."),
        ("You wait. <PatchBundle>", "You wait."),
        ("You wait. __state_ops__", "You wait."),
        ("You wait.\n[INVENTORY_INDEX_BY_ID]\nx", "You wait."),
        ("You know the game state of old.", "You know the game state of old."),
        ("You know the game state_ops.", "You know the game"),
        ("You know the state of the game", "You know the state of the game"),
        ("You wait.\nGame on.", "You wait.\nGame on."),
        ("*He waves.*\n\n---\n\n```json", "*He waves.*"),
        ("*He waves.* ```json", "*He waves.*"),
        ("*He waves.* [{", "*He waves.*"),
        ("*He waves.*[\n{", "*He waves.*"),
        ("You run -- ```", "You run --"),
        ("You wait.\n---", "You wait.\n---"),
        ("You wait.\n---\nThen on.", "You wait.\n---\nThen on."),
        ("---\n{", ""),
        ("---", ""),
        ("# The Chapel\nYou wait.", "# The Chapel\nYou wait."),
        ("你等着。\n\n【GAME_STATE】", "你等着。"),
        ("你等着。\u3000\xa0{", "你等着。"),
        ("", ""),
        (" \n", ""),
    ],
)
def test_shown_is_what_stands_before_the_first_sign(text: str, shown: str) -> None:
    assert draw(text)[0] == shown
    assert draw(*text)[0] == shown


@pytest.mark.parametrize(
    ("text", "shown", "behind"),
    [
        ("You wait.\n``", "You wait.", "``"),
        ("You wait `", "You wait", "`"),
        ("You wait.\n~~", "You wait.", "~~"),
        ("You wait.\nGAME_ST", "You wait.", "GAME_ST"),
        ("You wait.\n[game stat", "You wait.", "game stat"),
        ("You wait. Gamest", "You wait.", "Gamest"),
        ("You wait. inventory_index", "You wait.", "inventory_index"),
        ("You lose the game", "You lose the game", ""),
        ("You lose the GAME \n", "You lose the GAME", ""),
        ("You lose.\nGame ", "You lose.\nGame", ""),
        ("You see the st", "You see the st", ""),
        ("You go up the inventory", "You go up the inventory", ""),
        ("P", "P", ""),
    ],
)
def test_end_shows_words_and_no_half_signs(text: str, shown: str, behind: str) -> None:
    assert draw(text) == (shown, behind)
    assert draw(*text) == (shown, behind)


def test_without_an_end_what_is_undecided_is_not_shown() -> None:
    assert draw("You lose the game", close=False) == ("You lose the", "")
    assert draw("You wait. *", close=False) == ("You wait.", "")


def test_shown_as_early_as_it_is_certain() -> None:
    made = HiddenTail()
    assert made.feed("You ") == "You"
    assert made.feed("see `") == " see"
    assert made.feed("`x") == " ``x"
    assert made.feed(" gam") == ""
    assert made.feed("ble") == " gamble"
    assert made.feed(" patch") == ""
    assert made.feed(" b") == " patch b"
    assert not made.drawn
    assert made.feed("{") == ""
    assert made.drawn
    assert (made.feed("You"), made.close(), made.behind) == ("", "", "{You")
    assert (made.overlong, made.overfull) == (False, False)


def test_name_in_two_words_counts_only_where_it_begins_a_line() -> None:
    assert draw("The\n", "- ", "game ", "state") == ("The", "game state")
    assert draw("The - game ", "state", " is") == ("The - game state is", "")
    assert draw("The\nold ", "game ", "state") == ("The\nold game state", "")


def test_only_ascii_letters_make_a_sign() -> None:
    assert draw("You \u017ftate_ops") == ("You \u017ftate_ops", "")
    assert draw("You game\u200b_state") == ("You game\u200b_state", "")


def test_telling_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_tail, "TELLING_LENGTH_MAX", 10)
    for text in ("0123456789", "012345678{", "01234567 {abc"):
        made = HiddenTail()
        made.feed(text)
        assert not made.overlong
    for text in ("0123456789x", "012345678```", "0123456789{"):
        for pieces in ([text], list(text)):
            made = HiddenTail()
            shown = "".join(map(made.feed, pieces))
            assert made.overlong
            assert made.drawn
            assert shown == text[:10].rstrip("`")
            assert made.close() == ""
            assert made.behind == text[10:]


def test_what_lies_behind_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_tail, "BEHIND_LENGTH_MAX", 5)
    made = HiddenTail()
    made.feed("You {abc")
    made.feed("d")
    assert (made.behind, made.overfull) == ("{abcd", False)
    made.feed("")
    assert not made.overfull
    made.feed("e")
    made.feed("")
    assert (made.behind, made.overfull, made.overlong) == ("{abcd", True, False)


def test_bounds_are_these() -> None:
    assert (hidden_tail.TELLING_LENGTH_MAX, hidden_tail.BEHIND_LENGTH_MAX) == (20_000, 400_000)


def test_cut_anywhere_it_is_the_same() -> None:
    rng = random.Random(20_260_103)
    parts = [
        "`",
        "``",
        "~",
        "{",
        "game",
        "Game ",
        "state",
        "_",
        "-",
        " ",
        "\n",
        "[",
        "*",
        "ops",
        "a",
        "。",
        "p",
    ]
    for _ in range(3_000):
        text = "".join(rng.choice(parts) for _ in range(rng.randint(1, 12)))
        whole = draw(text)
        assert draw(*text) == whole, text
        at = rng.randrange(len(text) + 1)
        assert draw(text[:at], "", text[at:]) == whole, text
        assert draw(*text, close=False) == draw(text, close=False), text
        assert "{" not in whole[0]
        assert "```" not in whole[0]


def test_beginnings_of_dumps() -> None:
    for text in ("{", "GAME_STATE", "\n## State Ops", "[PATCH-BUNDLE]", "```", "~~~", " [ {"):
        assert begins_with_sign(text), text
    for text in ("", "You {", "game", "``", "Enjoy!"):
        assert not begins_with_sign(text), text
