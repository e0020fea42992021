"""Short lives: a forked process plays a campaign in a folder until it is killed, or until its disk is full.

What it is told while it plays goes through a pipe, which outlives it.
"""

import asyncio
import errno
import itertools
import json
import os
import random
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import NoReturn, TypeAlias

from talewright.crashpoints import set_hook
from talewright.errors import TalewrightError
from talewright.play.campaign_view import View
from talewright.play.session import InputResult, ResultKind, Stamp
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.stores.folder.disk import Disk
from talewright.stores.folder.folder_store import FolderStore
from talewright.turn.turn_signals import Signal, TurnAccepted, TurnCommitted
from tests.opened import opened
from tests.sweep.verified_campaigns import shelve

CAMPAIGN = "kept"

POINTS_MAX = 80
"""Crash points before a kill; a turn told by scenes passes about 25."""

CALLS_MAX = 240
"""Calls of the disk before a kill."""

WRITES_MAX = 20
"""Writes before a kill that only they count for."""

ROOM_BYTES_MAX = 24_000
"""What a disk takes before it is full: a few turns with their pages."""

TURNS_MAX = 60
"""More turns than any life has before it is killed."""

SECONDS_MAX = 60.0
"""How long a life may take. One that hangs is ended by an alarm, which no kill can be taken for."""

Event: TypeAlias = list[str]
"""What a life was told: a word, then an operation or a head, then what it came to."""


class Ending(StrEnum):
    """How a life ends."""

    POINT = "killed at a crash point"
    DISK = "killed at a call of the disk"
    FULL = "killed after the disk was full"
    NONE = "left in order"


@dataclass(frozen=True, slots=True)
class Life:
    """One process at a campaign."""

    place: Path
    game: str
    git: bool
    seed: str
    """Names the life, and with it every operation."""

    ending: Ending
    crowded: bool = False
    """Whether another process plays the campaign at the same time."""


def kill() -> NoReturn:
    """End this process as nothing can prevent."""
    os.kill(os.getpid(), signal.SIGKILL)
    while True:
        signal.pause()


@dataclass(slots=True)
class MortalDisk(Disk):
    """Ends the process before some call; a write is cut short there."""

    left: int
    """Calls until then."""

    share: float
    """How much of a last write is taken."""

    writes: bool
    """Whether only writes count."""

    def _pass(self, writes: bool = False) -> bool:
        self.left -= writes or not self.writes
        return self.left == 0

    def open(self, path: Path, flags: int, mode: int = 0o644) -> int:
        """A descriptor, or the end."""
        return kill() if self._pass() else Disk.open(self, path, flags, mode)

    def write(self, file: int, data: bytes | memoryview) -> int:
        """A write, or the end within it."""
        if self._pass(writes=True):
            os.write(file, data[: int(len(data) * self.share)])
            kill()
        return Disk.write(self, file, data)

    def sync_data(self, file: int) -> None:
        """A sync, or the end."""
        return kill() if self._pass() else Disk.sync_data(self, file)

    def sync(self, file: int) -> None:
        """A sync, or the end."""
        return kill() if self._pass() else Disk.sync(self, file)

    def truncate(self, file: int, size: int) -> None:
        """A cut, or the end."""
        return kill() if self._pass() else Disk.truncate(self, file, size)

    def make_folder(self, path: Path) -> None:
        """A folder, or the end."""
        return kill() if self._pass() else Disk.make_folder(self, path)

    def replace(self, source: Path, target: Path) -> None:
        """A new name, or the end."""
        return kill() if self._pass() else Disk.replace(self, source, target)

    def move_folder(self, source: Path, target: Path) -> None:
        """A new name, or the end."""
        return kill() if self._pass() else Disk.move_folder(self, source, target)

    def sync_folder(self, path: Path) -> None:
        """A sync, or the end."""
        return kill() if self._pass() else Disk.sync_folder(self, path)


