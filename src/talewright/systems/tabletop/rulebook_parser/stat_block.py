"""Stat blocks: the fields of one NPC, from lines, bullets and tables in any order.

A number that cannot be read is a warning; a line without a label is part of the description.
"""

import re
from collections.abc import Iterator, Sequence

from talewright.errors import Fault
from talewright.kernel.dice.dice_parser import parse
from talewright.kernel.dice.dice_tree import DiceError
from talewright.systems.tabletop.damage import HIT_POINTS_MAX
from talewright.systems.tabletop.rulebook_parser.character_traits import find_attribute
from talewright.systems.tabletop.rulebook_parser.npc_lines import (
    ATTACKS_MAX,
    join_rewards,
    read_attacks,
    read_damage,
    read_reward,
    read_save,
    read_xp,
)
from talewright.systems.tabletop.rulebook_parser.rulebook_markdown import (
    LineKind,
    RulebookLine,
    RulebookSection,
    strip_marks,
)
from talewright.systems.tabletop.rulebook_parser.rulebook_types import (
    AttributeRule,
    NpcAttack,
    NpcReward,
    NpcTemplate,
    warn,
)
from talewright.systems.tabletop.rulebook_parser.stat_block_labels import (
    FieldText,
    LabelReader,
    StatField,
    has_label,
)

TRAITS_MAX = 40
"""Further labels of one template."""

DESCRIPTION_LENGTH_MAX = 2_000
"""Characters of a template's description."""

_NUMBER = re.compile(r"(?<![0-9dD.])[+-]?[0-9]{1,6}(?![0-9dD])")
_DICE = re.compile(r"[0-9]{0,3}[dD][0-9]{1,4}(?: ?[+-] ?[0-9]{1,3})?")
_BOXES = re.compile(r"[\u2610\u25a1\u25a2\u25cb]|\[ ?\]")
_PAIR = re.compile(
    r"([A-Za-z][A-Za-z' ]{0,28}[A-Za-z]|[\u4e00-\u9fff]{1,8}) ?[:=]? ?"
    r"([+-]?[0-9]{1,4})(?![0-9dD])(?: ?\([+-]?[0-9]{1,2}\))?"
)
_NUMBER_FIRST = re.compile(
    r"(?:^|[,;、(] ?)([+-][0-9]{1,3})\)? (?:to )?([A-Za-z][A-Za-z' ]{1,28}|[\u4e00-\u9fff]{1,8})"
)
_TO_HIT = re.compile(r"[+-][0-9]{1,3} ?to hit|(?:weapon|spell) attack|命中", re.IGNORECASE)
_BOLD = re.compile(r"(?:\*{1,3}|__)([^*_]{1,60})(?:\*{1,3}|__)")


