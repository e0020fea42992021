"""Exposures: the words of a ruling that a player will come to read, in the state, on a card or beside dice.

It looks at what came of a move, not at what a model wrote: a tool may take hidden words and keep them hidden.
"""

from collections.abc import Iterator, Mapping, Sequence

from talewright.contract.text.guard import list_words
from talewright.kernel.changes import Change
from talewright.kernel.documents import ABSENT, Json
from talewright.kernel.game import Game
from talewright.kernel.moves import ENGINE, Call, Update
from talewright.kernel.paths import Path, PathError, dotted, parse_path, parse_pointer
from talewright.kernel.rulings import Decision, Granted, Ruling, Waiting
from talewright.kernel.triggers import Event

ROLLED = ("text", "skill", "difficulty")
"""Members of the result of a call that stand beside the dice it threw."""


def list_exposed(game: Game, ruling: Ruling, events: Sequence[Event] = ()) -> Iterator[str]:
    """Everything that would be read; `events` are those of the whole judgement."""
    if isinstance(ruling.move, Update):
        yield from _list_place(game, ruling.move.path)
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
    yield from _list_names(game, path)
    yield change.reason
    if change.value is not ABSENT:
        yield from (text for text, closed in list_words(slot, change.value) if not closed)


def _list_rolled(result: Json) -> Iterator[str]:
    if isinstance(result, Mapping) and not result.get("hidden"):
        yield from (words for name in ROLLED if isinstance(words := result.get(name), str))
