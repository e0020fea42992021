"""The catalogues of the interface's words: every declared word in every language, with its placeholders."""

from pathlib import Path

import pytest

from hatch_build import compile_catalogue
from talewright.common.language_tags import COMMON_LANGUAGE
from talewright.common.word_catalogues import LOCALES, interface_languages
from tools.catalogues import (
    BRACE_FORMAT,
    COUNT,
    DECLARED,
    DeclaredWord,
    placeholders,
    read_catalogue,
    texts_of,
    write_catalogue,
)

FILES = [(language, domain) for language in interface_languages() for domain in DECLARED]

Texts = dict[str, tuple[str, ...]]


def texts_in(file: Path) -> Texts:
    """All texts of a catalogue, in all their forms."""
    return {_key_of(message.id): texts_of(message) for message in read_catalogue(file) if message.id}


def _key_of(written: str | list[str] | tuple[str, ...]) -> str:
    return written if isinstance(written, str) else written[0]


def find_faults(declared: list[DeclaredWord], texts: Texts, source: Texts, forms: int) -> list[str]:
    """What is wrong with a catalogue: keys, numbers of forms and placeholders."""
    faults = [f"{key} is not declared" for key in texts.keys() - {word.key for word in declared}]
    for word in declared:
        told = texts.get(word.key, ())
        if len(told) != (forms if word.counted else 1):
            faults.append(f"{word.key} is not translated")
            continue
        wanted = placeholders("".join(source[word.key]))
        for text in told:
            lacking = wanted - placeholders(text) - ({COUNT} if word.counted else set())
            faults += [f"{word.key} lacks {{{name}}}" for name in sorted(lacking)]
            faults += [f"{word.key} has {{{name}}}" for name in sorted(placeholders(text) - wanted)]
    return faults


def test_every_language_has_every_catalogue_and_no_other() -> None:
    found = {(file.parent.name, file.stem) for file in LOCALES.glob("*/*.po")}
    assert found == set(FILES)
    assert interface_languages()[0] == COMMON_LANGUAGE


@pytest.mark.parametrize(("language", "domain"), FILES)
def test_every_declared_word_is_there_with_its_placeholders(language: str, domain: str) -> None:
    file = LOCALES / language / f"{domain}.po"
    source = texts_in(LOCALES / COMMON_LANGUAGE / file.name)
    assert find_faults(DECLARED[domain], texts_in(file), source, read_catalogue(file).num_plurals) == []


@pytest.mark.parametrize(("language", "domain"), FILES)
def test_translators_read_what_the_code_says_about_a_word(language: str, domain: str) -> None:
    messages = {
        _key_of(message.id): message for message in read_catalogue(LOCALES / language / f"{domain}.po")
    }
    for word in DECLARED[domain]:
        message = messages[word.key]
        assert " ".join(message.auto_comments) == word.comment, f"{word.key}: run `make words`"
        assert not message.fuzzy, word.key


@pytest.mark.parametrize(("language", "domain"), FILES)
def test_what_is_read_is_what_was_written(language: str, domain: str) -> None:
    file = LOCALES / language / f"{domain}.po"
    assert compile_catalogue(file) == file.with_suffix(".mo").read_bytes(), "run `make setup`"


def test_every_fault_is_found() -> None:
    declared = [DeclaredWord("a"), DeclaredWord("b"), DeclaredWord("c"), DeclaredWord("d", counted=True)]
    source: Texts = {"a": ("{x}",), "b": ("b",), "c": ("{x} {y}",), "d": ("one", "{count}")}
    texts: Texts = {"a": ("{x}",), "c": ("{x} {z}",), "d": ("{count}",), "e": ("e",)}
    assert find_faults(declared, texts, source, 1) == [
        "e is not declared",
        "b is not translated",
        "c lacks {y}",
        "c has {z}",
    ]
    assert find_faults(declared[3:], {"d": ("1", "2")}, source, 2) == []
    assert find_faults(declared[3:], {"d": ("1",)}, source, 2) == ["d is not translated"]


def test_a_new_word_gets_an_entry_and_an_old_one_loses_its(tmp_path: Path) -> None:
    file = tmp_path / "words.po"
    head = (
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
        '"Plural-Forms: nplurals=1; plural=0;\\n"\n'
    )
    file.write_text(head + '\n# kept\nmsgid "b"\nmsgstr "{x}"\n\nmsgid "gone"\nmsgstr "gone"\n', "utf-8")
    declared = [DeclaredWord("a", "What it is.", counted=True), DeclaredWord("b")]
    written = write_catalogue(head, read_catalogue(file), declared, {"b"})
    assert written == head + (
        '\n#. What it is.\nmsgid "a"\nmsgid_plural "a"\nmsgstr[0] ""\n'
        f'\n# kept\n#, {BRACE_FORMAT}\nmsgid "b"\nmsgstr "{{x}}"\n'
    )
    file.write_text(written, "utf-8")
    assert write_catalogue(head, read_catalogue(file), declared, {"b"}) == written