class StatBlockReader:
    """Reads the stat blocks of one rulebook."""

    def __init__(self, attributes: Sequence[AttributeRule], warnings: list[Fault]) -> None:
        self.labels = LabelReader(attributes)
        self._attributes = attributes
        self._warnings = warnings

    def count_fields(self, section: RulebookSection) -> int:
        """How many known fields a section has."""
        return sum(one.field is not StatField.OTHER for one in self._fields(section))

    def has_hp(self, section: RulebookSection) -> bool:
        """Whether it or a section below it gives hit points."""
        return has_label(self._fields(section), StatField.HP)

    def has_hp_line(self, section: RulebookSection) -> bool:
        """Whether a line of it begins with hit points, or with another field: then it is one stat block."""
        return any(
            fields and not before and fields[0].field is not StatField.OTHER
            for line in section.lines
            if line.kind in (LineKind.TEXT, LineKind.BULLET)
            for before, fields in [self.labels.cut(line.raw, line.place)]
        )

    def read(self, name: str, section: RulebookSection) -> NpcTemplate:
        """One template."""
        fields = list(self._fields(section))
        hp, hp_dice = self._read_hp(name, section, fields)
        ac, ac_note = self._read_ac(name, fields)
        description = " ".join(self._describe(section))[:DESCRIPTION_LENGTH_MAX]
        traits = tuple((one.label, one.value) for one in fields if one.field is StatField.OTHER)
        return NpcTemplate(
            name,
            section.place,
            description,
            hp,
            hp_dice,
            ac,
            ac_note,
            self._read_stats(name, fields),
            self._read_skills(name, fields),
            self._read_attacks(fields),
            _read_rewards(fields),
            traits[:TRAITS_MAX],
        )

    def _fields(self, section: RulebookSection) -> Iterator[FieldText]:
        for part in section.walk():
            heading = self.labels.field_of(part.heading) if part is not section else None
            header: tuple[str, ...] = ()
            for line in part.lines:
                if line.kind is LineKind.ROW:
                    header, fields = self._read_row(header, line)
                    yield from fields
                elif line.raw:
                    yield from self._read_line(line, heading)

    def _read_line(self, line: RulebookLine, heading: StatField | None) -> list[FieldText]:
        bold = _BOLD.match(line.raw)
        text = strip_marks(line.raw)
        if bold and _TO_HIT.search(text):
            label = bold[1].strip(" .:")
            if self.labels.field_of(label) is None:
                rest = strip_marks(line.raw[bold.end() :])
                return [FieldText(StatField.ATTACK, label, rest, line.place)]
        before, fields = self.labels.cut(line.raw, line.place)
        if heading is StatField.ATTACK and not has_label(fields, StatField.ATTACK) and read_damage(text):
            return [FieldText(heading, "", text, line.place)]
        if heading not in (None, StatField.ATTACK) and (not fields or fields[0].field is StatField.OTHER):
            assert heading is not None
            return [FieldText(heading, "", text, line.place)]
        if (
            before
            and len(fields) == 1
            and fields[0].field is StatField.ATTACK
            and fields[0].label != "actions"
        ):
            return [FieldText(StatField.ATTACK, before.rstrip(" :(,"), fields[0].value, line.place)]
        return fields

    def _read_row(
        self, header: tuple[str, ...], line: RulebookLine
    ) -> tuple[tuple[str, ...], list[FieldText]]:
        known = [self.labels.field_of(cell) for cell in line.cells]
        numbers = any(_NUMBER.search(cell) for cell in line.cells)
        if sum(field is not None for field in known) >= 2 and not numbers:
            return line.cells, []
        if header:
            pairs = list(zip(header, line.cells, strict=False))
        else:
            pairs = list(zip(line.cells[::2], line.cells[1::2], strict=False))
        fields = []
        for label, value in pairs:
            field = self.labels.field_of(label)
            if field and value:
                fields.append(FieldText(field, label, value, line.place))
        if not header and not fields:
            # Not a table, but fields on one line: `AC 12 | HP 7 | Speed 30`.
            fields = self.labels.cut(line.raw, line.place)[1]
        return header, fields

    def _describe(self, section: RulebookSection) -> Iterator[str]:
        for line in section.lines:
            if line.kind is LineKind.TEXT and line.text and not self._read_line(line, None):
                yield line.prose

    def _read_hp(
        self, name: str, section: RulebookSection, fields: list[FieldText]
    ) -> tuple[int | None, str]:
        said = next((one for one in fields if one.field is StatField.HP), None)
        if said is None:
            message = f"the template `{name}` has no hit points"
            self._warnings.append(warn("rules-no-hp", message, section.place, "Add a line like `- HP: 7`."))
            return None, ""
        value = re.split(r"[,;。]", said.value)[0]
        dice = _DICE.search(value)
        roll = dice[0].replace(" ", "").lower() if dice else ""
        number = _NUMBER.search(_DICE.sub("", value))
        boxes = len(_BOXES.findall(value))
        hp = int(number[0]) if number else boxes or _average(roll)
        if hp is None or not 0 < hp <= HIT_POINTS_MAX:
            self._warn_number(name, "hit points", said, f"1 to {HIT_POINTS_MAX}")
            return None, roll
        return hp, roll

    def _read_ac(self, name: str, fields: list[FieldText]) -> tuple[int | None, str]:
        said = next((one for one in fields if one.field is StatField.AC), None)
        if said is None:
            return None, ""
        number = _NUMBER.search(said.value)
        note = said.value.partition("(")[2].rpartition(")")[0].strip()
        if number is None and said.label.casefold() not in ("ac", "armor class", "armour class", "护甲等级"):
            # `Armor: leather` is a description.
            return None, said.value
        if number is None or not 0 <= int(number[0]) <= 1000:
            self._warn_number(name, "armor class", said, "0 to 1000")
            return None, said.value
        return int(number[0]), note

    def _read_stats(self, name: str, fields: list[FieldText]) -> tuple[tuple[str, int], ...]:
        stats: dict[str, int] = {}
        for one in fields:
            if one.field is StatField.STAT:
                number = _NUMBER.search(one.value)
                if number is None:
                    self._warn_number(name, one.label, one, "a whole number")
                else:
                    stats.setdefault(_key_of(one.label, self._attributes), int(number[0]))
            elif one.field is StatField.STATS and one.value:
                pairs = read_pairs(one.value)
                if not pairs:
                    self._warn_number(name, "stats", one, "pairs like `STR 8, DEX 14`")
                for label, value in pairs:
                    stats.setdefault(_key_of(label, self._attributes), value)
        return tuple(stats.items())

    def _read_skills(self, name: str, fields: list[FieldText]) -> tuple[tuple[str, int], ...]:
        skills: dict[str, int] = {}
        for one in fields:
            if one.field is StatField.SKILLS:
                pairs = read_pairs(one.value)
                skills.update(pairs)
                if not pairs:
                    self._warn_number(name, "skills", one, "pairs like `Stealth +6`")
        return tuple(skills.items())

    def _read_attacks(self, fields: list[FieldText]) -> tuple[NpcAttack, ...]:
        attacks: list[NpcAttack] = []
        for one in fields:
            if one.field is StatField.ATTACK:
                name = "" if self.labels.field_of(one.label) or not one.label else one.label
                attacks += read_attacks(one.value, one.place, name)
            elif one.field is StatField.DAMAGE:
                damage = read_damage(one.value) or read_damage(f"damage {one.value}")
                last = attacks[-1] if attacks else NpcAttack("", one.place, text=one.value)
                whole = last.text if last.text == one.value else f"{last.text}, {one.label} {one.value}"
                if not last.damage:
                    attacks[-1:] = [NpcAttack(last.name, last.place, last.bonus, damage, whole)]
        return tuple(read_save(attack, self._attributes) for attack in attacks[:ATTACKS_MAX])

    def _warn_number(self, name: str, what: str, said: FieldText, wanted: str) -> None:
        message = f"the {what} of `{name}` cannot be read from `{said.value[:40]}`: expected {wanted}"
        self._warnings.append(warn("rules-number", message, said.place, "The narrator still reads it."))


