"""The catalogue: every word of a game under its key, with the place where the author wrote it.

It is filled while the rules are read, so that rules and words never disagree about a key.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from talewright.errors import SourcePlace
from talewright.kernel.story.game_texts import Texts
from talewright.pack.files.nodes import MapNode


@dataclass(slots=True)
class Catalogue:
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
