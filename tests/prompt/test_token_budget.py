"""The budget: shares of what a model can read."""

from talewright.prompt.token_budget import (
    MEMORIES_TOKENS_MAX,
    MEMORY_TOKENS_MAX,
    ROUNDS_TOKENS,
    TokenBudget,
    make_budget,
)


def test_the_room_is_the_context_without_answer_tools_and_rounds() -> None:
    assert make_budget(128_000, 900, 1_100).room == 128_000 - 900 - 1_100 - ROUNDS_TOKENS
    # Of a small context only an eighth is kept free for rounds.
    assert make_budget(8_000, 1_000).room == 8_000 - 1_000 - 1_000
    assert make_budget(1_000, 2_000).room == 0


def test_the_shares_of_a_room() -> None:
    budget = TokenBudget(8_000)
    assert (budget.world, budget.frozen, budget.memory, budget.tail) == (2_000, 4_000, 1_000, 1_600)
    assert TokenBudget(100_000).memory == MEMORY_TOKENS_MAX
    assert (budget.memories, TokenBudget(100_000).memories) == (1_000, MEMORIES_TOKENS_MAX)


def test_the_transcript_gets_what_the_others_leave() -> None:
    assert TokenBudget(8_000).transcript(1_500) == 8_000 - 1_500 - 1_000 - 1_600
    assert TokenBudget(8_000).transcript(9_000) == 0
