"""The catalogues of the interface's words: what each must have, and the files brought in line with it.

`make words` runs this: it gives every language an entry for each declared word, in the order of the
declaration and with its docstring as a comment for translators, and takes out what is no longer declared.
"""

import ast
import importlib
import inspect
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any, Final, get_args, get_origin

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import normalize, read_po

from talewright.bootstrap.model_chooser import ModelChooserWords
from talewright.common.language_tags import COMMON_LANGUAGE
from talewright.common.word_catalogues import LANGUAGE_FIELD, LOCALES, CountedWords, keys_of
from talewright.config.ability_phrases import AbilityWords
from talewright.faces.http.guards.login_page import LoginWords
from talewright.faces.mcp.app_words import AppWords
from talewright.faces.plain.plain_words import PlainWords
from talewright.faces.tui import key_bindings
from talewright.faces.tui.key_bindings import KeyBinding
from talewright.faces.tui.words.history_words import HistoryWords
from talewright.faces.tui.words.lobby_words import LobbyWords
from talewright.faces.tui.words.setup_words import SetupWords
from talewright.faces.tui.words.shared_words import SharedWords
from talewright.faces.tui.words.table_words import TableWords
from talewright.faces.web.author.author_words import AuthorWords
from talewright.faces.web.history.past_page_words import PastPageWords
from talewright.faces.web.offline.offline_words import OfflineWords
from talewright.faces.web.setup.lobby_page_words import LobbyPageWords
from talewright.faces.web.setup.model_words import ModelPageWords
from talewright.faces.web.web_words import WebWords
from talewright.llm.provider import Trouble
from talewright.play.export.campaign_story import StoryWord
from talewright.play.presentation.words.phrases import Phrase

WIDTH: Final = 110
PLACEHOLDER: Final = re.compile(r"\{(\w*)\}")
BRACE_FORMAT: Final = "python-brace-format"
"""By this flag translation platforms know the placeholders."""

COUNT: Final = "count"
"""The placeholder that a form for one may leave out."""


@dataclass(frozen=True)
class DeclaredWord:
    """One entry of a catalogue, as the code declares it."""

    key: str
    comment: str = ""
    counted: bool = False


def declared_in(kind: type) -> list[DeclaredWord]:
    """The words of a dataclass."""
    comments = _read_docstrings(kind)
    return [
        DeclaredWord(key, comments.get(one.name, ""), counted)
        for one in fields(kind)
        if one.name != LANGUAGE_FIELD
        for key, counted in _list_keys(one.name, one.type)
    ]


def _list_keys(name: str, declared: Any) -> Iterator[tuple[str, bool]]:
    if declared in (str, CountedWords):
        yield name, declared is CountedWords
        return
    mapping = get_args(declared)[0] if get_origin(declared) is Annotated else declared
    for key in keys_of(declared):
        yield from _list_keys(f"{name}.{key}", get_args(mapping)[1])


def _declare_phrases(kind: type[StrEnum], *counted: StrEnum) -> list[DeclaredWord]:
    comments = _read_docstrings(kind)
    return [DeclaredWord(one.value, comments.get(one.name, ""), one in counted) for one in kind]


def _read_docstrings(kind: type) -> dict[str, str]:
    """The docstrings below the members of a class."""
    module = ast.parse(inspect.getsource(importlib.import_module(kind.__module__)))
    body = next(
        node.body for node in module.body if isinstance(node, ast.ClassDef) and node.name == kind.__name__
    )
    found = {}
    for node, after in pairwise(body):
        target = (
            node.target
            if isinstance(node, ast.AnnAssign)
            else node.targets[0]
            if isinstance(node, ast.Assign)
            else None
        )
        match target, after:
            case ast.Name(id=name), ast.Expr(value=ast.Constant(value=str(text))):
                found[name] = " ".join(text.split())
            case _:
                pass
    return found


def list_key_bindings() -> list[KeyBinding]:
    """Every key of the terminal interface, once."""
    found: dict[str, KeyBinding] = {}
    for value in vars(key_bindings).values():
        rows = (value,) if isinstance(value, KeyBinding) else value if isinstance(value, tuple) else ()
        found |= {row.name: row for row in rows if isinstance(row, KeyBinding)}
    return [*found.values()]


def _declare_keys() -> Iterator[DeclaredWord]:
    for key in list_key_bindings():
        if key.in_help:
            yield DeclaredWord(f"{key.name}.does", f"{key.written}: what the key does.")
        if key.on_bar:
            yield DeclaredWord(f"{key.name}.bar", f"{key.written}: a short name for the key bar.")
        if key.has_keywords:
            yield DeclaredWord(
                f"{key.name}.keywords", f"{key.written}: more words to find it by, with spaces between."
            )


def read_catalogue(file: Path) -> Catalog:
    """A `.po` file."""
    with file.open("rb") as opened:
        return read_po(opened, abort_invalid=True)


def _declare_errors() -> list[DeclaredWord]:
    """The sentences of error pages. The English file decides which errors have one."""
    comment = "On the page of this error, before its English message; not shown in English."
    messages = read_catalogue(LOCALES / COMMON_LANGUAGE / "web_errors.po")
    return [DeclaredWord(str(message.id), comment) for message in messages if message.id]


def _declare_troubles() -> Iterator[DeclaredWord]:
    meanings = _read_docstrings(Trouble)
    for trouble in Trouble:
        yield DeclaredWord(f"{trouble}.what", f"For players: {meanings[trouble.name]}")
        yield DeclaredWord(f"{trouble}.then", "What the player can do about it.")


DECLARED: Final[Mapping[str, list[DeclaredWord]]] = {
    "language": [DeclaredWord("name", "The language's own name for itself.")],
    "login": declared_in(LoginWords),
    "mcp_app": declared_in(AppWords),
    "model_abilities": declared_in(AbilityWords),
    "model_chooser": declared_in(ModelChooserWords),
    "plain": declared_in(PlainWords),
    "play": _declare_phrases(Phrase, Phrase.HOURS, Phrase.MINUTES),
    "provider_errors": [*_declare_troubles()],
    "story_export": _declare_phrases(StoryWord),
    "tui_history": declared_in(HistoryWords),
    "tui_keys": [*_declare_keys()],
    "tui_lobby": declared_in(LobbyWords),
    "tui_setup": declared_in(SetupWords),
    "tui_shared": declared_in(SharedWords),
    "tui_table": declared_in(TableWords),
    "web": declared_in(WebWords),
    "web_author": declared_in(AuthorWords),
    "web_errors": _declare_errors(),
    "web_history": declared_in(PastPageWords),
    "web_lobby": declared_in(LobbyPageWords),
    "web_models": declared_in(ModelPageWords),
    "web_offline": declared_in(OfflineWords),
}
"""By the name of the catalogue."""


def texts_of(message: Message) -> tuple[str, ...]:
    """A translation in all its forms; an untranslated one has none."""
    forms = (message.string,) if isinstance(message.string, str) else message.string or ()
    return tuple(filter(None, forms))


def placeholders(text: str) -> frozenset[str]:
    """The names in braces."""
    return frozenset(PLACEHOLDER.findall(text))


def write_catalogue(
    head: str, catalogue: Catalog, declared: list[DeclaredWord], formatted: Container[str]
) -> str:
    """The text of a `.po` file with an entry for every declared word, keeping the translations.

    `formatted` are the keys of the texts with placeholders.
    """
    return "\n".join([head, *(_write_entry(word, catalogue, word.key in formatted) for word in declared)])


def _write_entry(word: DeclaredWord, catalogue: Catalog, formatted: bool) -> str:
    message = catalogue.get(word.key)
    texts = texts_of(message) if message else ()
    lines = [f"# {line}" for line in (message.user_comments if message else ())]
    lines += [f"#. {line}" for line in wrap(word.comment, WIDTH - 3)]
    flags = (message.flags if message else set()) - {BRACE_FORMAT}
    flags |= {BRACE_FORMAT} if formatted else set()
    lines += ["#, " + ", ".join(sorted(flags))] if flags else []
    lines.append(f"msgid {normalize(word.key, width=WIDTH)}")
    if word.counted:
        lines.append(f"msgid_plural {normalize(word.key, width=WIDTH)}")
        forms = [*texts, *[""] * catalogue.num_plurals][: catalogue.num_plurals]
        lines += [f"msgstr[{at}] {normalize(text, width=WIDTH)}" for at, text in enumerate(forms)]
    else:
        lines.append(f"msgstr {normalize(''.join(texts[:1]), width=WIDTH)}")
    return "\n".join(lines) + "\n"


def _find_formatted(file: Path) -> set[str]:
    return {
        message.id if isinstance(message.id, str) else message.id[0]
        for message in read_catalogue(file)
        if message.id and any(map(placeholders, texts_of(message)))
    }


def main() -> None:
    """Bring every file in line."""
    for folder in sorted(one for one in LOCALES.iterdir() if one.is_dir()):
        head = (folder / "language.po").read_text("utf-8").partition("\n\n")[0] + "\n"
        for domain, declared in DECLARED.items():
            file = folder / f"{domain}.po"
            old = file.read_text("utf-8") if file.exists() else head
            catalogue = read_catalogue(file if file.exists() else folder / "language.po")
            source = LOCALES / COMMON_LANGUAGE / file.name
            formatted = _find_formatted(source) if source.exists() else ()
            new = write_catalogue(
                old.partition("\n\n")[0].rstrip("\n") + "\n", catalogue, declared, formatted
            )
            if new != old:
                file.write_text(new, "utf-8")
                print(file)


if __name__ == "__main__":
    main()
