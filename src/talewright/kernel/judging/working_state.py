"""Working state: the scratch state of one judgement, its changes, and the derived slots it computes.

Created for one judgement and then discarded; the position it started from is never altered.
"""

import math
from collections.abc import Iterable, Mapping
from heapq import heapify, heappop, heappush

from talewright.common.json_values import Json, equal
from talewright.common.work_meter import COPIED_PER_STEP, count_work
from talewright.kernel.game import Game
from talewright.kernel.judging.moves import ENGINE
from talewright.kernel.judging.rulings import Refusal, Ruling
from talewright.kernel.slots.slot_types import Slot, SlotKind, default_of
from talewright.kernel.slots.value_validation import FittedValue, fit
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT, Draft
from talewright.kernel.state.state import Position, State, TrueConditions
from talewright.kernel.state.state_paths import Path, pointer
from talewright.kernel.story.triggers import Event
from talewright.kernel.system import Sight, System

CHANGE_STEPS = 40
"""Steps of work to record a change, and later to check and write it."""

ELEMENT_STEPS = 4
"""The same for each element of a list, or member of an object, that a change writes or replaces."""

DERIVED_STEPS = 10
"""Steps of work to compute a derived slot, apart from its expression and the change."""


class WorkingState:
    """The scratch state on which moves are judged."""

    def __init__(self, game: Game, position: Position) -> None:
        self.game = game
        self.turn = position.turn
        self.language = position.language
        self.texts = position.texts
        self.away_minutes = position.away_minutes
        self.engine = position.engine
        self.base = position.state.document
        self.version = position.state.version
        self.draft = Draft(self.base)
        self.changes: list[Change] = []
        self._paths: list[Path] = []
        """The path of each change, parallel to `changes`."""

        self.rulings: list[Ruling] = []
        self.events: list[Event] = []
        self.triggers = set(position.standing.triggers)
        """Indexes of the triggers whose conditions hold; up to date after `refresh`."""

        self.endings = set(position.standing.endings)
        self.risen: list[int] = []
        """Those triggers whose conditions have come to hold, in no particular order; the reader clears it."""

        self._refreshed = 0

    @property
    def document(self) -> Mapping[str, Json]:
        """The working document, valid for reading until the next write."""
        root = self.draft.peek(())
        assert isinstance(root, Mapping)
        return root

    def sight(self, system: System) -> Sight:
        """The document that a system is shown; the system may keep it."""
        files, dice = self.game.files_of(system), self.game.chance.dice
        document, away = self.draft.document, self.away_minutes
        return Sight(document, self.turn, files, dice, self.language, self.texts, away, self.engine)

    def replace(self, path: Path, value: Json, reason: str, cause: str, *, clamped: bool = False) -> None:
        """Replace a value; nothing is recorded if it stays the same."""
        current = self.draft.peek(path)
        if current is not ABSENT and equal(current, value):
            return
        was = self.draft.replace(path, value)
        self._record(path, Change("replace", pointer(path), value, was, reason, cause, clamped))

    def add(self, path: Path, value: Json, reason: str, cause: str, *, clamped: bool = False) -> None:
        """Add a value where there is none, or insert into a list before an element."""
        self.draft.add(path, value)
        self._record(path, Change("add", pointer(path), value, ABSENT, reason, cause, clamped))

    def remove(self, path: Path, reason: str, cause: str) -> None:
        """Remove a value."""
        was = self.draft.remove(path)
        self._record(path, Change("remove", pointer(path), ABSENT, was, reason, cause))

    def _record(self, path: Path, change: Change) -> None:
        count_work(CHANGE_STEPS)
        for value in (change.value, change.was):
            if isinstance(value, Mapping | list):
                count_work(len(value) * ELEMENT_STEPS)
        self.changes.append(change)
        self._paths.append(path)

    def mark(self) -> tuple[int, int, int]:
        """A savepoint to roll back to."""
        return self.draft.checkpoint(), len(self.changes), len(self.events)

    def back(self, mark: tuple[int, int, int]) -> None:
        """Roll back everything since a savepoint."""
        self.draft.rollback(mark[0])
        del self.changes[mark[1] :]
        del self._paths[mark[1] :]
        del self.events[mark[2] :]

    def refresh(self) -> None:
        """Recompute derived slots and re-evaluate the conditions that read something new."""
        watch = self.game.watch
        if self.game.derived:
            self._derive()
        triggers: set[int] = set()
        endings: set[int] = set()
        for path in self._paths[self._refreshed :]:
            readers = watch.readers_of(path)
            count_work((len(readers.triggers) + len(readers.endings)) // COPIED_PER_STEP + 1)
            triggers |= readers.triggers
            endings |= readers.endings
        self._refreshed = len(self.changes)
        self.look_again(triggers, endings)

    def look_again(self, triggers: Iterable[int], endings: Iterable[int]) -> None:
        """Evaluate these conditions on the working document."""
        document, turn = self.document, self.turn
        for number in triggers:
            if not self.game.triggers[number].when.holds(document, turn):
                self.triggers.discard(number)
            elif number not in self.triggers:
                self.triggers.add(number)
                self.risen.append(number)
        for number in endings:
            if self.game.endings[number].when.holds(document, turn):
                self.endings.add(number)
            else:
                self.endings.discard(number)

    def position(self) -> Position:
        """The position that has resulted so far."""
        standing = TrueConditions(frozenset(self.triggers), frozenset(self.endings))
        state = State(self.draft.document, self.version)
        return Position(state, standing, self.language, self.texts, self.away_minutes, self.engine)

    def derive(self) -> None:
        """Recompute every derived slot, whatever it reads."""
        for number in range(len(self.game.derived)):
            self._compute(number)

    def _derive(self) -> None:
        watch = self.game.watch
        known: set[int] = set()
        for path in self._paths[self._refreshed :]:
            known |= watch.readers_of(path).derived
        due = list(known)
        heapify(due)
        while due:
            # Lowest index first: a derived slot only reads those computed before it.
            number = heappop(due)
            known.discard(number)
            before = len(self._paths)
            self._compute(number)
            for path in self._paths[before:]:
                for reader in watch.readers_of(path).derived - known:
                    known.add(reader)
                    heappush(due, reader)

    def _compute(self, number: int) -> None:
        count_work(DERIVED_STEPS)
        derived = self.game.derived[number]
        slot = self.game.layout.find(derived.path)
        assert slot is not None
        value = derived.expression.value(self.document, self.turn)
        if slot.kind is SlotKind.INTEGER and isinstance(value, float):
            value = math.floor(value)
        fitted = _fit_or_default(slot, value)
        self.replace(derived.path, fitted.value, "", ENGINE, clamped=fitted.clamped)


def _fit_or_default(slot: Slot, value: Json) -> FittedValue:
    """The value of a derived slot: its default if there is no answer or if the answer does not fit."""
    if value is not None:
        try:
            return fit(slot, value, "")
        except Refusal:
            pass
    return FittedValue(default_of(slot))
