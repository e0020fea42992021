"""The rulebook: what the engine understands of `System.md`, or of the files in `System/`.

Rulebooks are prose for the narrator. Sections are found by their headings, in English or Chinese. Known
patterns become data, and the rest stays prose. Nothing in a rulebook stops a game from loading.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from talewright.errors import Fault, SourcePlace
from talewright.systems.tabletop.checks import CheckRule, ModifierRule
from talewright.systems.tabletop.rulebook_parser.character_traits import (
    CLASSIC,
    read_attributes,
    read_skills,
)
from talewright.systems.tabletop.rulebook_parser.combat_rules import read_check, read_combat, read_dice
from talewright.systems.tabletop.rulebook_parser.npc_templates import TemplateFinder
from talewright.systems.tabletop.rulebook_parser.rulebook_markdown import (
    RulebookLine,
    RulebookSection,
    read_markdown,
)
from talewright.systems.tabletop.rulebook_parser.rulebook_types import (
    AttributeRule,
    NpcTemplate,
    ProseSection,
    Rulebook,
    tell_save,
    warn,
)
from talewright.systems.tabletop.rulebook_parser.section_kinds import SectionKind, sections_of

FILE = "System.md"
FOLDER_PATTERN = "System/*.md"

LENGTH_MAX = 200_000
"""Characters of all files that are searched for patterns; the rest is prose."""

WARNINGS_MAX = 200
"""Warnings about one rulebook."""

RATING_MAX = 12
"""Attributes with larger values than this are scores, whose modifier is computed."""

_FORMULA = re.compile(r"- ?10\)? ?(?:/|÷) ?2|half[^.]{0,40}(?:above|over|minus) 10|减 ?(?:去 ?)?10")
"""Signs that a rulebook computes modifiers from scores."""


def read_rulebook(files: Mapping[str, str]) -> tuple[Rulebook | None, tuple[Fault, ...]]:
    """The rulebook in the text of these files, with warnings. Without files the game is pure narrative."""
    if not files:
        return None, ()
    warnings: list[Fault] = []
    roots = _read_files(files, warnings)
    sections = [pair for root in roots for pair in sections_of(root)]
    by_kind = {kind: [section for section, kinds in sections if kind in kinds] for kind in SectionKind}
    lines = [line for root in roots for line in root.all_lines()]
    dice_lines = [line for section in by_kind[SectionKind.DICE] for line in section.all_lines()]
    dice = read_dice(lines, warnings)
    check, check_place = read_check(dice_lines)
    if check is CheckRule.OTHER and not any("d" in line.text.casefold() for line in dice_lines):
        check, check_place = read_check(lines)
    attributes = read_attributes(by_kind[SectionKind.ATTRIBUTES], warnings)
    skills = read_skills(by_kind[SectionKind.SKILLS], attributes, warnings)
    finder = TemplateFinder(attributes, warnings)
    finder.read(by_kind[SectionKind.NPCS])
    prose = [
        ProseSection(section.heading, section.place)
        for section, kinds in sections
        if not kinds and section.heading and not finder.read_stray(section)
    ]
    templates = tuple(finder.templates.values())
    if check is not CheckRule.D20:
        # Only a d20 is rolled against a difficulty.
        templates = tuple(map(_leave_saves, templates))
    written = {line.place: line for line in lines}
    book = Rulebook(
        title=_find_title(roots),
        files=tuple(files),
        text="\n\n".join(files.values()),
        dice=dice,
        dice_place=_first_place(by_kind[SectionKind.DICE]),
        check=check,
        check_place=check_place,
        modifier=_find_modifier(check, lines, attributes, templates),
        attributes=tuple(
            replace(one, meaning=_restore(one.meaning, written, one.place)) for one in attributes
        ),
        skills=tuple(replace(one, meaning=_restore(one.meaning, written, one.place)) for one in skills),
        combat=read_combat(by_kind[SectionKind.COMBAT], attributes, check),
        templates=templates,
        prose=tuple(_without_title(prose + finder.prose, roots)),
    )
    if not dice:
        message = "no dice were found; the engine decides no checks by this rulebook"
        hint = "Add a section `## Dice` that names them, such as `Roll 1d20 + modifier`."
        warnings.append(warn("rules-no-dice", message, SourcePlace(next(iter(files))), hint))
    return book, _limit(sorted(warnings, key=lambda fault: fault.place))


def _read_files(files: Mapping[str, str], warnings: list[Fault]) -> list[RulebookSection]:
    left = LENGTH_MAX
    roots = []
    for file, text in files.items():
        read = text[:left]
        left -= len(read)
        roots.append(read_markdown(read, file))
        if len(read) < len(text):
            line = read.count("\n") + 1
            message = f"only the first {LENGTH_MAX} characters are read for patterns; the rest is prose"
            warnings.append(warn("rules-long", message, SourcePlace(file, line)))
    return roots


def _restore(text: str, written: Mapping[SourcePlace, RulebookLine], place: SourcePlace) -> str:
    """A text from a line with its author's punctuation."""
    return written[place].restore(text) if place in written else text


def _leave_saves(template: NpcTemplate) -> NpcTemplate:
    """A template whose saves are left to the narrator."""
    left = (
        attack if attack.save is None else replace(attack, save=None, left=tell_save(attack.save))
        for attack in template.attacks
    )
    return replace(template, attacks=tuple(left))


def _limit(warnings: list[Fault]) -> tuple[Fault, ...]:
    """The first warnings, and how many more there are."""
    kept = warnings[: WARNINGS_MAX - 1]
    left = len(warnings) - len(kept)
    if left > 1:
        return (*kept, warn("rules-many", f"{left} more warnings are left out", kept[-1].place))
    return tuple(warnings)


def _find_title(roots: Sequence[RulebookSection]) -> str:
    first = next((section for root in roots for section in root.children), None)
    return first.heading if first and first.level == 1 else ""


def _without_title(prose: Iterable[ProseSection], roots: Sequence[RulebookSection]) -> list[ProseSection]:
    """Sections in order, without the title of a book, which is not a section of its own."""
    titles = {root.children[0].place for root in roots if root.children and root.children[0].level == 1}
    kept = {section.place: section for section in prose if section.place not in titles}
    return sorted(kept.values(), key=lambda section: section.place)


def _first_place(sections: Sequence[RulebookSection]) -> SourcePlace | None:
    return sections[0].place if sections else None


def _find_modifier(
    check: CheckRule,
    lines: Iterable[RulebookLine],
    attributes: Sequence[AttributeRule],
    templates: Sequence[NpcTemplate],
) -> ModifierRule:
    """Scores such as 14 give a modifier; ratings such as +2 are modifiers themselves."""
    if check is not CheckRule.D20:
        return ModifierRule.VALUE
    if any(_FORMULA.search(line.text) for line in lines):
        return ModifierRule.SCORE
    highest = [one.maximum for one in attributes if one.maximum is not None]
    highest += [value for template in templates for _, value in template.stats]
    if highest:
        return ModifierRule.SCORE if max(highest) > RATING_MAX else ModifierRule.VALUE
    classic = {word for short, names in CLASSIC.items() for word in (short.casefold(), *names)}
    known = any(one.name.casefold() in classic for one in attributes)
    return ModifierRule.SCORE if known else ModifierRule.VALUE
