"""Current turn: the tail of a prompt with state, notes, scene, results and input; new in every turn.

After a round of tool calls, the parts that have changed are written again, for the end of the conversation.

It never contains secret slots, anything the narrator should not know yet, or a change of something secret,
whoever made it.

If it is too long for its share, parts are dropped in this order: values the author weighs as low, passages
that may come next, what lies ahead, the offered choices, values of medium weight, notes, the words of the
scene, values of high weight. Results, lore and the input always stay.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from talewright.common.frozen_values import cached_by_identity, frozen
from talewright.common.json_values import Json, equal
from talewright.common.language_tags import pick_words
from talewright.kernel.conditions.conditions import Condition
from talewright.kernel.game import Game
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.slots.slot_types import Slot, member
from talewright.kernel.state.changes import Change, to_operation
from talewright.kernel.state.documents import ABSENT
from talewright.kernel.state.state import Position
from talewright.kernel.state.state_paths import parse_path, parse_pointer
from talewright.kernel.story.cards import PromptWeight
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.scene_rules import current_scene, is_over, offered, open_scenes, wording
from talewright.kernel.story.triggers import Trigger
from talewright.kernel.system import NoteAudience
from talewright.prompt.past_turns_part import TranscriptInput, unmark, write_asked, write_lore
from talewright.prompt.token_budget import BREAK, FittedSections, PromptSection, ShorteningStep, clip, fit
from talewright.prompt.words import PHRASES

_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def write_results(results: Sequence[Json]) -> str:
    """What has been decided, worded for the model."""
    return f"[RESULTS]\n{write_plainly(list(results))}"


def write_plainly(value: Json) -> str:
    """Compact JSON, the same for the same value."""
    return _ENCODER.encode(value)


def show_changes(game: Game, changes: Sequence[Change]) -> list[Json]:
    """The changes that a model may know of."""
    shown: list[Json] = []
    for change in changes:
        slot = game.layout.find(parse_pointer(change.path))
        assert slot is not None
        if not slot.secret:
            raw = to_operation(change)
            shown.append({**raw, "value": prune(slot, raw["value"])} if "value" in raw else raw)
    return shown


def prune(slot: Slot, value: Json) -> Json:
    """A value without its secret parts."""
    if isinstance(value, Mapping):
        inner = {name: (member(slot, name), below) for name, below in value.items()}
        return {n: prune(s, b) for n, (s, b) in inner.items() if s is not None and not s.secret}
    if isinstance(value, Sequence) and not isinstance(value, str) and slot.element is not None:
        return [prune(slot.element, element) for element in value]
    return value


GAMES_KEPT_MAX = 64
"""Games whose weights are cached."""

NEAR_SCENES_MAX = 2
NEAR_SCENE_TOKENS_MAX = 60
"""Tokens of each scene that may come next."""

AHEAD_MAX = 5
"""Upcoming triggers that the narrator is shown."""

AHEAD_TOKENS_MAX = 60
"""Tokens of each."""

CHANGED = "[CHANGED]"
"""The mark of what has changed after a round of calls."""

LABEL_LENGTH_MAX = 40
LABEL_WORDS = 4
"""Characters, or else words, by which a note that no longer holds is named."""


@frozen
class TailMoment:
    """The data specific to one turn."""

    asked: TranscriptInput
    happened: tuple[str, ...] = ()
    """Authored passages that the player's choice led to, or that no reply contains."""

    results: tuple[Json, ...] = ()
    """Rolls and results of calls: they are final and must be narrated unchanged."""

    extra: tuple[str, ...] = ()
    """Additions of the dialect, such as the index of an inventory."""

    table: tuple[tuple[str, str], ...] = ()
    """Id and label of the choices offered to the player."""

    care: bool = False
    """Whether the player's words may lead beyond the rating."""

    trimmed: bool = False
    """Whether the transcript leaves out choices, so that the model must not learn from it to offer none."""


def write_tail(
    game: Game, texts: Texts, position: Position, moment: TailMoment, tokens_max: int, *, short: bool = False
) -> FittedSections:
    """The state, the notes, the scene, what lies ahead, and finally what stays in the transcript.

    A short answer needs neither the version nor an index.
    """
    phrases = pick_words(texts.language, PHRASES)
    rest = tuple((name, label) for name, label in moment.table if name not in _list_offers(game, position))
    happened = "\n".join(("[HAPPENED]", *moment.happened)) if moment.happened else ""
    form = f"[FORM]\n{phrases.trimmed}" if moment.trimmed else ""
    care = f"[CARE]\n{phrases.care.format(rating=game.content_rating)}" if moment.care else ""
    sections = [
        PromptSection("version", "" if short else f"[VERSION]\n{position.state.version}"),
        _write_state(game, position),
        *(PromptSection("extra", text) for text in moment.extra if not short),
        PromptSection("notes", _write_notes(game, position, texts.language), (ShorteningStep("notes", 60),)),
        *_write_scenes(game, texts, position),
        PromptSection("table", _write_table(rest), (ShorteningStep("table", 40),)),
        PromptSection("form", form),
        PromptSection("happened", happened),
        PromptSection("results", write_results(moment.results) if moment.results else ""),
        PromptSection("care", care),
        PromptSection("asked", write_asked(moment.asked, phrases)),
    ]
    return fit(sections, tokens_max)


def _write_scenes(game: Game, texts: Texts, position: Position) -> Iterator[PromptSection]:
    """The author's passages: the current one, those that may come next, and what lies ahead."""
    yield _write_scene(game, texts, position)
    yield PromptSection("near", _write_near(game, texts, position), (ShorteningStep("near", 20),))
    yield PromptSection("ahead", _write_ahead(game, texts, position), (ShorteningStep("ahead", 30),))


@frozen
class Situation:
    """Where a campaign is within a turn."""

    position: Position
    extra: tuple[str, ...] = ()
    """Additions of the dialect."""


def write_changed(
    game: Game, texts: Texts, before: Situation, now: Situation, lore: Sequence[str], tokens_max: int
) -> str:
    """What a narrator who has read the tail in one situation must know in another; empty if nothing.

    `lore` are the entries that have come up since. Of state and notes, only what is new is told. If it is
    too long, parts are dropped as in the tail, but notes are only clipped: they say where the player is, and
    who is there.
    """
    phrases = pick_words(texts.language, PHRASES)
    old, new = (list(_write_scenes(game, texts, one.position)) for one in (before, now))
    was, is_now = (_list_notes(game, one.position, texts.language) for one in (before, now))
    notes = _write_changed_notes(was, is_now, phrases.gone)
    sections = [
        PromptSection("state", _write_changed_state(game, before.position, now.position)),
        *(PromptSection("extra", text) for text in now.extra if text not in before.extra),
        PromptSection("notes", notes, (ShorteningStep("notes", 90, clip(notes, tokens_max)),)),
        *(_tell_emptied(section, phrases.none) for section in new if section not in old),
        PromptSection("lore", write_lore(lore)),
    ]
    fitted = fit(sections, tokens_max)
    return BREAK.join((CHANGED, fitted.text)) if fitted.sections else ""


def _write_changed_notes(old: Sequence[str], new: Sequence[str], gone: str) -> str:
    """The notes that are new, and by their first words those that no longer hold."""
    told = [note for note in new if note not in old]
    labels = {_label(note) for note in new}
    left: list[str] = []
    for label in (_label(note) for note in old if note not in new):
        # What follows about someone is gone with them.
        if label not in labels and not any(label.startswith(f"{one} ") for one in left):
            left.append(label)
    told += [gone.format(notes="; ".join(left))] if left else []
    return "\n".join(["[NOTES]", *(f"- {text}" for text in told)]) if told else ""


def _label(note: str) -> str:
    """What a note is about: the words before its colon, or its first words."""
    before, colon, _ = note.partition(":")
    if not colon:
        before, colon, _ = note.partition("：")
    return before if colon and len(before) <= LABEL_LENGTH_MAX else " ".join(note.split()[:LABEL_WORDS])


def _write_changed_state(game: Game, before: Position, now: Position) -> str:
    changed = _find_changed(show_state(game, before), show_state(game, now))
    return f"[STATE]\n{write_plainly(changed)}" if changed else ""


def _tell_emptied(section: PromptSection, none: str) -> PromptSection:
    """A section; if nothing is left of it, it says so."""
    return section if section.text else PromptSection(section.name, f"[{section.name.upper()}]\n{none}")


def _find_changed(before: Mapping[str, Json], now: Mapping[str, Json]) -> dict[str, Json]:
    """The members that differ, objects within objects likewise; null for those that are gone."""
    changed: dict[str, Json] = dict.fromkeys(name for name in before if name not in now)
    for name, value in now.items():
        old = before.get(name, ABSENT)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            inner = _find_changed(old, value)
            if inner:
                changed[name] = inner
        elif old is ABSENT or not equal(old, value):
            changed[name] = value
    return changed


@cached_by_identity(GAMES_KEPT_MAX)
def weigh_roots(game: Game) -> Mapping[str, PromptWeight]:
    """The weight of every root of the state that a prompt may show; secret and unwanted ones are left out."""
    weights = {card.variable: card.prompt_weight for card in game.cards}
    return {
        name: weights.get(name, PromptWeight.MEDIUM)
        for name, slot in game.layout.roots.items()
        if not slot.secret and weights.get(name) is not PromptWeight.HIDDEN
    }


_SHOWN = (PromptWeight.HIGH, PromptWeight.MEDIUM, PromptWeight.LOW)


