"""Author files: the rulebook, a ready-made character and their translations, as the system uses them.

    System.md, System/*.md      the rules
    System.zh-CN.md             the same in another language, in the same order
    Character.md                a character to start with, written like an NPC of the rulebook
    Character.zh-CN.md          the same in another language

Everything is computed from the texts; nothing is stored.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.language_tags import pick_language
from talewright.errors import Fault, SourcePlace
from talewright.kernel.system import AuthorFileReader, AuthorFiles
from talewright.systems.tabletop.character_sheets import ready_made_sheet
from talewright.systems.tabletop.rulebook import FILE, FOLDER_PATTERN, read_rulebook
from talewright.systems.tabletop.rulebook_parser.npc_templates import TemplateFinder
from talewright.systems.tabletop.rulebook_parser.rulebook_markdown import read_markdown
from talewright.systems.tabletop.rulebook_parser.rulebook_types import (
    AttributeRule,
    NpcTemplate,
    Rulebook,
    warn,
)

CHARACTER_FILE = "Character.md"

RULES_KEPT_MAX = 32
"""Rulebooks kept in memory after they were read."""

_IN_LANGUAGE = re.compile(r"(System|Character)\.([A-Za-z0-9-]{2,20})\.md")


@frozen
class TabletopRules:
    """What the author's files say."""

    book: Rulebook
    ready_made: NpcTemplate | None = None
    """The character of `Character.md`."""

    faults: tuple[Fault, ...] = ()


def keep_text(text: str, file: str) -> tuple[Json, tuple[Fault, ...]]:
    """A file as stored: a rulebook can be understood only with all its files."""
    return text, ()


READERS = tuple(
    AuthorFileReader(pattern, keep_text)
    for pattern in (FILE, FOLDER_PATTERN, "System.*.md", CHARACTER_FILE, "Character.*.md")
)


def rules_of(files: AuthorFiles) -> TabletopRules | None:
    """The rules in these files; None if there is no rulebook and the game is pure narrative."""
    return _read_rules(tuple(_texts(files)))


def faults_of(files: AuthorFiles) -> tuple[Fault, ...]:
    """Everything wrong in these files; none of it stops a game from loading."""
    rules = rules_of(files)
    if rules is None:
        return ()
    faults = list(rules.faults)
    for name, text in sorted(files.items()):
        found = _IN_LANGUAGE.fullmatch(name)
        other = read_rulebook({name: str(text)})[0] if found and found[1] == "System" else None
        faults += [] if other is None else _compare(rules.book, other)
    return tuple(faults)


def _compare(book: Rulebook, other: Rulebook) -> Iterable[Fault]:
    """Warn about a translation that does not list the same things, since names are paired by their order."""
    parts = {
        "attributes": (book.attributes, other.attributes),
        "skills": (book.skills, other.skills),
        "templates": (book.templates, other.templates),
    }
    for what, (ours, theirs) in parts.items():
        if len(ours) != len(theirs):
            message = f"{len(theirs)} {what} were found here, {len(ours)} in the rulebook; none is translated"
            hint = f"Write all {what} of the rulebook, in the same order."
            yield warn("rules-translation", message, SourcePlace(other.files[0]), hint)


def _texts(files: AuthorFiles) -> Iterable[tuple[str, str]]:
    """The files in the author's own language."""
    return (
        (name, text)
        for name, text in sorted(files.items())
        if isinstance(text, str) and not _IN_LANGUAGE.fullmatch(name)
    )


@lru_cache(RULES_KEPT_MAX)
def _read_rules(texts: tuple[tuple[str, str], ...]) -> TabletopRules | None:
    # `System.md` comes before the files of the folder, which add to it.
    rules = sorted((name for name, _ in texts if name != CHARACTER_FILE), key=lambda name: name != FILE)
    by_name = dict(texts)
    book, faults = read_rulebook({name: by_name[name] for name in rules})
    if book is None:
        return None
    if CHARACTER_FILE not in by_name:
        return TabletopRules(book, None, faults)
    character, more = _read_character(by_name[CHARACTER_FILE], CHARACTER_FILE, book.attributes)
    return TabletopRules(book, character, (*faults, *more))


