"""The history of a campaign: reads its records, and finds turns by the names that people use.

The entry point of this package for the command line. It changes nothing.
"""

from collections.abc import AsyncIterator, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from talewright.chronicle.pagination import read_campaigns
from talewright.chronicle.record_fold import FoldedRecords
from talewright.chronicle.records import Accepted, Aside, Attempt, Commit, Json
from talewright.chronicle.store import (
    CampaignBook,
    CampaignListing,
    DamagedError,
    Store,
    UnknownCampaignError,
    UnknownCommitError,
)
from talewright.common.frozen_values import frozen
from talewright.kernel.state.changes import Change
from talewright.kernel.state.changes import from_json as change_from_json
from talewright.play.history.recent_turn_cache import HISTORY_COMMITS_MAX, HISTORY_STRIDE
from talewright.play.playable_games import GameLibrary, PinnedGames
from talewright.play.presentation.value_wording import Wording
from talewright.turn.game_editions import Edition

STEPS_AT_ONCE: Final = 32
"""Records or turns processed between two pauses."""


class _OtherTasks:
    """Awaiting it lets every other task that is ready run once. It waits for nothing in particular."""

    def __await__(self) -> Generator[None, None, None]:
        yield


async def give_way(done: int) -> None:
    """Yield to other tasks every few steps; `done` counts the steps from one."""
    if done % STEPS_AT_ONCE == 0:
        await _OtherTasks()


PREFIX_LENGTH_MIN = 4
"""The minimum length of an id prefix that names a commit."""

Progress: TypeAlias = Callable[[int, int], None]
"""Called now and then with the number of finished turns and their total."""


def keep_quiet(done: int, of: int) -> None:
    """A progress callback that does nothing."""


RECOVERY = "Run `talewright saves recover {}`, or restore it from a backup."
"""What to do about a damaged campaign."""


