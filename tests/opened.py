"""Sessions whose opening is over, for tests that begin where the story stands."""

from collections.abc import Awaitable
from typing import TypeVar

from talewright.play.session import OpeningSession, wait_for_opening

S = TypeVar("S", bound=OpeningSession)


async def opened(coming: Awaitable[S]) -> S:
    """A session, once the turn that opens it is over."""
    session = await coming
    await wait_for_opening(session)
    return session