@dataclass(slots=True)
class FullDisk(Disk):
    """Takes so many bytes and no more; what is cut off makes room again."""

    room: float
    late: bool
    """Whether it also says so when it is to sync, as disks do that find the place for bytes late."""

    failures: int = 0

    def _fail(self) -> NoReturn:
        self.failures += 1
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def write(self, file: int, data: bytes | memoryview) -> int:
        """A write that takes as much as there is room for."""
        if data and self.room < 1:
            self._fail()
        taken = Disk.write(self, file, data[: int(min(len(data), self.room))])
        self.room -= taken
        return taken

    def sync_data(self, file: int) -> None:
        """A sync, which may find that there was no room."""
        if self.late and self.room < 1:
            self._fail()
        Disk.sync_data(self, file)

    def truncate(self, file: int, size: int) -> None:
        """A cut, which makes room."""
        before = self.size(file)
        Disk.truncate(self, file, size)
        self.room += max(0, before - size)


def make_lobby(place: Path, git: bool, seed: str, disk: Disk) -> StoreLobby:
    """A lobby on a folder, as a new process has it."""
    rng = random.Random(seed)
    seconds: Iterator[int] = itertools.count()
    return StoreLobby(
        store=FolderStore(place, git=git, disk=disk),
        shelf=shelve(),
        now=lambda: f"2026-11-15T12:{next(seconds) // 60 % 60:02d}:00.000000Z",
        new_id=lambda: f"{rng.getrandbits(128):032x}",
        new_secret=lambda: rng.randbytes(32),
    )


class Player:
    """Plays in one life, and says aloud what it does and what it is told."""

    def __init__(self, life: Life, tell: Callable[..., None], disk: Disk) -> None:
        self.life, self.tell = life, tell
        self.rng = random.Random(life.seed)
        self.lobby = make_lobby(life.place, life.git, life.seed, disk)
        self.numbers = itertools.count(1)
        self.session: StoreSession | None = None

    async def sit_down(self) -> StoreSession:
        """Open the campaign, or begin it, and wait until its opening is over."""
        if (self.life.place / CAMPAIGN).exists():
            session = await self.lobby.open(CAMPAIGN)
        else:
            session = await self.lobby.begin(self.life.game, "en", CAMPAIGN)
        self.tell("open")
        self.session, seat = session, session.seat
        hear = seat.road.listener

        def listen(signal: Signal) -> None:
            if isinstance(signal, TurnAccepted):
                self.tell("accepted", signal.accepted.operation_id)
            elif isinstance(signal, TurnCommitted):
                self.tell("committed", signal.commit.operation_id, signal.commit.id)
            hear(signal)

        # The opening is a task that has not begun yet, so that nothing of it is missed.
        seat.road = replace(seat.road, listener=listen)

        async def give() -> StoreSession:
            return session

        return await opened(give())

    async def act(self) -> InputResult | None:
        """One thing that a player does; what it came to, or None where no turn was to come of it."""
        session = self.session or await self.sit_down()
        view = await session.view()
        self.tell("at", view.head)
        operation = f"{self.life.seed}/{next(self.numbers)}"
        if view.unfinished or view.turn is None:
            # Also where the opening failed. If another process comes first, there is nothing to go on with.
            self.tell("go on", operation)
            result = await session.go_on(Stamp(operation))
            self.tell("result", "", result.kind, result.reason)
            return result
        over = view.end is not None or not (view.choices or view.decisions)
        if over or (view.version > 1 and self.rng.random() < 0.05):
            self.tell("undo")
            await session.undo(self.rng.randrange(1, 4))
            return None
        deed = choose_deed(self.rng, view)
        self.tell("try", operation, *deed)
        result = await do(session, deed, Stamp(operation, view.head))
        self.tell("result", operation, result.kind, result.reason)
        if result.kind is ResultKind.COMMITTED:
            self.tell("committed", operation, result.commit)
        return result


