"""The context check: whether a game fits the context of its model, checked before play.

It measures and reports; a game that does not fit can still be played.
"""

from talewright.common.frozen_values import frozen
from talewright.contract.dialect import AnswerGround
from talewright.contract.dialect_table import DIALECTS
from talewright.kernel.judging.move_resolution import allowed_tools
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.state import Position
from talewright.turn.game_editions import Edition
from talewright.turn.steps.briefing import make_frame
from talewright.turn.turn_context import Teller

SOLO_CONTEXT_TOKENS = 16_000
"""Tokens of context that a long solo campaign needs for everything it keeps in view."""


@frozen
class ContextShortage:
    """A game that needs more context than its model has."""

    model: str
    tokens: int
    """How many tokens it can read at once."""

    needed: int
    """How many tokens the game needs to be narrated well."""


def find_shortage(
    edition: Edition, position: Position, language: str, teller: Teller
) -> ContextShortage | None:
    """Why a game does not fit its model; None if it does.

    A game whose memory grows with the context depends on remembering a lot. Any other game fits if its rules,
    its world and its people leave room for the story.
    """
    game, profile = edition.game, teller.main.profile
    tokens = min(profile.context_tokens, profile.prompt_tokens_max or profile.context_tokens)
    if game.memory.window_share is not None:
        fits = tokens >= SOLO_CONTEXT_TOKENS
    else:
        tools = allowed_tools(WorkingState(game, position))
        ground = AnswerGround(game, position, language, tools=tools)
        frame = make_frame(DIALECTS[game.contract], ground, edition.words(language), teller)
        fits = sum(section.tokens for section in frame.frozen.sections) <= frame.budget.frozen
    return None if fits else ContextShortage(profile.name, tokens, SOLO_CONTEXT_TOKENS)
