"""Background work of a session: pages, the systems' errands and reading ahead, after a turn is safe.

It runs concurrently with the player, in the order of the turns. Exceptions are recorded and reported; they
never make a turn fail, and the next piece of work still runs.

Reading ahead sends the known part of the next prompt when all other work is done: another prompt in between
would push it out of the server's cache. It stops at the player's next input, a cancel, a change of branch, or
when the player leaves. One runs at a time.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeAlias

from talewright.chronicle.records import Commit
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import say
from talewright.turn.background.asides import condense
from talewright.turn.background.background_troubles import BackgroundTroubles, BackgroundWork, record_troubles
from talewright.turn.background.page_contents import project
from talewright.turn.background.sending_ahead import send_ahead
from talewright.turn.turn_context import Road

Pieces: TypeAlias = dict[BackgroundWork, Callable[[], Awaitable[object]]]
"""The work to do, in order."""


class SessionBackground:
    """The background work of one session, one turn after the other."""

    def __init__(self, road: Road, kinds: frozenset[BackgroundWork]) -> None:
        self._road = road
        self._kinds = kinds
        """What is done here; the rest is done where the turns run."""

        # Without a storyteller, nothing is read ahead.
        self.ahead = SessionAhead(road if BackgroundWork.AHEAD in kinds else replace(road, teller=None))
        self._newest: asyncio.Task[None] | None = None
        self._reported: set[tuple[str, str]] = set()

    def follow(self, commit: Commit) -> None:
        """Start the work after a turn, when all earlier work is done."""
        road, branch = self._road, commit.branch
        self._begin(
            commit,
            {
                BackgroundWork.PAGES: lambda: project(road, branch, commit.id),
                BackgroundWork.ERRANDS: lambda: condense(road, branch),
            },
        )
        self.ahead.start(branch, commit, self._newest)

    def go_back(self, branch: str, commit: Commit) -> None:
        """Write the pages of the turn that a branch was moved back to."""
        heading = self._say(Phrase.HEADING_BACK if commit.parent else Phrase.HEADING_BEGINNING, commit)
        self._show(branch, commit, heading)

    def go_over(self, branch: str, commit: Commit, *, new: bool) -> None:
        """Write the pages of another branch, which starts at this turn or already points at it."""
        heading = self._say(Phrase.HEADING_BRANCH if new else Phrase.HEADING_SWITCH, commit, branch)
        self._show(branch, commit, heading)

    def report(self, commit: Commit, troubles: BackgroundTroubles) -> None:
        """Record and report what could not be shown of a turn, once per system."""
        new = [one for one in troubles.found if (commit.id, one.system) not in self._reported]
        self._reported |= {(commit.id, one.system) for one in new}
        if new:
            self._begin(commit, {BackgroundWork.PANELS: lambda: record_troubles(self._road, commit, new)})

    async def rest(self) -> None:
        """Wait until all of it is done."""
        while self._newest is not None:
            newest = self._newest
            await newest
            if self._newest is newest:
                self._newest = None

    def _say(self, phrase: Phrase, commit: Commit, branch: str = "") -> str:
        return say(self._road.language, phrase, turn=str(commit.version), branch=branch)

    def _show(self, branch: str, commit: Commit, heading: str) -> None:
        road = self._road
        self._begin(commit, {BackgroundWork.PAGES: lambda: project(road, branch, commit.id, heading)})
        self.ahead.start(branch, commit, self._newest)

    def _begin(self, commit: Commit, pieces: Pieces) -> None:
        pieces = {what: piece for what, piece in pieces.items() if what in self._kinds}
        if not pieces:
            return
        # Fast players are several turns ahead of this work.
        self._road.folds.hold(commit.id)
        self._newest = asyncio.create_task(self._work(commit, pieces, self._newest))

    async def _work(self, commit: Commit, pieces: Pieces, before: "asyncio.Task[None] | None") -> None:
        troubles = BackgroundTroubles()
        try:
            if before is not None:
                # However it ended, the next work still runs.
                await asyncio.wait([before])
            for what, piece in pieces.items():
                with troubles.catch(what):
                    await piece()
        finally:
            self._road.folds.release(commit.id)
        await record_troubles(self._road, commit, troubles.found)


class SessionAhead:
    """Reads ahead for one session."""

    def __init__(self, road: Road) -> None:
        self._road = road
        self._tasks: set[asyncio.Task[None]] = set()
        """The newest, and older ones that are ending."""

    def start(self, branch: str, commit: Commit, work: "asyncio.Task[None] | None" = None) -> None:
        """Send the known part of the prompt after a turn, once other work is done; this replaces a running
        one.
        """
        if self._road.teller is None or self._road.teller.ahead is None:
            return
        self._cancel()
        before = self._tasks if work is None else self._tasks | {work}
        task = asyncio.create_task(self._read(branch, commit, frozenset(before)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """Stop it, and wait until the connection is closed and the record is written."""
        self._cancel()
        await self.rest()

    async def rest(self) -> None:
        """Wait until no reading ahead is running."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _cancel(self) -> None:
        for task in self._tasks:
            # If it were cancelled twice, it could not write its record.
            if not task.cancelling():
                task.cancel()

    async def _read(self, branch: str, commit: Commit, before: "frozenset[asyncio.Task[None]]") -> None:
        if before:
            await asyncio.wait(before)
        troubles = BackgroundTroubles()
        with troubles.catch(BackgroundWork.AHEAD):
            await send_ahead(self._road, branch)
        await record_troubles(self._road, commit, troubles.found)
