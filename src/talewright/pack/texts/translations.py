"""Translations: applies the texts of another language to the game's own, and reports missing ones.

Missing texts are warnings, combined into as few faults as possible.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from talewright.common.frozen_values import frozen
from talewright.common.name_suggestions import nearest
from talewright.errors import SourcePlace
from talewright.pack.build.library_builder import check_lore_patterns
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.yaml_nodes import ListNode, MapNode
from talewright.pack.schema.file_names import GAME, TEXTS
from talewright.pack.schema.file_schemas import FileRole
from talewright.pack.schema.game_records import GameRecords
from talewright.pack.schema.record_form import SourceRecord
from talewright.pack.schema.translation_fields import LoreTextSource, SceneTextSource
from talewright.pack.texts.text_catalogue import TextCatalogue, Translation

_THINGS = frozenset({"scene", "trigger", "npc", "item", "lore"})
"""Prefixes of keys that belong to something with an id."""

_LABELS = "labels.yaml"


def report_missing_texts(
    base: TextCatalogue,
    own: TextCatalogue,
    language: str,
    misspelt: Iterable[str],
    declared: SourcePlace,
    fault_list: FaultList,
) -> None:
    """Report the texts that a language is missing."""
    present = own.entries.keys() | own.lists.keys()
    meant = tuple(misspelt)
    missing = [
        key
        for key in base.places
        if key not in present and not any(key == one or key.startswith(f"{one}.") for one in meant)
    ]
    if not missing:
        return
    if len(missing) == len(base.places):
        message = f"there are no texts in `{language}`"
        suggestion = f"Add the folder {TEXTS}/{language}, or delete the language here."
        fault_list.report(FaultCode.MISSING_TEXT, declared, message, suggestion)
        return
    every = _by_file(base.places, base.places)
    for file, keys in _by_file(missing, base.places).items():
        target = f"{TEXTS}/{language}/{_LABELS if file == GAME else file}"
        if len(keys) == len(every[file]):
            message = f"no text of this file is translated into `{language}`"
            fault_list.report(FaultCode.MISSING_TEXT, SourcePlace(file), message, f"Add {target}.")
        else:
            _report_things(keys, every[file], base.places, language, target, fault_list)


def _report_things(
    missing: Iterable[str],
    every: Iterable[str],
    places: Mapping[str, SourcePlace],
    language: str,
    target: str,
    fault_list: FaultList,
) -> None:
    whole = _by_thing(every)
    for thing, keys in _by_thing(missing).items():
        if len(keys) == len(whole[thing]):
            message = f"`{thing}` has no text in `{language}`"
            name = thing.partition(".")[2] if thing.partition(".")[0] in _THINGS else thing
            fault_list.report(FaultCode.MISSING_TEXT, places[keys[0]], message, f"Add `{name}:` to {target}.")
            continue
        choices = _by_choice(whole[thing])
        for choice, lines in _by_choice(keys).items():
            if len(lines) > 1 and len(lines) == len(choices[choice]):
                lines = [choice]
            for key in lines:
                message = f"`{key}` has no text in `{language}`"
                place = places[choices[choice][0] if key == choice else key]
                fault_list.report(FaultCode.MISSING_TEXT, place, message, f"Add it to {target}.")


def _by_choice(keys: Iterable[str]) -> dict[str, list[str]]:
    """Group the keys of something; those of one choice of a scene stay together."""
    sorted_keys: dict[str, list[str]] = {}
    for key in keys:
        parts = key.split(".")
        sorted_keys.setdefault(".".join(parts[:3]) if len(parts) > 3 else key, []).append(key)
    return sorted_keys


def _by_file(keys: Iterable[str], places: Mapping[str, SourcePlace]) -> dict[str, list[str]]:
    sorted_keys: dict[str, list[str]] = {}
    for key in keys:
        sorted_keys.setdefault(places[key].file, []).append(key)
    return sorted_keys


def _by_thing(keys: Iterable[str]) -> dict[str, list[str]]:
    sorted_keys: dict[str, list[str]] = {}
    for key in keys:
        parts = key.split(".")
        thing = ".".join(parts[:2]) if parts[0] in _THINGS else key
        sorted_keys.setdefault(thing, []).append(key)
    return sorted_keys


_GAME_ROLES = {
    FileRole.SCENE_TEXTS: (FileRole.SCENES, "scene"),
    FileRole.TRIGGER_TEXTS: (FileRole.TRIGGERS, "trigger"),
    FileRole.NPC_TEXTS: (FileRole.NPCS, "npc"),
    FileRole.ITEM_TEXTS: (FileRole.ITEMS, "item"),
    FileRole.LORE_TEXTS: (FileRole.LORE, "lore"),
}
"""For each translation file, the file of the game it translates, and the noun for one entry."""


@frozen
class LabelKeys:
    """The keys that labels.yaml may have."""

    known: frozenset[str]
    open: tuple[str, ...]
    """Prefixes that anything may follow, for values that appear only in play."""

    def __contains__(self, key: str) -> bool:
        return key in self.known or key.startswith(self.open)

    def nearest(self, key: str, written: Collection[str]) -> str:
        """The key that an unknown one probably stands for, unless that is there too; or empty."""
        kind, _, name = key.partition(".")
        free = sorted(self.known.difference(written))
        # Without this, the common prefix `variable.` would make any two keys look similar.
        names = {known.partition(".")[2]: known for known in free if known.startswith(f"{kind}.")}
        return names.get(nearest(name, names), "") if names else nearest(key, free)


@dataclass(slots=True)
class TranslationOverlay:
    """Adds the texts of one language to its catalogue."""

    language: str
    base: TextCatalogue
    fault_list: FaultList
    own: TextCatalogue = field(default_factory=TextCatalogue)
    misspelt: set[str] = field(default_factory=set)
    """Prefixes of keys whose texts have a fault; they are not reported as missing too."""

    def read(self, words: Translation, library: GameRecords, labels: LabelKeys) -> None:
        """Read all texts of a language; `labels` are the keys that labels.yaml may have."""
        self._read_labels(words, labels)
        self._check_ids(words, library)
        ids = library.ids
        choices = _choices_by_scene(self.base)
        for name in _known(words.scenes, ids, FileRole.SCENES):
            self._read_scene(name, words.scenes[name], choices.get(name, set()))
        for name in _known(words.triggers, ids, FileRole.TRIGGERS):
            trigger = words.triggers[name]
            self._say_each(trigger, "events", trigger.events, f"trigger.{name}.event")
            self._say_each(trigger, "reasons", trigger.reasons, f"trigger.{name}.reason")
        for name in _known(words.people, ids, FileRole.NPCS):
            self._say_fields(words.people[name], f"npc.{name}", ("name", "description", "voice", "secret"))
            self._say_lists(words.people[name], f"npc.{name}", ("also", "goals"))
        for name in _known(words.items, ids, FileRole.ITEMS):
            self._say_fields(words.items[name], f"item.{name}", ("name", "description"))
        regular = {entry.id for entry in library.lore if entry.regex}
        for name in _known(words.lore, ids, FileRole.LORE):
            self._read_lore(words.lore[name], name, name in regular)

    def _read_labels(self, words: Translation, labels: LabelKeys) -> None:
        for key, label in words.labels.items():
            place = words.places[FileRole.LABELS, key]
            several = key in self.base.lists
            if key not in labels:
                meant = labels.nearest(key, words.labels)
                suggestion = (
                    f"Write `{meant}`." if meant else "Delete it; game.yaml has nothing with this name."
                )
                self.fault_list.report(
                    FaultCode.UNKNOWN_TEXT, place, f"there is no label `{key}`", suggestion
                )
                self.misspelt.add(meant)
            elif isinstance(label, str) and not several:
                self.own.say(key, label, place)
            elif not isinstance(label, str) and several:
                self.own.say_all(key, label, place)
            else:
                expected = "a list of texts" if several else "a text"
                self.fault_list.report(
                    FaultCode.WRONG_TYPE, place, f"`{key}` must be {expected}", f"Write {expected}."
                )
                self.misspelt.add(key)

    def _check_ids(self, words: Translation, library: GameRecords) -> None:
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
            self._say_fields(words, prefix, ("label", "hint", "text", "success", "failure", "partial"))
            self._say_lists(words, prefix, ("also",))
            self._say_each(words, "reasons", words.reasons, f"{prefix}.reason")
            self._say_each(words, "results", words.results, f"{prefix}.result")
            self._say_each(words, "words", words.words, f"{prefix}.word")

    def _read_lore(self, lore: LoreTextSource, name: str, regular: bool) -> None:
        self._say_fields(lore, f"lore.{name}", ("text",))
        self._say_lists(lore, f"lore.{name}", ("keys", "secondary_keys"))
        if regular:
            check_lore_patterns(lore, "keys", lore.keys, self.fault_list)
            check_lore_patterns(lore, "secondary_keys", lore.secondary_keys, self.fault_list)

    def _say_fields(self, source: SourceRecord, prefix: str, names: Sequence[str]) -> None:
        for name in names:
            self.own.say_field(prefix, name, getattr(source, name), source.node)

    def _say_lists(self, source: SourceRecord, prefix: str, names: Sequence[str]) -> None:
        for name in names:
            self.own.say_all(f"{prefix}.{name}", getattr(source, name), source.place(name))

    def _say_each(self, source: SourceRecord, name: str, texts: Sequence[str], prefix: str) -> None:
        """Read texts in the order of the game's own; more than those are a fault."""
        written = source.node.entries.get(name)
        for number, text in enumerate(texts, 1):
            node = written.items[number - 1] if isinstance(written, ListNode) else written
            place = source.node.place if node is None else node.place
            if f"{prefix}.{number}" not in self.base.entries:
                message = f"the game has only {number - 1} of these texts"
                self.fault_list.report(FaultCode.UNKNOWN_TEXT, place, message, "Delete it.")
                return
            self.own.say(f"{prefix}.{number}", text, place)

    def _report_unknown(self, place: SourcePlace, message: str, word: str, known: Collection[str]) -> None:
        self.fault_list.report(FaultCode.UNKNOWN_TEXT, place, message, self.fault_list.suggest(word, known))


def _known(words: Iterable[str], ids: Mapping[FileRole, set[str]], role: FileRole) -> list[str]:
    """The names that exist in the game, in the order of the file."""
    return [name for name in words if name in ids.get(role, ())]


def _choices_by_scene(base: TextCatalogue) -> dict[str, set[str]]:
    choices: dict[str, set[str]] = {}
    for key in base.entries:
        parts = key.split(".")
        if parts[0] == "scene" and parts[-1] == "label":
            choices.setdefault(parts[1], set()).add(parts[2])
    return choices
