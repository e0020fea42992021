"""Campaign access: how a command opens the campaign that is meant, and tells of long work on it.

What is done with a campaign is each command's own business. Progress goes to the error stream, and only of
work that takes longer than one cares to wait in silence.
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
from talewright.play.local.local_lobby import LocalLobby
from talewright.play.session import Session, wait_for_opening

QUIET_SECONDS = 2.0
"""How long nothing is said."""

EVERY_SECONDS = 1.0
"""How often something is said after that."""


class ProgressTicker:
    """Tells how far a piece of work has come."""

    def __init__(
        self,
        doing: str,
        stream: TextIO | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._doing = doing
        self._stream = stream or sys.stderr
        self._clock = clock
        self._due = clock() + QUIET_SECONDS

    def __call__(self, done: int, of: int) -> None:
        """Called for every turn; speaks only now and then."""
        now = self._clock()
        if now >= self._due:
            self._due = now + EVERY_SECONDS
            print(f"{self._doing}: {done} of {of} turns", file=self._stream, flush=True)


T = TypeVar("T")


def enter_lobby(arguments: argparse.Namespace) -> LocalLobby:
    """The campaigns and games of this user."""
    git = not getattr(arguments, "no_git", False)
    return open_lobby(saves_folder(arguments), git=git)


def open_archive(arguments: argparse.Namespace) -> CampaignArchive:
    """The same campaigns, to be looked back on."""
    lobby = enter_lobby(arguments)
    return CampaignArchive(lobby.store, lobby.shelf)


@asynccontextmanager
async def open_session(arguments: argparse.Namespace) -> AsyncIterator[Session]:
    """A session of the campaign that is meant, closed again afterwards."""
    lobby = enter_lobby(arguments)
    name: str = arguments.campaign
    if not name:
        listed = await lobby.campaigns()
        if not listed:
            raise TalewrightError("there is no campaign yet", "Begin one: talewright play mist_harbor")
        name = listed[0].name
    session = await lobby.open(name)
    try:
        await wait_for_opening(session)
        yield session
    finally:
        await session.close()


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run what waits for a disk."""
    return asyncio.run(work)
