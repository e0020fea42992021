"""Confidences: what a storyteller is told and must not repeat, and what of it the player can read anyway.

It gathers texts; whether an answer repeats one of them is seen by the guard.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from talewright.contract.dialect import Dialect, Ground
from talewright.contract.text.guard import Veil, hidden_texts, list_words
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.system import NoteAudience, SystemMemory
from talewright.llm.tools import ToolSpec
from talewright.prompt.frozen import PRIVATE
from talewright.prompt.sections import Fitted
from talewright.prompt.words.languages import phrases_in
from talewright.turn.bodies import Body, from_json
from talewright.turn.briefing import list_unrevealed
from talewright.turn.exposures import list_changed
from talewright.turn.memory import list_memories
from talewright.turn.recalling import Recalled

WORLD = "world"
"""A text that may say what is told in confidence elsewhere: that it stands there makes nothing known."""


def make_veil(
    dialect: Dialect,
    ground: Ground,
    texts: Texts,
    recalled: Recalled,
    said: str,
    frozen: Fitted | None = None,
    tools: tuple[ToolSpec, ...] = (),
    memories: tuple[SystemMemory, ...] = (),
    bodies: tuple[Body, ...] = (),
) -> Veil:
    """What no words of a turn may repeat; with what its prompts begin with, once that is written.

    `memories` and `bodies` are those that the prompt shows.
    """
    kept = (*list_memories(ground.game, ground.position), *memories)
    sections = () if frozen is None else frozen.sections
    phrases = phrases_in(texts.language)
    standing = [section.text for section in sections if section.name in PRIVATE]
    standing += [tool.description for tool in tools]
    standing += [phrases.memory, phrases.going_on, phrases.care.format(rating=ground.game.content_rating)]
    closed = [*list_unrevealed(ground.game, ground.position, texts), *_list_descriptions(ground, texts)]
    passing = [*_list_notes(ground, NoteAudience.NARRATOR), *_list_demands(dialect, ground)]
    passing += hidden_texts(ground.game, ground.position, closed)
    passing += [memory.text for memory in kept if not memory.told]
    changes = (change for body in bodies for change in body.changes)
    changed = list(list_changed(ground.game, changes))
    # What was hidden once and has been given up since still stands in the calls of those turns. Line by line:
    # a long text in which one line was changed is not gone through once for every change.
    passing += _list_lines(text for text, hidden in changed if hidden) - _list_lines(passing)

    def list_known() -> Iterator[str]:
        yield said
        yield from _list_notes(ground, NoteAudience.EVERYONE)
        yield from (memory.text for memory in kept if memory.told)
        yield from _list_told(recalled)
        yield from (text for text, hidden in changed if not hidden)
        yield from _list_seen(ground)
        yield from _list_open(texts, frozenset(closed))

    return Veil(passing, tuple(standing), list_known, texts.entries)


def _list_descriptions(ground: Ground, texts: Texts) -> Iterator[str]:
    """What is said of variables that players do not see."""
    for name, slot in ground.game.layout.roots.items():
        if slot.hidden or slot.secret:
            yield texts.find(f"variable.{name}.description")


def _list_notes(ground: Ground, ear: NoteAudience) -> Iterator[str]:
    table = WorkingState(ground.game, ground.position)
    for system in ground.game.systems:
        sight = replace(table.sight(system), language=ground.language)
        yield from (note.text for note in system.notes(sight) if note.ear is ear)


def _list_demands(dialect: Dialect, ground: Ground) -> Iterator[str]:
    """What a repair would say, whatever it is about."""
    for updates_only, moves_only in ((False, False), (True, False), (False, True)):
        yield dialect.demand((), replace(ground, updates_only=updates_only, moves_only=moves_only))


def _list_lines(texts: Iterable[str]) -> set[str]:
    return {line for text in texts for line in text.split("\n")}


def _list_told(recalled: Recalled) -> Iterator[str]:
    """What the last turns have told the player already."""
    for commit in recalled.past:
        body = from_json(commit.body)
        yield body.said
        yield body.narration
        for offer in body.choices:
            yield offer.label
            yield offer.hint


def _list_seen(ground: Ground) -> Iterator[str]:
    """What stands in the state for everyone to see."""
    document = ground.position.state.document
    for name, slot in ground.game.layout.roots.items():
        if name != ENGINE_ROOT:
            yield from (text for text, closed in list_words(slot, document[name]) if not closed)


def _list_open(texts: Texts, closed: frozenset[str]) -> Iterator[str]:
    """The author's words, but for those that are for the storyteller alone."""
    return (text for key, text in texts.entries.items() if key != WORLD and text not in closed)
