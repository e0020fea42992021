"""The machine: any calls in any order, judged by the kernel, and what is true after each of them.

A failing run prints its calls, and the seed that brings them about again.
"""

import random
from collections.abc import Mapping
from typing import cast

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from talewright.common.json_values import Json
from talewright.kernel.judging.move_resolution import carry_out, judge, settle
from talewright.kernel.judging.moves import MODEL, Call, Op, Update
from talewright.kernel.judging.rulings import Granted
from talewright.kernel.slots.value_validation import fit
from talewright.kernel.state.state import advance, begin
from talewright.systems.tabletop.author_files import rules_of
from talewright.systems.tabletop.damage import CONDITIONS_MAX
from talewright.systems.tabletop.slots import ROLLS_KEPT
from tests.systems.tabletop.making import ROWAN, TABLETOP, game_with, sight

pytestmark = pytest.mark.slow

GAMES = {
    name: game_with(book, character)
    for name, book, character in (
        ("ready", "seed_example", ROWAN),
        ("nobody", "seed_example", ""),
        (
            "pbta",
            "pbta",
            "# Ines\n- HP: 9\n- Armor: 1\n- Stats: Bold 1, Strong 2\n- Attack: Hook +2 (1d6 harm)\n",
        ),
        ("fate", "fate", "# Ines\n- Stress: 4\n- Skills: Fight +3, Athletics +1\n"),
        ("chinese", "chinese_d20", "# 罗文\n- 生命值：14\n- 护甲等级：13\n- 攻击：长弓 +4（1d8+2）\n"),
    )
}
NAMES = ("Gruk", "gruk", "Sniv", "Goblin 1", "Goblin 2", "Rowan", "Ines", "罗文", "player", "", "地精 1")
CONDITIONS = ("prone", "Prone", "poisoned", "", "x" * 50, "中毒")
names = st.integers(0, 11) | st.sampled_from(NAMES)
"""A name, or the number of an NPC who is there."""

truths = st.booleans()
conditions = st.lists(st.sampled_from(CONDITIONS), max_size=3)
surprises = st.sampled_from(("none", "player", "enemies"))


