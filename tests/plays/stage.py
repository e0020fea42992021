"""The stage: plays a play on a store, straight, reopened after every turn, or crashed and recovered.

It checks what the play expects after every turn, however it got there.
"""

import hashlib
import itertools
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from talewright.chronicle.records import MAIN, PointerKind, Pointing
from talewright.chronicle.store import Book, Store
from talewright.crashpoints import set_hook
from talewright.kernel.documents import Json, find
from talewright.kernel.drafts import Draft
from talewright.kernel.moves import Call, Move, Op, Update
from talewright.kernel.paths import parse_path
from talewright.kernel.state import canonical
from talewright.kernel.system import System
from talewright.pack.compiler import compile_folder
from talewright.pack.keeping.game_form import pack_game, unpack_game
from talewright.providers.scripted import Line, Scripted, by
from talewright.systems.odds import system as odds
from talewright.turn.bodies import Body
from talewright.turn.condensing import condense
from talewright.turn.editions import Edition, Opened
from talewright.turn.founding import found
from talewright.turn.inputs import Opening
from talewright.turn.outcomes import Committed, Outcome
from talewright.turn.outside import OutsideTurn, begin_outside
from talewright.turn.pipeline import take_turn
from talewright.turn.recalling import recall
from talewright.turn.road import Road, Teller
from talewright.turn.signals import NarrationDelta, NarrationReset, Signal
from tests.plays.scripts import Play, Turn
from tests.plugs.toll import Toll

ROOT = Path(__file__).parents[2]
SECRET = b"the lamp at the end of the pier."
CAMPAIGN = "play"
CHUNK_CHARACTERS = 5
"""How the scripted replies are cut."""

Reopen = Callable[[], Awaitable[Store]]
"""A new store object on the same place."""


class Crash(BaseException):
    """The end of the world at a crash point; nothing in the program catches it."""


@cache
def load_edition(folder: str) -> Edition:
    """A game folder, compiled; the path is relative to the repository."""
    systems: dict[str, System] = {"odds": odds(), "toll": Toll()}
    compiled = compile_folder(ROOT / folder, systems)
    assert compiled.game is not None, compiled.faults
    form = pack_game(compiled.game, compiled.texts, ())
    digest = hashlib.sha256(canonical(form)).hexdigest()
    return Edition(compiled.game, compiled.texts, digest, form)


@dataclass(slots=True)
class Shelf:
    """The editions a play knows."""

    newest: str

    def unpack(self, form: Json) -> Edition:
        """A kept game again."""
        assert isinstance(form, Mapping)
        systems: dict[str, System] = {"odds": odds(), "toll": Toll()}
        game, texts, _ = unpack_game(form, systems)
        return Edition(game, texts, hashlib.sha256(canonical(form)).hexdigest(), form)

    def latest(self, game: str) -> Edition | None:
        """The newest folder of the play."""
        return load_edition(self.newest)


@dataclass(slots=True)
class Screen:
    """What a watcher has seen of the turn that runs."""

    text: str = ""
    everything: list[str] = field(default_factory=list)

    def hear(self, signal: Signal) -> None:
        """Take a signal."""
        if isinstance(signal, NarrationDelta):
            self.text += signal.text
            self.everything.append(signal.text)
        elif isinstance(signal, NarrationReset):
            self.text = signal.text
            self.everything.append(signal.text)


@dataclass(slots=True)
class Crasher:
    """Crashes every turn at its n-th distinct crash point, once."""

    number: int
    seen: list[str] = field(default_factory=list)
    crashed: bool = False
    ever: bool = False

    def begin_turn(self) -> None:
        """A new turn may crash again."""
        self.seen, self.crashed = [], False

    def __call__(self, point: str) -> None:
        if self.crashed or point in self.seen:
            return
        self.seen.append(point)
        if len(self.seen) == self.number:
            self.crashed = self.ever = True
            raise Crash(point)


