"""A pseudo-language: English made longer, accented and bracketed, as the folder of a third language.

No letter of it is a plain one: a word in plain letters on a screen does not come from a catalogue.
"""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from unittest.mock import patch

from babel.messages.catalog import Catalog, Message

from hatch_build import compile_catalogues
from talewright.common import word_catalogues
from talewright.common.language_tags import COMMON_LANGUAGE
from talewright.common.word_catalogues import LOCALES, interface_languages
from talewright.faces.plain.command_parser import _translated_names
from talewright.faces.web.page_templates import page_environment
from tools.catalogues import DECLARED, read_catalogue, texts_of, write_catalogue

PSEUDO: Final = "en-XA"
OPENING, CLOSING = "⟦⟧"
LONGER: Final = 0.4
"""How much longer than English; German and Finnish are about that."""

PLAIN: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ACCENTED: Final = "ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž"
_LETTERS: Final = str.maketrans(PLAIN, ACCENTED)
_KEPT: Final = re.compile(r"(\{\w*\}|%\w)")
"""Placeholders, and the parts of a date's format."""

HEAD: Final = """\
msgid ""
msgstr ""
"Language: en_XA\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"""
GAMES: Final = Path(__file__).parents[1] / "games"
CHINESE: Final = "zh-CN"


def distort(text: str) -> str:
    """A text in the pseudo-language."""
    parts = _KEPT.split(text)
    letters = sum(len(part) for part in parts[::2])
    parts[::2] = [part.translate(_LETTERS) for part in parts[::2]]
    padding = " ".join(["ôô"] * round(letters * LONGER / 3))
    return f"{OPENING}{''.join(parts)}{' ' if padding else ''}{padding}{CLOSING}"


def write_pseudo_language(locales: Path) -> None:
    """Add the pseudo-language to a folder, as a translator would: `.po` files, and nothing else."""
    folder = locales / PSEUDO
    folder.mkdir()
    for domain, declared in DECLARED.items():
        made = Catalog()
        made._num_plurals = 2  # type: ignore[assignment]
        for message in read_catalogue(locales / COMMON_LANGUAGE / f"{domain}.po"):
            if message.id:
                made[message.id] = _distort_message(message)
        (folder / f"{domain}.po").write_text(write_catalogue(HEAD, made, declared, ()), "utf-8")


def _distort_message(message: Message) -> Message:
    forms = tuple(map(distort, texts_of(message)))
    return Message(message.id, forms[0] if isinstance(message.string, str) else forms)


@contextmanager
def with_pseudo_language(folder: Path) -> Iterator[None]:
    """Every language, and the pseudo-language besides."""
    locales = folder / "locales"
    shutil.copytree(LOCALES, locales)
    write_pseudo_language(locales)
    [*compile_catalogues(locales)]
    _forget()
    with patch.object(word_catalogues, "LOCALES", locales):
        yield
    _forget()


def _forget() -> None:
    forget_catalogues()
    _translated_names.cache_clear()
    page_environment.cache_clear()


def copy_games(folder: Path, *names: str) -> Path:
    """Shipped games that are told in Chinese letters, under the tag of the pseudo-language."""
    for name in names:
        game = folder / "games" / name
        shutil.copytree(GAMES / name, game)
        (game / "texts" / CHINESE).rename(game / "texts" / PSEUDO)
        settings = game / "game.yaml"
        settings.write_text(settings.read_text("utf-8").replace(CHINESE, PSEUDO), "utf-8")
    return folder / "games"


def forget_catalogues() -> None:
    """Read all catalogues again when they are next asked for."""
    for cached in (interface_languages, word_catalogues._open_catalogue, word_catalogues._load_words):
        cached.cache_clear()