class SeededChance:
    """A chance that follows from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def draw(self, sides: int, why: str = "") -> int:
        return self._random.randint(1, sides)


class TabletopMachine(RuleBasedStateMachine):
    """A campaign in which anything is tried."""

    @initialize(seed=st.integers(0, 2**32), game=st.sampled_from([*GAMES]), enemies=st.integers(0, 4))
    def start(self, seed: int, game: str, enemies: int) -> None:
        print(f"seed {seed}")
        self.chance = SeededChance(seed)
        self.game = GAMES[game]
        self.position = begin(self.game)
        if enemies:
            self.start_fight(0, enemies, "none")

    def take(self, tool: str, said: Mapping[str, Json]) -> bool:
        """One call; what is refused has changed nothing."""
        given = {name: value for name, value in said.items() if value is not None}
        step = judge(self.game, self.position, [Call(tool, given)], MODEL, self.chance)
        (ruling,) = step.rulings
        if not isinstance(ruling, Granted):
            assert step.position == self.position
            return False
        self.position = step.position
        return True

    def named(self, name: int | str) -> str:
        """The name that is meant."""
        if isinstance(name, str):
            return name
        known = [*self.npcs, *NAMES]
        return known[name % len(known)]

    def template(self, number: int) -> str:
        """The name of a template of this game, or of none."""
        book = rules_of(self.game.files_of(TABLETOP))
        assert book is not None
        known = [*(one.name for one in book.book.templates), "Dragon"]
        return known[number % len(known)]

    @rule(name=st.sampled_from(NAMES), hp=st.integers(-1, 30), level=st.none() | st.integers(0, 3))
    def set_character(self, name: str, hp: int, level: int | None) -> None:
        self.take("set_character", {"name": name, "hp": hp, "level": level})

    @rule(score=st.integers(6, 20))
    def create_character(self, score: int) -> None:
        stats = dict.fromkeys(("STR", "DEX", "CON", "INT", "WIS", "CHA"), score)
        self.take("set_character", {"name": "Ada", "stats": stats})

    @rule(
        name=st.sampled_from(NAMES),
        kind=st.integers(0, 9),
        hp=st.none() | st.integers(-1, 20),
        hostile=st.none() | truths,
    )
    def create(self, name: str, kind: int, hp: int | None, hostile: bool | None) -> None:
        template = self.template(kind)
        said: dict[str, Json] = {"name": name, "templateName": template, "hp": hp, "isHostile": hostile}
        self.take("create_npc", said)

    @rule(
        name=names, current=st.integers(-1, 9), conditions=st.lists(st.sampled_from(CONDITIONS), max_size=3)
    )
    def update(self, name: int | str, current: int, conditions: list[str]) -> None:
        updates: Json = {"hp": {"current": current, "max": 7}, "conditions": list(conditions)}
        self.take("update_npc", {"name": self.named(name), "updates": updates})

    @rule(name=names)
    def remove(self, name: int | str) -> None:
        named = self.named(name)
        if self.take("remove_npc", {"name": named}):
            gone = [one for one in (*self.npcs, *self.order) if one.casefold() == named.casefold()]
            assert not gone, "nobody who was removed stays"

    @rule(
        name=st.none() | names,
        amount=st.integers(-40, 40),
        begun=conditions,
        ended=conditions,
    )
    def damage(self, name: int | str | None, amount: int, begun: list[str], ended: list[str]) -> None:
        named = None if name is None else self.named(name)
        said: dict[str, Json] = {"target": "npc" if named else "player", "npcName": named, "amount": amount}
        self.take("apply_damage", {**said, "applyConditions": list(begun), "removeConditions": list(ended)})

    @rule(action=st.sampled_from(("start", "next_turn", "end")), who=st.none() | st.lists(names, max_size=4))
    def manage(self, action: str, who: list[int | str] | None) -> None:
        before = self.order
        rows: Json = None if who is None else [{"name": self.named(name)} for name in who]
        if self.take("manage_combat", {"action": action, "combatants": rows}) and action == "next_turn":
            assert self.order == before, "passing the turn moves nobody"

    @rule(kind=st.integers(0, 9), count=st.integers(0, 3), surprise=surprises)
    def start_fight(self, kind: int, count: int, surprise: str) -> None:
        enemies: Json = [{"template": self.template(kind), "count": count}]
        self.take("start_fight", {"enemies": enemies, "surprise": surprise})

    @rule(attacker=st.none() | names, victim=names)
    def attack(self, attacker: int | str | None, victim: int | str) -> None:
        named = None if attacker is None else self.named(attacker)
        self.take("attack", {"attacker": named, "target": self.named(victim)})

    @rule(numbers=st.lists(st.integers(0, 11), min_size=1, max_size=6))
    def fight_on(self, numbers: list[int]) -> None:
        for number in numbers:
            self.choose(number)

    def choose(self, number: int) -> None:
        """Whatever is offered is granted."""
        offered = TABLETOP.choices(sight(self.position, self.game))
        if offered:
            chosen = offered[number % len(offered)]
            assert self.take(chosen.call.tool, chosen.call.arguments), chosen

    @rule(expression=st.sampled_from(("d20", "2d6", "4dF", "d7", "oops")), visible=truths)
    def roll(self, expression: str, visible: bool) -> None:
        self.take("roll_dice", {"expression": expression, "visible": visible})

    @rule(xp=st.integers(-1, 50), loot=st.lists(st.sampled_from(("rope", "2 ropes", "Rope")), max_size=2))
    def award(self, xp: int, loot: list[str]) -> None:
        self.take("award", {"xp": xp, "loot": list(loot)})

    @precondition(lambda self: self.state["character"]["name"])
    @rule(current=st.integers(0, 200))
    def scene_heals(self, current: int) -> None:
        """A scene may write any hit points; the end of the turn puts them right."""
        update = Update(Op.SET, "tabletop.character.hp.current", current)
        self.position = carry_out(self.game, self.position, [update], "scene:x").position
        self.end_turn()

    @rule()
    def end_turn(self) -> None:
        step = settle(self.game, self.position, self.chance)
        assert all(isinstance(ruling, Granted) for ruling in step.rulings), step.rulings
        self.position = advance(step.position)
        again = settle(self.game, self.position, self.chance)
        assert not again.changes, "the end of a turn leaves nothing to do"

    @property
    def state(self) -> dict[str, Json]:
        return cast(dict[str, Json], self.position.state.document["tabletop"])

    @property
    def npcs(self) -> dict[str, dict[str, Json]]:
        return cast(dict[str, dict[str, Json]], self.state["npcs"])

    @property
    def order(self) -> list[str]:
        combat = cast(dict[str, list[dict[str, str]]], self.state["combat"])
        return [one["name"] for one in combat["initiativeOrder"]]

    @invariant()
    def everything_fits_its_slot(self) -> None:
        if hasattr(self, "game"):
            slot = self.game.layout.roots["tabletop"]
            fitted = fit(slot, self.state, "tabletop", proposed=False)
            assert fitted.value == self.state
            assert not fitted.clamped

    @invariant()
    def health_is_within_bounds(self) -> None:
        if not hasattr(self, "game"):
            return
        character = cast(dict[str, Json], self.state["character"])
        for sheet in (character, *self.npcs.values()):
            points = cast(dict[str, int], sheet["hp"])
            assert 0 <= points["current"] <= points["max"]
            conditions = cast(list[str], sheet["conditions"])
            assert len(conditions) <= CONDITIONS_MAX
            assert len({one.casefold() for one in conditions}) == len(conditions)
            assert all(one.strip() for one in conditions)

    @invariant()
    def names_are_unique(self) -> None:
        if not hasattr(self, "game"):
            return
        character = cast(dict[str, str], self.state["character"])
        all_names = [*self.npcs, *([character["name"]] if character["name"] else [])]
        assert len({name.casefold() for name in all_names}) == len(all_names)
        assert all(npc["name"] == name for name, npc in self.npcs.items())

    @invariant()
    def it_is_the_turn_of_one_who_is_there(self) -> None:
        if not hasattr(self, "game"):
            return
        combat = cast(dict[str, Json], self.state["combat"])
        character = cast(dict[str, str], self.state["character"])
        assert set(self.order) <= {*self.npcs, character["name"]}, "nobody removed stays in the order"
        assert len(set(self.order)) == len(self.order)
        if combat["active"]:
            assert 0 <= cast(int, combat["currentIndex"]) < max(len(self.order), 1)
            players = [
                one for one in cast(list[dict[str, Json]], combat["initiativeOrder"]) if one["isPlayer"]
            ]
            assert [one["name"] for one in players] in ([], [character["name"]])
        else:
            assert self.order == []
            assert combat["defending"] is False

    @invariant()
    def rolls_are_remembered(self) -> None:
        if not hasattr(self, "game"):
            return
        for kind, count in (("rolls", "roll_count"), ("hidden_rolls", "hidden_roll_count")):
            rolls = cast(list[dict[str, Json]], self.state[kind])
            assert len(rolls) == min(ROLLS_KEPT, cast(int, self.state[count]))
            assert len({str(one["id"]) for one in rolls}) == len(rolls)

    @invariant()
    def it_can_be_shown(self) -> None:
        if hasattr(self, "game"):
            for language in ("en", "zh-CN"):
                seen = sight(self.position, self.game, language)
                TABLETOP.panels(seen)
                TABLETOP.notes(seen)
                TABLETOP.choices(seen)


TabletopMachine.TestCase.settings = settings(
    max_examples=60,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)
TestTabletopMachine = TabletopMachine.TestCase
