"""The draft of a move: it starts from the state, and the changes in it become updates.

A draft belongs to one call. Dice are rolled through it, so that every roll is recorded.
"""

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import replace
from typing import cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, equal
from talewright.common.language_tags import pick_words
from talewright.kernel.chance import Chance
from talewright.kernel.dice.dice_parser import parse
from talewright.kernel.dice.dice_rolls import Roll, roll
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.state.state_paths import pointer
from talewright.kernel.story.triggers import Event
from talewright.kernel.system import Sight
from talewright.systems.tabletop.author_files import TabletopLabels, TabletopRules, labels_of, rules_of
from talewright.systems.tabletop.character_sheets import (
    CharacterSheet,
    Members,
    character_json,
    npc_json,
    read_character,
    read_npc,
)
from talewright.systems.tabletop.initiative import CombatOrder, CombatStructure, leave_order, read_order
from talewright.systems.tabletop.recorded_rolls import RecordedRoll, RollPurpose, read_roll, reason_of
from talewright.systems.tabletop.rulebook_parser.rulebook_types import Rulebook
from talewright.systems.tabletop.slots import (
    CHARACTER,
    COMBAT,
    FLAGS,
    FLAGS_MAX,
    HIDDEN_ROLL_COUNT,
    HIDDEN_ROLLS,
    NO_OUTCOME,
    NPC_COUNT,
    NPCS,
    ROLL_COUNT,
    ROLL_DICE_MAX,
    ROLLS,
    ROLLS_KEPT,
    ROOT,
    SURPRISED,
)
from talewright.systems.tabletop.words.chinese import CHINESE
from talewright.systems.tabletop.words.english import ENGLISH
from talewright.systems.tabletop.words.phrases import TabletopPhrases

CAUSE = f"system:{ROOT}"

REVISED_SINCE_ENGINE = 5
"""From this engine number on, the usual dice always roll, dice are subtracted from modifiers, skills outside
the rulebook are checked by an attribute, attacks cause saves, and items keep all their properties.
"""


def tabletop_phrases_in(language: str) -> TabletopPhrases:
    """The phrases of a language; English if it is not supported."""
    return pick_words(language, {"en": ENGLISH, "zh-CN": CHINESE})


@frozen
class FightState:
    """The current fight, or that there is none."""

    order: CombatOrder | None = None
    """None if nobody fights."""

    structure: CombatStructure = CombatStructure.TURN_BASED
    since: int = 0
    touched: int = 0
    """The last turn in which anyone fought."""

    defending: bool = False
    """Whether the player defends until their next turn."""

    outcome: str = NO_OUTCOME
    """How the last fight ended."""

    surprised: tuple[str, ...] = ()
    """Those who do not act in the first round."""

    def is_surprised(self, name: str) -> bool:
        """Whether a combatant cannot act yet."""
        return self.order is not None and self.order.round == 1 and name in self.surprised


def read_fight(stored: Members) -> FightState:
    """The fight from the state."""
    return FightState(
        read_order(stored) if stored["active"] is True else None,
        CombatStructure(str(stored["structure"])),
        cast(int, stored["since"]),
        cast(int, stored["touched"]),
        stored["defending"] is True,
        str(stored["outcome"]),
        tuple(str(name) for name in cast(Sequence[Json], stored.get(SURPRISED, ()))),
    )


def _fight_json(fight: FightState, find: Callable[[str], CharacterSheet | None]) -> dict[str, Json]:
    """The fight as it is stored, with everyone's conditions."""
    order = fight.order or CombatOrder((), round=0)
    sheets = {name: sheet for name in order.names if (sheet := find(name)) is not None}
    shown = tuple(
        replace(one, conditions=sheets[one.name].health.conditions) if one.name in sheets else one
        for one in order.combatants
    )
    return {
        **replace(order, combatants=shown).to_json(fight.structure),
        "active": fight.order is not None,
        "since": fight.since,
        "touched": fight.touched,
        "defending": fight.defending,
        "enemies": sum(_is_enemy(sheets.get(one.name)) for one in order.combatants),
        "outcome": fight.outcome,
        SURPRISED: [one.name for one in order.combatants if fight.is_surprised(one.name)],
    }


def _is_enemy(sheet: CharacterSheet | None) -> bool:
    return sheet is not None and sheet.is_hostile and sheet.is_standing


