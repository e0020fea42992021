"""The JSON Schema of a cards answer, derived from the slots of a game.

Every text and list in it has a bound, so that an answer held to it ends. It knows no model.
"""

import re
from collections.abc import Sequence

from talewright.contract.cards.limits import (
    CHOICES_MAX,
    CHOICES_MIN,
    EVENT_LENGTH_MAX,
    EVENT_TYPE_LENGTH_MAX,
    EVENTS_MAX,
    FACT_LENGTH_MAX,
    FACTS_MAX,
    HINT_LENGTH_MAX,
    ID_LENGTH_MAX,
    LABEL_LENGTH_MAX,
    NARRATIVE_ASKED_MAX,
    PATH_LENGTH_ASKED_MAX,
    REASON_LENGTH_MAX,
    TAG_LENGTH_MAX,
    TAGS_MAX,
    UPDATES_ASKED_MAX,
    VALUE_ITEMS_MAX,
    VALUE_LENGTH_MAX,
)
from talewright.contract.cards.stream import MEMBERS, NARRATIVE
from talewright.contract.dialect import Ground
from talewright.contract.writable import Place, list_kinds, list_places
from talewright.kernel.game import Game
from talewright.kernel.judging.moves_and_rulings import CARD_OPS
from talewright.kernel.slots.slot_types import NUMERIC, SlotKind
from talewright.kernel.story.scenes_and_endings import Risk
from talewright.llm.tools import Schema

_SIGNS = re.compile(r"[\\^$.|?*+()\[\]{}/]")
"""What means something in a regular expression of a schema; no more, since those refuse needless escapes."""


def cards_schema(ground: Ground) -> Schema:
    """The schema of an answer: all members, or those that are asked for now."""
    parts = _list_parts(ground.game)
    if ground.updates_only:
        return _object({name: parts[name] for name in ("state_updates", "choices")})
    if ground.moves_only:
        return _object({name: parts[name] for name in ("state_updates", "end")})
    return _object({name: parts[name] for name in MEMBERS})


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


def _updates(places: Sequence[Place]) -> Schema:
    update = _object(
        {
            "op": _one_of([op.value for op in CARD_OPS]),
            "path": _path(places),
            "value": _value({kind for place in places for kind in list_kinds(place.slot)}),
            "reason": _text(REASON_LENGTH_MAX),
        }
    )
    # Without a place to write to, no update can be right; an empty enum would be no schema.
    return _list(update, UPDATES_ASKED_MAX if places else 0)


def _path(places: Sequence[Place]) -> Schema:
    """The paths that exist; beneath an open place any path."""
    fixed = [place.path for place in places]
    beneath = [_SIGNS.sub(r"\\\g<0>", place.path) for place in places if place.is_open]
    if not fixed:
        return _text(PATH_LENGTH_ASKED_MAX)
    if not beneath:
        return _one_of(fixed)
    # A path is written with dots or, where it begins with a slash, as a pointer.
    pattern = f"^({'|'.join(beneath)})[./]"
    return {"anyOf": [_one_of(fixed), {**_text(PATH_LENGTH_ASKED_MAX), "pattern": pattern}]}


def _value(kinds: set[SlotKind]) -> Schema:
    """A value of a kind that some place takes; null also where an operation needs none."""
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
    # Lists of objects and objects of lists, and no deeper: a schema that names itself is refused by many.
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