def show_state(game: Game, position: Position, weights: Sequence[PromptWeight] = _SHOWN) -> dict[str, Json]:
    """The document without secret slots and without those the author excludes from prompts.

    Higher weights come first.
    """
    roots = weigh_roots(game)
    return {
        name: prune(game.layout.roots[name], position.state.document[name])
        for weight in weights
        for name in roots
        if roots[name] is weight
    }


def _write_state(game: Game, position: Position) -> PromptSection:
    members = [_spell_members(show_state(game, position, (weight,))) for weight in _SHOWN]
    whole, medium, high = (_spell_state(members[:count]) for count in (3, 2, 1))
    steps = (
        ShorteningStep("state.low", 10, medium),
        ShorteningStep("state.medium", 50, high),
        ShorteningStep("state.high", 80),
    )
    return PromptSection("state", whole, steps)


def _spell_members(shown: Mapping[str, Json]) -> str:
    return ",".join(f"{write_plainly(name)}:{write_plainly(value)}" for name, value in shown.items())


def _spell_state(members: Sequence[str]) -> str:
    told = ",".join(filter(None, members))
    return f"[STATE]\n{{{told}}}" if told else ""


def _list_notes(game: Game, position: Position, language: str) -> list[str]:
    table = WorkingState(game, position)
    sights = [(system, replace(table.sight(system), language=language)) for system in game.parts.notes]
    notes = (note for system, sight in sights for note in system.notes(sight))
    return [note.text for note in notes if note.ear is not NoteAudience.PLAYER]


def _write_notes(game: Game, position: Position, language: str) -> str:
    told = _list_notes(game, position, language)
    return "\n".join(["[NOTES]", *(f"- {text}" for text in told)]) if told else ""


def _list_offers(game: Game, position: Position) -> frozenset[str]:
    """The ids of the choices of the current scene."""
    scene = current_scene(game, position)
    if scene is None or is_over(position):
        return frozenset()
    return frozenset(choice.id for choice in offered(scene, position))


def _write_scene(game: Game, texts: Texts, position: Position) -> PromptSection:
    """The current scene, and its choices."""
    scene = current_scene(game, position)
    if scene is None or is_over(position):
        return PromptSection("scene", "")
    choices = [
        f"- {choice.id}: {texts.get(f'scene.{scene.id}.{choice.id}.label')}"
        for choice in offered(scene, position)
    ]
    whole = "\n".join(["[SCENE]", texts.get(wording(scene, position)), *choices])
    short = "\n".join(["[SCENE]", *choices])
    return PromptSection("scene", whole, (ShorteningStep("scene.words", 70, short),))


def _write_near(game: Game, texts: Texts, position: Position) -> str:
    """Scenes that may come next, with their first words."""
    if is_over(position):
        return ""
    near = open_scenes(game, position)[:NEAR_SCENES_MAX]
    lines = [
        f"- {clip(' '.join(texts.get(wording(scene, position)).split()), NEAR_SCENE_TOKENS_MAX)}"
        for scene in near
    ]
    return "\n".join(["[NEAR]", *lines]) if lines else ""


def _write_ahead(game: Game, texts: Texts, position: Position) -> str:
    """Triggers that have not fired yet and depend on nothing secret."""
    memory = position.state.document[ENGINE_ROOT]
    assert isinstance(memory, dict)
    lines: list[str] = []
    for number, trigger in sorted(enumerate(game.triggers), key=lambda pair: (pair[1].priority, pair[1].id)):
        spent = trigger.once and memory["once"].get(trigger.id)
        if spent or number in position.standing.triggers or not _is_open(game, trigger.when):
            continue
        told = _describe(game, texts, trigger)
        if told:
            lines.append(clip(f"- {trigger.when.source}: {told}", AHEAD_TOKENS_MAX))
    return "\n".join(["[AHEAD]", *lines[:AHEAD_MAX]]) if lines else ""


def _describe(game: Game, texts: Texts, trigger: Trigger) -> str:
    """The effect of a trigger, in the words of its events, or else as its changes."""
    words = " ".join(texts.get(event.text) for event in trigger.events)
    if words:
        return words
    effects = []
    for effect in trigger.effects:
        slot = game.layout.find(parse_path(effect.path))
        if slot is not None and not slot.secret:
            value = write_plainly(prune(slot, effect.value))
            effects.append(f"{effect.op.value} {effect.path} {value}")
    return ", ".join(effects)


def _is_open(game: Game, condition: Condition) -> bool:
    """Whether a condition reads nothing that is excluded from prompts."""
    slots = [game.layout.find(path) for path in condition.reads]
    return all(slot is None or not slot.secret for slot in slots)


def _write_table(table: Sequence[tuple[str, str]]) -> str:
    return "\n".join(["[TABLE]", *(f"- {name}: {unmark(label)}" for name, label in table)]) if table else ""
