"""Section kinds: what a section is about, by the words of its heading in English or Chinese.

The last such word counts, which is right in both languages: `Combat Skills` are skills.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache

from talewright.systems.tabletop.rulebook_parser.rulebook_markdown import LineKind, RulebookSection


class SectionKind(StrEnum):
    """The sections that are read for patterns."""

    DICE = "dice"
    ATTRIBUTES = "attributes"
    SKILLS = "skills"
    COMBAT = "combat"
    NPCS = "npcs"


HEADING_WORDS = {
    SectionKind.DICE: (
        "dice|die|core mechanics?|basic mechanics?|core rules?|basic rules?|resolution|rolls?|rolling|"
        "checks?|tests?|the ladder|骰子|骰|掷骰|检定|判定|核心机制|核心规则|基本规则|基础规则"
    ),
    SectionKind.ATTRIBUTES: (
        "attributes?|ability scores?|"
        "(?<!special )(?<!class )(?<!magic )(?<![a-z])abilities|stats|statistics|characteristics|approaches|"
        "属性|能力值|特征值|"
        "行事风格|风格"
    ),
    SectionKind.SKILLS: (
        "skills?|proficiencies|talents|basic moves|moves|技能|专长|本领|擅长|行动招式|招式|动作"
    ),
    SectionKind.COMBAT: (
        "combat|fighting|fights?|battles?|conflicts?|violence|initiative|turn order|"
        "战斗|冲突|交战|先攻|战斗轮"
    ),
    SectionKind.NPCS: (
        "npcs?|npc templates?|templates?|bestiary|monsters?|monster manual|creatures?|enemies|adversaries|"
        "foes|opponents|antagonists|threats|stat blocks?|怪物|敌人|图鉴|模板|生物|对手|反派|怪兽|敌手|配角"
    ),
}
"""The words of headings; an expression for each kind."""

_WORDS = {
    kind: re.compile(
        "|".join(
            rf"(?<![a-z]){word}(?![a-z])" if re.match("[a-z]", word) else word
            for word in sorted(words.split("|"), key=len, reverse=True)
        )
    )
    for kind, words in HEADING_WORDS.items()
}
_JOINED = re.compile(r"&|/|,|\+|(?<![a-z])and(?![a-z])|与|和|及|、")


@lru_cache(4096)
def kinds_of(heading: str) -> frozenset[SectionKind]:
    """What a heading announces: one kind, several if it joins them, or none."""
    plain = heading.casefold()
    found = {kind: [match.end() for match in words.finditer(plain)] for kind, words in _WORDS.items()}
    ends = {kind: max(places) for kind, places in found.items() if places}
    if len(ends) > 1 and _JOINED.search(plain):
        return frozenset(kind for part in _JOINED.split(plain) for kind in kinds_of(part))
    last = max(ends.values(), default=0)
    return frozenset(kind for kind, end in ends.items() if end == last)


def sections_of(root: RulebookSection) -> Iterator[tuple[RulebookSection, frozenset[SectionKind]]]:
    """The sections with their kinds, in order; those without a kind are prose, or the stats of an NPC."""
    yield from _split_labels(_own_part(root))
    for section in root.children:
        kinds = kinds_of(section.heading)
        # A title may be called `Dice & Daggers`: it is about the whole book.
        is_title = section.level == 1 and len(root.children) == 1 and _has_kinds_below(section)
        if is_title or (not kinds and not is_stat_block(section) and _has_kinds_below(section)):
            yield from sections_of(section)
        elif not kinds:
            yield from _split_labels(section)
        else:
            apart = [child for child in section.children if _is_apart(kinds, kinds_of(child.heading))]
            kept = [child for child in section.children if child not in apart]
            yield RulebookSection(section.heading, section.level, section.place, section.lines, kept), kinds
            for child in apart:
                yield from sections_of(RulebookSection("", 0, child.place, [], [child, _end(child)]))


def is_stat_block(section: RulebookSection) -> bool:
    """Whether this looks like a character with hit points, whose subsections may be called `Skills`."""
    return any(_HIT_POINTS.search(line.text) for line in section.lines)


def _own_part(section: RulebookSection) -> RulebookSection:
    return RulebookSection(section.heading, section.level, section.place, section.lines)


def _end(section: RulebookSection) -> RulebookSection:
    """An empty neighbour, so that a section on its own is not taken for a title."""
    return RulebookSection("", section.level, section.place)


def _has_kinds_below(section: RulebookSection) -> bool:
    return any(kinds_of(child.heading) for child in section.walk() if child is not section)


def _is_apart(kinds: frozenset[SectionKind], below: frozenset[SectionKind]) -> bool:
    """Whether a subsection has its own subject. For example, skills may be grouped under `Combat`."""
    return bool(below - kinds) and kinds <= {SectionKind.DICE, SectionKind.ATTRIBUTES}


def _split_labels(section: RulebookSection) -> Iterator[tuple[RulebookSection, frozenset[SectionKind]]]:
    """A section without a kind. In a book without headings, a line such as `Attributes: ...` is one."""
    if is_stat_block(section):
        yield section, frozenset()
        return
    rest = RulebookSection(section.heading, section.level, section.place, [], section.children)
    labelled: list[tuple[RulebookSection, frozenset[SectionKind]]] = []
    within: RulebookSection | None = None
    for line in section.lines:
        label = _LABEL.match(line.text)
        kinds = kinds_of(label[1]) if label and line.kind is not LineKind.ROW else frozenset()
        if label and kinds:
            within = RulebookSection(label[1], section.level + 1, line.place)
            text = line.text[label.end() :]
            kind = LineKind.TEXT if text else LineKind.BLANK
            within.lines.append(replace(line, kind=kind, raw=text, indent=0))
            labelled.append((within, kinds))
        elif within is not None and line.kind in (LineKind.BULLET, LineKind.ROW):
            within.lines.append(line)
        else:
            within = None
            rest.lines.append(line)
    if rest.lines or rest.children or rest.heading:
        yield rest, frozenset()
    yield from labelled


_HIT_POINTS = re.compile(r"(?<![a-z])(?:hp|hit points|health)(?![a-z])|生命值|生命|血量", re.IGNORECASE)
_LABEL = re.compile(r"([^:。.]{2,24}):\s*")
