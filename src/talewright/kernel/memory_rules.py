"""Memory rules: how many past turns stay in the prompt word for word, and when older ones are summarized.

These are the defaults; an author changes them under `memory` in game.yaml. `prompt.past_turns_part` cuts the
window by them. Nothing is counted here.
"""

from talewright.common.frozen_values import frozen

SUMMARY_EVERY_TURNS = 8
"""How many turns a summary covers."""

KEEP_TURNS = 6
"""How many past turns stay in the prompt whatever their length."""

WINDOW_TOKENS = 16_000
"""The size at which the past turns in the prompt are cut."""

CUT_TO_TOKENS = 8_000
"""The size to which they are cut."""


@frozen
class MemoryRules:
    """How much of the past stays in the prompt, and when it is summarized."""

    summary_every_turns: int = SUMMARY_EVERY_TURNS
    """A summary is due after so many turns."""

    keep_turns: int = KEEP_TURNS
    """The newest turns, which are never cut."""

    window_tokens: int = WINDOW_TOKENS
    """The high mark of the window."""

    cut_to_tokens: int = CUT_TO_TOKENS
    """Its low mark."""

    window_share: float | None = None
    """Share of the narrator's context window, for models whose windows differ in size; an alternative to
    `window_tokens`.
    """
