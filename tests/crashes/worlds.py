"""Worlds that end: a child process plays a short campaign and is struck at one crash point.

Whatever strikes, a new process must find everything that was acknowledged and be able to go on.
"""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from talewright.chronicle.records import MAIN
from talewright.chronicle.store import CampaignBook, Store
from talewright.crashpoints import POINTS, set_hook
from talewright.kernel.judging.moves import Call, Op, Update
from talewright.play.verify.campaign_verification import verify
from talewright.providers.scripted import Scripted, ScriptedReply, by
from talewright.stores.folder.folder_store import FolderStore
from talewright.turn.background.asides import condense
from talewright.turn.background.page_contents import project
from talewright.turn.game_master.master_turn import OpenedTurn, begin_outside
from talewright.turn.inputs.player_inputs import Input, Opening, Say
from talewright.turn.new_campaign import write_first_commit
from talewright.turn.pipeline import take_turn
from talewright.turn.steps.recalling import recall
from talewright.turn.turn_context import Road, Teller
from talewright.turn.turn_outcomes import Committed
from tests.plays.scripts import read_line
from tests.plays.stage import CAMPAIGN, NOW, SECRET, Shelf, load_edition
from tests.turn.mastering import Master

GAME = "tests/plays/games/bridge"
RECOVERY_SECONDS_MAX = 2.0
TRIES_MAX = 3
HUNG = b"hung"


class Blow(StrEnum):
    """How a world ends."""

    KILL = "kill"
    EXCEPTION = "exception"
    CANCEL = "cancel"
    HANG = "hang"


OUTSIDE_POINT = "store round"
"""The point that only a turn told from outside passes."""

CELLS = [
    (f"{side} {point}", blow)
    for point in POINTS
    if point != OUTSIDE_POINT
    for side in ("before", "after")
    for blow in Blow
]
"""Every point of a turn that is told here, on both sides, with every blow."""

Play: TypeAlias = Callable[[CampaignBook], Coroutine[None, None, str]]
Replies: TypeAlias = tuple[str | Mapping[str, Any], ...]

SCRIPT: tuple[tuple[str, Input, Replies, Replies], ...] = (
    ("op-1", Opening(), ("He waits.",), ('"they say it leaks"',)),
    (
        "op-2",
        Say("I pay, and ask who he is"),
        (
            "",
            {"text": "Hm.", "calls": [{"name": "pay", "arguments": {"coins": 2}}]},
            {"text": "He tells you.", "calls": [{"name": "ask_keeper"}]},
            '"Old Marn"',
        ),
        ('"the water rises"',),
    ),
)
"""Operation, input, replies, and the replies to the errands afterwards."""


OUTSIDE: tuple[tuple[Call | Update, ...], ...] = (
    (Call("ask_keeper", {}, "c1"), Update(Op.INC, "mood", 1)),
    (Update(Op.INC, "mood", 1),),
)
"""The rounds of a turn that a game master outside tells."""

OUTSIDE_ANSWERS = {"keeper-name": "Old Marn"}
OUTSIDE_GIVEN = Say("I look back")
OUTSIDE_OPERATION = "op-3"
OUTSIDE_WORDS = "The lamp behind you goes out."
HOLDER = "the game master"
"""Who comes back knows how it called itself."""

LATER = "2027-01-01T00:00:00Z"
"""When every lease has run out."""


@dataclass(slots=True)
class Striker:
    """Strikes when a crash point is passed, the first time or a later one, and remembers which were."""

    point: str
    strike: Callable[[], None]
    time: int = 1
    """The how manieth passing it is."""

    passed: list[str] = field(default_factory=list)
    """Every passing, in order."""

    def __call__(self, point: str) -> None:
        self.passed.append(point)
        if point == self.point and self.passed.count(point) == self.time:
            self.strike()


async def found_campaign(root: Path, git: bool) -> None:
    """Begin the campaign, before anything can strike."""
    await found_in(FolderStore(root, git=git))


async def found_in(store: Store) -> None:
    """Begin the campaign in a store of any kind."""
    edition = load_edition(GAME)
    ids = make_ids()
    book = await write_first_commit(
        store, edition, campaign=CAMPAIGN, language="en", secret=SECRET, now=lambda: NOW, new_id=ids
    )
    await book.close()


def make_ids() -> Callable[[], str]:
    """Random names, as in play: two processes must not name their commits alike."""
    return lambda: os.urandom(16).hex()


