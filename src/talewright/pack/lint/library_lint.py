"""Lint of the library: characters that nothing mentions, items that are unused, lore that is never active.

One word of a name counts as a mention. Lore that is withheld must not be in texts that every prompt contains.
"""

import re
from collections.abc import Iterator

from talewright.common.letter_folding import fold
from talewright.common.quote_search import QuoteIndex, QuoteSearch, QuoteTally, fold_all
from talewright.errors import SourcePlace
from talewright.kernel.conditions.condition_functions import CONDITION_FUNCTIONS
from talewright.kernel.conditions.expression_tree import FunctionCall, Literal, PathReading, nodes_of
from talewright.kernel.judging.moves import Op
from talewright.kernel.slots.slot_types import TEXTUAL, Slot, SlotKind
from talewright.kernel.state.state_paths import Path, dotted
from talewright.pack.faults import FaultCode
from talewright.pack.files.yaml_nodes import ListNode, MapNode, Node, ScalarNode
from talewright.pack.lint.condition_lint import USELESS, ConditionConsequence, check_condition
from talewright.pack.lint.lint_context import LintContext, slot_sources
from talewright.prompt.current_turn_part import weigh_roots
from talewright.prompt.lore.lore_selection import list_always


def known_words(inquiry: LintContext) -> Iterator[str]:
    """Every word in the state and the rules: members, enum values, values and texts in conditions."""
    for path, slot in inquiry.game.layout.walk():
        yield path[-1]
        yield from slot.enum_values
        if slot.element is not None:
            yield from slot.element.enum_values
    yield from _texts_in(inquiry.game.initial)
    for writing in inquiry.deeds.writings:
        yield from _texts_in(writing.update.value)
    for condition in set(inquiry.conditions.values()):
        for node in nodes_of(condition.tree):
            if isinstance(node, Literal) and isinstance(node.value, str):
                yield node.value


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts_in(inner)


def check_people(inquiry: LintContext) -> None:
    """Report characters that play no part in the game."""
    if not inquiry.library.people:
        return
    _check_places(inquiry)
    known = set(known_words(inquiry))
    for person in inquiry.library.people:
        # A character with a place can be met if a storyteller creates the scenes.
        if person.id in known or (person.where and not inquiry.library.scenes):
            continue
        names = [person.id, person.name, *person.also]
        if inquiry.mentions.has(names, f"npc.{person.id}"):
            continue
        message = (
            f"nothing mentions `{person.id}`: no text contains {person.name}, and no variable refers to them"
        )
        suggestion = "Mention them in a scene, in world.md or in the lore, or delete them."
        inquiry.fault_list.report(FaultCode.UNUSED_NPC, person.place("id"), message, suggestion)


def _check_places(inquiry: LintContext) -> None:
    """Report characters at an unknown place, if the places of the others are known."""
    enums = [set(slot.enum_values) for slot in _enums(inquiry)]
    known = set().union(*enums)
    people = [person for person in inquiry.library.people if person.where]
    lost = [person for person in people if person.where not in known]
    if len(lost) * 2 > len(people):
        # Most places are free text, so none of them is wrong.
        return
    wheres = {person.where for person in people}
    places = sorted(set().union(*(values for values in enums if values & wheres)))
    for person in lost:
        message = (
            f"`{person.where}` is not a known place: the other characters are at places that a variable lists"
        )
        suggestion = inquiry.fault_list.suggest(person.where, places, "places")
        inquiry.fault_list.report(FaultCode.UNKNOWN_WHERE, person.place("where"), message, suggestion)


def _enums(inquiry: LintContext) -> Iterator[Slot]:
    for _, slot in inquiry.game.layout.walk():
        if slot.kind is SlotKind.ENUM:
            yield slot
        elif slot.element is not None and slot.element.kind is SlotKind.ENUM:
            yield slot.element


def check_items(inquiry: LintContext) -> None:
    """Report items that are missing from items.yaml, and unused ones."""
    if not inquiry.library.items:
        return
    ids = {item.id for item in inquiry.library.items}
    for path, slot in inquiry.game.layout.walk():
        if slot.kind is SlotKind.LIST and slot.element is not None and slot.element.kind in TEXTUAL:
            _check_list(inquiry, path, ids)
    _check_use(inquiry)


def _check_list(inquiry: LintContext, path: Path, ids: set[str]) -> None:
    put = [*_first_values(inquiry, path), *_moved_values(inquiry, path)]
    distinct = {word for word, _ in put}
    # A list that sometimes contains something else is not a list of items.
    if not distinct or len(distinct & ids) * 2 < len(distinct):
        return
    for word, place in [*put, *_asked_values(inquiry, path)]:
        if word not in ids:
            message = f"`{dotted(path)}` is a list of items, but `{word}` is not in items.yaml"
            suggestion = inquiry.fault_list.suggest(word, sorted(ids), "items")
            if not suggestion.startswith("Write"):
                suggestion = f"Add `{word}` to items.yaml. {suggestion}"
            inquiry.fault_list.report(FaultCode.UNKNOWN_ITEM, place, message, suggestion)


def _first_values(inquiry: LintContext, path: Path) -> Iterator[tuple[str, SourcePlace]]:
    """The initial elements of a list: its default, those of objects above it, and `initial_state`."""
    nodes: list[Node | None] = []
    for found, source, _ in slot_sources(inquiry.source):
        if found == path[: len(found)]:
            nodes.append(_descend(source.node.entries.get("default"), path[len(found) :]))
    nodes.append(_descend(inquiry.source.node.entries.get("initial_state"), path))
    for node in nodes:
        yield from _words_of(node)


