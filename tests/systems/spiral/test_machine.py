"""The machine: any calls in any order, judged by the kernel, and what is true after each of them.

A failing run prints its calls, and the seed that brings them about again.
"""

import random
from typing import cast

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from talewright.common.json_values import Json
from talewright.kernel.judging.move_resolution import (
    JudgedStep,
    drop_waiting_call,
    judge,
    keep_waiting_call,
    settle,
)
from talewright.kernel.judging.moves import MODEL, PLAYER, Call
from talewright.kernel.judging.rulings import Granted, Waiting
from talewright.kernel.state.state import advance
from talewright.systems.spiral.moves import scratchpad
from talewright.systems.spiral.tags import fold
from tests.systems.spiral.making import GAME, READY, SPIRAL, assess, read, sight

pytestmark = pytest.mark.slow

TAGS = ["keen tracker", "morning mist", "patrol route", "wet boots", "broken rib", "Wet  Boots", "听见水声"]
PEOPLE = ["gorm", "zogar-sag", "mira", "x", "Gorm", "No Body"]
LISTS = st.lists(st.sampled_from(TAGS), max_size=4)
SECTIONS = st.sampled_from(["Principles", "principles", "Active Threads", "A", "## B", " ", "é", "e\u0301"])
LINES = st.sampled_from(
    ["", "x", "## A", "## Principles", "```", "~~~", "### y", "##", "## ", "\r", " ## A", "\t```"]
)
CONTENT = st.lists(LINES, max_size=6).map("\n".join) | st.text(max_size=30)


