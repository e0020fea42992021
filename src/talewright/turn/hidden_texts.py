"""Hidden texts of a turn: what an answer must not repeat, and the texts of a ruling that players will read.

Texts are only gathered here; the leak guard checks whether an answer repeats one. Effects of a move are
checked, not its arguments: a tool may receive hidden words and keep them hidden.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from talewright.common.frozen_values import cached_by_identity
from talewright.common.json_values import Json
from talewright.common.language_tags import pick_words
from talewright.common.quote_search import ToldEarlier, fold_all
from talewright.contract.dialect import AnswerGround, Dialect
from talewright.contract.text.leak_guard import (
    HiddenTexts,
    is_text,
    list_hidden_texts,
    list_words,
    recall_told,
)
from talewright.kernel.game import Game
from talewright.kernel.judging.moves import ENGINE, Call, Update
from talewright.kernel.judging.rulings import Decision, Granted, Ruling, Waiting
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.slots.slot_types import Slot, member
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT
from talewright.kernel.state.state import Position
from talewright.kernel.state.state_paths import Path, PathError, dotted, parse_path, parse_pointer
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.triggers import Event
from talewright.kernel.system import NoteAudience, SystemMemory
from talewright.llm.requests import ToolSpec
from talewright.prompt.game_part import CONTRACT, PRIVATE
from talewright.prompt.token_budget import FittedSections, PromptSection
from talewright.prompt.words import PHRASES
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.memory.story_memory import list_memories
from talewright.turn.records.commit_body import MODEL, OUTSIDE, TurnBody
from talewright.turn.steps.recalling import TOLD_TURNS, Recalled
from talewright.turn.turn_progress import PASSAGE_BREAK


def list_unrevealed(game: Game, position: Position, texts: Texts) -> list[str]:
    """List the texts that no narration may quote: secrets of people, and lore not revealed yet."""
    document, turn = position.state.document, position.turn
    secrets = [texts.find(f"npc.{person.id}.secret") for person in game.people]
    lore = [
        texts.find(f"lore.{entry.id}.text")
        for entry in game.lore
        if entry.reveal_when is not None and not entry.reveal_when.holds(document, turn)
    ]
    return [text for text in (*secrets, *lore) if text]


STRICTER_SINCE_ENGINE = 4
"""From this engine number on, the guard unmasks what it reads, and counts what the last turns have told."""

OPEN_SINCE_ENGINE = 5
"""From this engine number on, no example in a prompt is guarded, and nothing that its past turns contain."""

TOLD_LENGTH = 200
"""Characters of the last narration in which a quotation may begin that the next one continues."""

FOLDED_KEPT_MAX = 32
"""Cached letters: those of the editions being played."""

ROLLED = ("text", "skill", "difficulty")
"""Members of a call's result that are shown with its dice."""


def list_exposed(game: Game, ruling: Ruling, events: Sequence[Event] = ()) -> Iterator[str]:
    """List everything a ruling would show; `events` are those of the whole judgement."""
    if isinstance(ruling.move, Update):
        yield from _list_place(game, ruling.move.path)
    if isinstance(ruling, Granted):
        for change in ruling.changes:
            yield from _list_names(game, parse_pointer(change.path))
    yield from _list_words(game, ruling, events)


def list_values(game: Game, ruling: Ruling) -> Iterator[str]:
    """List the texts among the values a ruling would show, without the names of their paths."""
    if isinstance(ruling, Granted):
        yield from (text for text, closed in list_changed(game, ruling.changes, before=False) if not closed)


def list_named(
    game: Game, ruling: Ruling, events: Sequence[Event] = (), answers: Mapping[str, Json] | None = None
) -> Iterator[str]:
    """List words a ruling would show that were written by the maker of its call or the one who answered it.

    A system may mention the name of a text; a model's words are its own.
    """
    if isinstance(ruling.move, Call):
        given = [ruling.move.arguments, dict(answers or {})]
        said = [text for text, _ in _list_texts(None, given)]
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


def list_changed(game: Game, changes: Iterable[Change], *, before: bool = True) -> Iterator[tuple[str, bool]]:
    """List the texts that changes added or, with `before`, removed, and whether each is hidden from players.

    The changes may be older than the game: a text without a slot counts as hidden. The engine's own memory is
    skipped, since players have read it.
    """
    for change in changes:
        path = parse_pointer(change.path)
        if path[0] == ENGINE_ROOT:
            continue
        slot = game.layout.find(path)
        for value in (change.value, change.was) if before else (change.value,):
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
    """List the names in a path; refused updates show them too."""
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


