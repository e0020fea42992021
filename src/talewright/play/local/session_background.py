"""Background work of a session: pages for the reader and errands of the systems, once a turn is safe.

It runs behind the player's back, in the order of the turns, and never makes a turn fail.
"""

import asyncio
from collections.abc import Awaitable, Callable

from talewright.chronicle.records import Commit
from talewright.errors import TalewrightError
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import say
from talewright.turn.memory.summaries_and_errands import condense
from talewright.turn.page_contents_and_git_subject import project
from talewright.turn.turn_context import Road


class SessionBackground:
    """The work that follows the turns of one session, one after the other."""

    def __init__(self, road: Road) -> None:
        self._road = road
        self._newest: asyncio.Task[None] | None = None

    def follow(self, commit: Commit) -> None:
        """Begin what follows a turn, after everything that was begun before."""

        async def work() -> None:
            await project(self._road, commit.branch, commit.id)
            await condense(self._road, commit.branch)

        self._begin(work)

    def go_back(self, branch: str, commit: Commit) -> None:
        """Show the pages of the turn to which a branch was taken back."""
        heading = self._say(Phrase.HEADING_BACK if commit.parent else Phrase.HEADING_BEGINNING, commit)
        self._begin(lambda: project(self._road, branch, commit.id, heading))

    def go_over(self, branch: str, commit: Commit, *, new: bool) -> None:
        """Show the pages of another branch, which begins at this turn or stands there."""
        heading = self._say(Phrase.HEADING_BRANCH if new else Phrase.HEADING_SWITCH, commit, branch)
        self._begin(lambda: project(self._road, branch, commit.id, heading))

    async def rest(self) -> None:
        """Wait until all of it is done."""
        while self._newest is not None:
            newest = self._newest
            await newest
            if self._newest is newest:
                self._newest = None

    def _say(self, phrase: Phrase, commit: Commit, branch: str = "") -> str:
        return say(self._road.language, phrase, turn=str(commit.version), branch=branch)

    def _begin(self, work: Callable[[], Awaitable[None]]) -> None:
        self._newest = asyncio.create_task(self._work(work, self._newest))

    async def _work(self, work: Callable[[], Awaitable[None]], before: "asyncio.Task[None] | None") -> None:
        if before is not None:
            await before
        try:
            await work()
        except TalewrightError:
            # The turn is safe; what could not be written now is made anew after the next one.
            return
