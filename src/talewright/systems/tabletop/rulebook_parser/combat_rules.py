"""Combat rules: which dice a rulebook uses, how it decides checks, and what it says about fights.

Everything else in these sections is prose.
"""

import re
from collections.abc import Iterable, Sequence

from talewright.errors import Fault, SourcePlace
from talewright.kernel.dice.dice_tree import DEFAULT_LIMITS
from talewright.systems.tabletop.checks import CheckRule
from talewright.systems.tabletop.initiative import CombatStructure
from talewright.systems.tabletop.rulebook_parser.character_traits import CLASSIC, find_attribute
from talewright.systems.tabletop.rulebook_parser.rulebook_markdown import (
    RulebookLine,
    RulebookSection,
    simplify,
)
from talewright.systems.tabletop.rulebook_parser.rulebook_types import (
    AttributeRule,
    CombatNote,
    CombatRules,
    warn,
)

COMBAT_NOTES_MAX = 100
"""Rules of combat that are recognised; the others are still in the text."""

_DIE = re.compile(r"(?<![A-Za-z0-9])[0-9]{0,3}[dD]([0-9]{1,6}|%|[fF])(?![A-Za-z0-9])")
_SIDED = re.compile(r"([0-9]{1,3}|[A-Za-z]{3,9})[- ]sided|([0-9]{1,3}|[一二三四六八十百]{1,3})面骰")
_SIDES = {
    "four": 4,
    "six": 6,
    "eight": 8,
    "ten": 10,
    "twelve": 12,
    "twenty": 20,
    "hundred": 100,
    "四": 4,
    "六": 6,
    "八": 8,
    "十": 10,
    "十二": 12,
    "二十": 20,
    "百": 100,
    "一百": 100,
}
_FATE_DICE = re.compile(r"\b(?:fate|fudge) dic?e\b|命运骰|fudge骰", re.IGNORECASE)
_PERCENTILE = re.compile(r"percentile|百分骰", re.IGNORECASE)
_TWO_D6 = re.compile(r"(?<![0-9])2 ?d ?6(?![0-9])|two six-sided|two d6|两个六面骰|两颗六面骰", re.IGNORECASE)
_BANDS = re.compile(
    r"(?<![0-9])7 ?(?:-|~|to|到|至) ?9(?![0-9])|(?<![0-9])10 ?\+|pbta|powered by the apocalypse",
    re.IGNORECASE,
)
_D20 = re.compile(r"(?<![0-9A-Za-z])1? ?d ?20(?![0-9])|twenty-sided|二十面骰|20面骰", re.IGNORECASE)
_UNDER = re.compile(
    r"roll(?:ing|s)?[^.]{0,30}\b(?:under|below|or less|or lower)|equal to or (?:under|below|lower|less)|"
    r"小于等于|小于或等于|不高于|低于或等于|不超过",
    re.IGNORECASE,
)

_TOPICS = {
    "zero_hp": r"\b(?:0|zero) (?:hp|hit points|health)|\bat 0\b|"
    r"taken out|\bdeath\b|\bdies\b|\bdying\b|incapacitated|"
    r"生命[值]?[^,。]{0,6}(?:0|零|归零)|hp ?归|死亡|倒下|昏迷|失去战斗力|出局",
    "initiative": r"initiative|turn order|in order of|highest first|act first|goes first|先攻|行动顺序|先手",
    "actions": r"actions?\b[^.]{0,20}\bturn|\bper turn|(?:each|your|a|every) turn|"
    r"每回合|每轮|一个动作|行动一次",
    "damage": r"damage|\bharm\b|\bstress\b|伤害|压力",
    "attack": r"attack|to hit|\bhits?\b|攻击|命中",
}
_TOPIC_PATTERNS = {topic: re.compile(words, re.IGNORECASE) for topic, words in _TOPICS.items()}
_HYBRID = re.compile(r"\bhybrid\b|混合制|混合", re.IGNORECASE)
_NARRATIVE = re.compile(
    r"\bno initiative|\bno turn order|\bnarrative(?:ly)?\b|no turns|without initiative|follow the fiction|"
    r"叙事|没有先攻|无先攻|不分先后|没有回合",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"turn-based|turn based|\bexchange|in the order|in order of|\binitiative\b|\brounds?\b|\bturns?\b|"
    r"回合|先攻|轮流",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"(?<=[.!?]) +|(?<=[。！？])")
_EXPRESSION = re.compile(r"(?<![A-Za-z0-9])([0-9]{0,3}[dD](?:[0-9]{1,4}|[fF]|%))(?![A-Za-z0-9])")
_WORD = re.compile(r"[A-Za-z]{2,20}|[\u4e00-\u9fff]{2,4}")


