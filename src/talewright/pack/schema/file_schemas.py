"""File schemas: the kinds of YAML files in a game folder, and a JSON Schema of each for editors.

The same forms read the files, so editors and the compiler agree.
"""

from enum import StrEnum

from talewright.common.frozen_values import frozen
from talewright.pack.schema.game_fields import GAME_FILE
from talewright.pack.schema.library_fields import ITEM_FILE, LORE_FILE, PERSON_FILE
from talewright.pack.schema.scalar_forms import Form, Schema, Shared
from talewright.pack.schema.scene_fields import SCENE_FILE
from talewright.pack.schema.translation_fields import (
    ITEM_TEXT_FILE,
    LABEL_FILE,
    LORE_TEXT_FILE,
    PERSON_TEXT_FILE,
    SCENE_TEXT_FILE,
    TRIGGER_TEXT_FILE,
)
from talewright.pack.schema.trigger_fields import TRIGGER_FILE

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class FileRole(StrEnum):
    """What a YAML file is for; its name in `talewright schema`."""

    GAME = "game"
    TRIGGERS = "triggers"
    NPCS = "npcs"
    ITEMS = "items"
    SCENES = "scenes"
    LORE = "lore"
    LABELS = "labels"
    TRIGGER_TEXTS = "trigger-texts"
    NPC_TEXTS = "npc-texts"
    ITEM_TEXTS = "item-texts"
    SCENE_TEXTS = "scene-texts"
    LORE_TEXTS = "lore-texts"


@frozen
class FileKind:
    """One kind of YAML file in a game folder."""

    role: FileRole
    pattern: str
    """Its path in the folder; `*` is any name."""

    title: str
    form: Form[object]
    empty: bool = True
    """Whether the file may be empty or contain only comments."""


FILE_KINDS = (
    FileKind(FileRole.GAME, "game.yaml", "The game: variables, endings and settings", GAME_FILE, empty=False),
    FileKind(FileRole.TRIGGERS, "triggers.yaml", "Rules that fire automatically", TRIGGER_FILE),
    FileKind(FileRole.NPCS, "npcs.yaml", "The characters of the game", PERSON_FILE),
    FileKind(FileRole.ITEMS, "items.yaml", "The items of the game", ITEM_FILE),
    FileKind(FileRole.SCENES, "scenes/*.yaml", "Authored passages with choices", SCENE_FILE),
    FileKind(
        FileRole.LORE, "lore/*.yaml", "Background that the storyteller gets when it is relevant", LORE_FILE
    ),
    FileKind(
        FileRole.LABELS, "texts/*/labels.yaml", "The labels of game.yaml in another language", LABEL_FILE
    ),
    FileKind(
        FileRole.TRIGGER_TEXTS, "texts/*/triggers.yaml", "The triggers in another language", TRIGGER_TEXT_FILE
    ),
    FileKind(FileRole.NPC_TEXTS, "texts/*/npcs.yaml", "Characters in another language", PERSON_TEXT_FILE),
    FileKind(FileRole.ITEM_TEXTS, "texts/*/items.yaml", "Items in another language", ITEM_TEXT_FILE),
    FileKind(FileRole.SCENE_TEXTS, "texts/*/scenes/*.yaml", "Scenes in another language", SCENE_TEXT_FILE),
    FileKind(FileRole.LORE_TEXTS, "texts/*/lore/*.yaml", "Lore in another language", LORE_TEXT_FILE),
)


def schema_of(kind: FileKind) -> Schema:
    """The JSON Schema of a file."""
    shared: Shared = {}
    root = kind.form.schema(shared)
    schema: Schema = {"$schema": DIALECT, "title": f"Talewright: {kind.pattern}", "description": kind.title}
    schema.update({"anyOf": [root, {"type": "null"}]} if kind.empty else root)
    if shared:
        schema["$defs"] = dict(sorted(shared.items()))
    return schema