class Stage:
    """One performance of a play."""

    def __init__(
        self, play: Play, reopen: Reopen, *, between: bool = False, crasher: Crasher | None = None
    ) -> None:
        self._play = play
        self._reopen = reopen
        self._between = between
        """Whether the book is closed and opened between any two turns."""

        self._crasher = crasher
        self._ids: Iterator[int] = itertools.count(1)
        self._shelf = Shelf(play.game)
        # Unpacking the game after every crash would be most of the time; the reopened run does it each time.
        self._opened = Opened() if crasher is not None else None
        self._book: Book | None = None
        self.digests: list[str] = []

    async def perform(self) -> str:
        """Play it; the digest of the last state."""
        await self._found()
        for number in range(1, self._play.fill + 1):
            await self._fill(number)
        for number, turn in enumerate(self._play.turns, 1):
            await self._perform_turn(turn, f"turn-{number}")
        return self.digests[-1]

    async def book(self) -> Book:
        """The open campaign."""
        if self._book is None:
            self._book = await (await self._reopen()).open(CAMPAIGN)
        return self._book

    def _new_id(self) -> str:
        return hashlib.sha256(b"%d" % next(self._ids)).hexdigest()[:32]

    async def _road(self, replies: tuple[Line, ...], screen: Screen) -> Road:
        scripted = Scripted(replies, cut=by(CHUNK_CHARACTERS))
        return Road(
            book=await self.book(),
            editions=self._shelf,
            now=lambda: "2026-01-01T00:00:00Z",
            new_id=self._new_id,
            teller=Teller(scripted) if self._play.has_teller else None,
            listener=screen.hear,
            opened=self._opened or Opened(),
        )

    async def _found(self) -> None:
        edition = load_edition(self._play.game)
        draft = Draft(edition.game.initial)
        for path, value in self._play.start.items():
            draft.replace(parse_path(path), value)
        self._book = await found(
            await self._reopen(),
            edition,
            campaign=CAMPAIGN,
            language=self._play.language,
            secret=SECRET,
            now=lambda: "2026-01-01T00:00:00Z",
            new_id=self._new_id,
            document=draft.document,
        )

    async def _fill(self, number: int) -> None:
        road = await self._road((), Screen())
        given = Opening() if number == 1 else self._play.turns[0].given
        opened = await begin_outside(road, MAIN, given, f"fill-{number}")
        assert isinstance(opened, OutsideTurn), opened
        await opened.finish("Nothing happens.")

    async def _perform_turn(self, turn: Turn, operation: str) -> None:
        if turn.edition:
            self._shelf.newest = turn.edition
        await self._go_back(turn.back)
        if self._crasher is not None:
            self._crasher.begin_turn()
        before = await self._standing()
        screen = Screen()
        try:
            set_hook(self._crasher)
            outcome = await self._take(turn, operation, screen)
        except Crash:
            await self._leave()
            screen = Screen()
            outcome = await self._take(turn, operation, screen)
        finally:
            set_hook(None)
        if self._between:
            await self._leave()
        await self._check(turn, outcome, screen, before)

    async def _leave(self) -> None:
        """Close the book; whatever was acknowledged must be found again."""
        if self._book is not None:
            await self._book.close()
        self._book = None

    async def _go_back(self, turns: int) -> None:
        if not turns:
            return
        book = await self.book()
        head = (await book.look()).branches[MAIN]
        past = await book.back(head, turns + 1)
        await book.point(Pointing(PointerKind.BRANCH, MAIN, past[-1].id, "now"), expected=head)

    async def _take(self, turn: Turn, operation: str, screen: Screen) -> Outcome:
        road = await self._road(turn.replies, screen)
        if turn.outside is None:
            outcome = await take_turn(road, MAIN, turn.given, operation)
        else:
            opened = await begin_outside(road, MAIN, turn.given, operation)
            if isinstance(opened, OutsideTurn):
                await opened.propose([_move(raw) for raw in turn.outside])
                outcome = await opened.finish(turn.replies[0].text)
            else:
                outcome = opened
        if turn.condense is not None:
            await condense(await self._road(turn.condense, Screen()), MAIN)
        return outcome

    async def _standing(self) -> tuple[str, int]:
        recalled = await recall(await self._road((), Screen()), MAIN)
        return recalled.head.state_digest, recalled.head.version

    async def _check(self, turn: Turn, outcome: Outcome, screen: Screen, before: tuple[str, int]) -> None:
        kind = type(outcome).__name__.lower()
        reason = getattr(outcome, "reason", None)
        found_outcome = f"{kind}: {reason.value}" if reason is not None else kind
        assert found_outcome == turn.outcome, outcome
        recalled = await recall(await self._road((), Screen()), MAIN)
        self.digests.append(recalled.position.state.digest)
        if not isinstance(outcome, Committed):
            # A turn that came to nothing has changed nothing.
            assert (recalled.head.state_digest, recalled.head.version) == before
            return
        assert outcome.commit.version == before[1] + 1
        self._compare(turn, recalled.body, recalled.position.state.document)
        told = "".join([*screen.everything, recalled.body.narration])
        assert [words for words in turn.unsaid if words in told] == []

    def _compare(self, turn: Turn, body: Body, document: Mapping[str, Json]) -> None:
        for path, value in turn.state.items():
            assert find(document, parse_path(path)) == value, path
        position = 0
        for words in turn.narration:
            position = body.narration.find(words, position)
            assert position >= 0, (words, body.narration)
        if turn.choices is not None:
            assert tuple(choice.id for choice in body.choices) == turn.choices
        assert tuple(card.id for card in body.decisions) == turn.decisions
        reported = {event.type for event in body.events}
        assert reported >= set(turn.events), reported


def _move(raw: Json) -> Move:
    assert isinstance(raw, dict)
    if "call" in raw:
        return Call(raw["call"], raw.get("arguments", {}), "outside")
    return Update(Op(raw["op"]), raw["path"], raw.get("value"), raw.get("reason", ""))
