"""Offered languages: the texts of every language that a game offers.

Missing texts are filled in from the language that the game is written in.
"""

from collections.abc import Mapping

from talewright.common.name_suggestions import nearest
from talewright.errors import SourcePlace
from talewright.kernel.slots.slot_types import Slot, SlotKind
from talewright.kernel.state.state_paths import dotted
from talewright.kernel.story.game_texts import Texts
from talewright.pack.build.build_context import BuildContext
from talewright.pack.build.ending_builder import DeclaredEndings
from talewright.pack.cache.cover_cache import TONE
from talewright.pack.faults import FaultCode
from talewright.pack.files.yaml_nodes import ListNode
from talewright.pack.schema.file_names import TEXTS, language_of
from talewright.pack.schema.game_fields import GameSource
from talewright.pack.schema.game_records import GameRecords
from talewright.pack.schema.language_names import guess_tag
from talewright.pack.texts.game_prose import read_prose
from talewright.pack.texts.text_catalogue import TextCatalogue, Translation
from talewright.pack.texts.translations import LabelKeys, TranslationOverlay, report_missing_texts


def offered_languages(game: GameSource, work: BuildContext) -> tuple[str, ...]:
    """The languages of the game, including the one it is written in."""
    languages: list[str] = []
    for number, language in enumerate(game.languages):
        if language in languages and "languages" not in game.broken:
            message = f"`{language}` appears twice"
            work.fault_list.report(
                FaultCode.DUPLICATE_ID, _place(game, number), message, "Delete one of the two."
            )
        else:
            languages.append(language)
    return tuple(languages) if game.language in languages else (game.language, *languages)


def read_languages(
    game: GameSource,
    languages: tuple[str, ...],
    library: GameRecords,
    endings: DeclaredEndings,
    work: BuildContext,
) -> Mapping[str, Texts]:
    """The texts of every language of the game."""
    base = work.catalogue
    present = {*library.translations, *filter(None, map(language_of, library.prose))}
    misnamed = {_report_undeclared(language, languages, work) for language in sorted(present - {*languages})}
    labels = _label_keys(game, work)
    texts: dict[str, Texts] = {}
    for language in languages:
        overlay = TranslationOverlay(language, base, work.fault_list)
        overlay.read(library.translations.get(language, Translation()), library, labels)
        heads = read_prose(library, f"{TEXTS}/{language}/", endings, overlay.own, work.fault_list)
        overlay.misspelt.update(f"ending.{name}" for name in heads)
        if language == game.language:
            _report_overridden(language, base, overlay.own, work)
        elif language not in misnamed:
            number = game.languages.index(language)
            report_missing_texts(
                base, overlay.own, language, overlay.misspelt, _place(game, number), work.fault_list
            )
        texts[language] = Texts(
            language, {**base.entries, **overlay.own.entries}, {**base.lists, **overlay.own.lists}
        )
    return texts


def _report_overridden(language: str, base: TextCatalogue, own: TextCatalogue, work: BuildContext) -> None:
    """Report, once per file, texts that replace the game's own in its main language."""
    replaced: dict[str, list[str]] = {}
    for key, place in own.places.items():
        if key in base.places:
            replaced.setdefault(place.file, []).append(key)
    for keys in replaced.values():
        more = f" and {len(keys) - 1} more" if len(keys) > 1 else ""
        message = f"the game is written in `{language}`, and this replaces its own `{keys[0]}`{more}"
        suggestion = f"Change the text in {base.places[keys[0]].file} and delete it here."
        work.fault_list.report(FaultCode.OVERRIDDEN_TEXT, own.places[keys[0]], message, suggestion)


def _report_undeclared(language: str, languages: tuple[str, ...], work: BuildContext) -> str:
    """Report texts that no player can choose; return the language they are probably meant for."""
    tag = guess_tag(language)
    meant = tag if tag in languages else nearest(language, languages)
    suggestion = f"Add `{language}` to `languages` in game.yaml."
    if tag != language and tag:
        suggestion = f"Rename the folder to {TEXTS}/{tag}, and add `{tag}` to `languages` in game.yaml."
    if meant:
        suggestion = f"Rename the folder to {TEXTS}/{meant}."
    message = f"the game does not offer `{language}`"
    work.fault_list.report(
        FaultCode.UNDECLARED_LANGUAGE, SourcePlace(f"{TEXTS}/{language}"), message, suggestion
    )
    return meant


def _label_keys(game: GameSource, work: BuildContext) -> LabelKeys:
    """The labels that game.yaml has, and those it could have."""
    keys = {key for key, place in work.catalogue.places.items() if place.file == game.node.file}
    keys |= {TONE} if game.tone else set()
    prefixes: list[str] = []
    for path, slot in work.ground.layout.walk():
        name = dotted(path)
        keys.update((f"variable.{name}", f"variable.{name}.description"))
        keys.update(f"value.{name}.{value}" for value in _values(slot))
        if slot.kind is SlotKind.OBJECT and slot.values is not None:
            prefixes += [f"variable.{name}.", f"value.{name}."]
        elif slot.kind in (SlotKind.LIST, SlotKind.STRING) and not _values(slot):
            prefixes.append(f"value.{name}.")
    if game.status_bar is not None:
        keys.update(f"status.{item.var_id}" for item in game.status_bar.items)
    return LabelKeys(frozenset(keys), tuple(prefixes))


def _values(slot: Slot) -> tuple[str, ...]:
    match slot.kind:
        case SlotKind.ENUM:
            return slot.enum_values
        case SlotKind.BOOLEAN:
            return ("true", "false")
        case SlotKind.LIST if slot.element is not None:
            return _values(slot.element)
        case _:
            return ()


def _place(game: GameSource, number: int) -> SourcePlace:
    written = game.node.entries.get("languages")
    return written.items[number].place if isinstance(written, ListNode) else game.place("languages")
