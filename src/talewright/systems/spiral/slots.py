"""Slots: the state of a solo campaign, as in the original design, and the limits of each part.

Only types and limits. Everything here is written by the system's own rules and by authored scenes, never by a
narrator directly. A refusal because of a limit names the limit.
"""

from collections.abc import Mapping
from dataclasses import replace

from talewright.kernel.slots.slot_types import Slot, SlotKind

TAG_LENGTH_MAX = 60
"""Characters of one tag."""

INHERENT_MAX = 8
GLITCHES_MAX = 12
CONDITIONS_MAX = 8
SCENE_TAGS_MAX = 12
"""For each colour."""

NPC_TAGS_MAX = 8
"""For each colour."""

NPC_NAME_LENGTH_MAX = 39
NPC_TAG_LENGTH_MAX = 39
"""Characters; fewer than elsewhere, and half as many for Chinese. People are hidden from players, but names
and tags of those present appear on cards: a hidden value of forty characters, or twenty Chinese ones, is a
text that must not be quoted.
"""

NPCS_MAX = 40
PLACES_MAX = 200
"""Places remembered; beyond that, the oldest is forgotten."""

SLUG_LENGTH_MAX = 60
CLOCK_MAX = 12
"""Segments of the longest clock."""

CLOCK_USUAL = 4

NAME_LENGTH_MAX = 80
TEXT_LENGTH_MAX = 400
"""Characters of a genre, a concept, a goal, a reason."""

CONTEXT_LENGTH_MAX = 200
"""Characters of what a check is about; a longer text is cut."""

SCRATCHPAD_LENGTH_MAX = 20_000
PROMPT_LENGTH_MAX = 40_000
FRONT_LENGTH_MAX = 4_000
"""Characters of the rules at the top of `prompt.md`."""

SUMMARY_LENGTH_MAX = 4_000
STORY_LENGTH_MAX = 8_000
SUMMARIES_MAX = 400
"""Days whose summaries are stored; beyond that, the oldest one already in the story so far is dropped."""

REVIEW_ENTRIES_MAX = 12
"""Entries of each kind in a review of the scratchpad."""

DAYS_MAX = 9_999
VERSION_MAX = 2**31
RESIST = 2
"""Points of resist per day."""

RESIST_MAX = 9
SEGMENTS = 4

SEGMENTS_KEPT = 4
"""Segments before the current one that stay in the prompt word for word."""

META, PLAYER, COMPANION, SCENE, NPCS = "meta", "player", "gm_pc", "scene", "npcs"
CHECK, OWN = "check", "spiral"
"""The roots of the state. The last two belong to the system: the last check, and its private data."""

DISPOSITIONS = ("hostile", "neutral", "friendly", "unknown")
LABELS = ("Morning", "Afternoon", "Evening", "Night")

NO_ANSWER, ROLLED, CONTESTED, WITHDRAWN = "none", "rolled", "contested", "withdrawn"
ANSWERS = (NO_ANSWER, ROLLED, CONTESTED, WITHDRAWN)
"""The player's answer to the last check."""


def _text(length: int = TEXT_LENGTH_MAX) -> Slot:
    return Slot(kind=SlotKind.STRING, default="", max_length=length)


def _list(element: Slot, most: int) -> Slot:
    return Slot(kind=SlotKind.LIST, default=[], element=element, max_items=most)


def _tags(most: int) -> Slot:
    return _list(_text(TAG_LENGTH_MAX), most)


def _whole(default: int, low: int, high: int) -> Slot:
    return Slot(kind=SlotKind.INTEGER, default=default, minimum=low, maximum=high)


def _truth() -> Slot:
    return Slot(kind=SlotKind.BOOLEAN, default=False)


def _version() -> Slot:
    return _whole(0, 0, VERSION_MAX)


def _object(**fields: Slot) -> Slot:
    return Slot(kind=SlotKind.OBJECT, fields=fields)


def _open(values: Slot, most: int) -> Slot:
    return Slot(kind=SlotKind.OBJECT, values=values, default={}, max_items=most)


_NPC = _object(
    name=_text(NPC_NAME_LENGTH_MAX),
    concept=_text(),
    positive_tags=_list(_text(NPC_TAG_LENGTH_MAX), NPC_TAGS_MAX),
    negative_tags=_list(_text(NPC_TAG_LENGTH_MAX), NPC_TAGS_MAX),
    disposition=Slot(kind=SlotKind.ENUM, default="unknown", enum_values=DISPOSITIONS),
    goal=_text(),
    clock=_whole(0, 0, CLOCK_MAX),
    clock_max=_whole(CLOCK_USUAL, 1, CLOCK_MAX),
    last_location=_text(SLUG_LENGTH_MAX),
    active=_truth(),
    met=_truth(),
)
"""A person in the world. `met` says whether the player has ever been in a scene with them."""

_PLACE = _object(
    name=_text(NAME_LENGTH_MAX),
    first_day=_whole(1, 1, DAYS_MAX),
    first_segment=_whole(1, 1, SEGMENTS),
    visits=_whole(1, 1, DAYS_MAX),
    positive_tags=_tags(SCENE_TAGS_MAX),
    negative_tags=_tags(SCENE_TAGS_MAX),
)
"""A place the scene has been at, with its most recent tags."""

_CHECK = {
    "turn": _version(),
    "answer": Slot(kind=SlotKind.ENUM, default=NO_ANSWER, enum_values=ANSWERS),
    "context": _text(CONTEXT_LENGTH_MAX),
    "note": _text(),
    "highest": _whole(0, 0, 6),
    "word": _text(TAG_LENGTH_MAX),
    "owed": _tags(8),
    "resist": _truth(),
}
"""The last check: the player's answer, the dice, and the effects that have not happened yet."""

_REVIEW = _object(
    for_turn=_version(),
    stale=_list(_object(section=_text(), entry=_text(), reason=_text()), REVIEW_ENTRIES_MAX),
    consolidate=_list(
        _object(entries=_list(_text(), REVIEW_ENTRIES_MAX), suggested=_text()), REVIEW_ENTRIES_MAX
    ),
    contradictions=_list(_object(a=_text(), b=_text(), note=_text()), REVIEW_ENTRIES_MAX),
    missing=_list(_text(), REVIEW_ENTRIES_MAX),
)
"""A review of the scratchpad, and the one turn that shows it."""

_OWN = {
    "scratchpad": _text(SCRATCHPAD_LENGTH_MAX),
    "prompt": _text(PROMPT_LENGTH_MAX),
    "rules": _text(FRONT_LENGTH_MAX),
    "summaries": _open(_text(SUMMARY_LENGTH_MAX), SUMMARIES_MAX),
    "story_so_far": _text(STORY_LENGTH_MAX),
    "story_upto": _whole(0, 0, DAYS_MAX),
    "review": _REVIEW,
    "places": _open(_PLACE, PLACES_MAX),
    "here": _text(SLUG_LENGTH_MAX),
    "segment_starts": _list(_version(), SEGMENTS_KEPT + 1),
    "day_start": _version(),
    "day_before_start": _version(),
    "noted_day": _whole(0, 0, DAYS_MAX),
    "noted_segment": _whole(0, 0, SEGMENTS),
    "sheet_turn": _version(),
    "companion_asked": _truth(),
    "opened": _truth(),
}
"""The system's private data: `rules` is the last front matter of `prompt` without a mistake, `here` the place
of the scene, `noted_day` and `noted_segment` the moment whose start was recorded last (0 before any was),
`sheet_turn` the turn that last changed the character sheet during setup.
"""

_SHEET = {
    "name": _text(NAME_LENGTH_MAX),
    "concept": _text(),
    "inherent_tags": _tags(INHERENT_MAX),
    "glitch_tags": _tags(GLITCHES_MAX),
    "conditions": _tags(CONDITIONS_MAX),
}

_META = {
    "setup_complete": _truth(),
    "genre": _text(),
    "day": _whole(1, 1, DAYS_MAX),
    "segment": _whole(1, 1, SEGMENTS),
    "segments_per_day": _whole(SEGMENTS, SEGMENTS, SEGMENTS),
    "segment_labels": Slot(
        kind=SlotKind.LIST, default=list(LABELS), element=_text(NAME_LENGTH_MAX), max_items=SEGMENTS
    ),
}

_SCENE = {
    "location": _text(NAME_LENGTH_MAX),
    "positive_tags": _tags(SCENE_TAGS_MAX),
    "negative_tags": _tags(SCENE_TAGS_MAX),
    # Players know people by name; an id is for the narrator only, and may reveal too much.
    "active_npcs": replace(_list(_text(NAME_LENGTH_MAX), NPCS_MAX), hidden=True),
}

_RESIST = _object(current=_whole(RESIST, 0, RESIST_MAX), max=_whole(RESIST, 0, RESIST_MAX))

SLOTS: Mapping[str, Slot] = {
    META: Slot(kind=SlotKind.OBJECT, readonly=True, fields=_META),
    PLAYER: Slot(kind=SlotKind.OBJECT, readonly=True, fields={**_SHEET, "resist": _RESIST}),
    COMPANION: Slot(kind=SlotKind.OBJECT, readonly=True, nullable=True, fields=_SHEET),
    SCENE: Slot(kind=SlotKind.OBJECT, readonly=True, fields=_SCENE),
    NPCS: Slot(kind=SlotKind.OBJECT, readonly=True, hidden=True, values=_NPC, default={}, max_items=NPCS_MAX),
    # Open to everyone: the player has read all of it on a card, and a narrator may repeat it.
    CHECK: Slot(kind=SlotKind.OBJECT, readonly=True, fields=_CHECK),
    # Secret: phases and memories give the narrator what it needs of this. The prompt's state section would
    # repeat it, along with all of `prompt.md`.
    OWN: Slot(kind=SlotKind.OBJECT, readonly=True, hidden=True, secret=True, fields=_OWN),
}
