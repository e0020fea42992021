"""Items checked: things that a list names and items.yaml does not, and things that nobody can come by.

Only lists that plainly hold items are looked at: most of what the author puts into them is one.
"""

from collections.abc import Iterator

from talewright.errors import SourcePlace
from talewright.kernel.conditions.expression_tree import FunctionCall, Literal, PathReading, nodes_of
from talewright.kernel.judging.moves_and_rulings import Op
from talewright.kernel.slots.slot_types import TEXTUAL, SlotKind
from talewright.kernel.state.state_paths import Path, dotted
from talewright.pack.faults import Code
from talewright.pack.files.nodes import ListNode, MapNode, Node, ScalarNode
from talewright.pack.meaning.cast import known_words
from talewright.pack.meaning.inquiry import Inquiry, slot_sources


def check_items(inquiry: Inquiry) -> None:
    """Tell which items are missing from items.yaml, and which are there for nothing."""
    if not inquiry.library.items:
        return
    ids = {item.id for item in inquiry.library.items}
    for path, slot in inquiry.game.layout.walk():
        if slot.kind is SlotKind.LIST and slot.element is not None and slot.element.kind in TEXTUAL:
            _check_list(inquiry, path, ids)
    _check_use(inquiry)


def _check_list(inquiry: Inquiry, path: Path, ids: set[str]) -> None:
    put = [*_first_values(inquiry, path), *_moved_values(inquiry, path)]
    distinct = {word for word, _ in put}
    # A list that holds something else now and then is no list of items.
    if not distinct or len(distinct & ids) * 2 < len(distinct):
        return
    for word, place in [*put, *_asked_values(inquiry, path)]:
        if word not in ids:
            message = f"`{dotted(path)}` holds items, and items.yaml has no `{word}`"
            suggestion = inquiry.desk.suggest(word, sorted(ids), "items")
            if not suggestion.startswith("Write"):
                suggestion = f"Add `{word}` to items.yaml. {suggestion}"
            inquiry.desk.report(Code.UNKNOWN_ITEM, place, message, suggestion)


def _first_values(inquiry: Inquiry, path: Path) -> Iterator[tuple[str, SourcePlace]]:
    """What the author puts into a list at the start: its default, what objects above say, `initial_state`."""
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


def _moved_values(inquiry: Inquiry, path: Path) -> Iterator[tuple[str, SourcePlace]]:
    for writing in inquiry.deeds.touching(path):
        if writing.path == path and writing.update.op in (Op.PUSH, Op.REMOVE, Op.SET):
            yield from _words_of(writing.update.node.entries.get("value"))


def _asked_values(inquiry: Inquiry, path: Path) -> Iterator[tuple[str, SourcePlace]]:
    """What conditions look for in a list."""
    for node, condition in inquiry.conditions.items():
        if path not in condition.reads:
            continue
        for part in nodes_of(condition.tree):
            match part:
                case FunctionCall("has" | "count", (PathReading(found), Literal(str() as word, column))) if (
                    found == path
                ):
                    yield word, node.place_at(column - 1)


def _check_use(inquiry: Inquiry) -> None:
    known = set(known_words(inquiry))
    labelled = {key.rsplit(".", 1)[-1] for key in inquiry.catalogue.entries if key.startswith("value.")}
    for item in inquiry.library.items:
        if item.id in known or item.id in labelled:
            continue
        if not inquiry.mentions.has([item.id, item.name], f"item.{item.id}"):
            message = f"nothing gives, shows or mentions `{item.id}`"
            suggestion = "Push it to a list in a choice or a trigger, mention it in a text, or delete it."
            inquiry.desk.report(Code.UNUSED_ITEM, item.place("id"), message, suggestion)
