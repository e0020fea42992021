"""The stage: plays a play on a store, straight, reopened after every turn, or crashed and recovered.

It checks what the play expects after every turn, however it got there.
"""

import hashlib
import itertools
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from talewright.chronicle.records import MAIN, Commit, PointerKind, Pointing
from talewright.chronicle.store import CampaignBook, Store
from talewright.common.json_values import Json
from talewright.crashpoints import set_hook
from talewright.errors import Fault
from talewright.kernel.judging.moves import Call, Op, Update
from talewright.kernel.state.documents import Draft
from talewright.kernel.state.state import State, canonical
from talewright.kernel.state.state_paths import parse_path
from talewright.kernel.system import System
from talewright.llm.profiles import Profile
from talewright.llm.requests import Request
from talewright.pack.cache.compiled_game import pack_game, unpack_game
from talewright.pack.compiler import compile_folder
from talewright.providers.scripted import Scripted, ScriptedReply, by
from talewright.systems.odds import system as odds
from talewright.systems.spiral import system as spiral
from talewright.systems.tabletop import system as tabletop
from talewright.systems.world import system as world
from talewright.turn.background.asides import condense
from talewright.turn.game_editions import Edition, OpenedEditions
from talewright.turn.game_master.master_turn import OpenedTurn, begin_outside
from talewright.turn.inputs.player_inputs import Opening
from talewright.turn.new_campaign import write_first_commit
from talewright.turn.pipeline import take_turn
from talewright.turn.records.commit_body import TurnBody
from talewright.turn.steps.recalling import recall
from talewright.turn.turn_context import Road, Teller
from talewright.turn.turn_outcomes import Committed, Outcome
from talewright.turn.turn_signals import NarrationDelta, NarrationReset, Signal
from tests.plays.crashes import Crash, Crasher
from tests.plays.expectations import compare, compare_asked
from tests.plays.scripts import Fork, Play, Turn
from tests.plugs.toll import Toll
from tests.turn.mastering import Master, begin_master

ROOT = Path(__file__).parents[2]
SECRET = b"the lamp at the end of the pier."
CAMPAIGN = "play"
NOW = "2026-01-01T00:00:00Z"
CHUNK_CHARACTERS = 5
"""How the scripted replies are cut."""

Reopen = Callable[[], Awaitable[Store]]
"""A new store object on the same place."""


def list_systems() -> dict[str, System]:
    """Whatever the games of the plays are made with."""
    return {"odds": odds(), "toll": Toll(), "spiral": spiral(), "tabletop": tabletop(), "world": world()}


@cache
def load_edition(folder: str) -> Edition:
    """A game folder, compiled; the path is relative to the repository."""
    compiled = compile_folder(ROOT / folder, list_systems())
    assert compiled.game is not None, compiled.faults
    form = pack_game(compiled.game, compiled.texts, ())
    return Edition(compiled.game, compiled.texts, digest_form(form), form)


def digest_form(form: Json) -> str:
    """By which a packed game is known."""
    return hashlib.sha256(canonical(form)).hexdigest()


_UNPACKED: dict[str, Edition] = {}
"""Kept games that were unpacked, by digest."""


@dataclass(slots=True)
class Shelf:
    """The editions a play knows."""

    newest: str

    def unpack(self, form: Json) -> Edition:
        """A kept game again."""
        assert isinstance(form, Mapping)
        newest = load_edition(self.newest)
        # The digest of a large game takes longer than everything else of a turn, and so does unpacking it.
        digest = newest.digest if form == newest.form else digest_form(form)
        if digest not in _UNPACKED:
            game, texts, _ = unpack_game(form, list_systems())
            _UNPACKED[digest] = Edition(game, texts, digest, form)
        return _UNPACKED[digest]

    def unpack_imported(self, form: Json) -> Edition:
        """Any game: nobody imports one here who is not trusted."""
        return self.unpack(form)

    def latest(self, game: str) -> Edition | None:
        """The newest folder of the play."""
        return load_edition(self.newest)

    def find_faults(self, game: str) -> tuple[Fault, ...]:
        """It always compiles."""
        return ()


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
class Told:
    """One turn of a performance, once it is committed."""

    turn: Turn
    commit: Commit
    body: TurnBody
    asked: list[Request] = field(default_factory=list)
    """What the storyteller was given, in order; more than once where the turn crashed."""

    condensed: list[Request] = field(default_factory=list)
    """What was asked after it."""