def _read_character(
    text: str, file: str, attributes: tuple[AttributeRule, ...]
) -> tuple[NpcTemplate | None, tuple[Fault, ...]]:
    warnings: list[Fault] = []
    finder = TemplateFinder(attributes, warnings)
    for section in read_markdown(text, file).children:
        if finder.read_stray(section):
            return next(iter(finder.templates.values())), tuple(warnings)
    message = "no character was found here; the game starts without one"
    hint = "Write a heading with the name, and below it lines like `- HP: 12` and `- Stats: STR 14, DEX 12`."
    return None, (*warnings, warn("rules-character", message, SourcePlace(file), hint))


@frozen
class TabletopLabels:
    """The names of the rules in a language."""

    attributes: Mapping[str, str]
    skills: Mapping[str, str]
    creatures: Mapping[str, str]
    """Templates, and the ready-made character."""

    things: Mapping[str, str]
    """Attacks, items and kinds of damage."""

    def creature(self, name: str, template: str) -> str:
        """The name of an NPC; one named after its template, such as `Goblin 2`, is translated."""
        if template and name.startswith(template):
            return _join_number(self.creatures.get(template, template), name[len(template) :])
        return self.creatures.get(name, name)

    def thing(self, name: str) -> str:
        """The name of an attack or an item."""
        return self.things.get(name, name)


_HEAVENLY_STEMS = "甲乙丙丁戊己庚辛壬癸"
"""How Chinese distinguishes people with the same name; digits next to its characters read badly."""


def _join_number(name: str, rest: str) -> str:
    """A name and its remainder, such as a number."""
    number = rest.strip()
    if name[-1:] >= "\u4e00" and number.isdecimal() and 1 <= int(number) <= len(_HEAVENLY_STEMS):
        return name + _HEAVENLY_STEMS[int(number) - 1]
    return name + rest


def labels_of(files: AuthorFiles, language: str) -> TabletopLabels:
    """The names in a language, if the author has translated the rulebook; otherwise as they are."""
    translated = {
        found[2]: name
        for name in sorted(files)
        if (found := _IN_LANGUAGE.fullmatch(name)) and found[1] == "System"
    }
    chosen = pick_language(language, translated)
    names = (f"System.{chosen}.md", f"Character.{chosen}.md")
    texts = tuple((name, str(files[name])) for name in names if name in files)
    return _read_labels(tuple(_texts(files)), texts)


@lru_cache(RULES_KEPT_MAX)
def _read_labels(
    texts: tuple[tuple[str, str], ...], translated: tuple[tuple[str, str], ...]
) -> TabletopLabels:
    rules = _read_rules(texts)
    assert rules is not None, "only a game with a rulebook has names"
    renamed = {FILE if name.startswith("System") else CHARACTER_FILE: text for name, text in translated}
    other = _read_rules(tuple(sorted(renamed.items()))) if FILE in renamed else None
    book = rules.book
    attributes = {one.key: one.name for one in book.attributes}
    if other is None:
        return TabletopLabels(attributes, {}, {}, {})
    same = len(book.templates) == len(other.book.templates)
    creatures = [*zip(book.templates, other.book.templates, strict=True)] if same else []
    if rules.ready_made is not None and other.ready_made is not None:
        creatures.append((rules.ready_made, other.ready_made))
    named = [one.name for one in other.book.attributes]
    return TabletopLabels(
        {**attributes, **_pair([one.key for one in book.attributes], named)},
        _pair([one.name for one in book.skills], [one.name for one in other.book.skills]),
        {one.name: two.name for one, two in creatures},
        {name: shown for one, two in creatures for name, shown in _pair_things(one, two).items()},
    )


def _pair_things(one: NpcTemplate, other: NpcTemplate) -> dict[str, str]:
    attacks = _pair([each.name for each in one.attacks], [each.name for each in other.attacks])
    loot = [
        [item.name for item in template.reward.loot] if template.reward else [] for template in (one, other)
    ]
    carried = [[item.name for item in ready_made_sheet(each).inventory] for each in (one, other)]
    kinds = [
        [roll.kind for attack in template.attacks for roll in attack.damage if roll.kind]
        for template in (one, other)
    ]
    return {**attacks, **_pair(*loot), **_pair(*carried), **_pair(*kinds)}


def _pair(names: list[str], shown: list[str]) -> dict[str, str]:
    """Names with their translations, which are in the same order; nothing if one is missing."""
    return dict(zip(names, shown, strict=True)) if len(names) == len(shown) else {}
