"""Authored updates: collects everything that scenes, triggers and finales do to the state.

Nothing is checked here.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from talewright.common.frozen_values import frozen
from talewright.kernel.conditions.conditions import Condition
from talewright.kernel.judging.moves import Op
from talewright.kernel.slots.slot_types import Layout, Slot
from talewright.kernel.state.state_paths import Path, parse_path
from talewright.kernel.story.triggers import ReaderIndex
from talewright.pack.files.yaml_nodes import ScalarNode
from talewright.pack.schema.game_fields import GameSource
from talewright.pack.schema.game_records import GameRecords
from talewright.pack.schema.scene_fields import (
    ChoiceSource,
    LadderSource,
    ResultSource,
    SceneSource,
    TrialSource,
)
from talewright.pack.schema.trigger_fields import UpdateSource


@frozen
class AuthoredUpdate:
    """One authored update and its slot."""

    update: UpdateSource
    path: Path
    slot: Slot
    owner: str
    """What it belongs to, such as `trigger:frost`."""

    moved: tuple[Path, ...]
    """The paths it may change: its own, and those it carries into."""


@frozen
class UpdateGroup:
    """Updates that are applied one after the other."""

    owner: str
    conditions: tuple[Condition, ...]
    """Conditions that hold before the first of them and before those in `before`."""

    before: tuple[AuthoredUpdate, ...]
    """Updates of the same choice just before these."""

    writings: tuple[AuthoredUpdate, ...]


@dataclass(frozen=True)
class AuthoredUpdateIndex:
    """All authored updates of a game."""

    all: tuple[UpdateGroup, ...]

    @cached_property
    def writings(self) -> tuple[AuthoredUpdate, ...]:
        return tuple(writing for deed in self.all for writing in deed.writings)

    @cached_property
    def _index(self) -> ReaderIndex:
        return ReaderIndex([writing.moved for writing in self.writings])

    @cached_property
    def _kinds(self) -> dict[tuple[Path, bool], list[AuthoredUpdate]]:
        return {}

    def touching(self, path: Path) -> list[AuthoredUpdate]:
        """The updates that may change the value at a path, in the order of the files."""
        return [self.writings[number] for number in sorted(self._index.touched(path))]

    def kinds_touching(self, path: Path, everybody: bool) -> list[AuthoredUpdate]:
        """The same without duplicates; only those of triggers if not `everybody`."""
        known = self._kinds.get((path, everybody))
        if known is None:
            kinds: dict[tuple[Path, Op, str], AuthoredUpdate] = {}
            for writing in self.touching(path):
                if everybody or writing.owner.startswith("trigger:"):
                    kinds.setdefault((writing.path, writing.update.op, repr(writing.update.value)), writing)
            known = self._kinds[path, everybody] = list(kinds.values())
        return known


def find_named(scenes: Iterable[SceneSource]) -> Mapping[str, list[str]]:
    """For every scene that is a `next`, the scenes whose choices lead to it."""
    named: dict[str, list[str]] = {}
    for scene in scenes:
        for choice in scene.choices:
            for name in followers(choice):
                named.setdefault(name, []).append(scene.id)
    return named


def followers(choice: ChoiceSource) -> list[str]:
    """The scenes that a choice may lead to with `next`."""
    return [name for name in (choice.next, *(result.next for result in _results(choice))) if name]


def _results(choice: ChoiceSource) -> tuple[ResultSource, ...]:
    """All possible results of a choice's check."""
    check = choice.check
    if check is None:
        return ()
    if isinstance(check, LadderSource):
        return check.results
    partial = check.partial if isinstance(check, TrialSource) else None
    return (check.success, check.failure) if partial is None else (check.success, partial, check.failure)


def read_authored_updates(
    game: GameSource,
    library: GameRecords,
    layout: Layout,
    conditions: Mapping[ScalarNode, Condition],
    named: Mapping[str, object],
) -> AuthoredUpdateIndex:
    """Collect the updates of a game that has no errors."""
    return AuthoredUpdateIndex(tuple(_Reader(layout, conditions).read(game, library, named)))


class _Reader:
    """Collects updates with the conditions under which they are applied."""

    def __init__(self, layout: Layout, conditions: Mapping[ScalarNode, Condition]) -> None:
        self._layout = layout
        self._conditions = conditions

    def read(
        self, game: GameSource, library: GameRecords, named: Mapping[str, object]
    ) -> Iterator[UpdateGroup]:
        for trigger in library.triggers:
            owner = f"trigger:{trigger.id}"
            yield self._deed(owner, [trigger.when], (), trigger.effects)
        for scene in library.scenes:
            # If a `next` leads to the scene, its own condition is not checked.
            opened = None if scene.id in named else scene.when
            for choice in scene.choices:
                yield from self._choice(f"scene:{scene.id}", choice, opened)
        for ending in game.endings:
            for route in ending.finale:
                yield self._deed(f"finale:{ending.id}", [], (), route.updates)

    def _choice(self, owner: str, choice: ChoiceSource, opened: ScalarNode | None) -> Iterator[UpdateGroup]:
        first = self._deed(owner, [opened, choice.when], (), choice.updates)
        yield first
        for result in _results(choice):
            yield self._deed(owner, [opened, choice.when], first.writings, result.updates)

    def _deed(
        self,
        owner: str,
        nodes: Iterable[ScalarNode | None],
        before: tuple[AuthoredUpdate, ...],
        updates: Iterable[UpdateSource],
    ) -> UpdateGroup:
        holding = tuple(self._conditions[node] for node in nodes if node is not None)
        return UpdateGroup(owner, holding, before, tuple(self._writing(owner, update) for update in updates))

    def _writing(self, owner: str, update: UpdateSource) -> AuthoredUpdate:
        path = parse_path(update.path)
        slot = self._layout.find(path)
        assert slot is not None, "a game without errors writes only what is there"
        return AuthoredUpdate(update, path, slot, owner, tuple(carried(path, self._layout)))


def carried(path: Path, layout: Layout) -> Iterator[Path]:
    """A path, the one it carries into, and so on."""
    slot = layout.find(path)
    seen: set[Path] = set()
    while slot is not None and path not in seen:
        seen.add(path)
        yield path
        if slot.carry is None:
            return
        path = (*path[:-1], slot.carry.into)
        slot = layout.find(path)