class Stage:
    """One performance of a play."""

    def __init__(
        self,
        play: Play,
        reopen: Reopen,
        *,
        between: bool = False,
        crasher: Crasher | None = None,
        prepared: int | None = None,
    ) -> None:
        """`prepared` is what `prepare` gave, where the store holds a copy of what it wrote."""
        self._play = play
        self._reopen = reopen
        self._between = between
        """Whether the book is closed and opened between any two turns."""

        self._crasher = crasher
        self._prepared = prepared
        self._ids: Iterator[int] = itertools.count((prepared or 0) + 1)
        self._shelf = Shelf(play.game)
        self._opened = OpenedEditions()
        self._book: CampaignBook | None = None
        self._branch = MAIN
        self._asked: list[Request] = []
        self._condensed: list[Request] = []
        """What was asked for the turn that runs, and after it."""

        self._last: State | None = None
        """The state after the newest turn."""

        self.told: list[Told] = []
        """The turns that were committed, in the order of the play."""

    async def perform(self) -> str:
        """Play it; the digest of the last state."""
        if self._prepared is None:
            await self.prepare()
        for number, turn in enumerate(self._play.turns, 1):
            try:
                await self._perform_turn(turn, f"turn-{number}")
            except AssertionError as error:
                raise AssertionError(f"{self._play.name}, turn {number}: {error}") from error
        assert self._last is not None
        return digest(self._last, self._play.apart)

    async def prepare(self) -> int:
        """Make all that comes before the play itself; how many ids were given away."""
        await self._found()
        for number in range(1, self._play.fill + 1):
            await self._fill(number)
        await self._leave()
        return next(self._ids) - 1

    async def book(self) -> CampaignBook:
        """The open campaign."""
        if self._book is None:
            self._book = await (await self._reopen()).open(CAMPAIGN)
        return self._book

    def _new_id(self) -> str:
        return hashlib.sha256(b"%d" % next(self._ids)).hexdigest()[:32]

    async def _road(
        self, screen: Screen, main: Scripted | None = None, cheap: Scripted | None = None
    ) -> Road:
        teller = Teller(main or hire(self._play, ()), cheap)
        return Road(
            book=await self.book(),
            editions=self._shelf,
            now=lambda: NOW,
            new_id=self._new_id,
            # How long an ask took is recorded, and may not differ between two performances.
            seconds=lambda: 0.0,
            teller=teller if self._play.has_teller else None,
            listener=screen.hear,
            opened=self._opened,
        )

    async def _found(self) -> None:
        edition = load_edition(self._play.game)
        draft = Draft(edition.game.initial)
        for path, value in self._play.start.items():
            draft.replace(parse_path(path), value)
        self._book = await write_first_commit(
            await self._reopen(),
            edition,
            campaign=CAMPAIGN,
            language=self._play.language,
            secret=SECRET,
            now=lambda: NOW,
            new_id=self._new_id,
            document=draft.document,
        )

    async def _fill(self, number: int) -> None:
        road = await self._road(Screen())
        given = Opening() if number == 1 else self._play.turns[0].given
        await (await begin_master(road, MAIN, given, f"fill-{number}")).finish("Nothing happens.")

    async def _perform_turn(self, turn: Turn, operation: str) -> None:
        if turn.edition:
            self._shelf.newest = turn.edition
        await self._go_back(turn.back)
        await self._go_elsewhere(turn.fork, turn.branch)
        if self._crasher is not None:
            self._crasher.begin_turn()
        before = await self._standing()
        self._asked, self._condensed = [], []
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
        if self._crasher is None:
            # Unpacking the game after every crash would be most of the time of a performance.
            self._opened = OpenedEditions()

    async def _go_back(self, turns: int) -> None:
        if not turns:
            return
        book = await self.book()
        head = (await book.look(self._branch)).head
        past = await book.back(head, turns + 1)
        await book.point(Pointing(PointerKind.BRANCH, self._branch, past[-1].id, NOW), expected=head)

    async def _go_elsewhere(self, fork: Fork | None, branch: str) -> None:
        """Begin another branch at a mark, or turn to one that there is."""
        if fork is not None:
            book = await self.book()
            start = (await book.marks())[fork.mark]
            await book.point(Pointing(PointerKind.BRANCH, fork.branch, start, NOW))
            self._branch = fork.branch
        self._branch = branch or self._branch

    async def _take(self, turn: Turn, operation: str, screen: Screen) -> Outcome:
        main, cheap = hire(self._play, turn.replies), hire(self._play, turn.condense or ())
        try:
            outcome = await self._tell(await self._road(screen, main), turn, operation)
            if turn.condense is not None:
                await condense(await self._road(Screen(), cheap=cheap), self._branch)
        finally:
            self._asked += main.requests
            self._condensed += cheap.requests
        return outcome

    async def _tell(self, road: Road, turn: Turn, operation: str) -> Outcome:
        if turn.outside is None:
            return await take_turn(road, self._branch, turn.given, operation)
        # Whoever comes back after a crash knows the holder, as it was told when the turn was opened.
        opened = await begin_outside(road, self._branch, turn.given, operation, holder=f"holder {operation}")
        if not isinstance(opened, OpenedTurn):
            return opened
        master = Master(road, opened)
        for raw in turn.outside[opened.rounds :]:
            await master.propose([read_move(raw)])
        return await master.finish(turn.replies[0].text if turn.replies else "")

    async def _standing(self) -> tuple[str, int]:
        book = await self.book()
        head = await book.read((await book.look(self._branch)).head)
        return head.state_digest, head.version

    async def _check(self, turn: Turn, outcome: Outcome, screen: Screen, before: tuple[str, int]) -> None:
        kind = type(outcome).__name__.lower()
        reason = getattr(outcome, "reason", None)
        found_outcome = f"{kind}: {reason.value}" if reason is not None else kind
        assert found_outcome == turn.expected.outcome, outcome
        recalled = await recall(await self._road(Screen()), self._branch)
        self._last = recalled.position.state
        if not isinstance(outcome, Committed):
            # A turn that came to nothing has changed nothing.
            assert (recalled.head.state_digest, recalled.head.version) == before
            return
        assert outcome.commit.version == before[1] + 1
        compare(turn.expected, recalled.body, recalled.position.state.document)
        compare_asked(turn.expected, self._asked, self._condensed)
        told = "".join([*screen.everything, recalled.body.narration])
        assert [words for words in turn.expected.unsaid if words in told] == []
        self.told.append(Told(turn, recalled.head, recalled.body, self._asked, self._condensed))
        if turn.mark:
            await (await self.book()).point(Pointing(PointerKind.MARK, turn.mark, recalled.head.id, NOW))


def digest(state: State, apart: Iterable[str]) -> str:
    """The digest of a state without what stands in some places."""
    draft = Draft(state.document)
    for path in apart:
        draft.replace(parse_path(path), None)
    return State(draft.document, state.version).digest if apart else state.digest


def hire(play: Play, replies: tuple[ScriptedReply, ...]) -> Scripted:
    """A storyteller for one turn of a play."""
    profile = Profile("scripted", context_tokens=play.context_tokens)
    return Scripted(replies, profile=profile, cut=by(CHUNK_CHARACTERS))


def read_move(raw: Json) -> Call | Update:
    """A move as a play writes it."""
    assert isinstance(raw, dict)
    if "call" in raw:
        return Call(raw["call"], raw.get("arguments", {}), "outside")
    return Update(Op(raw["op"]), raw["path"], raw.get("value"), raw.get("reason", ""))
