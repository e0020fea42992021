"""Turn watch: while the interface waits for a line, it shows turns taken elsewhere once they are committed.

A game master in another process may narrate the next turn at any time. Nothing is taken or changed here.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from talewright.errors import TalewrightError
from talewright.faces.plain.console import PlainConsole
from talewright.play.campaign_view import View
from talewright.play.news import CommittedNews
from talewright.play.session import Session


async def ask_and_watch(
    session: Session, desk: PlainConsole, shown: Callable[[], str], show: Callable[[View], Awaitable[None]]
) -> str | None:
    """Ask for a line, and meanwhile show turns taken elsewhere; None if there are no more lines.

    `shown` is the head that the player has seen.
    """
    watching = asyncio.ensure_future(_watch(session, desk, shown, show))
    try:
        return await desk.ask()
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


async def _watch(
    session: Session, desk: PlainConsole, shown: Callable[[], str], show: Callable[[View], Awaitable[None]]
) -> None:
    # A view that cannot be read now is reported when the player does something.
    with suppress(TalewrightError):
        async for news in session.watch():
            view = await session.view() if isinstance(news.event, CommittedNews) else None
            if view is not None and view.head != shown():
                desk.sheet.leave_prompt()
                await show(view)
                desk.sheet.prompt(desk.words.prompt)
                desk.sheet.flush()
