"""Translation fields: the words of one further language, as the files of texts/<language>/ write them.

Whether the game has such an id is not known here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from talewright.pack.schema.container_forms import LINES, ListForm, ListOrOtherForm, MapForm
from talewright.pack.schema.record_form import SourceRecord, SourceRecordForm, source, takes
from talewright.pack.schema.scalar_forms import LINE, NAME_PATTERN, PROSE
from talewright.pack.schema.scene_fields import RUNGS_MAX

LABELS_MAX = 50_000
"""Labels of one language."""

IDS_MAX = 20_000
"""Scenes, triggers, people, things or entries in one file."""


@source
class ChoiceTextSource(SourceRecord):
    """The words of a choice."""

    label: str = takes(LINE, "", "What the player reads.")
    also: tuple[str, ...] = takes(LINES, (), "Other words a player may type for it.")
    hint: str = takes(LINE, "", "What it may lead to, in a few words.")
    text: str = takes(PROSE, "", "What happens.")
    success: str = takes(PROSE, "", "What is told if the check succeeds.")
    failure: str = takes(PROSE, "", "What is told if it fails.")
    results: tuple[str, ...] = takes(
        ListForm(PROSE, RUNGS_MAX),
        (),
        "What is told of the results of a roll that have a text, in their order.",
    )
    words: tuple[str, ...] = takes(
        ListForm(LINE, RUNGS_MAX), (), "What the results are called that have a word, in their order."
    )
    reasons: tuple[str, ...] = takes(LINES, (), "The reasons of its updates, in their order.")


_NO_CHOICES: Mapping[str, ChoiceTextSource] = MappingProxyType({})


@source
class SceneTextSource(SourceRecord):
    """The words of a scene."""

    text: str | tuple[str, ...] = takes(
        ListOrOtherForm(ListForm(PROSE, 20, 1), PROSE),
        (),
        "What is told; a list where the scene has several wordings.",
    )
    choices: Mapping[str, ChoiceTextSource] = takes(
        MapForm(SourceRecordForm(ChoiceTextSource, "words"), 20, NAME_PATTERN, "choices"),
        _NO_CHOICES,
        "By the choice's id, or its number.",
    )


@source
class TriggerTextSource(SourceRecord):
    """The words of a trigger."""

    events: tuple[str, ...] = takes(LINES, (), "The messages of its events, in their order.")
    reasons: tuple[str, ...] = takes(LINES, (), "The reasons of its effects, in their order.")


@source
class PersonTextSource(SourceRecord):
    """The words about a character."""

    name: str = takes(LINE, "", "The name that players read.")
    also: tuple[str, ...] = takes(LINES, (), "Other names they go by.")
    description: str = takes(PROSE, "", "Who they are.")
    voice: str = takes(PROSE, "", "How they speak.")
    secret: str = takes(PROSE, "", "What the narrator knows and players do not.")
    goals: tuple[str, ...] = takes(LINES, (), "What they want.")


@source
class ItemTextSource(SourceRecord):
    """The words about a thing."""

    name: str = takes(LINE, "", "The name that players read.")
    description: str = takes(PROSE, "", "What it looks like and is good for.")


@source
class LoreTextSource(SourceRecord):
    """The words of a piece of lore."""

    text: str = takes(PROSE, "", "What the narrator is told.")
    keys: tuple[str, ...] = takes(LINES, (), "Words that bring it up.")
    secondary_keys: tuple[str, ...] = takes(LINES, (), "Words that must, or must not, stand beside them.")


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
