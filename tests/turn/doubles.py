"""Doubles for the tests: providers that stall, books that refuse, a moderation, a runner that keeps."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from talewright.chronicle.open_turns import OpenTurn
from talewright.chronicle.records import Accepted, Aside, Attempt, Commit
from talewright.chronicle.store import Acceptance, BlobKind, CampaignStatus, HeadMovedError, OperationTrail
from talewright.common.json_values import Json
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves import Call
from talewright.kernel.system import Sight, SystemAnswer
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import Chunk, Text
from talewright.llm.requests import Request
from talewright.stores.memory_store import MemoryBook
from talewright.turn.moderation import Objection
from talewright.turn.turn_context import StepWork, TurnKey
from tests.plugs.toll import Toll


class Stalling:
    """Says something and then waits for what never comes."""

    def __init__(self, *pieces: str) -> None:
        self.pieces = pieces
        self.waits = asyncio.Event()
        """Set once it waits."""

        self.closed = False

    @property
    def profile(self) -> Profile:
        return Profile("stalling")

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        try:
            for piece in self.pieces:
                yield Text(piece)
            self.waits.set()
            await asyncio.Event().wait()
        finally:
            self.closed = True

    async def close(self) -> None:
        """Nothing to let go of."""


class Trying(MemoryBook):
    """A book whose steps can be made to fail, or to let something else happen first."""

    def __init__(self, book: MemoryBook) -> None:
        super().__init__(book._volume)
        self.before: dict[str, Callable[[], Awaitable[None]]] = {}
        """By the name of a step what happens before it, once."""

        self.after: dict[str, Callable[[], Awaitable[None]]] = {}
        self.gives_way = False
        """Whether other tasks may go on before every step."""

    async def _pass(self, name: str, hooks: dict[str, Callable[[], Awaitable[None]]]) -> None:
        if self.gives_way:
            await asyncio.sleep(0)
        hook = hooks.pop(name, None)
        if hook is not None:
            await hook()

    async def look(self, branch: str = "") -> CampaignStatus:
        await self._pass("look", self.before)
        return await super().look(branch)

    async def accept(self, accepted: Accepted) -> Acceptance:
        await self._pass("accept", self.before)
        return await super().accept(accepted)

    async def commit(self, commit: Commit, attempt: Attempt) -> Commit:
        await self._pass("commit", self.before)
        done = await super().commit(commit, attempt)
        await self._pass("commit", self.after)
        return done

    async def add(self, record: Attempt | Aside) -> None:
        await self._pass("add", self.before)
        await super().add(record)

    async def keep(self, shelf: BlobKind, name: str, value: Json) -> None:
        await self._pass(f"keep {shelf.value}", self.before)
        await super().keep(shelf, name, value)

    async def find(self, operation_id: str) -> OperationTrail:
        await self._pass("find", self.before)
        return await super().find(operation_id)

    async def write_open_turn(self, turn: OpenTurn, expected: int) -> OpenTurn:
        await self._pass("write open turn", self.before)
        return await super().write_open_turn(turn, expected)


def giving_way(book: MemoryBook) -> Trying:
    """A book on which tasks take turns at every step."""
    trying = Trying(book)
    trying.gives_way = True
    return trying


def raising(error: BaseException) -> Callable[[], Awaitable[None]]:
    """A hook that raises."""

    async def hook() -> None:
        raise error

    return hook


def moved(head: str = "elsewhere") -> HeadMovedError:
    """Another turn came first."""
    return HeadMovedError(head)


@dataclass
class Strict:
    """A moderation that objects to words."""

    heard: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    asked: list[str] = field(default_factory=list)

    async def hear(self, text: str) -> Objection | None:
        self.asked.append(f"hear {text}")
        return next((Objection(f"not {word!r} here") for word in self.heard if word in text), None)

    async def read(self, text: str) -> Objection | None:
        self.asked.append(f"read {text}")
        return next((Objection(f"tell it without {word!r}") for word in self.told if word in text), None)


@dataclass
class Keeping:
    """A runner that keeps the result of every step and gives it back without running the step again."""

    kept: dict[str, Json] = field(default_factory=dict)
    ran: list[str] = field(default_factory=list)

    async def run(self, key: TurnKey, name: str, step: StepWork) -> Json:
        place = key.name_step(name)
        if place not in self.kept:
            self.ran.append(name)
            self.kept[place] = await step()
        return self.kept[place]


class BrokenToll(Toll):
    """A system with a mistake in it."""

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        if call.tool == "pay":
            chance.draw(6, "for nothing")
            raise ZeroDivisionError("the keeper counts wrongly")
        return super().judge(call, sight, chance, answers)
