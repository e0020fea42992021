"""Background work of a session: pages for the reader and errands of the systems, once a turn is safe.

It runs behind the player's back, in the order of the turns. Whatever a piece of it throws is recorded and
told; it never makes a turn fail, and the next piece runs.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from talewright.chronicle.records import Commit
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import say
from talewright.turn.background.background_troubles import BackgroundTroubles, BackgroundWork, record_troubles
from talewright.turn.background.page_contents_and_git_subject import project
from talewright.turn.background.summaries_and_errands import condense
from talewright.turn.turn_context import Road

Pieces: TypeAlias = dict[BackgroundWork, Callable[[], Awaitable[object]]]
"""What is to be done, in its order."""


class SessionBackground:
    """The work that follows the turns of one session, one after the other."""

    def __init__(self, road: Road) -> None:
        self._road = road
        self._newest: asyncio.Task[None] | None = None
        self._reported: set[tuple[str, str]] = set()

    def follow(self, commit: Commit) -> None:
        """Begin what follows a turn, after everything that was begun before."""
        road, branch = self._road, commit.branch
        self._begin(
            commit,
            {
                BackgroundWork.PAGES: lambda: project(road, branch, commit.id),
                BackgroundWork.ERRANDS: lambda: condense(road, branch),
            },
        )

    def go_back(self, branch: str, commit: Commit) -> None:
        """Show the pages of the turn to which a branch was taken back."""
        heading = self._say(Phrase.HEADING_BACK if commit.parent else Phrase.HEADING_BEGINNING, commit)
        self._show(branch, commit, heading)

    def go_over(self, branch: str, commit: Commit, *, new: bool) -> None:
        """Show the pages of another branch, which begins at this turn or stands there."""
        heading = self._say(Phrase.HEADING_BRANCH if new else Phrase.HEADING_SWITCH, commit, branch)
        self._show(branch, commit, heading)

    def report(self, commit: Commit, troubles: BackgroundTroubles) -> None:
        """Record and tell what could not be shown of a turn, once for each system."""
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

    def _begin(self, commit: Commit, pieces: Pieces) -> None:
        self._newest = asyncio.create_task(self._work(commit, pieces, self._newest))

    async def _work(self, commit: Commit, pieces: Pieces, before: "asyncio.Task[None] | None") -> None:
        if before is not None:
            # However it ended, what comes after it is done all the same.
            await asyncio.wait([before])
        troubles = BackgroundTroubles()
        for what, piece in pieces.items():
            with troubles.catch(what):
                await piece()
        await record_troubles(self._road, commit, troubles.found)
