"""Recalling: the state of a branch, read from the newest snapshot and the commits after it.

The amount read does not grow with the campaign. Nothing is written here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import cast

from talewright.chronicle.records import Aside, Commit
from talewright.chronicle.store import (
    BlobKind,
    CampaignBook,
    DamagedError,
    NewerFormatError,
)
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.work_meter import UNLIMITED, limit_work
from talewright.crashpoints import around
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.value_validation import find_misfit
from talewright.kernel.state.changes import apply
from talewright.kernel.state.changes import from_json as change_from_json
from talewright.kernel.state.documents import DraftError
from talewright.kernel.state.state import Position, State, position_of
from talewright.turn.background.background_troubles import BackgroundTroubles, BackgroundWork
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.fold_cache import PastBodies
from talewright.turn.game_editions import Adoption, Edition, Editions, adopt
from talewright.turn.records.commit_body import TurnBody
from talewright.turn.turn_context import Road, work_aside
from talewright.turn.turn_progress import SeenBefore, SeenDraws, number_of_turn, read_seen

TOLD_TURNS = 8
"""The last turns in which the leak guard counts the pieces of hidden texts together."""


@frozen
class PageEdit:
    """A page as a person has edited it."""

    path: str
    text: str


@frozen
class Recalled:
    """What a turn starts with."""

    head: Commit
    body: TurnBody
    """The body of the head."""

    edition: Edition
    """The game to play: the pinned one, or a newer one that fits."""

    position: Position
    """The state of the head, under that edition."""

    adoption: Adoption | None
    """The changes of a newer edition, to be recorded with the next turn; or why it is not used."""

    past: tuple[Commit, ...]
    """The head and the earlier commits that were read anyway, newest first."""

    asides: tuple[Aside, ...]
    """Finished background results for this line that no turn has used yet."""

    seen: SeenBefore = field(default_factory=SeenBefore)
    """What game masters saw in abandoned turns, once it was read."""

    edits: tuple[PageEdit, ...] = ()
    """Edits by hand in the campaign's pages, once they were read."""

    bodies: PastBodies = field(default_factory=PastBodies, compare=False)
    """Reads the bodies of `past`, each once in this process."""


async def recall(road: Road, branch: str) -> Recalled:
    """Recall the current state of a branch."""
    return await recall_at(road, (await road.book.look(branch)).head)


async def recall_at(road: Road, commit: str) -> Recalled:
    """Recall the state at a commit, under the newest edition of its game that fits."""
    return await _recall(road, commit, lambda pinned: road.editions.latest(pinned.game.id))


async def recall_edition(road: Road, commit: str, digest: str) -> Recalled:
    """Recall the state at a commit under a known edition that the book has stored."""
    played = await open_edition(road, digest)
    return await _recall(road, commit, lambda _: played)


async def _recall(road: Road, commit: str, newest: Callable[[Edition], Edition | None]) -> Recalled:
    folded = road.folds.find(commit)
    state, past = await fold(road.book, commit) if folded is None else (folded.state, folded.past)
    head = past[0]
    body = road.folds.bodies.read(head)
    pinned = await open_edition(road, head.game_digest)
    if not road.reads_newer:
        refuse_newer(body.engine)
    if folded is None:
        _refuse_misfit(pinned, state)
        road.folds.keep(state, past)
    adoption = adopt(pinned, newest(pinned), state)
    edition = pinned
    if adoption is not None and adoption.edition is not None:
        edition, state = adoption.edition, adoption.state
    count = max(road.limits.asides_commits, edition.game.memory.keep_turns, TOLD_TURNS)
    past = await _read_back(road.book, past, count)
    asides = await _open_asides(road, past)
    texts = edition.words(road.language or body.language)
    with limit_work(road.limits.work_max):
        position = await work_aside(partial(position_of, edition.game, state, texts.language, texts))
    return Recalled(head, body, edition, position, adoption, past, asides, bodies=road.folds.bodies)


async def find_newer_engine(road: Road, commit: str) -> int | None:
    """The engine that made a commit, if it is later than this one, which then cannot continue from there."""
    folded = road.folds.find(commit)
    head = await road.book.read(commit) if folded is None else folded.past[0]
    engine = road.folds.bodies.read(head).engine
    return engine if engine is not None and engine > ENGINE_NUMBER else None