class NpcSheets(MutableMapping[str, CharacterSheet]):
    """All NPCs by name. A sheet is read when it is needed: most moves are about a few of many."""

    def __init__(self, stored: Mapping[str, Members], count: int | None) -> None:
        self._stored = dict(stored)
        self._read: dict[str, CharacterSheet] = {}
        self.count = count
        """How many NPCs there have been; None if the campaign keeps an older game, which counts none."""

    def __getitem__(self, name: str) -> CharacterSheet:
        if name not in self._read:
            self._read[name] = read_npc(self._stored[name])
        return self._read[name]

    def __setitem__(self, name: str, sheet: CharacterSheet) -> None:
        self._stored.setdefault(name, {})
        self._read[name] = sheet

    def __delitem__(self, name: str) -> None:
        del self._stored[name]
        self._read.pop(name, None)

    def __contains__(self, name: object) -> bool:
        return name in self._stored

    def __iter__(self) -> Iterator[str]:
        return iter(self._stored)

    def __len__(self) -> int:
        return len(self._stored)

    def create(self, sheet: CharacterSheet) -> CharacterSheet:
        """Add a new NPC, with an id that no other of this campaign has had."""
        if self.count is not None:
            self.count += 1
            sheet = replace(sheet, id=f"n{self.count}")
        self[sheet.name] = sheet
        return sheet

    def find(self, said: str) -> str:
        """The name of the NPC that is meant, by its name or its id; empty if there is none."""
        plain = said.casefold()
        named = (name for name in self._stored if name.casefold() == plain)
        with_id = (name for name, stored in self._stored.items() if plain and stored.get("id") == plain)
        return next(named, "") or next(with_id, "")

    def touched(self) -> list[tuple[str, CharacterSheet]]:
        """Those that were read or written."""
        return list(self._read.items())


