"""Gaps: the words that a language on offer lacks, told in as few faults as say it all.

A language, a file or a thing that lacks everything is told once, not text by text.
"""

from collections.abc import Iterable, Mapping

from talewright.errors import SourcePlace
from talewright.pack.desk import Desk
from talewright.pack.faults import Code
from talewright.pack.files.shelf import GAME, TEXTS
from talewright.pack.words.catalogue import Catalogue

_THINGS = frozenset({"scene", "trigger", "npc", "item", "lore"})
"""Kinds of keys that belong to a thing with an id."""

_LABELS = "labels.yaml"


def report_gaps(
    base: Catalogue, own: Catalogue, language: str, misspelt: Iterable[str], declared: SourcePlace, desk: Desk
) -> None:
    """Tell what a language lacks of the words the game was written in."""
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
        desk.report(Code.MISSING_TEXT, declared, message, suggestion)
        return
    every = _by_file(base.places, base.places)
    for file, keys in _by_file(missing, base.places).items():
        target = f"{TEXTS}/{language}/{_LABELS if file == GAME else file}"
        if len(keys) == len(every[file]):
            message = f"nothing of this file is there in `{language}`"
            desk.report(Code.MISSING_TEXT, SourcePlace(file), message, f"Add {target}.")
        else:
            _report_things(keys, every[file], base.places, language, target, desk)


def _report_things(
    missing: Iterable[str],
    every: Iterable[str],
    places: Mapping[str, SourcePlace],
    language: str,
    target: str,
    desk: Desk,
) -> None:
    whole = _by_thing(every)
    for thing, keys in _by_thing(missing).items():
        if len(keys) == len(whole[thing]):
            message = f"`{thing}` has no words in `{language}`"
            name = thing.partition(".")[2] if thing.partition(".")[0] in _THINGS else thing
            desk.report(Code.MISSING_TEXT, places[keys[0]], message, f"Add `{name}:` to {target}.")
            continue
        choices = _by_choice(whole[thing])
        for choice, lines in _by_choice(keys).items():
            if len(lines) > 1 and len(lines) == len(choices[choice]):
                lines = [choice]
            for key in lines:
                message = f"`{key}` has no text in `{language}`"
                place = places[choices[choice][0] if key == choice else key]
                desk.report(Code.MISSING_TEXT, place, message, f"Add it to {target}.")


def _by_choice(keys: Iterable[str]) -> dict[str, list[str]]:
    """The keys of a thing, those of one choice of a scene together."""
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