def refuse_newer(engine: int | None) -> None:
    """Refuse to continue a campaign that a later engine has played."""
    if engine is not None and engine > ENGINE_NUMBER:
        raise NewerFormatError(
            f"the campaign was played with engine {engine}; this version has engine {ENGINE_NUMBER}",
            "Update Talewright, then open the campaign again. Nothing in it was changed.",
        )


def _refuse_misfit(pinned: Edition, state: State) -> None:
    """Refuse to continue from a state that no turn of its game can have reached."""
    misfit = find_misfit(pinned.game.layout, state.document)
    if misfit:
        raise DamagedError(
            f"the state of turn {state.version} does not fit its game: {misfit}",
            "Run `talewright verify` to see where the record was altered.",
        )


PAST_TURNS_MAX = 400
"""Maximum number of turns systems are given for their pages and errands."""


async def reach_back(
    book: CampaignBook,
    recalled: Recalled,
    *,
    whole: bool = False,
    troubles: BackgroundTroubles | None = None,
) -> Recalled:
    """Read as many commits as the systems need; with `whole`, all of them if any system needs some.

    A system whose `reach` fails gets the commits already read.
    """
    game = recalled.edition.game
    table, troubles = WorkingState(game, recalled.position), troubles or BackgroundTroubles()
    oldest: list[int] = []
    for system in game.parts.reach:
        with troubles.catch(BackgroundWork.PAGES, system.name):
            oldest += [first for first in [system.reach(table.sight(system))] if first]
    if not oldest:
        return recalled
    count = min(recalled.head.version - (1 if whole else min(oldest)) + 1, PAST_TURNS_MAX)
    return replace(recalled, past=await _read_back(book, recalled.past, count))


async def fold(book: CampaignBook, commit: str) -> tuple[State, tuple[Commit, ...]]:
    """Compute the state at a commit; also return the commits read for it, newest first.

    A damaged or missing snapshot only means reading further back. A state that does not match its recorded
    digest raises DamagedError.
    """
    with around("load snapshot"):
        document, past = await _find_ground(book, commit)
    with around("load tail"):
        for turn in reversed(past[:-1]):
            document = _apply(document, turn)
    state = State(document, past[0].version)
    if state.digest != past[0].state_digest:
        raise DamagedError(
            f"the changes up to turn {past[0].version} do not give the state that was recorded",
            "Run `talewright verify` to see where the record goes wrong.",
        )
    return state, tuple(past)


async def _read_back(book: CampaignBook, past: tuple[Commit, ...], count: int) -> tuple[Commit, ...]:
    """Read at least `count` commits, if there are that many."""
    if len(past) >= count or not past[-1].parent:
        return past
    return (*past, *await book.back(past[-1].parent, count - len(past)))


_STRIDE = 8
"""How many commits are read first on the way back to a snapshot."""


async def _find_ground(book: CampaignBook, commit: str) -> tuple[Mapping[str, Json], list[Commit]]:
    """Find the nearest document at or before a commit, and the commits since, newest first."""
    past: list[Commit] = []
    ahead: Sequence[Commit] = await book.back(commit, _STRIDE)
    while True:
        for turn in ahead:
            past.append(turn)
            if turn.parent == "":
                root = cast(Mapping[str, Mapping[str, Json]], turn.body["root"])
                return root["document"], past
            kept = await book.kept(BlobKind.SNAPSHOT, turn.id) if snapshot_due(turn) else None
            if isinstance(kept, dict) and State(kept, turn.version).digest == turn.state_digest:
                return kept, past
        # Read all commits back to the expected snapshot at once.
        ahead = await book.back(past[-1].parent, past[-1].version % SNAPSHOT_EVERY or SNAPSHOT_EVERY)


SNAPSHOT_EVERY = 32
"""A snapshot of the state is stored at every multiple of this version."""


def snapshot_due(commit: Commit) -> bool:
    """Whether the state of this commit gets a snapshot."""
    return commit.version % SNAPSHOT_EVERY == 0


