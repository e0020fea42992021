"""The lint context: the data that all checks of a game share, such as the names its texts mention.

It is created once; checks only add faults to it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from talewright.common.frozen_values import frozen
from talewright.errors import SourcePlace
from talewright.kernel.conditions.conditions import Condition
from talewright.kernel.conditions.expression_tree import Node
from talewright.kernel.game import Game
from talewright.kernel.state.state_paths import Path
from talewright.kernel.story.triggers import ReaderIndex
from talewright.pack.build.build_context import BuildContext
from talewright.pack.faults import FaultList
from talewright.pack.files.yaml_nodes import MapNode, ScalarNode
from talewright.pack.lint.authored_updates import AuthoredUpdateIndex, find_named, read_authored_updates
from talewright.pack.lint.condition_explanations import ConditionExplainer
from talewright.pack.lint.condition_judge import ConditionJudge
from talewright.pack.lint.reachable_values import ReachableValues, find_reachable_values
from talewright.pack.schema.game_fields import GameSource
from talewright.pack.schema.game_records import GameRecords
from talewright.pack.schema.variable_fields import SlotSource
from talewright.pack.texts.text_catalogue import TextCatalogue

WORD_LENGTH_MIN = 3
"""Letters in a word that counts as a mention; shorter ones occur in every text."""

_WORDS = re.compile(r"[^\W_]+")
_ANYBODY = ""
_OWNERS = ("npc", "item")
"""Kinds of texts that describe one character or item only."""


class NameMentions:
    """The words in a game's texts, and who owns each text."""

    def __init__(self, catalogue: TextCatalogue) -> None:
        self._catalogue = catalogue

    def has(self, names: Iterable[str], owner: str) -> bool:
        """Whether any of the names, or a word of it, occurs in a text other than the owner's."""
        return any(self._has_name(name, owner) for name in names)

    @cached_property
    def _said(self) -> Mapping[str, str]:
        """Words, with their owner if they occur only in that owner's texts."""
        texts: dict[str, list[str]] = {}
        for key, text in self._catalogue.entries.items():
            texts.setdefault(_owner_of(key), []).append(text)
        for key, several in self._catalogue.lists.items():
            texts.setdefault(_owner_of(key), []).extend(several)
        said: dict[str, str] = {}
        for owner, spoken in texts.items():
            words = set(_WORDS.findall("\n".join(spoken).casefold()))
            for form in {form for word in words for form in _forms(word)}:
                said[form] = owner if said.setdefault(form, owner) == owner else _ANYBODY
        return said

    def _has_name(self, name: str, owner: str) -> bool:
        words = _WORDS.findall(name.casefold())
        telling = [word for word in words if len(word) >= WORD_LENGTH_MIN or not word.isascii()]
        return any(self._said.get(form, owner) != owner for word in telling or words for form in _forms(word))


def _owner_of(key: str) -> str:
    """The owner of a text key: `npc.hanne`, `item.lamp`, or empty for all others."""
    kind, _, rest = key.partition(".")
    return f"{kind}.{rest.partition('.')[0]}" if kind in _OWNERS else _ANYBODY


def _forms(word: str) -> Iterable[str]:
    """The forms of a word: itself and its singular; in scripts without spaces, every pair of letters."""
    if word.isascii():
        return {word, word.removesuffix("s"), word.removesuffix("es")}
    return {word[start : start + 2] for start in range(max(1, len(word) - 1))}


@frozen
class LintContext:
    """The data for the checks of one game."""

    game: Game
    source: GameSource
    library: GameRecords
    catalogue: TextCatalogue
    mentions: NameMentions
    conditions: Mapping[ScalarNode, Condition]
    """Every condition, by its node."""

    computed: Mapping[Path, frozenset[Path]]
    """Derived slots, and the paths each reads."""

    readers: ReaderIndex
    """Conditions and derived slots, by the paths they read."""

    named: Mapping[str, list[str]]
    """Scenes that a `next` leads to, with the scenes it is in."""

    deeds: AuthoredUpdateIndex
    reach: ReachableValues
    outlooks: ConditionJudge
    accuser: ConditionExplainer
    fault_list: FaultList

    def tree(self, node: ScalarNode) -> Node:
        """The tree of a condition."""
        return self.conditions[node].tree

    def base_paths(self, paths: Iterable[Path]) -> set[Path]:
        """Replace the paths of derived slots by those they are computed from."""
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


def make_lint_context(
    game: Game, source: GameSource, library: GameRecords, work: BuildContext
) -> LintContext:
    """Collect what all checks need."""
    conditions = {asked.node: asked.condition for asked in work.asked}
    named = find_named(library.scenes)
    deeds = read_authored_updates(source, library, game.layout, conditions, named)
    reach = find_reachable_values(game, deeds)
    outlooks = ConditionJudge(game.layout, reach.facts)
    computed = {derived.path: derived.expression.reads for derived in game.derived}
    distinct = {condition.source: condition.reads for condition in conditions.values()}
    return LintContext(
        game=game,
        source=source,
        library=library,
        catalogue=work.catalogue,
        mentions=NameMentions(work.catalogue),
        conditions=conditions,
        computed=computed,
        readers=ReaderIndex([*distinct.values(), *computed.values()]),
        named=named,
        deeds=deeds,
        reach=reach,
        outlooks=outlooks,
        accuser=ConditionExplainer(outlooks, reach, _unwritten_carries(game, source)),
        fault_list=FaultList(),
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
    """The place of a variable or member; without `fields`, members are in the default."""
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
    """Slots that carry automatically."""
    written = {path for path, declared, _ in slot_sources(source) if declared.carry is not None}
    for path, slot in game.layout.walk():
        if slot.carry is not None and path not in written:
            yield path
