"""A scene that goes on after a move of a system: told again only if its words have changed."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves import Call, Op, Update
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.story.endings import Outcome
from talewright.kernel.story.scenes import Choice, Scene, SceneResult, SystemChoice, Trial, Variant
from talewright.kernel.system import (
    AuthorFiles,
    Grant,
    HasChoices,
    HasSlots,
    HasTelling,
    HasTools,
    Sight,
    Tool,
)
from talewright.turn.inputs.player_inputs import Choose, Opening
from tests.kernel.making import integer, make_ending, make_game, make_layout, make_scene, maybe
from tests.turn.making import Bench, lay_bench, make_edition

SPEND = Call("spend")


class Purse(HasSlots, HasTools, HasChoices):
    """Coins that are spent one by one."""

    name = "purse"

    def slots(self, files: AuthorFiles) -> Mapping[str, Slot]:
        return {"coins": integer(4, 0, 9)}

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        return (Tool("spend", "Spend a coin.", {"type": "object"}),)

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> Grant:
        return Grant((Update(Op.DEC, "coins", 1),), {"outcome": "success"})

    def choices(self, sight: Sight) -> Sequence[SystemChoice]:
        return (SystemChoice("spend", "Spend a coin", SPEND),)


PURSE = Purse()
LAYOUT = make_layout(PURSE.slots({}))
INN = replace(
    make_scene(
        LAYOUT,
        "inn",
        "coins > 1",
        Choice("order", text="ordered", check=Trial("spend", {}, SceneResult("served"), SceneResult())),
        Choice("wait"),
    ),
    variants=(Variant("inn.poor", maybe(LAYOUT, "coins < 3")), Variant("inn.rich")),
)
STREET = make_scene(LAYOUT, "street", "coins <= 1", Choice("walk"))
WORDS = {
    "inn.poor": "The host counts along.",
    "inn.rich": "The host smiles.",
    "scene.inn.order.label": "Order",
    "scene.inn.wait.label": "Wait",
    "ordered": "You order.",
    "served": "It is hot.",
    "scene.street.text.1": "It rains.",
    "scene.street.walk.label": "Walk",
    "ending.broke": "Nothing is left.",
}
BROKE = make_ending(LAYOUT, "broke", "coins == 0", Outcome.LOSE)


def play(*choices: str, scenes: Sequence[Scene] = (INN, STREET)) -> list[str]:
    async def run() -> list[str]:
        game = make_game(LAYOUT, scenes=scenes, endings=[BROKE], systems=[PURSE])
        bench: Bench = await lay_bench(make_edition(game, WORDS, {}, "inn"))
        told = [await bench.commit(Opening(), "op-0")]
        told += [await bench.commit(Choose(choice), f"op-{at}") for at, choice in enumerate(choices, 1)]
        return [body.narration for body in told]

    return asyncio.run(run())


SPENT = "purse.spend"
SERVED = "You order.\n\nIt is hot."


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        ((SPENT,), [""]),
        ((SPENT, SPENT), ["", "The host counts along."]),
        ((SPENT, SPENT, SPENT), ["", "The host counts along.", "It rains."]),
        ((SPENT, SPENT, SPENT, SPENT), ["", "The host counts along.", "It rains.", "Nothing is left."]),
        (("order",), ["You order.\n\nIt is hot."]),
        (
            ("order", "order"),
            ["You order.\n\nIt is hot.", "You order.\n\nIt is hot.\n\nThe host counts along."],
        ),
        (("wait",), ["The host smiles."]),
    ],
)
def test_a_scene_is_told_again_only_in_other_words(choices: tuple[str, ...], told: list[str]) -> None:
    assert play(*choices) == ["The host smiles.", *told]


class TellingPurse(Purse, HasTelling):
    """The same, for a game that needs no scene."""

    def tell(self, calls: Sequence[Call], sight: Sight) -> str:
        return "It is cold."


def test_a_scene_whose_condition_fails_is_left_where_a_system_needs_no_scene() -> None:
    async def run() -> None:
        game = make_game(LAYOUT, scenes=[INN], systems=[TellingPurse()])
        bench: Bench = await lay_bench(make_edition(game, WORDS, {}, "inn"))
        offered = [[choice.id for choice in (await bench.commit(Opening(), "op-0")).choices]]
        for at in range(3):
            body = await bench.commit(Choose(SPENT), f"op-{at + 1}")
            offered.append([choice.id for choice in body.choices])
        # Four coins are three, two and one; the inn is for those who have more than one.
        assert offered == [["order", "wait", SPENT]] * 3 + [[SPENT]]

    asyncio.run(run())


QUARREL = make_scene(LAYOUT, "quarrel", "coins == 2", Choice("walk"), priority=1)
WORDS["scene.quarrel.text.1"] = "Somebody shouts."
WORDS["scene.quarrel.walk.label"] = "Walk"


@pytest.mark.parametrize(
    ("here", "priority", "told"),
    [
        (INN, 1, "Somebody shouts."),
        (INN, 0, "The host counts along."),
        # A scene without a condition is there because a choice led to it, and only a choice leads away.
        (replace(INN, when=None), 1, "The host counts along."),
    ],
)
def test_a_scene_with_a_higher_priority_interrupts(here: Scene, priority: int, told: str) -> None:
    first = make_scene(LAYOUT, "door", "coins == 4", Choice("in", next="inn"), priority=9, once=True)
    WORDS.update({"scene.door.text.1": "The door sticks.", "scene.door.in.label": "In"})
    scenes = [first, here, replace(QUARREL, priority=priority)]
    assert play("in", SPENT, SPENT, scenes=scenes)[2:] == ["", told]
