"""Campaign access: opens the campaign that a command works on, and reports progress.

Progress goes to standard error, and only if the work takes longer than QUIET_SECONDS.
"""

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, TextIO, TypeVar

from talewright.bootstrap import open_lobby
from talewright.cli.command_options import saves_folder
from talewright.errors import TalewrightError
from talewright.play.history.campaign_history import CampaignArchive
from talewright.play.session import Session, wait_for_opening
from talewright.play.sessions.store_lobby import StoreLobby

QUIET_SECONDS = 2.0
"""Time before the first report."""

EVERY_SECONDS = 1.0
"""Time between further reports."""


class ProgressTicker:
    """Reports the progress of a piece of work."""

    def __init__(
        self,
        doing: str,
        stream: TextIO | None = None,
        clock: Callable[[], float] = monotonic,
        counted: str = "turns",
    ) -> None:
        self._doing = doing
        self._counted = counted
        self._stream = stream or sys.stderr
        self._clock = clock
        self._due = clock() + QUIET_SECONDS

    def __call__(self, done: int, of: int) -> None:
        """Call this for every turn, or whatever is counted; it prints only now and then."""
        now = self._clock()
        if now >= self._due:
            self._due = now + EVERY_SECONDS
            print(f"{self._doing}: {done} of {of} {self._counted}", file=self._stream, flush=True)


T = TypeVar("T")


def enter_lobby(arguments: argparse.Namespace) -> StoreLobby:
    """The campaigns and games of this user."""
    git = not getattr(arguments, "no_git", False)
    return open_lobby(saves_folder(arguments), git=git)


def open_archive(arguments: argparse.Namespace) -> CampaignArchive:
    """The same campaigns, to look back on."""
    lobby = enter_lobby(arguments)
    return CampaignArchive(lobby.store, lobby.shelf)


@asynccontextmanager
async def open_session(arguments: argparse.Namespace) -> AsyncIterator[Session]:
    """A session of the chosen campaign, closed afterwards."""
    lobby = enter_lobby(arguments)
    name: str = arguments.campaign
    if not name:
        listed = await lobby.campaigns()
        if not listed:
            raise TalewrightError("there is no campaign yet", "Start one: talewright play mist_harbor")
        name = listed[0].name
    session = await lobby.open(name)
    try:
        await wait_for_opening(session)
        yield session
    finally:
        await session.close()


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine."""
    return asyncio.run(work)