def read_dice(lines: Iterable[RulebookLine], warnings: list[Fault]) -> tuple[str, ...]:
    """All dice that the lines name, small ones first, Fate dice last."""
    sides: set[int] = set()
    fate = False
    for line in lines:
        text = line.text
        fate = fate or _FATE_DICE.search(text) is not None
        if _PERCENTILE.search(text):
            sides.add(100)
        for die in _DIE.finditer(text):
            if die[1] in "fF":
                fate = True
            else:
                _add_die(100 if die[1] == "%" else int(die[1]), die[0], line.place, sides, warnings)
        for sided in _SIDED.finditer(text):
            word = (sided[1] or sided[2]).casefold()
            number = int(word) if word.isdecimal() else _SIDES.get(word)
            if number is not None:
                _add_die(number, sided[0], line.place, sides, warnings)
    return (*(f"d{number}" for number in sorted(sides)), *(["dF"] if fate else []))


def _add_die(number: int, text: str, place: SourcePlace, sides: set[int], warnings: list[Fault]) -> None:
    if 2 <= number <= DEFAULT_LIMITS.sides:
        sides.add(number)
    else:
        message = f"`{text}` is no die: a die has 2 to {DEFAULT_LIMITS.sides} sides"
        warnings.append(warn("rules-die", message, place, "Write dice like `d6`, `2d6`, `d%` or `4dF`."))


def read_check(lines: Sequence[RulebookLine]) -> tuple[CheckRule, SourcePlace | None]:
    """How checks are decided, and where the rulebook says so."""
    whole = " ".join(line.text for line in lines)
    if _UNDER.search(whole):
        return CheckRule.OTHER, None
    for line in lines:
        text = line.text
        if re.search(r"(?<![A-Za-z0-9])[0-9]?d[fF](?![A-Za-z])", text) or _FATE_DICE.search(text):
            return CheckRule.FATE, line.place
        if _TWO_D6.search(text) and _BANDS.search(whole):
            return CheckRule.PBTA, line.place
        if _D20.search(text):
            return CheckRule.D20, line.place
    return CheckRule.OTHER, None


def read_combat(
    sections: Sequence[RulebookSection],
    attributes: Sequence[AttributeRule],
    check: CheckRule,
) -> CombatRules | None:
    """What all sections about combat say; None if there is none."""
    if not sections:
        return None
    notes: list[CombatNote] = []
    text = ""
    for section in sections:
        for part in section.walk():
            for line in part.lines:
                text += f" {line.text}"
                notes += _read_notes(line, part.heading if part is not section else "")
    notes = notes[:COMBAT_NOTES_MAX]
    dice, attribute = _read_initiative(notes, attributes)
    headings = " ".join(part.heading for section in sections for part in section.walk())
    structure = _read_structure(f"{headings} {text}", check)
    return CombatRules(structure, sections[0].place, dice, attribute, tuple(notes))


def _read_notes(line: RulebookLine, heading: str) -> list[CombatNote]:
    notes = []
    for sentence in _SENTENCES.split(line.text):
        for topic, pattern in _TOPIC_PATTERNS.items():
            if pattern.search(sentence):
                notes.append(CombatNote(topic, line.restore(sentence.strip()), line.place))
                break
        else:
            topic = next((one for one, pattern in _TOPIC_PATTERNS.items() if pattern.search(heading)), "")
            if topic and sentence.strip():
                notes.append(CombatNote(topic, line.restore(sentence.strip()), line.place))
    return notes


def _read_initiative(notes: Iterable[CombatNote], attributes: Sequence[AttributeRule]) -> tuple[str, str]:
    for note in notes:
        text = simplify(note.text)
        found = _EXPRESSION.search(text)
        if note.topic == "initiative" and found:
            for word in _WORD.findall(text[found.end() :]):
                attribute = _find_within(attributes, word)
                if attribute:
                    return found[1], attribute
            return found[1], ""
    return "", ""


def _find_within(attributes: Sequence[AttributeRule], word: str) -> str:
    found = find_attribute(attributes, word)
    if found is None:
        # Chinese words are not separated: `敏捷调` begins with an attribute.
        found = next((one for one in attributes if not one.name.isascii() and one.name in word), None)
    if found is None and not attributes and word in CLASSIC:
        return word
    return found.key if found else ""


def _read_structure(text: str, check: CheckRule) -> CombatStructure:
    if _HYBRID.search(text):
        return CombatStructure.HYBRID
    if _NARRATIVE.search(text):
        return CombatStructure.NARRATIVE
    if _TURNS.search(text) or check is CheckRule.D20:
        return CombatStructure.TURN_BASED
    return CombatStructure.NARRATIVE
