"""Character traits: the attributes and skills of a rulebook, and how other parts of it refer to attributes.

Names are matched by name, abbreviation or, for the six classic ones, in the other language.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from talewright.errors import Fault
from talewright.systems.tabletop.rulebook_parser.rulebook_markdown import RulebookSection
from talewright.systems.tabletop.rulebook_parser.rulebook_types import AttributeRule, SkillRule, warn
from talewright.systems.tabletop.rulebook_parser.section_kinds import SectionKind, kinds_of
from talewright.systems.tabletop.rulebook_parser.trait_lines import (
    TraitLine,
    read_common_limits,
    read_limits,
    read_traits,
    split_outside_brackets,
)

ATTRIBUTES_MAX = 60
"""Attributes of one rulebook."""

SKILLS_MAX = 300
"""Skills of one rulebook."""

CLASSIC = {
    "STR": ("strength", "力量"),
    "DEX": ("dexterity", "敏捷"),
    "CON": ("constitution", "体质"),
    "INT": ("intelligence", "智力"),
    "WIS": ("wisdom", "感知"),
    "CHA": ("charisma", "魅力"),
}
"""Attributes that are recognised in any rulebook, by abbreviation."""

_SHORT = re.compile(r"[A-Za-z]{2,5}|[A-Z][A-Za-z]{0,4}")
_ROLL_PLUS = re.compile(
    r"(?:roll|rolls|rolling|掷骰|投骰|掷|投) ?(?:2d6 ?)?\+ ?([A-Za-z]{2,20}|[\u4e00-\u9fff]{1,6})",
    re.IGNORECASE,
)
_LINK_WORDS = re.compile(r"modifier|mod\b|based|check|调整值|检定|修正|属性|\+", re.IGNORECASE)
_EITHER = re.compile(r"/|,|、| or |或|;| and |&")


def read_attributes(sections: Iterable[RulebookSection], warnings: list[Fault]) -> tuple[AttributeRule, ...]:
    """The attributes of all sections about them."""
    found: dict[str, AttributeRule] = {}
    for section in sections:
        common = read_limits(section.heading) or read_common_limits(section.all_lines())
        before = len(found)
        for trait in _without_skills(list(read_traits(section))):
            attribute = _make_attribute(trait, common)
            key = attribute.name.casefold()
            if key in found:
                _warn_twice("attribute", trait, found[key].place.line, warnings)
            elif len(found) == ATTRIBUTES_MAX:
                message = (
                    f"a rulebook has at most {ATTRIBUTES_MAX} attributes; the rest is left to the narrator"
                )
                warnings.append(warn("rules-many", message, trait.place))
                break
            else:
                found[key] = attribute
        if len(found) == before:
            _warn_empty(section, "attribute", "- Strength (STR): physical power", warnings)
    return tuple(found.values())


def _without_skills(traits: Sequence[TraitLine]) -> list[TraitLine]:
    """The traits of a section with both attributes and skills, without those that belong to another one."""
    names = {trait.name.casefold() for trait in traits}
    shorts: set[str] = set()
    kept: list[TraitLine] = []
    for trait in traits:
        link = trait.bracket.casefold()
        if link in shorts or (link in names and link != trait.name.casefold()):
            continue
        if trait.group.casefold() in names:
            # A bullet below an attribute explains it.
            continue
        kept.append(trait)
        if _SHORT.fullmatch(link):
            shorts.add(link)
    return kept


def _make_attribute(trait: TraitLine, common: tuple[int, int] | None) -> AttributeRule:
    low, high = trait.limits or common or (None, None)
    short = trait.bracket.strip() if _SHORT.fullmatch(trait.bracket.strip()) else ""
    name = trait.name
    if not short and name.upper() in CLASSIC and name.isupper():
        # Written the other way round: `STR (Strength)`, or `STR: Strength`.
        words = (trait.bracket, trait.meaning.split(",")[0].split(".")[0], trait.meaning.split(" ")[0])
        full = next((word for word in words if word.strip().casefold() in CLASSIC[name]), "")
        if full:
            return AttributeRule(full.strip(), trait.place, name, low, high, trait.meaning)
    return AttributeRule(name, trait.place, short, low, high, trait.meaning)


def find_attribute(attributes: Sequence[AttributeRule], word: str) -> AttributeRule | None:
    """The attribute that a word means."""
    plain = word.strip(" .:+()[]*").casefold()
    if not plain:
        return None
    for attribute in attributes:
        if plain in (attribute.name.casefold(), attribute.short.casefold()):
            return attribute
    for short, names in CLASSIC.items():
        if plain in (short.casefold(), *names):
            same = {short.casefold(), *names}
            return next(
                (one for one in attributes if {one.name.casefold(), one.short.casefold()} & same), None
            )
    starts = [one for one in attributes if len(plain) == 3 and one.name.casefold().startswith(plain)]
    return starts[0] if len(starts) == 1 else None


def read_skills(
    sections: Iterable[RulebookSection], attributes: Sequence[AttributeRule], warnings: list[Fault]
) -> tuple[SkillRule, ...]:
    """The skills of all sections about them."""
    found: dict[str, SkillRule] = {}
    for section in sections:
        common = read_limits(section.heading) or read_common_limits(section.all_lines())
        before = len(found)
        for trait in _ungroup(read_traits(section), attributes):
            key = trait.name.casefold()
            if key in found:
                _warn_twice("skill", trait, found[key].place.line, warnings)
            elif len(found) == SKILLS_MAX:
                message = f"a rulebook has at most {SKILLS_MAX} skills; the rest is left to the narrator"
                warnings.append(warn("rules-many", message, trait.place))
                break
            else:
                found[key] = _make_skill(trait, common, attributes, warnings)
        if len(found) == before and SectionKind.ATTRIBUTES not in kinds_of(section.heading):
            _warn_empty(section, "skill", "- Stealth (DEX)", warnings)
    return tuple(found.values())


def _ungroup(traits: Iterable[TraitLine], attributes: Sequence[AttributeRule]) -> Iterable[TraitLine]:
    """Traits without those that are attributes: `Strength: Athletics, Climbing` stands for two skills."""
    traits = list(traits)
    outer = {trait.group for trait in traits}
    for trait in traits:
        attribute = find_attribute(attributes, trait.name)
        listed = [part.strip(" .。") for part in split_outside_brackets(trait.meaning, _EITHER)]
        if attribute is None:
            yield trait
        elif trait.place == attribute.place:
            continue
        elif trait.name not in outer and not trait.bracket and all(0 < len(part) <= 30 for part in listed):
            for part in listed:
                yield replace(trait, name=part, meaning="", limits=None, group=attribute.name)


def _make_skill(
    trait: TraitLine,
    common: tuple[int, int] | None,
    attributes: Sequence[AttributeRule],
    warnings: list[Fault],
) -> SkillRule:
    low, high = trait.limits or common or (None, None)
    said = trait.attribute or trait.bracket
    rolled = _ROLL_PLUS.search(f"{trait.bracket} {trait.meaning}")
    first_words = re.split(r"[,;.。(]", trait.meaning)[0]
    options = [said, rolled[1] if rolled else "", first_words, *trait.bracket.split(), trait.group]
    for option in options:
        for word in _EITHER.split(option):
            attribute = find_attribute(attributes, _LINK_WORDS.sub("", word))
            if attribute is not None:
                return SkillRule(trait.name, trait.place, attribute.key, low, high, trait.meaning)
    named = said if trait.attribute or _SHORT.fullmatch(said) else (rolled[1] if rolled else "")
    if named and attributes:
        keys = ", ".join(one.key for one in attributes)
        message = f"the skill `{trait.name}` names the attribute `{named}`, which this rulebook does not have"
        warnings.append(warn("rules-attribute", message, trait.place, f"Its attributes are {keys}."))
        named = ""
    return SkillRule(trait.name, trait.place, named, low, high, trait.meaning)


def _warn_twice(what: str, trait: TraitLine, line: int, warnings: list[Fault]) -> None:
    message = f"the {what} `{trait.name}` is already defined in line {line}; the first one counts"
    warnings.append(warn("rules-twice", message, trait.place, "Delete or rename one of the two."))


def _warn_empty(section: RulebookSection, what: str, example: str, warnings: list[Fault]) -> None:
    message = f"no {what} was found in the section `{section.heading}`; it is left to the narrator"
    warnings.append(warn("rules-empty", message, section.place, f"Write each like `{example}`."))
