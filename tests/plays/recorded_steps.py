"""Recorded steps: plays in which the process ends after a step of every turn and another one goes on.

The other process knows the store and the recorded steps, and nothing else. Its ids and its clock are its own,
so that whatever it takes from outside a second time shows.
"""

import hashlib
import itertools
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from talewright.chronicle.record_codec import encode
from talewright.chronicle.records import Commit
from talewright.common.json_values import Json
from talewright.errors import Fault
from talewright.kernel.game import FateKind
from talewright.llm.requests import Request
from talewright.pack.cache.compiled_game import pack_game
from talewright.providers.scripted import Scripted
from talewright.turn.game_editions import Edition, OpenedEditions
from talewright.turn.turn_context import Road, StepWork, TurnKey
from talewright.turn.turn_outcomes import Outcome
from tests.plays.crashes import Crash
from tests.plays.performances import in_folder
from tests.plays.scripts import Play, Turn
from tests.plays.stage import Screen, Shelf, Stage, digest_form, load_edition

AFTERWARDS = 1_000
"""Where the ids of work after a turn begin."""

LATER = "2027-07-07T07:07:07Z"
"""The clock of the process that goes on."""


@dataclass
class RecordingRunner:
    """Keeps the result of every step as JSON text, and ends the process after one of them."""

    kept: dict[str, str] = field(default_factory=dict)
    ends_after: int = 0
    """The step after which everything ends, counted from 1 among those that are run; 0 is none."""

    ran: list[str] = field(default_factory=list)

    async def run(self, key: TurnKey, name: str, step: StepWork) -> Json:
        place = key.name_step(name)
        if place not in self.kept:
            self.ran.append(place)
            self.kept[place] = json.dumps(await step())
            if len(self.ran) == self.ends_after:
                raise Crash(place)
        value: Json = json.loads(self.kept[place])
        return value


@cache
def make_fresh(folder: str) -> Edition:
    """A game whose fate is fresh in every try."""
    made = load_edition(folder)
    game = replace(made.game, chance=replace(made.game.chance, fate=FateKind.FRESH))
    form = pack_game(game, made.texts, ())
    return Edition(game, made.texts, digest_form(form), form)


@dataclass(slots=True)
class FreshShelf(Shelf):
    """Editions with fresh fate."""

    def latest(self, game: str) -> Edition | None:
        return make_fresh(self.newest)

    def find_faults(self, game: str) -> tuple[Fault, ...]:
        return ()


class SteppedStage(Stage):
    """A performance in which every turn ends after one of its steps and is finished by a fresh process."""

    def __init__(
        self,
        play: Play,
        root: Path,
        ends_after: int | Iterator[int],
        *,
        fresh: bool = False,
        prepared: int | None = None,
    ) -> None:
        """`ends_after` is the step after which turns end: the same for all of them, or one for each."""
        super().__init__(play, in_folder(root), between=True, prepared=prepared)
        if fresh:
            self._shelf = FreshShelf(play.game)
        self._fresh = fresh
        self._ends_after = itertools.repeat(ends_after) if isinstance(ends_after, int) else ends_after
        self._runner = RecordingRunner()
        self._process = "first"
        self._operation = ""
        self._given = 0
        self._condensing = 0
        self.ended = 0
        """How many turns were ended."""

        self.asked: list[Request] = []
        """Everything the storyteller was given, in order."""

        self.repeated: list[str] = []
        """Steps that were run although their result was recorded."""

    def _new_id(self) -> str:
        self._given += 1
        seed = f"{self._process}/{self._operation}/{self._given}"
        return hashlib.sha256(seed.encode()).hexdigest()[:32]

    async def _road(
        self, screen: Screen, main: Scripted | None = None, cheap: Scripted | None = None
    ) -> Road:
        road = await super()._road(screen, main, cheap)
        if cheap is not None:
            # Work that follows a turn begins once, whichever process has finished the turn.
            self._condensing += 1
            self._process = "first" if self._condensing == 1 else "second"
            self._given = AFTERWARDS
        now = road.now if self._process == "first" else lambda: LATER
        return replace(road, runner=self._runner, now=now)

    async def _take(self, turn: Turn, operation: str, screen: Screen) -> Outcome:
        self._process, self._operation, self._given, self._condensing = "first", operation, 0, 0
        self._runner = RecordingRunner(self._runner.kept, next(self._ends_after))
        before = set(self._runner.kept)
        try:
            outcome = await super()._take(turn, operation, screen)
        except Crash:
            self.ended += 1
            recorded = set(self._runner.kept)
            await self._leave()
            self._opened = OpenedEditions()
            # The steps travel as text; nothing else of the first process is left.
            self._process, self._given = "second", 0
            self._runner = RecordingRunner(dict(self._runner.kept))
            screen.text, screen.everything[:] = "", []
            left = replace(
                turn,
                replies=turn.replies[len(self._asked) :],
                condense=turn.condense and turn.condense[len(self._condensed) :],
            )
            outcome = await super()._take(left, operation, screen)
            self.repeated += [step for step in self._runner.ran if step in recorded - before]
        return outcome

    async def go_on(self, turn: Turn, operation: str, runner: RecordingRunner) -> Outcome:
        """Be the process that finishes a turn another one has begun."""
        self._process, self._operation, self._given, self._condensing = "second", operation, 0, 0
        self._runner = runner
        return await super()._take(turn, operation, Screen())

    async def close(self) -> None:
        """Let the book go."""
        await self._leave()

    def count_asked(self) -> int:
        """How often the storyteller was asked for the turn that runs."""
        return len(self._asked)

    async def _check(self, turn: Turn, outcome: Outcome, screen: Screen, before: tuple[str, int]) -> None:
        self.asked += self._asked
        if not self._fresh:
            await super()._check(turn, outcome, screen, before)

    async def records(self) -> list[bytes]:
        """Everything that was written, byte for byte."""
        return [encode(record) async for record in (await self.book()).records()]

    async def commits(self) -> list[bytes]:
        """The commits alone."""
        book = await self.book()
        return [encode(record) async for record in book.records() if isinstance(record, Commit)]


def unlike(found: Iterable[bytes], wanted: Iterable[bytes]) -> list[tuple[str, str]]:
    """The records that differ, for whoever reads a failure."""
    return [(one.decode(), two.decode()) for one, two in zip(found, wanted, strict=False) if one != two][:1]
