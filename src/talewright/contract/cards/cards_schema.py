"""The schema of a cards answer, derived from the slots of a game, and the limits of everything in it.

Where two limits differ, the model is asked for the smaller one and the larger one is still accepted.
"""

import re
from collections.abc import Sequence

from talewright.common.frozen_values import cached_by_identity
from talewright.contract.answer_schema import GAMES_KEPT_MAX, WritablePlace, list_kinds, list_places
from talewright.contract.dialect import AnswerGround
from talewright.kernel.game import Game
from talewright.kernel.judging.moves import CARD_OPS
from talewright.kernel.slots.slot_types import NUMERIC, SlotKind
from talewright.kernel.story.scenes import Risk
from talewright.llm.requests import Schema

ANSWER_LENGTH_MAX = 200_000
"""Characters of a reply that are read at all; a good reply has half of that, even fully escaped."""

NARRATIVE_ASKED_MAX = 1_500
"""Characters of narration the model is asked for; a longer one is reported once as a soft flaw."""

NARRATIVE_LENGTH_MAX = 12_000
"""Characters of narration that are shown at all; a longer narration is cut off."""

CHOICES_MIN = 3
CHOICES_MAX = 6

UPDATES_ASKED_MAX = 6
"""Updates the model is asked for; up to the game's own limit of moves are read."""

FACTS_MAX = 12
EVENTS_MAX = 12
TAGS_MAX = 8

ID_LENGTH_MAX = 100
"""Characters of the id of a choice or an ending."""

LABEL_LENGTH_MAX = 200
HINT_LENGTH_MAX = 300
TAG_LENGTH_MAX = 50
REASON_LENGTH_MAX = 300
FACT_LENGTH_MAX = 500
EVENT_TYPE_LENGTH_MAX = 50
EVENT_LENGTH_MAX = 500
PATH_LENGTH_ASKED_MAX = 200
"""Characters of a path the model is asked for; the kernel reads longer ones."""

VALUE_LENGTH_MAX = 500
"""Characters of a text value the model is asked for; the slot's own limit decides."""

VALUE_ITEMS_MAX = 20
"""Elements or members of a value the model is asked for."""

NARRATIVE = "narrative_markdown"
MEMBERS = (NARRATIVE, "choices", "state_updates", "new_facts", "events", "end")
"""The members of an answer, in the order requested."""

_SIGNS = re.compile(r"[\\^$.|?*+()\[\]{}/]")
"""Characters to escape in a schema's regular expression; no more, since needless escapes are refused."""


def cards_schema(ground: AnswerGround) -> Schema:
    """The schema of an answer: all members, or those wanted now."""
    if ground.updates_only:
        return _make_schema(ground.game, "state_updates choices")
    return _make_schema(ground.game, "state_updates end" if ground.moves_only else " ".join(MEMBERS))


@cached_by_identity(GAMES_KEPT_MAX)
def _make_schema(game: Game, members: str) -> Schema:
    parts = _list_parts(game)
    return _object({name: parts[name] for name in members.split()})


def _list_parts(game: Game) -> dict[str, Schema]:
    choice = _object(
        {
            "id": _text(ID_LENGTH_MAX),
            "label": _text(LABEL_LENGTH_MAX),
            "hint": _text(HINT_LENGTH_MAX),
            "risk": _one_of([risk.value for risk in Risk]),
            "tags": _list(_text(TAG_LENGTH_MAX), TAGS_MAX),
        }
    )
    event = _object({"type": _text(EVENT_TYPE_LENGTH_MAX), "message": _text(EVENT_LENGTH_MAX)})
    end = {
        "is_game_over": {"type": "boolean"},
        "ending_id": _text(ID_LENGTH_MAX),
        "reason": _text(REASON_LENGTH_MAX),
    }
    return {
        NARRATIVE: _text(NARRATIVE_ASKED_MAX),
        "choices": {**_list(choice, CHOICES_MAX), "minItems": CHOICES_MIN},
        "state_updates": _updates(list_places(game)),
        "new_facts": _list(_text(FACT_LENGTH_MAX), FACTS_MAX),
        "events": _list(event, EVENTS_MAX),
        "end": _object(end),
    }


def _updates(places: Sequence[WritablePlace]) -> Schema:
    update = _object(
        {
            "op": _one_of([op.value for op in CARD_OPS]),
            "path": _path(places),
            "value": _value({kind for place in places for kind in list_kinds(place.slot)}),
            "reason": _text(REASON_LENGTH_MAX),
        }
    )
    # Without a writable place no update can be right, and an empty enum is not a valid schema.
    return _list(update, UPDATES_ASKED_MAX if places else 0)


def _path(places: Sequence[WritablePlace]) -> Schema:
    """The existing paths; beneath an open place any path."""
    fixed = [place.path for place in places]
    beneath = [_SIGNS.sub(r"\\\g<0>", place.path) for place in places if place.is_open]
    if not fixed:
        return _text(PATH_LENGTH_ASKED_MAX)
    if not beneath:
        return _one_of(fixed)
    # A path is written with dots or, with a leading slash, as a pointer.
    pattern = f"^({'|'.join(beneath)})[./]"
    return {"anyOf": [_one_of(fixed), {**_text(PATH_LENGTH_ASKED_MAX), "pattern": pattern}]}


def _value(kinds: set[SlotKind]) -> Schema:
    """A value of a kind that some place accepts; null for operations that need none."""
    scalars: list[Schema] = [{"type": "null"}]
    if kinds & NUMERIC:
        scalars.append({"type": "number"})
    if SlotKind.BOOLEAN in kinds:
        scalars.append({"type": "boolean"})
    if kinds & {SlotKind.STRING, SlotKind.ENUM, SlotKind.LIST}:
        scalars.append(_text(VALUE_LENGTH_MAX))
    plain: Schema = {"anyOf": scalars}
    lists = [_list(plain, VALUE_ITEMS_MAX)] if SlotKind.LIST in kinds else []
    objects = [_open_object(plain)] if SlotKind.OBJECT in kinds else []
    # Lists of objects and objects of lists, no deeper: many servers refuse a recursive schema.
    if lists and objects:
        lists = [_list({"anyOf": [*scalars, *objects]}, VALUE_ITEMS_MAX)]
        objects = [_open_object({"anyOf": [*scalars, _list(plain, VALUE_ITEMS_MAX)]})]
    return {"anyOf": [*scalars, *lists, *objects]}


def _open_object(members: Schema) -> Schema:
    return {"type": "object", "additionalProperties": members, "maxProperties": VALUE_ITEMS_MAX}


def _text(length_max: int) -> Schema:
    return {"type": "string", "maxLength": length_max}


def _one_of(words: Sequence[str]) -> Schema:
    return {**_text(max(map(len, words))), "enum": list(words)}


def _list(items: Schema, count_max: int) -> dict[str, object]:
    return {"type": "array", "items": items, "maxItems": count_max}


def _object(members: dict[str, Schema]) -> Schema:
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }
