"""Translation fields: the texts of another language, as written in texts/<language>/.

Whether the game has the ids is not checked here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from talewright.pack.schema.container_forms import LINES, ListForm, ListOrOtherForm, MapForm
from talewright.pack.schema.record_form import SourceRecord, SourceRecordForm, source, takes
from talewright.pack.schema.scalar_forms import LINE, NAME_PATTERN, PROSE
from talewright.pack.schema.scene_fields import RUNGS_MAX

LABELS_MAX = 50_000
"""Labels in one language."""

IDS_MAX = 20_000
"""Scenes, triggers, characters, items or lore entries in one file."""


@source
class ChoiceTextSource(SourceRecord):
    """The texts of a choice."""

    label: str = takes(LINE, "", "What the player sees.")
    also: tuple[str, ...] = takes(LINES, (), "Other words a player may type for it.")
    hint: str = takes(LINE, "", "What it may lead to, in a few words.")
    text: str = takes(PROSE, "", "What happens.")
    success: str = takes(PROSE, "", "The text if the check succeeds.")
    failure: str = takes(PROSE, "", "The text if it fails.")
    partial: str = takes(PROSE, "", "The text if it succeeds only in part.")
    results: tuple[str, ...] = takes(
        ListForm(PROSE, RUNGS_MAX),
        (),
        "The texts of those results of a roll that have one, in order.",
    )
    words: tuple[str, ...] = takes(
        ListForm(LINE, RUNGS_MAX), (), "The words of those results that have one, in order."
    )
    reasons: tuple[str, ...] = takes(LINES, (), "The reasons of its updates, in order.")


_NO_CHOICES: Mapping[str, ChoiceTextSource] = MappingProxyType({})


@source
class SceneTextSource(SourceRecord):
    """The texts of a scene."""

    text: str | tuple[str, ...] = takes(
        ListOrOtherForm(ListForm(PROSE, 20, 1), PROSE),
        (),
        "The text to show; a list if the scene has several wordings.",
    )
    choices: Mapping[str, ChoiceTextSource] = takes(
        MapForm(SourceRecordForm(ChoiceTextSource, "words"), 20, NAME_PATTERN, "choices"),
        _NO_CHOICES,
        "The choices, by id or number.",
    )


@source
class TriggerTextSource(SourceRecord):
    """The texts of a trigger."""

    events: tuple[str, ...] = takes(LINES, (), "The messages of its events, in order.")
    reasons: tuple[str, ...] = takes(LINES, (), "The reasons of its effects, in order.")


@source
class PersonTextSource(SourceRecord):
    """The texts of a character."""

    name: str = takes(LINE, "", "The name that players see.")
    also: tuple[str, ...] = takes(LINES, (), "Other names for them.")
    description: str = takes(PROSE, "", "Who they are.")
    voice: str = takes(PROSE, "", "How they speak.")
    secret: str = takes(PROSE, "", "What the storyteller knows and players do not.")
    goals: tuple[str, ...] = takes(LINES, (), "What they want.")


@source
class ItemTextSource(SourceRecord):
    """The texts of an item."""

    name: str = takes(LINE, "", "The name that players see.")
    description: str = takes(PROSE, "", "What it looks like and what it is for.")


@source
class LoreTextSource(SourceRecord):
    """The texts of a lore entry."""

    text: str = takes(PROSE, "", "What the storyteller is told.")
    keys: tuple[str, ...] = takes(LINES, (), "Words that activate it.")
    secondary_keys: tuple[str, ...] = takes(LINES, (), "Words that must, or must not, occur as well.")


LABEL_FILE = MapForm(ListOrOtherForm(LINES, LINE), LABELS_MAX, noun="labels")
SCENE_TEXT_FILE = MapForm(
    SourceRecordForm(SceneTextSource, "text and choices"), IDS_MAX, NAME_PATTERN, "scenes"
)
TRIGGER_TEXT_FILE = MapForm(
    SourceRecordForm(TriggerTextSource, "events and reasons"), IDS_MAX, NAME_PATTERN, "triggers"
)
PERSON_TEXT_FILE = MapForm(SourceRecordForm(PersonTextSource, "words"), IDS_MAX, NAME_PATTERN, "people")
ITEM_TEXT_FILE = MapForm(SourceRecordForm(ItemTextSource, "words"), IDS_MAX, NAME_PATTERN, "things")
LORE_TEXT_FILE = MapForm(SourceRecordForm(LoreTextSource, "words"), IDS_MAX, NAME_PATTERN, "entries")
