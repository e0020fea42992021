"""The text catalogue: every text of a game under its key with its place, and translations as read.

It is filled while the rules are read, so that rules and words never disagree about a key.
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
    """The texts of a game in the language it was written in."""

    entries: dict[str, str] = field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    places: dict[str, SourcePlace] = field(default_factory=dict)

    def say(self, key: str, text: str, place: SourcePlace) -> str:
        """Keep a text; gives its key, or nothing where there is no text."""
        if not text:
            return ""
        self.entries[key] = text
        self.places[key] = place
        return key

    def say_field(self, prefix: str, name: str, text: str, node: MapNode) -> str:
        """Keep the text of a record's field under the field's own name."""
        return self.say(f"{prefix}.{name}", text, node.value_place(name)) if text else ""

    def note(self, key: str, text: str) -> None:
        """Keep a text that no language lacks, whether it says it in words of its own or not."""
        if text:
            self.entries[key] = text

    def say_all(self, key: str, texts: Iterable[str], place: SourcePlace) -> None:
        """Keep several texts under one key."""
        kept = tuple(texts)
        if kept:
            self.lists[key] = kept
            self.places[key] = place

    def texts(self, language: str) -> Texts:
        """All of it as a value."""
        return Texts(language, self.entries, self.lists)


T = TypeVar("T")


@dataclass(slots=True)
class Translation:
    """The words of one language; filled file by file."""

    files: set[str] = field(default_factory=set)
    """Names of its files, relative to the game folder."""

    labels: dict[str, str | tuple[str, ...]] = field(default_factory=dict)
    scenes: dict[str, SceneTextSource] = field(default_factory=dict)
    triggers: dict[str, TriggerTextSource] = field(default_factory=dict)
    people: dict[str, PersonTextSource] = field(default_factory=dict)
    items: dict[str, ItemTextSource] = field(default_factory=dict)
    lore: dict[str, LoreTextSource] = field(default_factory=dict)
    places: dict[tuple[FileRole, str], SourcePlace] = field(default_factory=dict)
    """Where each id is written, by kind of file and id."""

    def take(
        self,
        kept: dict[str, T],
        form: MapForm[T],
        role: FileRole,
        name: str,
        node: Node,
        fault_list: FaultList,
    ) -> None:
        """Add one file to what is kept of its kind."""
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
                message = f"`{key}` has words already, in {first}"
                fault_list.report(FaultCode.DUPLICATE_ID, place, message, "Delete one of the two.")
            elif key in read:
                kept[key] = read[key]
