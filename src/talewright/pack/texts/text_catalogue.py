"""The text catalogue: every text of a game by key, with its place, and the translations as read.

It is filled while the rules are built, so rules and texts always use the same keys.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from talewright.errors import SourcePlace
from talewright.kernel.story.game_texts import Texts
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.yaml_nodes import MapNode, Node
from talewright.pack.schema.container_forms import MapForm
from talewright.pack.schema.file_schemas import FileRole
from talewright.pack.schema.scalar_forms import UnreadableError
from talewright.pack.schema.translation_fields import (
    ItemTextSource,
    LoreTextSource,
    PersonTextSource,
    SceneTextSource,
    TriggerTextSource,
)


@dataclass(slots=True)
class TextCatalogue:
    """The texts of a game in one language."""

    entries: dict[str, str] = field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    places: dict[str, SourcePlace] = field(default_factory=dict)

    def say(self, key: str, text: str, place: SourcePlace) -> str:
        """Add a text; return its key, or an empty string if the text is empty."""
        if not text:
            return ""
        self.entries[key] = text
        self.places[key] = place
        return key

    def say_field(self, prefix: str, name: str, text: str, node: MapNode) -> str:
        """Add the text of a record's field, with the field's name as the last part of the key."""
        return self.say(f"{prefix}.{name}", text, node.value_place(name)) if text else ""

    def note(self, key: str, text: str) -> None:
        """Add a text whose translation is optional."""
        if text:
            self.entries[key] = text

    def say_all(self, key: str, texts: Iterable[str], place: SourcePlace) -> None:
        """Add several texts under one key."""
        kept = tuple(texts)
        if kept:
            self.lists[key] = kept
            self.places[key] = place

    def texts(self, language: str) -> Texts:
        """The whole catalogue as a value."""
        return Texts(language, self.entries, self.lists)


T = TypeVar("T")


@dataclass(slots=True)
class Translation:
    """The texts of one language; filled file by file."""

    files: set[str] = field(default_factory=set)
    """Names of its files, relative to the game folder."""

    labels: dict[str, str | tuple[str, ...]] = field(default_factory=dict)
    scenes: dict[str, SceneTextSource] = field(default_factory=dict)
    triggers: dict[str, TriggerTextSource] = field(default_factory=dict)
    people: dict[str, PersonTextSource] = field(default_factory=dict)
    items: dict[str, ItemTextSource] = field(default_factory=dict)
    lore: dict[str, LoreTextSource] = field(default_factory=dict)
    places: dict[tuple[FileRole, str], SourcePlace] = field(default_factory=dict)
    """The place of each id, by kind of file and id."""

    def take(
        self,
        kept: dict[str, T],
        form: MapForm[T],
        role: FileRole,
        name: str,
        node: Node,
        fault_list: FaultList,
    ) -> None:
        """Add the texts of one file."""
        self.files.add(name)
        try:
            read = form.read(node, fault_list, name)
        except UnreadableError:
            return
        assert isinstance(node, MapNode)
        for key in node.entries:
            place = node.key_place(key)
            first = self.places.setdefault((role, key), place)
            if first is not place:
                message = f"`{key}` already has texts in {first}"
                fault_list.report(FaultCode.DUPLICATE_ID, place, message, "Delete one of the two.")
            elif key in read:
                kept[key] = read[key]
