"""The context check: a game that does not fit its model is found before it is played."""

from dataclasses import replace

import pytest

from talewright.kernel.memory_rules import MemoryRules
from talewright.kernel.state.state import begin
from talewright.llm.model_fit import fit_to_speed
from talewright.llm.profiles import Profile
from talewright.llm.provider import ProfiledProvider
from talewright.turn.context_check import SOLO_CONTEXT_TOKENS, ContextShortage, find_shortage
from talewright.turn.game_editions import Edition
from talewright.turn.turn_context import Teller
from tests.turn.making import altered, chapel, ferry

SMALL = Profile("small", context_tokens=8_192)


def check(edition: Edition, profile: Profile) -> ContextShortage | None:
    position = begin(edition.game)
    return find_shortage(edition, position, edition.game.language, Teller(ProfiledProvider(None, profile)))


@pytest.mark.parametrize("tokens", [4_096, 8_192, 15_999, 16_000, 32_000])
def test_a_game_that_lives_on_its_memory_needs_sixteen_thousand_tokens(tokens: int) -> None:
    solo = altered(ferry(), memory=MemoryRules(window_share=0.6))
    found = check(solo, replace(SMALL, context_tokens=tokens))
    wanted = ContextShortage("small", tokens, SOLO_CONTEXT_TOKENS)
    assert found == (wanted if tokens < SOLO_CONTEXT_TOKENS else None)


def test_what_a_slow_model_reads_in_time_counts() -> None:
    slow = replace(SMALL, context_tokens=64_000, read_tokens_per_second=40.0, write_tokens_per_second=14.0)
    solo = altered(ferry(), memory=MemoryRules(window_share=0.6))
    found = check(solo, fit_to_speed(slow))
    assert found is not None
    assert found.tokens < 2_000


def test_another_game_fits_if_its_rules_leave_room_for_the_story() -> None:
    assert check(chapel(), SMALL) is None
    assert check(chapel(), replace(SMALL, context_tokens=2_048, output_tokens_max=500)) is not None