# No slots: `children` is a cached property.
@dataclass(frozen=True)
class CampaignHistory:
    """The turns of one campaign and the names that point at them."""

    campaign: str
    branches: Mapping[str, str]
    """The id of the turn that each branch points at; the branch that moved last comes last."""

    marks: Mapping[str, str]
    commits: Mapping[str, Commit]
    """By id, in the order they were written."""

    accepted: Mapping[str, Accepted]
    """By operation."""

    attempts: Mapping[str, tuple[Attempt, ...]]
    """By operation, oldest first."""

    asides: tuple[Aside, ...] = ()
    damage: str = ""
    """Why reading stopped before the end, if it did."""

    @property
    def branch(self) -> str:
        """The current branch: the one that moved last."""
        return list(self.branches)[-1]

    @property
    def head(self) -> Commit:
        """The newest turn of that branch."""
        return self.commits[self.branches[self.branch]]

    @cached_property
    def children(self) -> Mapping[str, tuple[str, ...]]:
        """The turns that follow each turn, oldest first."""
        found: dict[str, tuple[str, ...]] = {}
        for commit in self.commits.values():
            found[commit.parent] = (*found.get(commit.parent, ()), commit.id)
        return found

    def lineage(self, commit: Commit) -> tuple[Commit, ...]:
        """All turns from the first to this one."""
        line = [commit]
        while line[-1].parent:
            line.append(self.commits[line[-1].parent])
        return tuple(reversed(line))

    def refuse_damage(self) -> None:
        """Raise DamagedError if the history is incomplete."""
        if self.damage:
            raise DamagedError(self.damage, RECOVERY.format(self.campaign))

    def names(self, commit: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The branches and marks that point at a turn."""
        return (
            tuple(name for name, at in self.branches.items() if at == commit),
            tuple(name for name, at in self.marks.items() if at == commit),
        )


async def read_history(book: CampaignBook, progress: Progress = keep_quiet) -> CampaignHistory:
    """Read all valid records of a campaign."""
    count = (await book.look()).sequence + 1
    found = FoldedRecords()
    damage = ""
    read = 0
    try:
        async for record in book.records():
            read += 1
            await give_way(read)
            found.take(record)
            if isinstance(record, Commit):
                progress(len(found.commits), count)
    except DamagedError as error:
        damage = error.message
    if not found.commits:
        raise DamagedError(
            f"no record of the campaign {book.campaign!r} can be read", RECOVERY.format(book.campaign)
        )
    return CampaignHistory(
        book.campaign,
        found.branches,
        found.marks,
        found.commits,
        found.accepted,
        found.attempts,
        tuple(found.all_asides),
        damage,
    )


def find_turn(history: CampaignHistory, name: str) -> Commit:
    """The turn with this name: a branch, a mark, a number on this branch, or the start of an id."""
    named = history.branches.get(name) or history.marks.get(name)
    if named is not None:
        return history.commits[named]
    if name.isascii() and name.isdigit() and len(name) <= len(str(history.head.version)):
        if int(name) <= history.head.version:
            return history.lineage(history.head)[int(name)]
    found = [commit for commit in history.commits if commit.startswith(name)] if name else []
    if len(found) == 1 and (len(name) >= PREFIX_LENGTH_MIN or found[0] == name):
        return history.commits[found[0]]
    if len(found) > 1 and len(name) >= PREFIX_LENGTH_MIN:
        raise UnknownCommitError(
            f"{len(found)} turns have an id that starts with {name!r}", "Type more of the id."
        )
    raise UnknownCommitError(
        f"there is no turn {name!r} in the campaign {history.campaign!r}",
        f"Name a turn by its number (0 to {history.head.version} on the branch {history.branch!r}), "
        f"by at least {PREFIX_LENGTH_MIN} characters of its id, by a mark or by a branch; "
        "`talewright tree` shows them.",
    )


def imported_of(root: Commit) -> Mapping[str, Json]:
    """The imported past in the first turn, if the campaign came from a save game."""
    held = root.body.get("root")
    imported = held.get("imported") if isinstance(held, Mapping) else None
    return imported if isinstance(imported, Mapping) else {}


async def open_campaign(store: Store, name: str = "") -> CampaignBook:
    """Open a campaign by name, or the one played last."""
    if name:
        return await store.open(name)
    listed = await read_campaigns(store)
    if not listed:
        raise UnknownCampaignError("there is no campaign yet", "Start one: talewright play mist_harbor")
    return await store.open(listed[0].campaign)


def read_changes(commit: Commit) -> tuple[Change, ...]:
    """The changes of a turn. Raises ValueError if they are malformed."""
    changes = commit.body.get("changes", ())
    if not isinstance(changes, Sequence):
        raise ValueError("the changes of a turn are a list")
    return tuple(map(change_from_json, changes))


@frozen
class ArchivedCampaign:
    """A campaign with its history."""

    book: CampaignBook
    history: CampaignHistory
    games: PinnedGames

    def find(self, name: str) -> Commit:
        """The turn with this name."""
        return find_turn(self.history, name)

    async def read_with(self, commit: Commit) -> tuple[Edition, Wording]:
        """The game a turn was played with, and its texts."""
        edition = await self.games.of(commit)
        line = self.history.lineage(commit)
        language = next(
            (str(turn.body["language"]) for turn in reversed(line) if "language" in turn.body), ""
        )
        language = language or edition.game.language
        return edition, Wording(edition.words(language), language)


@frozen
class CampaignArchive:
    """Where campaigns and their games are stored."""

    store: Store
    shelf: GameLibrary

    async def listings(self) -> tuple[CampaignListing, ...]:
        """All campaigns, the most recently written first."""
        return await read_campaigns(self.store)

    @asynccontextmanager
    async def book(self, campaign: str = "") -> AsyncIterator[CampaignBook]:
        """A context manager for a campaign's book, by name or the one played last."""
        book = await open_campaign(self.store, campaign)
        try:
            yield book
        finally:
            await book.close()

    @asynccontextmanager
    async def past(
        self, campaign: str = "", progress: Progress = keep_quiet
    ) -> AsyncIterator[ArchivedCampaign]:
        """The same with the whole history. Raises DamagedError if not all of it can be read.

        An incomplete history must not look complete; `recover` makes a complete one from the valid part.
        """
        async with self.book(campaign) as book:
            history = await read_history(book, progress)
            history.refuse_damage()
            yield ArchivedCampaign(book, history, PinnedGames(book, self.shelf))


async def walk_back(book: CampaignBook, head: str, count: int = HISTORY_COMMITS_MAX) -> AsyncIterator[Commit]:
    """A commit and its ancestors, newest first, read in batches; at most `count`."""
    left = min(count, HISTORY_COMMITS_MAX)
    while head and left > 0:
        line = await book.back(head, min(HISTORY_STRIDE, left))
        for commit in line:
            yield commit
        left -= len(line)
        head = line[-1].parent
