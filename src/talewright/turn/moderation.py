"""Moderation: the port through which a host objects to words that go in or come out.

By default nobody objects. Where it is asked stands in `pipeline` (what a player says) and in `asking` (a
narration before it is committed).
"""

from typing import Protocol

from talewright.common.frozen_values import frozen


@frozen
class Objection:
    """Words that are not let through."""

    reason: str
    """For the player, or for the model that should tell it otherwise."""

    grave: bool = True
    """Not grave is a caution about what a player says: it may be put another way, withdrawn, or gone on with;
    the storyteller is then reminded of the rating."""


class Moderation(Protocol):
    """Whoever decides what may be said."""

    async def hear(self, text: str) -> Objection | None:
        """Judge what a player says."""

    async def read(self, text: str) -> Objection | None:
        """Judge a narration before it is committed."""


class NoModeration:
    """Lets everything through."""

    async def hear(self, text: str) -> Objection | None:
        return None

    async def read(self, text: str) -> Objection | None:
        return None
