"""Entries: their words, which of them always hold, and how long it matters when they were told."""

from dataclasses import replace

import pytest

from talewright.kernel.story.cast import Lore
from talewright.kernel.story.game_texts import Texts
from talewright.prompt.lore.lore_selection import list_always, still_matters, word_entry
from tests.kernel.making import integer, make_game, make_layout, maybe

LAYOUT = make_layout({"hp": integer(9)})
TEXTS = Texts("en", {"lore.a.text": "It rains.\nAlways. And nobody has ever asked why that should be so."})


def test_a_text_on_one_line_and_within_its_budget() -> None:
    assert (
        word_entry(Lore("a"), TEXTS) == "It rains. Always. And nobody has ever asked why that should be so."
    )
    assert word_entry(Lore("a", budget=7), TEXTS) == "It rains. Always...."
    assert word_entry(Lore("b"), TEXTS) == ""


def test_what_always_holds() -> None:
    held = maybe(LAYOUT, "hp > 3")
    game = replace(
        make_game(LAYOUT),
        lore=(
            Lore("b", constant=True),
            Lore("a", constant=True),
            Lore("first", constant=True, priority=1),
            Lore("when", constant=True, when=held),
            Lore("reveal", constant=True, reveal_when=held),
            Lore("group", constant=True, group="g"),
            Lore("keys"),
        ),
    )
    assert [entry.id for entry in list_always(game)] == ["first", "a", "b"]


@pytest.mark.parametrize(("sticky", "cooldown", "turns"), [(0, 0, 0), (3, 0, 3), (0, 5, 5), (3, 5, 5)])
def test_how_long_it_matters(sticky: int, cooldown: int, turns: int) -> None:
    entry = Lore("a", sticky=sticky, cooldown=cooldown)
    assert [turn for turn in range(10, 20) if still_matters(entry, 10, turn)] == list(range(10, 10 + turns))