class TabletopDraft:
    """One move in progress."""

    def __init__(self, sight: Sight, chance: Chance) -> None:
        rules = rules_of(sight.files)
        assert rules is not None, "only a game with a rulebook has moves"
        self.rules: TabletopRules = rules
        self.words: TabletopPhrases = tabletop_phrases_in(sight.language)
        self.labels: TabletopLabels = labels_of(sight.files, sight.language)
        self.dice = sight.dice
        """The dice that `game.yaml` allows; None if it says nothing."""

        self.revised = sight.since(REVISED_SINCE_ENGINE)
        """Whether the turn is judged by the rules of the present; older ones are judged as they were."""

        self.turn = sight.turn
        self.away_minutes = sight.away_minutes
        self._chance = chance
        self._stored = cast(Members, sight.document[ROOT])
        self.character = read_character(cast(Members, self._stored[CHARACTER]))
        count = cast("int | None", self._stored.get(NPC_COUNT))
        self.npcs = NpcSheets(cast(Mapping[str, Members], self._stored[NPCS]), count)
        self.fight = read_fight(cast(Members, self._stored[COMBAT]))
        self.flags = [str(flag) for flag in cast(Sequence[Json], self._stored[FLAGS])]
        self.events: list[Event] = []
        self.rolled: list[RecordedRoll] = []

    @property
    def book(self) -> Rulebook:
        """The rulebook."""
        return self.rules.book

    def roll(self, expression: str, purpose: RollPurpose, *, visible: bool = True) -> RecordedRoll:
        """Roll dice in valid notation, and record them."""
        rolled = roll(parse(expression), self._chance, reason_of(purpose))
        name, count = ("r", ROLL_COUNT) if visible else ("h", HIDDEN_ROLL_COUNT)
        before = cast(int, self._stored[count]) + sum(one.visible is visible for one in self.rolled)
        thrown = sum(throw.total for throw in rolled.throws)
        recorded = RecordedRoll(
            f"{name}{before + 1}",
            self.turn,
            expression,
            _faces(rolled)[:ROLL_DICE_MAX],
            rolled.total,
            purpose,
            visible,
            str(rolled),
            rolled.modifiers if self.revised else rolled.total - thrown,
        )
        self.rolled.append(recorded)
        return recorded

    def find_roll(self, name: str) -> RecordedRoll | None:
        """A roll of this turn, by its id."""
        stored = map(read_roll, (*_rows(self._stored, ROLLS), *_rows(self._stored, HIDDEN_ROLLS)))
        return next((one for one in stored if one.id == name and one.turn == self.turn), None)

    def visible_rolls(self) -> list[RecordedRoll]:
        """The last rolls that the player may see, oldest first."""
        return [read_roll(row) for row in _rows(self._stored, ROLLS)]

    def results(self) -> list[Json]:
        """The rolls of this move, as a tool reports them."""
        return [one.result(self.words, self.labels) for one in self.rolled]

    def sheet(self, name: str) -> CharacterSheet | None:
        """The sheet of the player or an NPC, by the exact name."""
        if self.character is not None and self.character.name == name:
            return self.character
        return self.npcs.get(name)

    def put(self, sheet: CharacterSheet) -> None:
        """Replace a character's sheet."""
        if self.character is not None and self.character.name == sheet.name:
            self.character = sheet
        else:
            self.npcs[sheet.name] = sheet

    def drop(self, name: str) -> None:
        """Remove an NPC, including from a fight; the turn stays with the current combatant."""
        del self.npcs[name]
        if self.fight.order is not None:
            self.fight = replace(self.fight, order=leave_order(self.fight.order, name))

    def add_flag(self, flag: str) -> None:
        """Remember a story flag; if there are too many, the oldest is forgotten."""
        if flag and flag not in self.flags:
            self.flags = [*self.flags, flag][-FLAGS_MAX:]

    def show_name(self, name: str) -> str:
        """A character's name in the reader's language."""
        npc = self.npcs.get(name)
        return self.labels.creature(name, npc.template if npc else "")

    def tell(self, kind: str, text: str) -> None:
        """Report something to everyone."""
        self.events.append(Event(f"{ROOT}:{kind}", text, CAUSE))

    def updates(self) -> tuple[Update, ...]:
        """Everything that has changed."""
        fight = _fight_json(self.fight, self.sheet)
        # A campaign that keeps its older game has no place for later members.
        known = cast(Members, self._stored[COMBAT])
        new: dict[str, Json] = {
            COMBAT: {name: value for name, value in fight.items() if name in known},
            FLAGS: list(self.flags),
        }
        if self.character is not None:
            new[CHARACTER] = character_json(self.character, [one.name for one in self.book.skills])
        changed = [
            Update(Op.SET, f"{ROOT}.{name}", value)
            for name, value in new.items()
            if not equal(value, self._stored[name])
        ]
        counted = self.npcs.count != self._stored.get(NPC_COUNT)
        count = [Update(Op.SET, f"{ROOT}.{NPC_COUNT}", self.npcs.count)] if counted else []
        return (*changed, *self._change_npcs(), *count, *self._record(ROLLS), *self._record(HIDDEN_ROLLS))

    def _change_npcs(self) -> list[Update]:
        stored = cast(Mapping[str, Json], self._stored[NPCS])
        gone = [Update(Op.DELETE, _place(NPCS, name)) for name in stored if name not in self.npcs]
        kept = ((name, npc_json(sheet)) for name, sheet in self.npcs.touched())
        changed = [(name, value) for name, value in kept if not equal(value, stored.get(name))]
        return [
            *gone,
            *(
                Update(Op.SET if name in stored else Op.INSERT, _place(NPCS, name), value)
                for name, value in changed
            ),
        ]

    def _record(self, member: str) -> list[Update]:
        """Append the new rolls to one of the two lists, and drop its oldest ones."""
        visible = member == ROLLS
        rolled = [one.to_json() for one in self.rolled if one.visible is visible]
        if not rolled:
            return []
        count = ROLL_COUNT if visible else HIDDEN_ROLL_COUNT
        before = cast(int, self._stored[count])
        kept: list[Json] = [*_rows(self._stored, member), *rolled]
        return [
            Update(Op.SET, f"{ROOT}.{member}", kept[-ROLLS_KEPT:]),
            Update(Op.SET, f"{ROOT}.{count}", before + len(rolled)),
        ]


def _faces(rolled: Roll) -> tuple[int, ...]:
    return tuple(face.shown for throw in rolled.throws for die in throw.dice for face in die.faces)


def _rows(stored: Members, member: str) -> Sequence[Members]:
    return cast(Sequence[Members], stored[member])


def _place(member: str, name: str) -> str:
    return pointer((ROOT, member, name))
