"""Overlays: the words of one further language, laid over those the game was written in.

Numbers and ids never come from here: only words whose keys the game already has.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from talewright.common.name_suggestions import nearest
from talewright.errors import SourcePlace
from talewright.pack.desk import Desk
from talewright.pack.faults import Code
from talewright.pack.files.nodes import ListNode, MapNode
from talewright.pack.forms.records import Source
from talewright.pack.library import Library
from talewright.pack.rules.patterns import check_patterns
from talewright.pack.schemas import Role
from talewright.pack.sources.texts import LoreTextSource, SceneTextSource
from talewright.pack.words.catalogue import Catalogue
from talewright.pack.words.translations import Translation

_GAME_ROLES = {
    Role.SCENE_TEXTS: (Role.SCENES, "scene"),
    Role.TRIGGER_TEXTS: (Role.TRIGGERS, "trigger"),
    Role.NPC_TEXTS: (Role.NPCS, "npc"),
    Role.ITEM_TEXTS: (Role.ITEMS, "item"),
    Role.LORE_TEXTS: (Role.LORE, "lore"),
}
"""For each file of words, the file of the game it belongs to, and what one thing in it is called."""


@dataclass(frozen=True, slots=True)
class LabelKeys:
    """The keys that a labels.yaml may have."""

    known: frozenset[str]
    open: tuple[str, ...]
    """Beginnings after which anything may follow: values that only play brings forth."""

    def __contains__(self, key: str) -> bool:
        return key in self.known or key.startswith(self.open)

    def nearest(self, key: str, written: Collection[str]) -> str:
        """The key that an unknown one was probably meant to be, if it is not written besides; or empty."""
        kind, _, name = key.partition(".")
        free = sorted(self.known.difference(written))
        # `variable.` alone is half of most keys, and would make any two of them look alike.
        names = {known.partition(".")[2]: known for known in free if known.startswith(f"{kind}.")}
        return names.get(nearest(name, names), "") if names else nearest(key, free)


@dataclass(slots=True)
class Overlay:
    """The words of one language, on their way into a catalogue of their own."""

    language: str
    base: Catalogue
    desk: Desk
    own: Catalogue = field(default_factory=Catalogue)
    misspelt: set[str] = field(default_factory=set)
    """Beginnings of keys whose words have a fault of their own: they are not missing besides."""

    def read(self, words: Translation, library: Library, labels: LabelKeys) -> None:
        """Take up everything a language says; `labels` are the keys that labels.yaml may have."""
        self._read_labels(words, labels)
        self._check_ids(words, library)
        ids = library.ids
        choices = _choices_by_scene(self.base)
        for name in _known(words.scenes, ids, Role.SCENES):
            self._read_scene(name, words.scenes[name], choices.get(name, set()))
        for name in _known(words.triggers, ids, Role.TRIGGERS):
            trigger = words.triggers[name]
            self._say_each(trigger, "events", trigger.events, f"trigger.{name}.event")
            self._say_each(trigger, "reasons", trigger.reasons, f"trigger.{name}.reason")
        for name in _known(words.people, ids, Role.NPCS):
            self._say_fields(words.people[name], f"npc.{name}", ("name", "description", "voice", "secret"))
            self._say_lists(words.people[name], f"npc.{name}", ("also", "goals"))
        for name in _known(words.items, ids, Role.ITEMS):
            self._say_fields(words.items[name], f"item.{name}", ("name", "description"))
        regular = {entry.id for entry in library.lore if entry.regex}
        for name in _known(words.lore, ids, Role.LORE):
            self._read_lore(words.lore[name], name, name in regular)

    def _read_labels(self, words: Translation, labels: LabelKeys) -> None:
        for key, label in words.labels.items():
            place = words.places[Role.LABELS, key]
            several = key in self.base.lists
            if key not in labels:
                meant = labels.nearest(key, words.labels)
                suggestion = (
                    f"Write `{meant}`." if meant else "Delete it; game.yaml has nothing of this name."
                )
                self.desk.report(Code.UNKNOWN_TEXT, place, f"there is no label `{key}`", suggestion)
                self.misspelt.add(meant)
            elif isinstance(label, str) and not several:
                self.own.say(key, label, place)
            elif not isinstance(label, str) and several:
                self.own.say_all(key, label, place)
            else:
                expected = "a list of texts" if several else "a text"
                self.desk.report(Code.WRONG_TYPE, place, f"`{key}` is {expected}", f"Write {expected}.")
                self.misspelt.add(key)

    def _check_ids(self, words: Translation, library: Library) -> None:
        for (role, name), place in words.places.items():
            if role in _GAME_ROLES:
                game_role, noun = _GAME_ROLES[role]
                ids = library.ids.get(game_role, set())
                if name not in ids:
                    self._report_unknown(place, f"there is no {noun} `{name}`", name, sorted(ids))
                    self.misspelt.add(f"{noun}.{nearest(name, sorted(ids))}")

    def _read_scene(self, name: str, scene: SceneTextSource, known: set[str]) -> None:
        texts = (scene.text,) if isinstance(scene.text, str) else scene.text
        self._say_each(scene, "text", texts, f"scene.{name}.text")
        node = scene.node.entries.get("choices")
        for choice, words in scene.choices.items():
            prefix = f"scene.{name}.{choice}"
            if choice not in known and isinstance(node, MapNode):
                message = f"the scene `{name}` has no choice `{choice}`"
                self._report_unknown(node.key_place(choice), message, choice, sorted(known))
                self.misspelt.add(f"scene.{name}.{nearest(choice, sorted(known))}")
                continue
            self._say_fields(words, prefix, ("label", "hint", "text", "success", "failure"))
            self._say_lists(words, prefix, ("also",))
            self._say_each(words, "reasons", words.reasons, f"{prefix}.reason")
            self._say_each(words, "results", words.results, f"{prefix}.result")
            self._say_each(words, "words", words.words, f"{prefix}.word")

    def _read_lore(self, lore: LoreTextSource, name: str, regular: bool) -> None:
        self._say_fields(lore, f"lore.{name}", ("text",))
        self._say_lists(lore, f"lore.{name}", ("keys", "secondary_keys"))
        if regular:
            check_patterns(lore, "keys", lore.keys, self.desk)
            check_patterns(lore, "secondary_keys", lore.secondary_keys, self.desk)

    def _say_fields(self, source: Source, prefix: str, names: Sequence[str]) -> None:
        for name in names:
            self.own.say_field(prefix, name, getattr(source, name), source.node)

    def _say_lists(self, source: Source, prefix: str, names: Sequence[str]) -> None:
        for name in names:
            self.own.say_all(f"{prefix}.{name}", getattr(source, name), source.place(name))

    def _say_each(self, source: Source, name: str, texts: Sequence[str], prefix: str) -> None:
        """Words that follow the order of the game's own; there cannot be more of them."""
        written = source.node.entries.get(name)
        for number, text in enumerate(texts, 1):
            node = written.items[number - 1] if isinstance(written, ListNode) else written
            place = source.node.place if node is None else node.place
            if f"{prefix}.{number}" not in self.base.entries:
                message = f"the game has {number - 1} such texts, and this is one more"
                self.desk.report(Code.UNKNOWN_TEXT, place, message, "Delete it.")
                return
            self.own.say(f"{prefix}.{number}", text, place)

    def _report_unknown(self, place: SourcePlace, message: str, word: str, known: Collection[str]) -> None:
        self.desk.report(Code.UNKNOWN_TEXT, place, message, self.desk.suggest(word, known))


def _known(words: Iterable[str], ids: Mapping[Role, set[str]], role: Role) -> list[str]:
    """The names that the game has, in the order of the file."""
    return [name for name in words if name in ids.get(role, ())]


def _choices_by_scene(base: Catalogue) -> dict[str, set[str]]:
    choices: dict[str, set[str]] = {}
    for key in base.entries:
        parts = key.split(".")
        if parts[0] == "scene" and parts[-1] == "label":
            choices.setdefault(parts[1], set()).add(parts[2])
    return choices
