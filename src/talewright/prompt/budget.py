"""The budget: how many tokens each part of a prompt may take, from what the model can read at once.

Shares only. What is cut where a share is not enough is said with the sections.
"""

from dataclasses import dataclass

ROUNDS_TOKENS = 3_000
"""Kept free for tool rounds and repairs, which are appended to a prompt that was already sent."""

ROUNDS_SHARE = 0.125
"""Of a small context no more than this share is kept free for them."""

WORLD_SHARE = 0.25
"""The world text is given whole up to this share of the room, else as its summary."""

FROZEN_SHARE = 0.5
"""Everything that is frozen, the world text included."""

MEMORY_SHARE = 0.125
MEMORY_TOKENS_MAX = 2_000
"""Summary and facts together; they are sent anew after each cut, so they stay small."""

MEMORIES_SHARE = 0.125
MEMORIES_TOKENS_MAX = 8_000
"""What systems want to be kept in view, where they do, besides summary and facts."""

TAIL_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Budget:
    """The room of one prompt."""

    room: int
    """Tokens of the whole prompt."""

    @property
    def world(self) -> int:
        return int(self.room * WORLD_SHARE)

    @property
    def frozen(self) -> int:
        return int(self.room * FROZEN_SHARE)

    @property
    def memory(self) -> int:
        return min(int(self.room * MEMORY_SHARE), MEMORY_TOKENS_MAX)

    @property
    def memories(self) -> int:
        return min(int(self.room * MEMORIES_SHARE), MEMORIES_TOKENS_MAX)

    @property
    def tail(self) -> int:
        return int(self.room * TAIL_SHARE)

    def transcript(self, frozen_tokens: int) -> int:
        """What is left for the transcript beside a frozen part of this size."""
        return max(0, self.room - frozen_tokens - self.memory - self.tail)


def make_budget(context_tokens: int, output_tokens: int, beside_tokens: int = 0) -> Budget:
    """The room that a model leaves: its context without the answer, the tools and schema, and the rounds."""
    rounds = min(ROUNDS_TOKENS, int(context_tokens * ROUNDS_SHARE))
    return Budget(max(0, context_tokens - output_tokens - beside_tokens - rounds))