_QUOTED = re.compile(r'"([^"\n]+)"')

_EXAMPLE = re.compile(r'"([^"\n]+)"|“([^”\n]+)”|`([^`\n]+)`|「([^」\n]+)」')
"""Words in quotation marks or set as code are examples of what to write, and a model may well write them."""

WORLD = "world"
"""A text that may repeat confidential texts, without making them known."""


def gather_hidden_texts(
    dialect: Dialect,
    ground: AnswerGround,
    texts: Texts,
    recalled: Recalled,
    said: str,
    frozen: FittedSections | None = None,
    tools: tuple[ToolSpec, ...] = (),
    memories: tuple[SystemMemory, ...] = (),
    bodies: tuple[TurnBody, ...] = (),
    engine: int = ENGINE_NUMBER,
) -> HiddenTexts:
    """Gather what no text of a turn may repeat; `memories` and `bodies` are those shown in its prompt."""
    kept, older = (*list_memories(ground.game, ground.position), *memories), engine < OPEN_SINCE_ENGINE
    sections = () if frozen is None else frozen.sections
    standing = tuple(_list_instructions(ground, texts, sections, tools))
    demands = tuple(_list_demands(dialect, ground))
    closed = [*list_unrevealed(ground.game, ground.position, texts), *_list_descriptions(ground, texts)]
    notes = list(list_notes(ground, NoteAudience.NARRATOR))
    passing = [*notes, *demands]
    # Summaries are not hidden, but make nothing known either: a model that saw hidden texts has written them.
    told = {memory.text for memory in kept if memory.told}
    hidden_texts = list_hidden_texts(ground.game, ground.position, closed)
    passing += [text for text in hidden_texts if text not in told]
    passing += [memory.text for memory in kept if not memory.told]
    changed = list(list_changed(ground.game, (change for body in bodies for change in body.changes)))
    # Texts that were hidden once and removed since are still in the calls of those turns. Compare line by
    # line, so that a long text with one changed line is not checked once per change.
    given_up = (text for text, hidden in changed if hidden and is_text(text) and text not in told)
    passing += _list_lines(given_up) - _list_lines(passing)

    def list_known() -> Iterator[str]:
        yield said
        yield from (text for text, hidden in changed if not hidden)
        yield from _list_seen(ground)
        yield from _list_quoted(sections) if older else _list_open(ground, bodies, (*standing, *demands))

    def list_folded() -> Iterator[str]:
        # Texts the player has already read in the last turns, and those the author lets everyone read.
        yield from map(recalled.bodies.fold, recalled.past)
        yield _fold_open(texts, frozenset(closed))

    if engine < STRICTER_SINCE_ENGINE:
        return HiddenTexts(passing, standing, list_known, texts.entries, list_folded, unmasks=False)
    # Instructions are not counted over several turns: any story uses some of their words. Neither is a text
    # that became hidden in one of these turns: its words may have been public before.
    new = told.union(text for text, hidden in changed if hidden)
    lasting = [text for text in (*hidden_texts, *notes) if text not in new]
    earlier = _recall_told(ground, texts, recalled, said, closed, lasting)
    return HiddenTexts(passing, standing, list_known, texts.entries, list_folded, earlier)


def renew_hidden_texts(
    veil: HiddenTexts, before: AnswerGround, now: AnswerGround, lore: Sequence[str]
) -> HiddenTexts:
    """What no text may repeat after a round of calls: the new notes for the narrator, too.

    `lore` has come up since. Notes for everyone make their words known, and so does lore.
    """
    hidden, known = (
        set(list_notes(now, ear)) - set(list_notes(before, ear))
        for ear in (NoteAudience.NARRATOR, NoteAudience.EVERYONE)
    )
    return veil.spread(sorted(hidden), (*sorted(known), *lore))


def _list_open(
    ground: AnswerGround, bodies: Sequence[TurnBody], instructions: Iterable[str]
) -> Iterator[str]:
    """List what the player knows already, and examples of what to write."""
    yield from list_notes(ground, NoteAudience.PLAYER)
    yield from (text for body in bodies for text in (body.said, body.narration))
    yield from map(join_examples, instructions)