def choose_deed(rng: random.Random, view: View) -> tuple[str, ...]:
    """What to do at a view, as words that another process can do it by as well."""
    if view.decisions:
        card = rng.choice(view.decisions)
        return "answer", card.id, rng.choice(card.options)[0]
    kind = rng.random()
    if kind < 0.1 and view.version > 1:
        return ("retry",)
    if kind < 0.15:
        return "say", "I hum a tune that nobody knows"
    choice = rng.choice(view.choices)
    return ("say", choice.label) if kind < 0.3 else ("choose", choice.id)


async def do(session: StoreSession, deed: tuple[str, ...], stamp: Stamp) -> InputResult:
    """Do what was chosen."""
    match deed:
        case ("answer", decision, option):
            return await session.answer(decision, option, stamp=stamp)
        case ("retry",):
            return await session.retry(stamp=stamp)
        case ("say", text):
            return await session.say(text, stamp)
        case ("choose", choice):
            return await session.choose(choice, stamp)
        case _:
            raise AssertionError(deed)


async def live(life: Life, tell: Callable[..., None]) -> None:
    """Play until the end of this life."""
    rng = random.Random(f"{life.seed} ends")
    disk = Disk()
    if life.ending is Ending.DISK:
        writes = rng.random() < 0.5
        disk = MortalDisk(rng.randrange(1, WRITES_MAX if writes else CALLS_MAX), rng.random(), writes)
    elif life.ending is Ending.FULL:
        disk = FullDisk(rng.randrange(ROOM_BYTES_MAX), late=rng.random() < 0.25)
    elif life.ending is Ending.POINT:
        passings = itertools.count(1)
        last = rng.randrange(1, POINTS_MAX)

        def strike(point: str) -> None:
            if next(passings) == last:
                tell("killed", point)
                kill()

        set_hook(strike)
    player = Player(life, tell, disk)
    if isinstance(disk, FullDisk):
        await _fill_up(player, disk, rng, tell)
    turns = 3 if life.ending is Ending.NONE else TURNS_MAX
    for _ in range(turns):
        try:
            await player.act()
        except TalewrightError as error:
            tell("refused", error.message)
    assert life.ending is Ending.NONE, "it was never killed"
    if player.session is not None:
        await player.session.close()


async def _fill_up(player: Player, disk: FullDisk, rng: random.Random, tell: Callable[..., None]) -> NoReturn:
    """Play until turns fail, then be killed: at once, after leaving, or after turns on a disk with room."""
    failed = 0
    for _ in range(TURNS_MAX):
        try:
            result = await player.act()
        except TalewrightError as error:
            tell("refused", error.message)
            failed += 1
        else:
            failed += result is not None and result.kind is ResultKind.FAILED
        if failed >= 2:
            break
    assert disk.failures, "the disk was never full"
    way = rng.random()
    if way > 0.4 and player.session is not None:
        await player.session.close()
        player.session = None
    elif disk.late:
        # After a sync that failed nothing is written until the campaign is opened again.
        kill()
    if way > 0.2:
        disk.room = float("inf")
        for _ in range(2):
            result = await player.act()
            assert result is None or result.kind is not ResultKind.FAILED, result
    kill()


def begin_life(life: Life) -> tuple[int, int]:
    """Fork a life; its process and where it is heard."""
    ear, mouth = os.pipe()
    child = os.fork()
    if child:
        os.close(mouth)
        return child, ear
    os.close(ear)
    lock = threading.Lock()

    def tell(*words: str) -> None:
        with lock:
            os.write(mouth, (json.dumps(words) + "\n").encode())

    code = 1
    try:
        signal.setitimer(signal.ITIMER_REAL, SECONDS_MAX)
        asyncio.run(live(life, tell))
        code = 0
    except BaseException:
        tell("broken", traceback.format_exc())
    finally:
        os._exit(code)


def end_life(life: Life, child: int, ear: int) -> list[Event]:
    """Wait for the end of a life, and for the right one; what it was told."""
    with os.fdopen(ear, encoding="utf-8") as heard:
        events: list[Event] = [json.loads(line) for line in heard]
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    wanted = 0 if life.ending is Ending.NONE else -signal.SIGKILL
    assert status == wanted, f"it ended with {status}: {events[-3:]}"
    return events
