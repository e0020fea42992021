"""Translations: the words of one further language, read from its folder under texts/.

They are gathered by id; whether the game has such an id is not known here.
"""

from dataclasses import dataclass, field
from typing import TypeVar

from talewright.errors import SourcePlace
from talewright.pack.desk import Desk
from talewright.pack.faults import Code
from talewright.pack.files.nodes import MapNode, Node
from talewright.pack.forms.containers import MapOf
from talewright.pack.forms.form import UnreadableError
from talewright.pack.schemas import Role
from talewright.pack.sources.texts import (
    ItemTextSource,
    LoreTextSource,
    PersonTextSource,
    SceneTextSource,
    TriggerTextSource,
)

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
    places: dict[tuple[Role, str], SourcePlace] = field(default_factory=dict)
    """Where each id is written, by kind of file and id."""

    def take(self, kept: dict[str, T], form: MapOf[T], role: Role, name: str, node: Node, desk: Desk) -> None:
        """Add one file to what is kept of its kind."""
        self.files.add(name)
        try:
            read = form.read(node, desk, name)
        except UnreadableError:
            return
        assert isinstance(node, MapNode)
        for key in node.entries:
            place = node.key_place(key)
            first = self.places.setdefault((role, key), place)
            if first is not place:
                message = f"`{key}` has words already, in {first}"
                desk.report(Code.DUPLICATE_ID, place, message, "Delete one of the two.")
            elif key in read:
                kept[key] = read[key]
