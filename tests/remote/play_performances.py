"""Performances through a server: every play ends in the same state, with the same text.

`make sweep` performs all plays; the tests perform some of the short ones.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.faces.http.serving import serve_process
from tests.plays.performances import in_folder, perform_straight
from tests.plays.scripts import Play
from tests.plays.stage import CAMPAIGN, Stage
from tests.remote.play_server import LOBBY
from tests.remote.remote_stage import RemoteStage


@dataclass
class PlayServer:
    """A server of plays, and where it keeps them."""

    folder: Path
    url: str = ""

    @property
    def saves(self) -> Path:
        """The campaigns, each with the name of its play."""
        return self.folder / "saves"

    @property
    def cues(self) -> Path:
        """The file that says which turn is next."""
        return self.folder / "turn.json"

    def perform(self, play: Play) -> RemoteStage:
        """Perform a play, and compare it with the performance in one process."""
        draft = self.folder / "draft"
        asyncio.run(Stage(play, in_folder(draft)).prepare())
        (draft / CAMPAIGN).rename(self.saves / play.name)
        stage = asyncio.run(self._perform(play))
        for found, told in zip(stage.told, perform_straight(play.name).told, strict=True):
            assert found.body.narration == told.body.narration, play.name
            assert found.commit.state_digest == told.commit.state_digest, play.name
        # At least the acceptance and the commit of every turn.
        assert stage.transport.cuts > len(stage.told), play.name
        return stage

    async def _perform(self, play: Play) -> RemoteStage:
        stage = RemoteStage(play, in_folder(self.saves), self.cues, self.url)
        try:
            assert await stage.perform() == play.digest, play.name
        finally:
            await stage.close()
        return stage


@contextmanager
def serve_plays(folder: Path, pace_seconds: float = 0.0) -> Iterator[PlayServer]:
    """A server process for plays; its model takes a moment for each piece of a reply."""
    made = PlayServer(folder)
    made.saves.mkdir(parents=True)
    with serve_process(
        LOBBY, root=str(made.saves), cues=str(made.cues), pace_seconds=pace_seconds
    ) as process:
        made.url = process.url
        yield made
