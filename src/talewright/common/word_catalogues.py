"""Word catalogues: the interface's words in every language, read from gettext catalogues.

Each folder under `locales` is a language. Translators edit its `.po` files; the `.mo` files compiled from
them are read here. A dataclass or an enum declares which words a catalogue has, so that every use is typed.
"""

import gettext
import os
from dataclasses import fields
from enum import Enum
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, TypeVar, get_args, get_origin

from talewright.common.frozen_values import frozen
from talewright.common.language_tags import COMMON_LANGUAGE, pick_language
from talewright.errors import TalewrightError

LOCALES: Final = Path(__file__).parents[1] / "locales"

LANGUAGE_FIELD: Final = "language"
"""The field of a dataclass that is filled in with the language's tag."""

_Words = TypeVar("_Words")


class WordsMissingError(TalewrightError):
    """A catalogue has not been compiled, or lacks a word that the code asks for."""


@frozen
class WordKeys:
    """Which words a mapping has: `Annotated[Mapping[str, str], WordKeys("medium", "high")]`."""

    names: tuple[str, ...]

    def __init__(self, *names: str) -> None:
        object.__setattr__(self, "names", names)


@frozen
class CountedWords:
    """Words that depend on a number, such as `1 turn` and `2 turns`."""

    domain: str
    key: str
    language: str

    def format(self, count: int, **parts: object) -> str:
        """The form for this number, with its placeholders filled in."""
        return read_counted(self.domain, self.key, self.language, count).format(count=count, **parts)


@cache
def interface_languages() -> tuple[str, ...]:
    """The tags of the languages that have a folder; English, which everyone else gets, comes first."""
    with os.scandir(LOCALES) as entries:
        found = sorted(entry.name for entry in entries if entry.is_dir() and entry.name[0] not in "._")
    return tuple(sorted(found, key=lambda language: language != COMMON_LANGUAGE))


def pick_interface_language(wanted: str) -> str:
    """The interface language that best matches a tag, or English."""
    return pick_language(wanted, interface_languages(), COMMON_LANGUAGE)


def native_name(language: str) -> str:
    """An interface language's own name for itself."""
    return read_word("language", "name", language)


def read_word(domain: str, key: str, language: str) -> str:
    """One text of a catalogue, in the best-matching language."""
    return _open_catalogue(domain, pick_interface_language(language)).gettext(key)


def read_counted(domain: str, key: str, language: str, count: int) -> str:
    """The form of a text for a number, in the best-matching language."""
    return _open_catalogue(domain, pick_interface_language(language)).ngettext(key, key, count)


def find_word(domain: str, key: str, language: str) -> str:
    """One text of a catalogue that need not have it; empty if it does not."""
    try:
        return read_word(domain, key, language)
    except WordsMissingError:
        return ""


def load_words(kind: type[_Words], domain: str, language: str) -> _Words:
    """All texts of a catalogue, as the dataclass that declares them, in the best-matching language."""
    made: Any = kind
    words: _Words = _load_words(made, domain, pick_interface_language(language))
    return words


def keys_of(declared: Any) -> tuple[str, ...]:
    """The keys of a mapping in a declaration, in its order."""
    if get_origin(declared) is Annotated:
        return next(mark.names for mark in declared.__metadata__ if isinstance(mark, WordKeys))
    return tuple(str(one.value) for one in get_args(declared)[0])


@cache
def _load_words(kind: type[Any], domain: str, language: str) -> Any:
    catalogue = _open_catalogue(domain, language)

    def load(name: str, declared: Any) -> object:
        if name == LANGUAGE_FIELD:
            return language
        if declared is str:
            return catalogue.gettext(name)
        if declared is CountedWords:
            return CountedWords(domain, name, language)
        mapping = get_args(declared)[0] if get_origin(declared) is Annotated else declared
        of, value = get_args(mapping)
        named = {key: load(f"{name}.{key}", value) for key in keys_of(declared)}
        return MappingProxyType({of(key): one for key, one in named.items()} if _is_enum(of) else named)

    return kind(**{one.name: load(one.name, one.type) for one in fields(kind)})


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


@cache
def _open_catalogue(domain: str, language: str) -> gettext.NullTranslations:
    """A compiled catalogue; what another language lacks is read in English."""
    file = LOCALES / language / f"{domain}.mo"
    common = language == COMMON_LANGUAGE
    if not (common or file.exists()):
        return _open_catalogue(domain, COMMON_LANGUAGE)
    try:
        with file.open("rb") as opened:
            catalogue = gettext.GNUTranslations(opened)
    except FileNotFoundError as error:
        hint = "In a clone of the repository, run `make setup`; otherwise install Talewright again."
        raise WordsMissingError(f"the words of the interface are not compiled: {file}", hint) from error
    catalogue.add_fallback(_Missing(domain) if common else _open_catalogue(domain, COMMON_LANGUAGE))
    return catalogue


class _Missing(gettext.NullTranslations):
    """What is asked for a text that no catalogue has."""

    def __init__(self, domain: str) -> None:
        super().__init__()
        self._domain = domain

    def gettext(self, message: str) -> str:
        raise WordsMissingError(f"the catalogue {self._domain} has no text for {message}")

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1)