def _descend(node: Node | None, path: Path) -> Node | None:
    for key in path:
        node = node.entries.get(key) if isinstance(node, MapNode) else None
    return node


def _words_of(node: Node | None) -> Iterator[tuple[str, SourcePlace]]:
    """The texts of a list, or the one text, with their places."""
    items = node.items if isinstance(node, ListNode) else [node]
    for item in items:
        if isinstance(item, ScalarNode) and isinstance(item.value, str):
            yield item.value, item.place


def _moved_values(inquiry: LintContext, path: Path) -> Iterator[tuple[str, SourcePlace]]:
    for writing in inquiry.deeds.touching(path):
        if writing.path == path and writing.update.op in (Op.PUSH, Op.REMOVE, Op.SET):
            yield from _words_of(writing.update.node.entries.get("value"))


def _asked_values(inquiry: LintContext, path: Path) -> Iterator[tuple[str, SourcePlace]]:
    """The values that conditions look for in a list."""
    for node, condition in inquiry.conditions.items():
        if path not in condition.reads:
            continue
        for part in nodes_of(condition.tree):
            match part:
                case FunctionCall(name, (PathReading(found), Literal(str() as word, column))) if (
                    found == path and CONDITION_FUNCTIONS[name].searches
                ):
                    yield word, node.place_at(column - 1)


def _check_use(inquiry: LintContext) -> None:
    known = set(known_words(inquiry))
    labelled = {key.rsplit(".", 1)[-1] for key in inquiry.catalogue.entries if key.startswith("value.")}
    for item in inquiry.library.items:
        if item.id in known or item.id in labelled:
            continue
        if not inquiry.mentions.has([item.id, item.name], f"item.{item.id}"):
            message = f"nothing gives, shows or mentions `{item.id}`"
            suggestion = "Push it to a list in a choice or a trigger, mention it in a text, or delete it."
            inquiry.fault_list.report(FaultCode.UNUSED_ITEM, item.place("id"), message, suggestion)


def check_lore(inquiry: LintContext) -> None:
    """Report entries that are never active."""
    for entry in inquiry.library.lore:
        if entry.when is not None:
            never = ConditionConsequence(FaultCode.LORE_NEVER_TOLD, f"nothing ever activates `{entry.id}`")
            always = ConditionConsequence(
                FaultCode.ALWAYS_HOLDS,
                f"`{entry.id}` is always active",
                "Write `constant: true` instead of `when`.",
            )
            check_condition(inquiry, entry.when, USELESS if entry.keys or entry.constant else never, always)
        if entry.reveal_when is not None:
            never = ConditionConsequence(FaultCode.LORE_NEVER_TOLD, f"`{entry.id}` is never revealed")
            always = ConditionConsequence(
                FaultCode.ALWAYS_HOLDS,
                f"`{entry.id}` is never withheld",
                "Delete `reveal_when`, or make it stricter.",
            )
            check_condition(inquiry, entry.reveal_when, never, always)


def check_withheld(inquiry: LintContext) -> None:
    """Report texts in every prompt that repeat half a sentence of lore which `reveal_when` withholds.

    Less may be a fact that both need to name.
    """
    entries = inquiry.catalogue.entries
    withheld = {
        fold(entries[key]): entry.id
        for entry in inquiry.library.lore
        if entry.reveal_when is not None and (key := f"lore.{entry.id}.text") in entries
    }
    if not withheld:
        return
    index = QuoteIndex(entries[f"lore.{name}.text"] for name in withheld.values())
    hidden = {text.letters: text for layer in index.layers for text in layer.texts}
    public = fold_all(text for key, text in entries.items() if _is_public(key))
    for key, text in _list_always(inquiry):
        tally = QuoteTally()
        search = QuoteSearch(index, lambda: public, tally, finds_all=True)
        search.feed(text)
        search.finish()
        repeated = tally.find_halved(hidden)
        if repeated is not None:
            name = withheld[repeated.letters]
            message = (
                f"this repeats the text of `{name}`, which `reveal_when` withholds, and it is in every prompt"
            )
            suggestion = f"Write it only in `{name}`, or delete its `reveal_when`."
            place = inquiry.catalogue.places[key]
            inquiry.fault_list.report(FaultCode.HIDDEN_IN_PROMPT, place, message, suggestion)


_ALWAYS_SENT = re.compile(
    r"world|npc\.[^.]+\.(?:description|voice|secret)|item\.[^.]+\.description|variable\.[^.]+\.description"
)
_PUBLIC = re.compile(r"title|intro|(?:scene|ending|finale|trigger)\..*|.*\.(?:name|label|also)")


def _is_public(key: str) -> bool:
    return _PUBLIC.fullmatch(key) is not None


def _list_always(inquiry: LintContext) -> Iterator[tuple[str, str]]:
    """The keys and texts that every prompt contains, as far as there is room for them."""
    constant = {f"lore.{entry.id}.text" for entry in list_always(inquiry.game)}
    hidden = {
        f"variable.{name}.description"
        for name in inquiry.game.layout.roots
        if name not in weigh_roots(inquiry.game)
    }
    catalogue = inquiry.catalogue
    for key, text in catalogue.entries.items():
        if key in constant or (_ALWAYS_SENT.fullmatch(key) and key not in hidden):
            yield key, text
    for key, texts in catalogue.lists.items():
        if key.startswith("npc.") and key.endswith(".goals"):
            yield key, "\n".join(texts)
