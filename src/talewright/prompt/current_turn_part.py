"""Current turn: the tail of a prompt with state, notes, scene, results and input; new in every turn.

It never contains secret slots, anything the narrator should not know yet, or a change of something secret,
whoever made it.

If it is too long for its share, parts are dropped in this order: values the author weighs as low, passages
that may come next, what lies ahead, the offered choices, values of medium weight, notes, the words of the
scene, values of high weight. Results, lore and the input always stay.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from talewright.common.frozen_values import cached_by_identity, frozen
from talewright.common.json_values import Json
from talewright.common.language_tags import pick_words
from talewright.kernel.conditions.conditions import Condition
from talewright.kernel.game import Game
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.slots.slot_types import Slot, member
from talewright.kernel.state.changes import Change, to_operation
from talewright.kernel.state.state import Position
from talewright.kernel.state.state_paths import parse_path, parse_pointer
from talewright.kernel.story.cards import PromptWeight
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.scene_rules import current_scene, is_over, offered, open_scenes, wording
from talewright.kernel.story.triggers import Trigger
from talewright.prompt.past_turns_part import TranscriptInput, unmark, write_asked
from talewright.prompt.token_budget import FittedSections, PromptSection, ShorteningStep, clip, fit
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
    scene, offers = _write_scene(game, texts, position)
    rest = tuple((name, label) for name, label in moment.table if name not in offers)
    happened = "\n".join(("[HAPPENED]", *moment.happened)) if moment.happened else ""
    form = f"[FORM]\n{phrases.trimmed}" if moment.trimmed else ""
    care = f"[CARE]\n{phrases.care.format(rating=game.content_rating)}" if moment.care else ""
    sections = [
        PromptSection("version", "" if short else f"[VERSION]\n{position.state.version}"),
        _write_state(game, position),
        *(PromptSection("extra", text) for text in moment.extra if not short),
        PromptSection("notes", _write_notes(game, position, texts.language), (ShorteningStep("notes", 60),)),
        scene,
        PromptSection("near", _write_near(game, texts, position), (ShorteningStep("near", 20),)),
        PromptSection("ahead", _write_ahead(game, texts, position), (ShorteningStep("ahead", 30),)),
        PromptSection("table", _write_table(rest), (ShorteningStep("table", 40),)),
        PromptSection("form", form),
        PromptSection("happened", happened),
        PromptSection("results", write_results(moment.results) if moment.results else ""),
        PromptSection("care", care),
        PromptSection("asked", write_asked(moment.asked, phrases)),
    ]
    return fit(sections, tokens_max)


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


def _write_notes(game: Game, position: Position, language: str) -> str:
    table = WorkingState(game, position)
    sights = [(system, replace(table.sight(system), language=language)) for system in game.parts.notes]
    told = [note.text for system, sight in sights for note in system.notes(sight)]
    return "\n".join(["[NOTES]", *(f"- {text}" for text in told)]) if told else ""


def _write_scene(game: Game, texts: Texts, position: Position) -> tuple[PromptSection, frozenset[str]]:
    """The current scene, and the ids of its choices."""
    scene = current_scene(game, position)
    if scene is None or is_over(position):
        return PromptSection("scene", ""), frozenset()
    choices = [
        f"- {choice.id}: {texts.get(f'scene.{scene.id}.{choice.id}.label')}"
        for choice in offered(scene, position)
    ]
    whole = "\n".join(["[SCENE]", texts.get(wording(scene, position)), *choices])
    short = "\n".join(["[SCENE]", *choices])
    names = frozenset(choice.id for choice in offered(scene, position))
    return PromptSection("scene", whole, (ShorteningStep("scene.words", 70, short),)), names


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
