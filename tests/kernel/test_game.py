"""What a game is where its author says nothing, and what it finds by itself."""

from talewright.kernel.game import ChanceRules, FateKind, GameLimits, TellerWishes
from talewright.kernel.judging.rulings import Flaw
from talewright.kernel.memory_rules import MemoryRules
from tests.kernel.making import integer, make_game, make_layout
from tests.plugs.toll import Toll


def test_defaults() -> None:
    game = make_game(make_layout({"hp": integer()}))
    assert (game.tone, game.content_rating, game.contract, game.plan) == ("", "PG-13", "cards", "one_ask")
    assert game.memory == MemoryRules(8, 6, 16_000, 8_000)
    assert game.limits == GameLimits(cascade_max=32, moves_max=64)
    assert game.chance == ChanceRules(FateKind.FIXED, None)
    assert game.teller == TellerWishes("", None, None)
    assert game.model_may_end is False
    assert Flaw("x").soft is False
    assert [kind.value for kind in FateKind] == ["fixed", "fresh"]


def test_tools_are_found_by_name() -> None:
    toll = Toll()
    game = make_game(make_layout(toll.slots({})), systems=[toll])
    assert dict(game.tools) == {"pay": toll, "gamble": toll, "ask_keeper": toll}


def test_the_engine_has_a_root_of_its_own() -> None:
    layout = make_layout({"hp": integer()})
    assert list(layout.roots) == ["hp", "_engine"]
