"""Pages: the readable folder, and that no log is ever written over by a part of itself."""

import json
from dataclasses import dataclass

from talewright.common.json_values import Json
from talewright.kernel.state.state import Position, State
from talewright.kernel.system import PastTurn
from talewright.stores.folder.pages.page_files import check_path
from talewright.systems.spiral.memory.spiral_pages import LOG_TURNS_MAX
from tests.systems.spiral.making import FIRST, PROMPT, READY, SPIRAL, call, end_turn, past, sight, took, write


@dataclass(frozen=True, slots=True)
class ToldTurn(PastTurn):
    """A past turn as the engine will hand it over."""

    messages: tuple[Json, ...] = ()


def at(version: int, position: Position) -> Position:
    return Position(State(position.state.document, version), position.standing)


def pages(position: Position, *turns: PastTurn, language: str = "en") -> dict[str, str]:
    return dict(SPIRAL.pages(sight(position, language), turns))


def logs(position: Position, *turns: PastTurn) -> dict[str, list[int]]:
    """The turns that stand in each log."""
    return {
        path: sorted({json.loads(line)["turn"] for line in text.splitlines()})
        for path, text in pages(position, *turns).items()
        if path.startswith("logs/")
    }


def test_the_campaigns_own_files() -> None:
    noted = write(READY, {"spiral.scratchpad": "## Principles\nx\n", "spiral.summaries": {"1": "Kael fell."}})
    found = pages(noted)
    assert found["prompt.md"] == PROMPT
    assert found["scratchpad.md"] == "## Principles\nx\n"
    assert found["summaries/day1.md"] == "# Day 1\n\nKael fell.\n"
    assert pages(noted, language="zh-CN")["summaries/day1.md"] == "# 第 1 天\n\nKael fell.\n"
    assert "prompt.md" not in pages(FIRST)
    assert pages(FIRST)["scratchpad.md"] == ""


def test_people_and_places_have_pages() -> None:
    here = end_turn(call("update_npc", {"id": "gorm", "active": True}).position).position
    found = pages(here)
    assert found["world/npcs/zogar-sag.md"] == (
        "# Zogar Sag\n\nShaman of the Wolf Clan\n\n- **Disposition**: hostile\n"
        "- **Goal**: capture outsiders\n- **Clock**: ●●○○ (2/4)\n"
        "- **Strong**: commands serpents, feared by all clans\n- **Weak**: arrogant\n"
    )
    assert "- **Last seen**: Wolf Clan border" in found["world/npcs/gorm.md"]
    assert found["world/locations/wolf-clan-border.md"] == (
        "# Wolf Clan border\n\n- **First seen**: Day 1 · Morning\n- **Visits**: 1\n"
        "- **Tags**: + shallow ford; + morning mist; - patrol route; - strong current\n"
    )
    chinese = pages(here, language="zh-CN")["world/npcs/gorm.md"]
    assert "- **态度**：敌对" in chinese
    assert all(not check_path(path) for path in found)


def test_a_turn_stands_in_the_log_of_its_segment() -> None:
    now = write(READY, {"meta.segment": 2, "spiral.segment_starts": [3, 5]})
    turns = [
        past(1, "hello"),
        past(2, "yes", changes=[took("/meta/setup_complete", False, True)]),
        past(3, "", "It begins."),
        past(4, "on", changes=[took("/meta/segment", 1, 2)]),
        past(5, "look"),
    ]
    found = pages(at(5, now), *turns)
    assert [json.loads(line) for line in found["logs/day1-seg1.jsonl"].splitlines()] == [
        {"turn": 3, "role": "assistant", "content": "It begins."},
        {"turn": 4, "role": "user", "content": "on"},
        {"turn": 4, "role": "assistant", "content": "So it goes."},
    ]
    assert logs(at(5, now), *turns) == {
        "logs/setup.jsonl": [1, 2],
        "logs/day1-seg1.jsonl": [3, 4],
        "logs/day1-seg2.jsonl": [5],
    }


def test_messages_are_logged_as_they_were() -> None:
    messages: tuple[Json, ...] = (
        {"role": "user", "content": "look"},
        {"role": "assistant", "content": "", "calls": [{"name": "update_scene"}]},
    )
    (line, other) = pages(at(1, READY), ToldTurn(1, "look", "x", messages=messages))[
        "logs/day1-seg1.jsonl"
    ].splitlines()
    assert json.loads(line) == {"turn": 1, "role": "user", "content": "look"}
    assert json.loads(other)["calls"] == [{"name": "update_scene"}]
    odd = pages(at(1, READY), ToldTurn(1, "look", "x", messages=("words",)))["logs/day1-seg1.jsonl"]
    assert json.loads(odd) == {"turn": 1, "content": "words"}


def test_a_log_whose_beginning_is_not_at_hand_is_left_alone() -> None:
    now = write(READY, {"meta.segment": 2, "spiral.segment_starts": [3, 5]})
    last = [past(4, "on", changes=[took("/meta/segment", 1, 2)]), past(5, "look"), past(6, "go")]
    assert logs(at(6, now), *last) == {"logs/day1-seg2.jsonl": [5, 6]}
    assert logs(at(6, now), *last[2:]) == {}
    assert logs(at(6, now)) == {}


def test_a_segment_that_is_forgotten_is_left_alone() -> None:
    now = write(READY, {"meta.segment": 2, "spiral.segment_starts": [5]})
    turns = [past(n, "x") for n in range(1, 5)] + [past(5, "on", changes=[took("/meta/segment", 1, 2)])]
    assert logs(at(5, now), *turns) == {"logs/day1-seg1.jsonl": [5]}


def test_segments_whose_beginning_is_not_noted_any_more_are_found_in_the_turns() -> None:
    now = write(READY, {"meta.day": 2, "meta.segment": 1, "spiral.segment_starts": [80]})
    turns = [
        *(past(n, "x") for n in range(60, 63)),
        past(63, "on", changes=[took("/meta/segment", 2, 3)]),
        *(past(n, "x") for n in range(64, 70)),
        past(70, "on", changes=[took("/meta/segment", 3, 4)]),
        *(past(n, "x") for n in range(71, 79)),
        past(79, "sleep", changes=[took("/meta/day", 1, 2), took("/meta/segment", 4, 1)]),
        past(80, "wake"),
    ]
    # Of the second segment the beginning is not at hand, however many of its turns are.
    assert logs(at(80, now), *turns) == {
        "logs/day1-seg3.jsonl": list(range(64, 71)),
        "logs/day1-seg4.jsonl": list(range(71, 80)),
        "logs/day2-seg1.jsonl": [80],
    }
    long = [past(n, "x") for n in range(3, 3 + LOG_TURNS_MAX + 20)]
    assert logs(at(long[-1].version, write(now, {"spiral.segment_starts": [999]})), *long) == {}


def test_a_long_segment_goes_on_in_another_file() -> None:
    turns = [past(n, "x") for n in range(1, LOG_TURNS_MAX + 3)]
    newest = at(LOG_TURNS_MAX + 2, READY)
    assert SPIRAL.reach(sight(newest)) == LOG_TURNS_MAX + 1
    assert logs(newest, *turns[LOG_TURNS_MAX:]) == {"logs/day1-seg1-2.jsonl": [51, 52]}
    assert list(logs(newest, *turns)) == ["logs/day1-seg1.jsonl", "logs/day1-seg1-2.jsonl"]
    setting = at(LOG_TURNS_MAX + 1, FIRST)
    assert logs(setting, past(LOG_TURNS_MAX + 1, "x")) == {"logs/setup-2.jsonl": [51]}
