"""Giving way: a long look back pauses now and then, so that whoever sits at the keys is heard meanwhile.

It does nothing else, and decides nothing.
"""

import asyncio
from typing import Final

STEPS_AT_ONCE: Final = 32
"""Records or turns that are looked at between two pauses."""


async def give_way(done: int) -> None:
    """Let everything else have its turn, once in so many steps; `done` counts them from one."""
    if done % STEPS_AT_ONCE == 0:
        await asyncio.sleep(0)
