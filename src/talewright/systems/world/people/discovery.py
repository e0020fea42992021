"""Discovery: finds people by names and aliases in a text of any script, and by the name a caller uses.

Only whole names count: Ann is not in "planned". In scripts without spaces, a name of two or more characters
counts anywhere.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from talewright.systems.world.authored.authored_world import AuthoredPerson
from talewright.systems.world.text_likeness import normalize

UNSPACED_LENGTH_MIN = 2
"""Characters of a name in a script without spaces; a single one is usually part of another word."""

_JOINTS = " -.'’·"
"""What may stand between the words of a name."""

_UNSPACED = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3040, 0x30FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
"""Thai, Lao, Burmese, Khmer, Japanese kana and Chinese characters."""


def names_in(text: str, people: Iterable[AuthoredPerson]) -> list[str]:
    """The ids of the people whose names are in a text, in the order of the people."""
    known = tuple(people)
    spaced: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    unspaced: dict[str, list[tuple[str, str]]] = {}
    for person in known:
        for name in (person.name, *person.also):
            plain = normalize(name)
            if any(map(_is_unspaced, plain)):
                if len(plain) >= UNSPACED_LENGTH_MIN:
                    unspaced.setdefault(plain[0], []).append((plain, person.id))
            elif words := tuple(split_words(plain)):
                spaced.setdefault(words[0], []).append((words, person.id))
    found = _find_spaced(text, spaced) | _find_unspaced(text, unspaced)
    return [person.id for person in known if person.id in found]


def split_words(text: str) -> Iterator[str]:
    """The words of a text: letters and digits with their marks, which `\\w` leaves out.

    If more than a space or a hyphen separates two words, an empty one is put between them.
    """
    start, before = None, 0
    for at, sign in enumerate(f"{text} "):
        if unicodedata.category(sign)[0] in "LNM":
            if start is None:
                if before and text[before:at].strip(_JOINTS):
                    yield ""
                start = at
        elif start is not None:
            yield text[start:at]
            start, before = None, at


def _is_unspaced(sign: str) -> bool:
    code = ord(sign)
    return any(low <= code <= high for low, high in _UNSPACED)


def _find_spaced(text: str, names: Mapping[str, list[tuple[tuple[str, ...], str]]]) -> set[str]:
    """Names of whole words; of two that start at the same word, the longer one is meant."""
    words = list(split_words(normalize(text))) if names else []
    found: set[str] = set()
    at = 0
    while at < len(words):
        fits = [
            (len(name), person)
            for name, person in names.get(words[at], ())
            if tuple(words[at : at + len(name)]) == name
        ]
        longest = max((length for length, _ in fits), default=1)
        found.update(person for length, person in fits if length == longest)
        at += longest
    return found


def _find_unspaced(text: str, names: Mapping[str, list[tuple[str, str]]]) -> set[str]:
    plain = normalize(text) if names else ""
    found: set[str] = set()
    at = 0
    while at < len(plain):
        fits = [(len(name), who) for name, who in names.get(plain[at], ()) if plain.startswith(name, at)]
        longest = max((length for length, _ in fits), default=1)
        found.update(who for length, who in fits if length == longest)
        at += longest
    return found


def find_named(said: str, people: Iterable[AuthoredPerson]) -> AuthoredPerson | None:
    """The person with this name, alias or id; None if there is nobody, or more than one."""
    plain = normalize(said).casefold()
    known = tuple(people)
    for names in (lambda one: (one.id, one.name), lambda one: one.also):
        found = [one for one in known if plain in [normalize(name).casefold() for name in names(one)]]
        if found:
            return found[0] if len(found) == 1 else None
    return None
