"""NPC lines: attacks and rewards, what an NPC does to others, and what a player gains by defeating it.

Scimitar +4 (1d6+2 slashing)
25 XP, Wolf Pelt, 3 gold pieces
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from talewright.errors import SourcePlace
from talewright.kernel.dice.dice_parser import parse
from talewright.kernel.dice.dice_tree import DiceError
from talewright.systems.tabletop.rulebook_parser.character_traits import find_attribute
from talewright.systems.tabletop.rulebook_parser.rulebook_types import (
    NAME_LENGTH_MAX,
    AttackSave,
    AttributeRule,
    DamageRoll,
    LootItem,
    NpcAttack,
    NpcReward,
)
from talewright.systems.tabletop.rulebook_parser.trait_lines import split_outside_brackets

LOOT_MAX = 30
"""Items of one reward."""

ATTACKS_MAX = 20
"""Attacks of one template."""

_DAMAGE = re.compile(
    r"(?<![A-Za-z0-9])([0-9]{0,3}[dD][0-9]{1,4}(?: ?[+-] ?[0-9]{1,3}(?![0-9]*[dD][0-9]))?)(?![A-Za-z0-9])"
    r"[ )]*(?:点|point of|points of)? ?([A-Za-z]{3,20}|[\u4e00-\u9fff]{1,6})?"
)
_FLAT = re.compile(
    r"(?:hit:|damage:?|harm:?|伤害:?) ?([0-9]{1,4})(?![0-9dD])|"
    r"([0-9]{1,4})(?: |-)(?:([A-Za-z]{3,20}) )?(?:damage|harm)",
    re.I,
)
_BONUS = re.compile(
    r"(?<![0-9dDA-Za-z) ])([+-] ?[0-9]{1,3})(?![0-9dD])|(?:^|(?<=[ (:,]))([+-][0-9]{1,3})(?![0-9dD])"
)
_NO_KIND = re.compile(
    r"(?:damage|harm|plus|and|or|to|on|per|against|with|伤害|的?伤害|点|points?|the)$", re.IGNORECASE
)
_NEXT_ATTACK = re.compile(
    r"[;；]| / |, (?=[A-Z\u4e00-\u9fff][^,()+]{0,30} ?\(?[+-][0-9])|"
    r"、(?=[^、()+]{1,12}[+-][0-9])|,(?=[\u4e00-\u9fff]{1,8} ?[+-][0-9])"
)
_NOT_A_NAME = re.compile(
    r"\b(?:melee|ranged)?(?: or ranged)? ?(?:weapon|spell)? ?attack\b:?|\bto hit\b", re.IGNORECASE
)

_XP = re.compile(
    r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,7}) ?(?:xp\b|exp\b|experience|点?经验)|"
    r"(?:xp|exp|experience|经验值?):? ?([0-9]{1,7})",
    re.IGNORECASE,
)
_FLAG = re.compile(r"(?:story ?flag|flag|剧情标记)[: ]+([\w-]{1,60})", re.IGNORECASE)
_COUNT_FIRST = re.compile(r"([0-9]{1,5}) ?(?:x |×|[x] |个|枚|块|张|瓶|把|件|份)? ?(?![dD]?[0-9])(\S.*)")
_COUNT_LAST = re.compile(r"(.*\S) ?(?:\bx|×|\*) ?([0-9]{1,5})$")
_NOTE = re.compile(r"(.*?\S) ?\(([^()]*)\)?$")
_SEPARATOR = re.compile(r",(?![0-9]{3}(?![0-9]))|;|、| and |以及|和")
_NOTHING = frozenset({"none", "nothing", "no", "-", "n/a", "无", "没有"})


def read_attacks(text: str, place: SourcePlace, name: str = "") -> tuple[NpcAttack, ...]:
    """The attacks that a text lists; `name` if the author named the attack before it."""
    parts = [text] if name else split_outside_brackets(text, _NEXT_ATTACK)
    return tuple(_read_attack(part.strip(" .。"), place, name) for part in parts if part.strip(" .。"))[
        :ATTACKS_MAX
    ]


def _read_attack(text: str, place: SourcePlace, name: str) -> NpcAttack:
    bonus = _BONUS.search(text)
    damage = read_damage(text)
    written = next((group for group in bonus.groups() if group), "") if bonus else ""
    if not name:
        ends = [found.start() for found in (bonus, _DAMAGE.search(text), re.search(r"[(:,]", text)) if found]
        name = _NOT_A_NAME.sub("", text[: min(ends, default=len(text))]).strip(" :,-(")
    number = int(written.replace(" ", "")) if written else None
    return NpcAttack(name[:NAME_LENGTH_MAX], place, number, damage, text)


def read_damage(text: str) -> tuple[DamageRoll, ...]:
    """The dice in a text with the kind of damage that follows each."""
    found: list[DamageRoll] = []
    for match in _DAMAGE.finditer(text):
        dice = match[1].replace(" ", "").lower()
        kind = match[2] or ""
        if kind.endswith("伤害") and len(kind) > 2:
            kind = kind[:-2]
        if _is_roll(dice):
            found.append(DamageRoll(dice, "" if _NO_KIND.fullmatch(kind) else kind))
    if not found and (flat := _FLAT.search(text)):
        found.append(DamageRoll(flat[1] or flat[2], flat[3] or ""))
    return tuple(found)


def _is_roll(dice: str) -> bool:
    try:
        parse(dice)
    except DiceError:
        return False
    return True


_DIFFICULTY = re.compile(r"(?<![A-Za-z])DC ?[0-9]{1,3}[^;.。)]*", re.IGNORECASE)
_SAVE = re.compile(
    r"DC ?([0-9]{1,3}) ?([A-Za-z]{2,20}|[\u4e00-\u9fff]{2})"
    r"(?: (?:saves?|saving throws?|checks?)|豁免检定|豁免|检定)? ?,? ?(?:or else|or|否则|失败则|或) ?(.+)",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:(?:be|is|are|become|becomes|fall|falls|get|gets|knocked) ){0,2}"
    r"(blinded|charmed|dazed|deafened|exhausted|frightened|grappled|incapacitated|paraly[sz]ed|petrified|"
    r"poisoned|prone|restrained|slowed|stunned|unconscious)(?: (?:for|until) .*)?|"
    r"(?:陷入)?(目盲|魅惑|耳聋|力竭|恐慌|恐惧|受擒|失能|麻痹|石化|中毒|倒地|束缚|减速|震慑|昏迷)(?:状态)?",
    re.IGNORECASE,
)


def read_save(attack: NpcAttack, attributes: Sequence[AttributeRule]) -> NpcAttack:
    """An attack with the save in its text: `DC 11 STR or knocked prone`, or what of it is not understood."""
    written = _DIFFICULTY.search(attack.text)
    if written is None:
        return attack
    found = _SAVE.fullmatch(written[0].strip(" ,"))
    attribute = find_attribute(attributes, found[2]) if found else None
    condition = _CONDITION.fullmatch(found[3].strip()) if found else None
    if found is None or attribute is None or condition is None:
        return replace(attack, left=attack.text)
    effect = (condition[1] or condition[2]).lower()
    return replace(attack, save=AttackSave(int(found[1]), attribute.key, effect))


def read_xp(text: str) -> int | None:
    """The experience points in a text."""
    found = _XP.search(text)
    return None if found is None else int((found[1] or found[2]).replace(",", ""))


def read_reward(text: str) -> NpcReward:
    """Experience, loot and story flag, in any order."""
    flag = _FLAG.search(text)
    if flag:
        text = text[: flag.start()] + text[flag.end() :]
    loot: list[LootItem] = []
    xp: int | None = None
    for part in split_outside_brackets(text, _SEPARATOR):
        plain = part.strip(" .。:+")
        points = read_xp(plain) if xp is None else None
        if points is not None:
            xp = points
        elif plain and plain.casefold() not in _NOTHING:
            loot.append(read_item(plain))
    return NpcReward(xp, tuple(loot[:LOOT_MAX]), flag[1] if flag else "")


def read_item(text: str) -> LootItem:
    """An item with its number, `3 gold pieces` or `potion x2`, and its note in brackets."""
    note = ""
    if with_note := _NOTE.fullmatch(text):
        text, note = with_note[1], with_note[2].strip()
    if last := _COUNT_LAST.fullmatch(text):
        return LootItem(last[1][:NAME_LENGTH_MAX], int(last[2]), note)
    if first := _COUNT_FIRST.fullmatch(text):
        return LootItem(first[2][:NAME_LENGTH_MAX], int(first[1]), note)
    return LootItem(text[:NAME_LENGTH_MAX], 1, note)


def join_rewards(rewards: Sequence[NpcReward]) -> NpcReward | None:
    """One reward from several lines about it."""
    if not rewards:
        return None
    xp = next((one.xp for one in rewards if one.xp is not None), None)
    loot = tuple(item for one in rewards for item in one.loot)
    return NpcReward(xp, loot[:LOOT_MAX], next((one.story_flag for one in rewards if one.story_flag), ""))
