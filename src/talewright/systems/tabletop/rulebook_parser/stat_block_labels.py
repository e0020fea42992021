"""Stat block labels: the words before the numbers of an NPC, and how a line is cut at them.

`HP: 7, AC: 15` is two fields on one line, and so is `**HP** 7 | **AC** 15`. Labels in brackets do not count.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from talewright.common.frozen_values import frozen
from talewright.errors import SourcePlace
from talewright.systems.tabletop.rulebook_parser.character_traits import CLASSIC
from talewright.systems.tabletop.rulebook_parser.rulebook_markdown import strip_marks
from talewright.systems.tabletop.rulebook_parser.rulebook_types import AttributeRule


class StatField(Enum):
    """The fields of a stat block."""

    HP = "HP"
    AC = "AC"
    STATS = "stats"
    STAT = "stat"
    """One attribute, whose name is the label."""

    ATTACK = "attack"
    DAMAGE = "damage"
    SKILLS = "skills"
    REWARD = "reward"
    XP = "xp"
    LOOT = "loot"
    FLAG = "flag"
    OTHER = "other"
    """Any other label, at the start of a line."""


_LABELS = {
    StatField.HP: (
        "hit points|hitpoints|hp|health points|health|wounds|vitality|stress|"
        "生命值|生命点|生命|血量|体力值|压力"
    ),
    StatField.AC: (
        "armor class|armour class|ac|armor|armour|defense|defence|护甲等级|护甲值|护甲|防御等级|防御值|防御"
    ),
    StatField.STATS: (
        "stats|attributes|abilities|ability scores|approaches|characteristics|属性值|属性|能力值|行事风格"
    ),
    StatField.ATTACK: (
        "melee attack|ranged attack|attack|attacks|weapon|weapons|melee|ranged|actions|"
        "近战攻击|远程攻击|攻击方式|攻击|武器|近战|远程"
    ),
    StatField.DAMAGE: "damage|harm|伤害",
    StatField.SKILLS: "skill|skills|技能",
    StatField.REWARD: "reward|rewards|challenge rating|challenge|cr|奖励|报酬",
    StatField.XP: "xp|experience points|experience|exp|经验值|经验",
    StatField.LOOT: "loot|treasure|drop|drops|掉落物|掉落|战利品",
    StatField.FLAG: "story flag|storyflag|flag|剧情标记|剧情",
}
_FIELDS = {word: field for field, words in _LABELS.items() for word in words.split("|")}
_QUIET = frozenset({StatField.SKILLS, StatField.ATTACK, StatField.REWARD, StatField.LOOT})
"""Fields whose values may contain the names of attributes."""

_OTHER = re.compile(r"([^:.,;()0-9]{1,30}):\s*(?=\S)")
_NUMBER_FIRST = re.compile(r"^([0-9]{1,6}) ?(?:hp|hit points)(?![A-Za-z])(?! ?[:=])", re.IGNORECASE)
_BOLD = re.compile(r"(?:\*{1,3}|__)([^*_]{1,60})(?:\*{1,3}|__)")


@frozen
class FieldText:
    """One field of a stat block as written."""

    field: StatField
    label: str
    value: str
    place: SourcePlace


class LabelReader:
    """Cuts lines at their labels; the attributes of the rulebook are labels, too."""

    def __init__(self, attributes: Sequence[AttributeRule]) -> None:
        words = {*CLASSIC, *(name for names in CLASSIC.values() for name in names)}
        words |= {word for one in attributes for word in (one.name, one.short) if word}
        self._fields = {word.casefold(): StatField.STAT for word in words} | _FIELDS
        written = sorted(self._fields, key=len, reverse=True)
        latin = "|".join(re.escape(word) for word in written if word.isascii())
        other = "|".join(re.escape(word) for word in written if not word.isascii())
        # A label is followed by a colon, or else by a number.
        self._label = re.compile(
            rf"(?:(?<![A-Za-z])(?P<latin>{latin})(?![A-Za-z])|(?P<other>{other}))(?:\s?\([A-Za-z]{{2,10}}\))?"
            r"(?:\s{0,3}[:=]\s{0,3}|\.\s(?=[+-]?[0-9])|\s{0,3}(?=[+-]?[0-9]|d[0-9]))",
            re.IGNORECASE,
        )

    def field_of(self, text: str) -> StatField | None:
        """The field that a cell or a heading names as a whole."""
        return self._fields.get(strip_marks(text).strip(" .:").casefold())

    def cut(self, raw: str, place: SourcePlace) -> tuple[str, list[FieldText]]:
        """The text before the first label, and the fields of a line."""
        text = _NUMBER_FIRST.sub(r"HP: \1", strip_marks(raw))
        marks = list(self._find(text))
        if not marks:
            return self._cut_other(raw, text, place)
        before = text[: marks[0][0]].strip(" ,;|-./、")
        fields = []
        for (_, end, field, label), following in zip(
            marks, [*(mark[0] for mark in marks[1:]), len(text)], strict=True
        ):
            value = text[end:following].strip().strip(",;|、/").strip()
            fields.append(FieldText(field, label, value, place))
        return before, fields

    def _find(self, text: str) -> Iterator[tuple[int, int, StatField, str]]:
        depths = _depths(text)
        current: StatField | None = None
        for match in self._label.finditer(text):
            if depths[match.start()]:
                continue
            label = match["latin"] or match["other"]
            field = self._fields[label.casefold()]
            quiet = field is StatField.STAT and current in _QUIET
            inner = field in (StatField.DAMAGE, StatField.ATTACK) and current is StatField.ATTACK
            points = field in (StatField.XP, StatField.FLAG) and current is StatField.REWARD
            if quiet or points or inner:
                continue
            current = field
            yield match.start(), match.end(), field, label

    def _cut_other(self, raw: str, text: str, place: SourcePlace) -> tuple[str, list[FieldText]]:
        bold = _BOLD.match(raw)
        if bold and (rest := strip_marks(raw[bold.end() :]).lstrip(" .:")):
            label = bold[1].strip(" .:")
            field = self.field_of(label) or StatField.OTHER
            return "", [FieldText(field, label, rest, place)]
        found = _OTHER.match(text)
        if found is None:
            return text, []
        return "", [FieldText(StatField.OTHER, found[1].strip(), text[found.end() :].strip(), place)]


def _depths(text: str) -> list[int]:
    """For every character, how many brackets it is inside."""
    depth, depths = 0, []
    for sign in text:
        if sign in ")]":
            depth = max(0, depth - 1)
        depths.append(depth)
        if sign in "([":
            depth += 1
    return depths


def has_label(fields: Iterable[FieldText], *wanted: StatField) -> bool:
    """Whether one of the fields is among those wanted."""
    return any(one.field in wanted for one in fields)