def read_pairs(text: str) -> list[tuple[str, int]]:
    """Names with numbers, `Stealth +6, Perception +3` or `+2 Athletics`."""
    first = [(label.strip(), int(value)) for value, label in _NUMBER_FIRST.findall(text)]
    return first or [(label.strip(), int(value)) for label, value in _PAIR.findall(text)]


def _key_of(label: str, attributes: Sequence[AttributeRule]) -> str:
    """The name on a sheet of the attribute with this label."""
    attribute = find_attribute(attributes, label)
    if attribute is not None:
        return attribute.key
    return label.upper() if label.isascii() and len(label) <= 4 else label


def _average(roll: str) -> int | None:
    """The average of a roll, rounded down; None if it is not a roll."""
    if not roll:
        return None
    try:
        root = parse(roll).root
    except DiceError:
        return None
    return (root.low + root.high) // 2


def _read_rewards(fields: Sequence[FieldText]) -> NpcReward | None:
    rewards: list[NpcReward] = []
    for one in fields:
        match one.field:
            case StatField.REWARD if one.label.casefold() in ("cr", "challenge", "challenge rating"):
                xp = read_xp(one.value)
                rewards += [] if xp is None else [NpcReward(xp)]
            case StatField.REWARD:
                rewards.append(read_reward(one.value))
            case StatField.XP:
                number = _NUMBER.search(one.value.replace(",", ""))
                rewards += [NpcReward(int(number[0]))] if number else []
            case StatField.LOOT:
                rewards.append(read_reward(one.value))
            case StatField.FLAG:
                rewards.append(NpcReward(story_flag=one.value.strip()))
            case _:
                pass
    return join_rewards(rewards)