async def play_script(book: CampaignBook) -> str:
    """Play the whole script; whatever is done already is only looked up. The digest of the last state."""
    for operation, given, replies, asides in SCRIPT:
        for _ in range(TRIES_MAX):
            outcome = await take_turn(make_road(book, replies), MAIN, given, operation)
            if isinstance(outcome, Committed):
                break
        else:
            raise AssertionError(f"{operation} came to nothing: {outcome}")
        await project(make_road(book, ()), MAIN)
        await condense(make_road(book, asides), MAIN)
    return (await recall(make_road(book, ()), MAIN)).head.state_digest


async def play_outside(book: CampaignBook, now: str = NOW, holder: str = HOLDER) -> str:
    """Tell a turn from outside; an open one is gone on with from where it is. The digest of the state."""
    road = make_road(book, (), now)
    opened = await begin_outside(road, MAIN, OUTSIDE_GIVEN, OUTSIDE_OPERATION, holder=holder)
    if isinstance(opened, OpenedTurn):
        master = Master(road, opened)
        for moves in OUTSIDE[opened.rounds :]:
            result = await master.propose(moves, OUTSIDE_ANSWERS)
            assert not result.flaws, result.flaws
        await master.finish(OUTSIDE_WORDS)
    return (await recall(make_road(book, ()), MAIN)).head.state_digest


def make_road(book: CampaignBook, replies: Replies, now: str = NOW) -> Road:
    """A road with a storyteller that says these replies."""
    lines: list[ScriptedReply] = [read_line(reply) for reply in replies]
    return Road(
        book=book,
        editions=Shelf(GAME),
        now=lambda: now,
        new_id=make_ids(),
        teller=Teller(Scripted(lines, cut=by(4))),
    )


async def play_again(book: CampaignBook) -> str:
    """Take the last turn again in its own place; the digest of the state."""
    operation, given, replies, _ = SCRIPT[0]
    old = (await recall(make_road(book, ()), MAIN)).head
    await take_turn(make_road(book, replies), MAIN, given, f"{operation} again", old.parent, old.id)
    return (await recall(make_road(book, ()), MAIN)).head.state_digest


@dataclass(frozen=True, slots=True)
class Fate:
    """Where and how a world ends."""

    point: str
    blow: Blow
    time: int = 1
    """The how manieth passing of the point it is."""


def live(make: Callable[[], Store], fate: Fate, report: int, play: Play) -> NoReturn:
    """The life of the child process."""

    async def main() -> None:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None

        def strike() -> None:
            match fate.blow:
                case Blow.KILL:
                    os.kill(os.getpid(), signal.SIGKILL)
                case Blow.EXCEPTION:
                    raise RuntimeError(f"struck {fate.point}")
                case Blow.CANCEL:
                    loop.call_soon_threadsafe(task.cancel)
                case Blow.HANG:
                    os.write(report, HUNG)
                    while True:
                        signal.pause()

        set_hook(Striker(fate.point, strike, fate.time))
        book = await make().open(CAMPAIGN)
        await play(book)
        await book.close()

    code = 1
    try:
        asyncio.run(main())
        code = 0
    except (asyncio.CancelledError, RuntimeError):
        code = 3
    finally:
        os._exit(code)


def strike(root: Path, git: bool, point: str, blow: Blow, play: Play = play_script) -> None:
    """Let a world in a folder live until it is struck, and end it."""
    strike_in(lambda: FolderStore(root, git=git), Fate(point, blow), play)


def strike_in(make: Callable[[], Store], fate: Fate, play: Play) -> None:
    """Let a world live until it is struck, and end it; `make` makes its store there."""
    ear, mouth = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ear)
        live(make, fate, mouth, play)
    os.close(mouth)
    with os.fdopen(ear, "rb") as heard:
        # The pipe closes when the child is gone; a child that hangs says so and is then killed.
        if heard.read(len(HUNG)) == HUNG:
            os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


async def recover(root: Path, git: bool) -> tuple[float, str]:
    """Open the campaign in a new life, verify it, go on to the end, verify it again; seconds and digest."""
    started = time.monotonic()
    book = await FolderStore(root, git=git).open(CAMPAIGN)
    await recall(make_road(book, ()), MAIN)
    seconds = time.monotonic() - started
    assert (await book.look()).damage is None
    report = await verify(book, secret=SECRET)
    assert report.good, report.violations
    digest = await play_script(book)
    report = await verify(book, secret=SECRET)
    assert report.good, report.violations
    await book.close()
    return seconds, digest