def _apply(document: Mapping[str, Json], turn: Commit) -> Mapping[str, Json]:
    changes = cast(Sequence[Json], turn.body.get("changes", ()))
    try:
        return apply(document, (change_from_json(change) for change in changes))
    except (DraftError, ValueError) as error:
        raise DamagedError(
            f"the changes of turn {turn.version} do not fit the state before it: {error}",
            "Run `talewright verify` to see where the record goes wrong.",
        ) from error


async def open_edition(road: Road, digest: str) -> Edition:
    """Load a game that the campaign is or was played with."""
    opened = road.opened.by_digest
    if digest not in opened:
        form = await road.book.kept(BlobKind.GAME, digest)
        if form is None:
            raise DamagedError(
                "the game this campaign was played with is missing from its folder",
                "Bring back the folder `games` of the campaign from a backup or from its git history.",
            )
        opened[digest] = await unpack_pinned(road.editions, form, digest)
    return opened[digest]


async def unpack_pinned(editions: Editions, form: Json, digest: str) -> Edition:
    """Load the edition that a campaign has stored under a digest; a large one leaves the event loop free.

    Raises DamagedError if another game is stored there: whoever caches editions by digest relies on it.
    """
    with limit_work(UNLIMITED):
        edition = await work_aside(partial(editions.unpack, form))
    if edition.digest != digest:
        raise DamagedError(
            "another game is stored in place of the one this campaign was played with",
            "Restore the campaign's folder `games` from a backup or from its git history.",
        )
    return edition


async def _open_asides(road: Road, past: Sequence[Commit]) -> tuple[Aside, ...]:
    near = past[: road.limits.asides_commits]
    found = await road.book.asides(frozenset(commit.id for commit in near))
    taken = {aside for commit in near for aside in cast(Sequence[str], commit.body.get("asides", ()))}
    return tuple(aside for aside in found if aside.id not in taken and not is_seen(aside))


SEEN = "seen"
"""The kind of an aside that lists what a game master saw in a turn that was then abandoned."""


def is_seen(aside: Aside) -> bool:
    """Whether an aside lists draws of an abandoned turn."""
    return aside.body.get("kind") == SEEN


async def find_seen(book: CampaignBook) -> tuple[Aside, ...]:
    """Return what game masters ever saw in abandoned turns of the campaign, oldest first.

    These asides are made for the first commit, so that no branch and no undo leaves them behind.
    """
    found = await book.asides(frozenset({await find_root(book)}))
    return tuple(aside for aside in found if is_seen(aside))


async def _was_drawn(book: CampaignBook, recalled: Recalled, look: SeenDraws) -> bool:
    """Whether a turn of this line already had these dice: it was undone, looked at again and restored."""
    behind = recalled.head.version - number_of_turn(look.stream)
    if behind < 0:
        return False
    past = await _read_back(book, recalled.past, behind + 1)
    return any(draw.name.startswith(f"{look.stream}:") for draw in recalled.bodies.read(past[behind]).draws)


async def find_root(book: CampaignBook) -> str:
    """Return the id of the campaign's first commit."""
    (first,) = [record async for record in book.records(limit=1)]
    assert isinstance(first, Commit), "the first record is a commit"
    return first.id


async def recall_seen(book: CampaignBook, recalled: Recalled, through: int) -> SeenBefore:
    """Return what was seen in abandoned turns, and what of it no turn up to the head has used.

    `through` is how many asides count: those that were written before the turn began.
    """
    known = cast(Mapping[str, Json], recalled.body.seen or {"through": 0, "waiting": ()})
    waiting = [read_seen(raw) for raw in cast(Sequence[Json], known["waiting"])]
    streams: set[str] = set()
    for number, aside in enumerate((await find_seen(book))[:through]):
        looks = [read_seen(raw) for raw in cast(Sequence[Json], aside.body["checks"])]
        streams.update(one.stream for one in looks)
        if number >= cast(int, known["through"]):
            waiting += [one for one in looks if not await _was_drawn(book, recalled, one)]
    return SeenBefore(tuple(waiting), frozenset(streams))
