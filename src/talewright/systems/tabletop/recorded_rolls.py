"""Recorded rolls: dice that were rolled, what for, and how they are stored and shown.

The stored data is the same in every language; it is put into words when it is shown.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.systems.tabletop.author_files import TabletopLabels
from talewright.systems.tabletop.checks import CheckResult
from talewright.systems.tabletop.words.english import ENGLISH
from talewright.systems.tabletop.words.phrases import TabletopPhrases


class RollKind(StrEnum):
    """What dice are rolled for."""

    FREE = "free"
    """Whatever its context says."""

    CHECK = "check"
    ATTACK = "attack"
    DEFENCE = "defence"
    DAMAGE = "damage"
    INITIATIVE = "initiative"
    FLIGHT = "flight"
    HEALING = "healing"


@frozen
class RollPurpose:
    """Who rolls, and what for."""

    kind: RollKind = RollKind.FREE
    who: str = ""
    """The name of the player's character or an NPC."""

    template: str = ""
    """The template of an NPC, which gives its name in other languages."""

    what: str = ""
    """The skill, the attack or the item; for other rolls, the narrator's own words."""

    def tell(self, words: TabletopPhrases, labels: TabletopLabels) -> str:
        """The purpose in words."""
        name = labels.creature(self.who, self.template)
        match self.kind:
            case RollKind.FREE:
                return self.what
            case RollKind.CHECK:
                skill = labels.skills.get(self.what) or labels.attributes.get(self.what, self.what)
                return words.check.format(name=name, skill=skill)
            case RollKind.ATTACK:
                return words.attack.format(name=name, attack=labels.thing(self.what) or words.unarmed)
            case RollKind.DEFENCE:
                return words.defence.format(name=name)
            case RollKind.DAMAGE:
                # A stunt deals damage by a skill.
                thing = labels.skills.get(self.what) or labels.thing(self.what)
                return words.damage.format(name=name, attack=thing or words.unarmed)
            case RollKind.INITIATIVE:
                return words.initiative.format(name=name)
            case RollKind.FLIGHT:
                return words.flight.format(name=name)
            case RollKind.HEALING:
                return words.healing.format(name=name, item=labels.thing(self.what))


@frozen
class RecordedRoll:
    """Dice that were rolled and recorded."""

    id: str
    turn: int
    expression: str
    faces: tuple[int, ...]
    total: int
    purpose: RollPurpose
    visible: bool = True
    told: str = ""
    """The dice in words: `1d20 (13) + 2 = 15`."""

    modifiers: int = 0
    check: CheckResult | None = None
    """What it decided, if it was a check."""

    def to_json(self) -> dict[str, Json]:
        """The roll as it is stored."""
        purpose = self.purpose
        return {
            "id": self.id,
            "turn": self.turn,
            "expression": self.expression,
            "individualRolls": list(self.faces),
            "total": self.total,
            "kind": purpose.kind.value,
            "who": purpose.who,
            "template": purpose.template,
            "what": purpose.what,
        }

    def result(self, words: TabletopPhrases, labels: TabletopLabels) -> dict[str, Json]:
        """The roll as a tool reports it; interfaces that show results leave out hidden parts."""
        purpose = self.purpose.tell(words, labels)
        told: dict[str, Json] = {
            "expression": self.expression,
            "individualRolls": list(self.faces),
            "modifiers": self.modifiers,
            "total": self.total,
            "visible": self.visible,
            "logId": self.id,
            "text": f"{purpose}{words.colon}{self.told}" if purpose else self.told,
        }
        if self.check is not None:
            told |= {"outcome": self.check.outcome.value, "success": self.check.succeeded}
            told |= {"bands": bands} if (bands := self.check.bands) else {}
            told |= {} if self.check.difficulty is None else {"needed": self.check.difficulty}
        return told if self.visible else {**told, "hidden": True}


def read_roll(stored: Mapping[str, Json]) -> RecordedRoll:
    """A roll from the state."""
    purpose = RollPurpose(
        RollKind(str(stored["kind"])), str(stored["who"]), str(stored["template"]), str(stored["what"])
    )
    return RecordedRoll(
        str(stored["id"]),
        cast(int, stored["turn"]),
        str(stored["expression"]),
        tuple(cast(Sequence[int], stored["individualRolls"])),
        cast(int, stored["total"]),
        purpose,
    )


_PLAIN = TabletopLabels({}, {}, {}, {})


def reason_of(purpose: RollPurpose) -> str:
    """What the record says about a draw: the same in every language."""
    return purpose.tell(ENGLISH, _PLAIN)
