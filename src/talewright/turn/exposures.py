"""Exposures: the words of a ruling that a player will come to read, in the state, on a card or beside dice.

It looks at what came of a move, not at what a model wrote: a tool may take hidden words and keep them hidden.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from talewright.contract.text.guard import list_words
from talewright.kernel.game import Game
from talewright.kernel.judging.moves_and_rulings import (
    ENGINE,
    Call,
    Decision,
    Granted,
    Ruling,
    Update,
    Waiting,
)
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.slots.slot_types import Slot, member
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT, Json
from talewright.kernel.state.state_paths import Path, PathError, dotted, parse_path, parse_pointer
from talewright.kernel.story.triggers import Event

ROLLED = ("text", "skill", "difficulty")
"""Members of the result of a call that stand beside the dice it threw."""


def list_exposed(game: Game, ruling: Ruling, events: Sequence[Event] = ()) -> Iterator[str]:
    """Everything that would be read; `events` are those of the whole judgement."""
    if isinstance(ruling.move, Update):
        yield from _list_place(game, ruling.move.path)
    if isinstance(ruling, Granted):
        for change in ruling.changes:
            yield from _list_names(game, parse_pointer(change.path))
    yield from _list_words(game, ruling, events)


def list_named(game: Game, ruling: Ruling, events: Sequence[Event] = ()) -> Iterator[str]:
    """Words that would be read and that whoever made a call has written, each as it would be shown.

    What a system says of its own accord may be the name of a text. What a model says is its own words.
    """
    if isinstance(ruling.move, Call):
        said = [text for text, _ in _list_texts(None, ruling.move.arguments)]
        words = _list_words(game, ruling, events)
        yield from (word for word in words if any(word in text for text in said))


def _list_words(game: Game, ruling: Ruling, events: Sequence[Event]) -> Iterator[str]:
    if isinstance(ruling.move, Call):
        yield from (event.text for event in events if event.cause != ENGINE)
    match ruling:
        case Granted(changes=changes, result=result):
            for change in changes:
                yield from _list_change(game, change)
            yield from _list_rolled(result)
        case Waiting(need=Decision() as card):
            yield card.question
            yield from card.lines
            yield from (option.label for option in card.options)
        case _:
            pass


def list_changed(game: Game, changes: Iterable[Change]) -> Iterator[tuple[str, bool]]:
    """Every text that changes have brought or taken away, and whether it is hidden from players.

    The changes may be older than the game: what has no slot any more is seen by nobody. What the engine
    remembers is what players were told.
    """
    for change in changes:
        path = parse_pointer(change.path)
        if path[0] == ENGINE_ROOT:
            continue
        slot = game.layout.find(path)
        for value in (change.value, change.was):
            if value is not ABSENT:
                yield from _list_texts(slot, value)


def _list_texts(slot: Slot | None, value: Json) -> Iterator[tuple[str, bool]]:
    if isinstance(value, str):
        yield value, slot is None or slot.hidden or slot.secret
    elif isinstance(value, Mapping | Sequence):
        items = value.items() if isinstance(value, Mapping) else enumerate(value)
        for key, inner in items:
            yield from _list_texts(slot and member(slot, str(key)), inner)


def _list_place(game: Game, text: str) -> Iterator[str]:
    """The names on the way to a place; what was refused is told with them too."""
    try:
        path = parse_path(text)
    except PathError:
        return
    yield from _list_names(game, path)


def _list_names(game: Game, path: Path) -> Iterator[str]:
    slot = game.layout.find(path)
    if slot is not None and not (slot.hidden or slot.secret):
        yield from path
        yield dotted(path)


def _list_change(game: Game, change: Change) -> Iterator[str]:
    path = parse_pointer(change.path)
    slot = game.layout.find(path)
    assert slot is not None
    if slot.hidden or slot.secret:
        return
    yield change.reason
    if change.value is not ABSENT:
        yield from (text for text, closed in list_words(slot, change.value) if not closed)


def _list_rolled(result: Json) -> Iterator[str]:
    if isinstance(result, Mapping) and not result.get("hidden"):
        yield from (words for name in ROLLED if isinstance(words := result.get(name), str))