class _Seeded:
    """A chance that follows from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def draw(self, sides: int, why: str = "") -> int:
        return self._random.randint(1, sides)


class Campaign(RuleBasedStateMachine):
    """A campaign in which anything is tried."""

    @initialize(seed=st.integers(0, 2**32))
    def start(self, seed: int) -> None:
        print(f"seed {seed}")
        self.chance = _Seeded(seed)
        self.position = READY
        self.waiting: Call | None = None
        self.moments = [(1, 1)]

    def take(self, tool: str, said: dict[str, Json]) -> JudgedStep:
        """One call; what is refused has changed nothing."""
        before = self.position
        step = judge(GAME, before, [Call(tool, said)], MODEL, self.chance)
        (ruling,) = step.rulings
        if isinstance(ruling, Granted):
            self.position = step.position
        else:
            assert step.position == before
        if isinstance(ruling, Waiting):
            self.position = keep_waiting_call(GAME, before, ruling).position
            self.waiting = Call(tool, said, "check")
        return step

    @precondition(lambda self: self.waiting is None)
    @rule(action=LISTS, danger=LISTS, off=st.integers(-1, 1))
    def propose(self, action: list[str], danger: list[str], off: int) -> None:
        glitches = len(cast(list[Json], read(self.position, "player.glitch_tags")))
        self.take("roll_check", assess(action, danger, glitches + (off if off < 0 else 0)))

    @precondition(lambda self: self.waiting is not None)
    @rule(option=st.sampled_from(["roll", "roll_resist", "contest", "withdraw", "fudge"]))
    def answer(self, option: str) -> None:
        assert self.waiting is not None
        self.position = drop_waiting_call(GAME, advance(self.position), "check").position
        answers: dict[str, Json] = {"check": option}
        step = judge(GAME, self.position, [self.waiting], PLAYER, self.chance, answers)
        self.position, self.waiting = step.position, None

    @rule(tag=st.sampled_from(TAGS) | st.text(max_size=70))
    def add_glitch(self, tag: str) -> None:
        self.take("add_glitch", {"tag": tag})

    @rule()
    def flush(self) -> None:
        self.take("flush_glitches", {})

    @rule(
        purpose=st.sampled_from(["negate_glitch", "clear_condition"]), tag=st.none() | st.sampled_from(TAGS)
    )
    def spend(self, purpose: str, tag: str | None) -> None:
        self.take("spend_resist", {"purpose": purpose, "condition": tag})

    @rule(
        lists=st.fixed_dictionaries(
            {},
            optional=dict.fromkeys(
                ("add_inherent", "remove_inherent", "add_condition", "remove_condition", "remove_glitch"),
                LISTS,
            ),
        )
    )
    def update_player(self, lists: dict[str, Json]) -> None:
        before = cast(list[str], read(self.position, "player.conditions"))
        self.take("update_player", lists)
        assert set(before) <= set(cast(list[str], read(self.position, "player.conditions")))

    @rule(
        location=st.none() | st.sampled_from(["The Pit", "the pit", "渡口", "?", "../x"]),
        lists=st.fixed_dictionaries(
            {},
            optional={
                f"{op}_{colour}": LISTS
                for op in ("set", "add", "remove")
                for colour in ("positive", "negative")
            },
        ),
    )
    def update_scene(self, location: str | None, lists: dict[str, Json]) -> None:
        self.take("update_scene", {"location": location, **lists})

    @rule(name=st.sampled_from(PEOPLE), clock=st.integers(-1, 14), tags=LISTS)
    def create(self, name: str, clock: int, tags: list[str]) -> None:
        said: dict[str, Json] = {
            "id": name,
            "name": name.title(),
            "concept": "c",
            "positive_tags": tags,
            "negative_tags": [],
            "disposition": "unknown",
            "goal": "g",
            "clock_max": clock,
        }
        self.take("create_npc", said)

    @rule(
        name=st.sampled_from(PEOPLE), delta=st.none() | st.integers(-20, 20), active=st.none() | st.booleans()
    )
    def update_npc(self, name: str, delta: int | None, active: bool | None) -> None:
        self.take("update_npc", {"id": name, "clock_delta": delta, "active": active})

    @rule(reason=st.sampled_from(["on", ""]))
    def go_on(self, reason: str) -> None:
        step = self.take("advance_time", {"reason": reason})
        if isinstance(step.rulings[0], Granted):
            self.moments.append(self.moment())

    @rule(operation=st.sampled_from(["read", "write", "append"]), section=SECTIONS, content=CONTENT)
    def note(self, operation: str, section: str, content: str) -> None:
        before = self.sections()
        self.take("scratchpad", {"operation": operation, "section": section, "content": content})
        name = fold(section.lstrip("# "))
        if name:
            after = self.sections()
            assert {k: v for k, v in after.items() if k != name} == {
                k: v for k, v in before.items() if k != name
            }

    @rule(content=CONTENT, operation=st.sampled_from(["write", "append"]))
    def note_whole(self, content: str, operation: str) -> None:
        self.take("scratchpad", {"operation": operation, "section": None, "content": content})

    @precondition(lambda self: self.waiting is None)
    @rule()
    def end_turn(self) -> None:
        self.position = advance(settle(GAME, self.position, self.chance).position)

    def moment(self) -> tuple[int, int]:
        return cast(int, read(self.position, "meta.day")), cast(int, read(self.position, "meta.segment"))

    def sections(self) -> dict[str, str]:
        text = str(read(self.position, "spiral.scratchpad"))
        return {fold(section.name): section.body for section in scratchpad.split_sections(text)}

    @invariant()
    def clocks_are_within_bounds(self) -> None:
        people = cast(dict[str, dict[str, int]], read(self.position, "npcs"))
        assert all(0 <= person["clock"] <= person["clock_max"] <= 12 for person in people.values())

    @invariant()
    def resist_is_within_bounds(self) -> None:
        resist = cast(dict[str, int], read(self.position, "player.resist"))
        assert 0 <= resist["current"] <= resist["max"]

    @invariant()
    def the_calendar_goes_on_step_by_step(self) -> None:
        assert self.moments[-1] == self.moment()
        for (day, segment), after in zip(self.moments, self.moments[1:], strict=False):
            assert after == ((day, segment + 1) if segment < 4 else (day + 1, 1))

    @invariant()
    def the_moment_whose_beginning_is_known_is_the_newest(self) -> None:
        noted = (read(self.position, "spiral.noted_day"), read(self.position, "spiral.noted_segment"))
        assert noted in ((0, 0), self.moment())

    @invariant()
    def those_present_are_those_active(self) -> None:
        people = cast(dict[str, dict[str, Json]], read(self.position, "npcs"))
        active = [name for name, person in people.items() if person["active"]]
        assert read(self.position, "scene.active_npcs") == active
        assert all(people[name]["met"] for name in active)

    @invariant()
    def the_notes_are_closed_and_each_section_stands_once(self) -> None:
        text = str(read(self.position, "spiral.scratchpad"))
        names = [fold(name) for name in scratchpad.section_names(text)]
        assert len(names) == len(set(names))
        assert scratchpad.has_closed_fences(text)
        assert scratchpad.join_sections(scratchpad.split_sections(text)) == text

    @invariant()
    def tags_stand_once(self) -> None:
        for path in (
            "player.inherent_tags",
            "player.glitch_tags",
            "player.conditions",
            "scene.positive_tags",
        ):
            tags = [fold(str(tag)) for tag in cast(list[Json], read(self.position, path))]
            assert len(tags) == len(set(tags))

    @invariant()
    def everything_can_be_shown(self) -> None:
        for language in ("en", "zh-CN"):
            seen = sight(self.position, language)
            assert SPIRAL.panels(seen)
            assert SPIRAL.notes(seen)
            assert "goal" not in repr(SPIRAL.panels(seen))
            assert SPIRAL.pages(seen, ())


Campaign.TestCase.settings = settings(
    max_examples=60,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)
TestCampaign = Campaign.TestCase
