"""Performances: a play on a store in memory or in a folder, and one that several tests look at.

What a play must come to stands in its file; here it is only performed.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from talewright.chronicle.records import MAIN
from talewright.chronicle.store import CampaignBook, Store
from talewright.stores.folder.folder_store import FolderStore
from talewright.stores.memory_store import MemoryStore
from tests.plays.refusals import Listener
from tests.plays.scripts import PLAYS, read_play
from tests.plays.stage import Reopen, Stage, Told


def in_memory() -> Reopen:
    """A store that lasts as long as the performance."""
    store = MemoryStore()

    async def reopen() -> Store:
        return store

    return reopen


def in_folder(root: Path) -> Reopen:
    """A store that is made anew on the same folder."""

    async def reopen() -> Store:
        return FolderStore(root, git=False)

    return reopen


def perform(stage: Stage) -> str:
    """The digest at the end."""
    return asyncio.run(stage.perform())


@dataclass(frozen=True, slots=True)
class Performance:
    """A play that was performed straight in memory."""

    digest: str
    told: Sequence[Told]
    listener: Listener
    """Who has heard every refusal of the spiral."""

    book: CampaignBook
    """Its records."""

    @property
    def main(self) -> list[Told]:
        """The turns of the story as it stands at the end, in order."""
        known = {told.commit.id: told for told in self.told}
        line = [next(told for told in reversed(self.told) if told.commit.branch == MAIN)]
        while line[-1].commit.parent in known:
            line.append(known[line[-1].commit.parent])
        return line[::-1]


@cache
def perform_straight(name: str) -> Performance:
    """A play, performed once however many tests ask for it."""
    listener = Listener()
    stage = Stage(read_play(PLAYS / f"{name}.yaml"), in_memory())
    with pytest.MonkeyPatch.context() as patch:
        listener.listen(patch)
        digest = perform(stage)
    return Performance(digest, stage.told, listener, asyncio.run(stage.book()))
