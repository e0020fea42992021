"""While the plain face waits for a line, turns that others tell are shown; errors wait for the player."""

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import replace

from talewright.errors import TalewrightError
from talewright.faces.plain.command_loop import ask_and_watch
from talewright.play.campaign_view import View
from talewright.play.news import BackgroundNews, CommittedNews, News
from tests.faces.plain.fakes import VIEW, FakeSession
from tests.faces.plain.tables import Table

COMMITTED = News(2, CommittedNews(4, "later"), "main", "op")


class Watched(FakeSession):
    """A session in which somebody else tells turns."""

    def __init__(self, heads: list[str]) -> None:
        super().__init__()
        self.heads = heads

    async def view(self) -> View:
        if not self.heads:
            raise TalewrightError("the disk is full")
        return replace(VIEW, head=self.heads.pop(0))

    async def watch(self, after: int = -1) -> AsyncIterator[News]:
        yield News(1, BackgroundNews("Time passes."))
        for _ in range(3):
            yield COMMITTED


def test_turns_of_others_are_shown_while_a_line_is_awaited() -> None:
    async def run() -> None:
        reading, typing = os.pipe()
        with os.fdopen(reading, encoding="utf-8") as source:
            table = Table(terminal=True, source=source)
            shown: list[str] = [VIEW.head]

            async def show(view: View) -> None:
                shown.append(view.head)
                table.write(f"Turn {view.head}.")
                os.write(typing, b"I wait.\n")
                os.close(typing)

            # The first news are of the turn that the player has seen; then one is new; then reading fails.
            session = Watched([VIEW.head, "later"])
            line = await ask_and_watch(session, table, lambda: shown[-1], show)
        assert (line, shown) == ("I wait.", [VIEW.head, "later"])
        prompt = table.words.prompt.strip()
        assert table.out.getvalue().count(prompt) == 2, "the player is asked again below the turn"

    asyncio.run(run())