def _list_quoted(sections: Sequence[PromptSection]) -> Iterator[str]:
    """List the examples of what to write that older engines knew of."""
    yield from (" ".join(_QUOTED.findall(one.text)) for one in sections if one.name == CONTRACT)


def join_examples(text: str) -> str:
    """The examples in an instruction, in order."""
    return " ".join("".join(found) for found in _EXAMPLE.findall(text))


def _list_instructions(
    ground: AnswerGround, texts: Texts, sections: Sequence[PromptSection], tools: Sequence[ToolSpec]
) -> Iterator[str]:
    """List the instructions to a storyteller that are the same in every turn."""
    phrases = pick_words(texts.language, PHRASES)
    yield from (section.text for section in sections if section.name in PRIVATE)
    yield from (tool.description for tool in tools)
    yield from (phrases.memory, phrases.going_on)
    yield phrases.care.format(rating=ground.game.content_rating)


def _recall_told(
    ground: AnswerGround,
    texts: Texts,
    recalled: Recalled,
    said: str,
    closed: Sequence[str],
    lasting: Sequence[str],
) -> ToldEarlier:
    """What the last turns have shown of texts that stay hidden."""
    last = [recalled.bodies.read(commit) for commit in reversed(recalled.past[:TOLD_TURNS])]

    def list_rows() -> Iterator[list[str]]:
        told = [body for body in last if body.told in (MODEL, OUTSIDE)]
        yield [body.narration for body in told]
        for body in told:
            yield [offer.label for offer in body.choices]
            yield [offer.hint for offer in body.choices]
            yield [event.text for event in body.events]
            values = list_changed(ground.game, body.changes, before=False)
            yield [text for text, hidden in values if not hidden]

    def list_public() -> Iterator[str]:
        yield fold_all((said, *(body.said for body in last), *list_notes(ground, NoteAudience.EVERYONE)))
        yield _fold_open(texts, frozenset(closed))

    narrated = PASSAGE_BREAK.join(body.narration for body in last if body.narration)
    return recall_told(narrated[-TOLD_LENGTH:], list_rows, lasting, list_public)


def _list_descriptions(ground: AnswerGround, texts: Texts) -> Iterator[str]:
    """List the descriptions of variables that players do not see."""
    for name, slot in ground.game.layout.roots.items():
        if slot.hidden or slot.secret:
            yield texts.find(f"variable.{name}.description")


def list_notes(ground: AnswerGround, ear: NoteAudience) -> Iterator[str]:
    """List the notes for an audience."""
    table = WorkingState(ground.game, ground.position)
    for system in ground.game.parts.notes:
        sight = replace(table.sight(system), language=ground.language)
        yield from (note.text for note in system.notes(sight) if note.ear is ear)


def _list_demands(dialect: Dialect, ground: AnswerGround) -> Iterator[str]:
    """List the fixed texts of repair demands."""
    for updates_only, moves_only in ((False, False), (True, False), (False, True)):
        yield dialect.demand((), replace(ground, updates_only=updates_only, moves_only=moves_only))


def _list_lines(texts: Iterable[str]) -> set[str]:
    return {line for text in texts for line in text.split("\n")}


def _list_seen(ground: AnswerGround) -> Iterator[str]:
    """List notes for everyone, the visible texts of the state and the names of its paths; rules use these."""
    yield from list_notes(ground, NoteAudience.EVERYONE)
    document = ground.position.state.document
    for name, slot in ground.game.layout.roots.items():
        if name != ENGINE_ROOT:
            yield from (text for text, closed in list_words(slot, document[name]) if not closed)
            yield from _list_paths(slot, document[name], name)


def _list_paths(slot: Slot, value: Json, path: str) -> Iterator[str]:
    if not (slot.hidden or slot.secret):
        yield path
        for key, inner in value.items() if isinstance(value, Mapping) else ():
            below = member(slot, key)
            assert below is not None
            yield from _list_paths(below, inner, f"{path}.{key}")


@cached_by_identity(FOLDED_KEPT_MAX, by_value=(frozenset,))
def _fold_open(texts: Texts, closed: frozenset[str]) -> str:
    """The letters of the author's texts, except texts for the storyteller only."""
    return fold_all(text for key, text in texts.entries.items() if key != WORLD and text not in closed)
