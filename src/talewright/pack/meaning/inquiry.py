"""The inquiry: everything that the checks of one game's meaning have at hand.

It is put together once; no check alters it but by telling the desk.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from talewright.errors import SourcePlace
from talewright.kernel.conditions.conditions import Condition
from talewright.kernel.conditions.expression_tree import Node
from talewright.kernel.game import Game
from talewright.kernel.state.state_paths import Path
from talewright.kernel.story.triggers import ReaderIndex
from talewright.pack.compilation import Compilation
from talewright.pack.desk import Desk
from talewright.pack.files.nodes import MapNode, ScalarNode
from talewright.pack.library import Library
from talewright.pack.meaning.blame import Accuser
from talewright.pack.meaning.deeds import Deeds, find_named, read_deeds
from talewright.pack.meaning.mentions import Mentions
from talewright.pack.meaning.outlooks import Outlooks
from talewright.pack.meaning.reach import Reach, find_reach
from talewright.pack.sources.game import GameSource
from talewright.pack.sources.variables import SlotSource
from talewright.pack.words.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class Inquiry:
    """One game under the eyes of the checks."""

    game: Game
    source: GameSource
    library: Library
    catalogue: Catalogue
    mentions: Mentions
    conditions: Mapping[ScalarNode, Condition]
    """Every condition by the place where it is written."""

    computed: Mapping[Path, frozenset[Path]]
    """Derived slots, and what each reads."""

    readers: ReaderIndex
    """Conditions and derived slots, by what they read."""

    named: Mapping[str, list[str]]
    """Scenes that a `next` names, and the scenes from which it does."""

    deeds: Deeds
    reach: Reach
    outlooks: Outlooks
    accuser: Accuser
    desk: Desk

    def tree(self, node: ScalarNode) -> Node:
        """The tree of a condition."""
        return self.conditions[node].tree

    def base_paths(self, paths: Iterable[Path]) -> set[Path]:
        """Paths, and for derived slots what those are computed from."""
        if not self.computed:
            return set(paths)
        found: set[Path] = set()
        pending = list(paths)
        while pending:
            path = pending.pop()
            if path not in found:
                found.add(path)
                for length in range(1, len(path) + 1):
                    pending.extend(self.computed.get(path[:length], ()))
        return found


def open_inquiry(game: Game, source: GameSource, library: Library, work: Compilation) -> Inquiry:
    """Find out what all checks need."""
    conditions = {asked.node: asked.condition for asked in work.asked}
    named = find_named(library.scenes)
    deeds = read_deeds(source, library, game.layout, conditions, named)
    reach = find_reach(game, deeds)
    outlooks = Outlooks(game.layout, reach.facts)
    computed = {derived.path: derived.expression.reads for derived in game.derived}
    distinct = {condition.source: condition.reads for condition in conditions.values()}
    return Inquiry(
        game=game,
        source=source,
        library=library,
        catalogue=work.catalogue,
        mentions=Mentions(work.catalogue),
        conditions=conditions,
        computed=computed,
        readers=ReaderIndex([*distinct.values(), *computed.values()]),
        named=named,
        deeds=deeds,
        reach=reach,
        outlooks=outlooks,
        accuser=Accuser(outlooks, reach, _unwritten_carries(game, source)),
        desk=Desk(),
    )


def slot_sources(source: GameSource) -> Iterator[tuple[Path, SlotSource, SourcePlace]]:
    """Every variable and every member declared under `fields`, with the place of its name."""

    def look(
        path: Path, written: SlotSource, place: SourcePlace
    ) -> Iterator[tuple[Path, SlotSource, SourcePlace]]:
        yield path, written, place
        fields = written.node.entries.get("fields")
        for key, member in written.fields.items():
            mark = fields.key_place(key) if isinstance(fields, MapNode) else member.node.place
            yield from look((*path, key), member, mark)

    for variable in source.variables:
        yield from look((variable.id,), variable, variable.place("id"))


def place_of(path: Path, source: GameSource) -> SourcePlace:
    """Where a variable or a member is named; members without `fields` stand in the default."""
    best, above, depth = SourcePlace("game.yaml"), None, 0
    for found, written, place in slot_sources(source):
        if found == path[: len(found)] and len(found) > depth:
            best, above, depth = place, written, len(found)
    node = None if above is None else above.node.entries.get("default")
    for key in path[depth:]:
        if not isinstance(node, MapNode) or key not in node.entries:
            break
        best, node = node.key_place(key), node.entries[key]
    return best


def _unwritten_carries(game: Game, source: GameSource) -> Iterator[Path]:
    """Slots that carry although no author wrote so."""
    written = {path for path, declared, _ in slot_sources(source) if declared.carry is not None}
    for path, slot in game.layout.walk():
        if slot.carry is not None and path not in written:
            yield path
