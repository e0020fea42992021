"""Schemas: what each file of a game folder may hold, as JSON Schema for editors.

They come from the same forms that read the files, so that an editor and the compiler agree.
"""

from dataclasses import dataclass
from enum import StrEnum

from talewright.pack.forms.form import Form, Schema, Shared
from talewright.pack.sources.cast import ITEM_FILE, LORE_FILE, PERSON_FILE
from talewright.pack.sources.game import GAME_FILE
from talewright.pack.sources.scenes import SCENE_FILE
from talewright.pack.sources.texts import (
    ITEM_TEXT_FILE,
    LABEL_FILE,
    LORE_TEXT_FILE,
    PERSON_TEXT_FILE,
    SCENE_TEXT_FILE,
    TRIGGER_TEXT_FILE,
)
from talewright.pack.sources.triggers import TRIGGER_FILE

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Role(StrEnum):
    """What a YAML file is for; the word by which `talewright schema` calls it."""

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


@dataclass(frozen=True, slots=True)
class FileKind:
    """One kind of YAML file in a game folder."""

    role: Role
    pattern: str
    """Where it stands in the folder; `*` is any name."""

    title: str
    form: Form[object]
    empty: bool = True
    """Whether a file with nothing but comments will do."""


FILE_KINDS = (
    FileKind(Role.GAME, "game.yaml", "The game: variables, endings and settings", GAME_FILE, empty=False),
    FileKind(Role.TRIGGERS, "triggers.yaml", "What happens by itself", TRIGGER_FILE),
    FileKind(Role.NPCS, "npcs.yaml", "The characters of the game", PERSON_FILE),
    FileKind(Role.ITEMS, "items.yaml", "The things of the game", ITEM_FILE),
    FileKind(Role.SCENES, "scenes/*.yaml", "Authored passages with choices", SCENE_FILE),
    FileKind(Role.LORE, "lore/*.yaml", "Knowledge that is brought up when it matters", LORE_FILE),
    FileKind(Role.LABELS, "texts/*/labels.yaml", "The labels of game.yaml in another language", LABEL_FILE),
    FileKind(
        Role.TRIGGER_TEXTS, "texts/*/triggers.yaml", "The triggers in another language", TRIGGER_TEXT_FILE
    ),
    FileKind(Role.NPC_TEXTS, "texts/*/npcs.yaml", "Characters in another language", PERSON_TEXT_FILE),
    FileKind(Role.ITEM_TEXTS, "texts/*/items.yaml", "Things in another language", ITEM_TEXT_FILE),
    FileKind(Role.SCENE_TEXTS, "texts/*/scenes/*.yaml", "Scenes in another language", SCENE_TEXT_FILE),
    FileKind(Role.LORE_TEXTS, "texts/*/lore/*.yaml", "Lore in another language", LORE_TEXT_FILE),
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
