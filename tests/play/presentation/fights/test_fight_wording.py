"""Fights as they stand above the choices, and the rolls of others on one line."""

import pytest

from talewright.kernel.panel_parts import Panel, TurnOrder
from talewright.kernel.story.game_texts import NO_TEXTS
from talewright.play.campaign_view import RollView
from talewright.play.presentation.fights.fight_wording import find_fight, fold_rolls, tell_fight, tell_folded
from talewright.play.presentation.panel_wording import show_panel
from talewright.play.presentation.value_wording import Wording

ORDER = TurnOrder(
    "Order", ("Goblin 1", "Rowan", "Goblin 2"), 1, ((0, 7), (5, 24), None), ("", "poisoned", ""), 1
)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Fight, round 2. Your turn. You 5/24 (poisoned), Goblin 1 0/7, Goblin 2."),
        ("zh-CN", "Fight, round 2，轮到你了。你 5/24（poisoned）、Goblin 1 0/7、Goblin 2。"),
    ],
)
def test_the_player_comes_first_and_it_says_whose_turn_it_is(language: str, told: str) -> None:
    panel = show_panel(Panel("f", "Fight, round 2", (ORDER,)), Wording(NO_TEXTS, language))
    fight = find_fight([panel], language)
    assert fight is not None
    you, first, second = fight.fighters
    assert (you.is_player, you.is_acting, you.is_low, you.is_out) == (True, True, True, False)
    assert (first.points, first.points_maximum, first.is_out) == (0, 7, True)
    assert (second.points, second.is_low) == (None, False)
    assert tell_fight(fight, language) == told


def test_it_may_be_the_turn_of_someone_else_or_of_nobody() -> None:
    for current, turn in ((2, "Goblin 2’s turn"), (None, "")):
        order = TurnOrder("Order", ORDER.names, current, ORDER.levels, (), 1)
        panel = show_panel(Panel("f", "Fight", (order,)), Wording(NO_TEXTS, "en"))
        fight = find_fight([panel], "en")
        assert fight is not None
        assert fight.turn == turn
        assert tell_fight(fight, "en").startswith(f"Fight. {turn}. You 5/24" if turn else "Fight: You 5/24")


def test_an_order_without_the_player_is_no_fight() -> None:
    panel = show_panel(Panel("f", "Queue", (TurnOrder("", ("A", "B")),)), Wording(NO_TEXTS, "en"))
    assert find_fight([panel], "en") is None


def test_rolls_of_others_share_a_line() -> None:
    mine, hit, damage = RollView("15"), RollView("x", brief="Goblin 1 hits"), RollView("y", brief="4 damage")
    assert fold_rolls([mine, hit, damage, mine, hit]) == ((mine,), (hit, damage), (mine,), (hit,))
    assert tell_folded([hit, damage], "en") == "Other rolls: Goblin 1 hits, 4 damage"
    assert tell_folded([hit], "zh-CN") == "其他掷骰：Goblin 1 hits"
