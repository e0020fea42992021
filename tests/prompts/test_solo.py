"""A campaign with memories of its own: its prompt begins the same all day long, and is cut in the morning."""

import asyncio
import itertools
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

import pytest

from talewright.chronicle.records import MAIN
from talewright.common.json_values import Json
from talewright.kernel.state.changes import Change
from talewright.llm.profiles import Profile
from talewright.llm.requests import Request, SystemMessage
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.stores.memory_store import MemoryBook
from talewright.systems.spiral import system
from talewright.systems.spiral.rulebook import parse_file
from talewright.turn.background.asides import condense
from talewright.turn.background.page_contents import project
from talewright.turn.inputs.player_inputs import Choose, Opening, Say
from talewright.turn.records.commit_body import read_body
from talewright.turn.records.prompt_rebuild import rebuild
from talewright.turn.turn_context import Teller
from tests.kernel.making import make_game
from tests.prompts.counting import find_broken
from tests.systems.spiral.making import LAYOUT, PROMPT, PROMPT_CHINESE
from tests.turn.making import Bench, calls, lay_bench, make_edition, play_edition

PROFILE = Profile("fake-model", context_tokens=128_000, output_tokens_max=4_000)


def note(section: str, content: str, operation: str = "write") -> tuple[str, dict[str, Json]]:
    return "scratchpad", {"operation": operation, "section": section, "content": content}


def somebody(name: str) -> tuple[str, dict[str, Json]]:
    about: dict[str, Json] = {
        "id": name,
        "name": name.title(),
        "concept": "A shaman",
        "goal": "Burn the ferry",
    }
    tags: dict[str, Json] = {"positive_tags": ["feared"], "negative_tags": ["proud"]}
    return "create_npc", {**about, **tags, "disposition": "hostile", "clock_max": 4}


SHEET: dict[str, Json] = {"name": "Kael", "concept": "A hunter", "inherent_tags": ["keen", "calm", "wary"]}
SETUP: list[list[str | ScriptedReply]] = [
    ["What shall it be?"],
    [calls("A frontier, then.", ("set_genre", {"genre": "frontier fantasy"}))],
    [
        calls(
            "",
            ("set_character", SHEET),
            ("set_companion", {"none": True}),
            note("Principles", "The ford remembers every debt that was ever made across it, and collects."),
            note("Active Threads", "Two men want the ferry."),
            note("Opening Scene", "Dawn at the ford."),
            somebody("zogar"),
            somebody("gorm"),
            ("update_scene", {"location": "The ford", "set_positive": ["mist"], "set_negative": ["cold"]}),
        ),
        "Here is your sheet. Shall we begin?",
    ],
    [calls("Then it begins.", ("finish_setup", {}))],
]


def tell(day: int, segment: int, turn: int) -> list[str | ScriptedReply]:
    """Three turns a segment: notes are made in the first, time goes on in the last."""
    told = f"Day {day}, segment {segment}, turn {turn}. The river says nothing, and says it again."
    if turn == 1:
        return [calls("", note("Active Threads", f"Seen on day {day}.{segment}.", "append")), told]
    return [calls("", ("advance_time", {"reason": "on"})), told] if turn == 3 else [told]


def list_turns(days: int) -> Iterator[list[str | ScriptedReply]]:
    yield from SETUP
    yield ["Dawn at the ford; somebody has been here before you."]
    for day in range(1, days + 1):
        for segment in range(1, 5):
            yield from (tell(day, segment, turn) for turn in range(1, 4))


def sum_up(request: Request) -> str:
    """A cheap model's answer to whatever it is asked."""
    schema: Any = request.answer_schema
    (name,) = schema["properties"]["summaries"]["properties"]
    review: dict[str, Json] = {"stale": [], "consolidate": [], "contradictions": [], "missing": ["the rope"]}
    answer: dict[str, Json] = {"summaries": {name: f"{name}: they crossed the ford and owed for it."}}
    return json.dumps({**answer, "logbook_review": review, "story_so_far": "Once there was a ford."})


async def play(days: int, language: str = "en") -> tuple[Bench, list[list[Request]]]:
    files = {"prompt.md": parse_file(PROMPT, "prompt.md")[0]}
    files["texts/zh-CN/prompt.md"] = parse_file(PROMPT_CHINESE, "prompt.md")[0]
    game = replace(make_game(LAYOUT, systems=[system()]), contract="tools", files={"spiral": files})
    edition = make_edition(game, {"world": "A river and a ford."})
    edition = replace(
        edition, texts={**edition.texts, "zh-CN": replace(edition.texts["en"], language="zh-CN")}
    )
    bench = await lay_bench(edition)
    asked: list[list[Request]] = []
    for number, lines in enumerate(list_turns(days), 1):
        main, cheap = Scripted(lines, profile=PROFILE), Scripted(sum_up, profile=PROFILE)
        bench = bench.with_road(teller=Teller(main, cheap), language=language)
        body = await bench.commit(Opening() if number == 1 else Say(f"I go on, {number}."), f"op-{number}")
        assert "mend" not in str(body.exchanges), (number, body.exchanges)
        await condense(bench.road, MAIN)
        asked.append(list(main.requests))
    return bench, asked


def memory_of(requests: list[Request]) -> str:
    second = requests[0].messages[1]
    return second.text if isinstance(second, SystemMessage) else ""


def test_a_campaign_of_three_days() -> None:
    async def run() -> None:
        bench, asked = await play(3)
        commits = (await bench.book.back((await bench.head()).id, len(asked)))[::-1]
        bodies = {commit.version: read_body(commit.body) for commit in commits}
        cuts: dict[int, Any] = {version: body.cuts for version, body in bodies.items() if body.cuts}
        # Setup goes when play begins; the first day goes when the third begins.
        assert cuts == {
            5: (
                {"cut": "window", "from": 1, "first": 5, "by": "system"},
                {"cut": "frozen", "why": "phase"},
            ),
            30: ({"cut": "window", "from": 5, "first": 18, "by": "system"},),
        }
        for version in range(2, len(asked) + 1):
            broken = find_broken(asked[version - 2], asked[version - 1])
            assert bool(broken) is (version in cuts), (version, broken)
        memories = [memory_of(requests) for requests in asked]
        assert set(memories[:4]) == {""}
        # The notes as they were in the morning, and what was summed up overnight.
        assert "Seen on day 1" not in memories[28]
        assert "Seen on day 2.4.\n" in memories[29]
        assert "Seen on day 3" not in memories[-1]
        assert memories[-1].endswith("# Day 2\nday_2: they crossed the ford and owed for it.")
        for commit in commits[::7]:
            made = await rebuild(bench.road, commit, PROFILE)
            assert made is not None
            assert not made.differs

    asyncio.run(run())


def test_the_pages_hold_what_was_said_and_done() -> None:
    async def run() -> None:
        bench, _ = await play(1)
        await project(bench.road, MAIN)
        assert isinstance(bench.book, MemoryBook)
        made = bench.book.projection
        assert made is not None
        assert made.heading == "Day 1 Seg 4: I go on, 17."
        assert [page for page in made.pages if page.startswith("logs")] == [
            "logs/setup.jsonl",
            *(f"logs/day1-seg{segment}.jsonl" for segment in range(1, 5)),
        ]
        lines = [json.loads(line) for line in made.pages["logs/day1-seg2.jsonl"].splitlines()]
        assert [line["role"] for line in lines[:4]] == ["user", "assistant", "tool", "assistant"]
        assert [line["turn"] for line in lines] == [9] * 4 + [10] * 2 + [11] * 4

    asyncio.run(run())


def test_a_campaign_takes_the_prompt_of_its_language() -> None:
    async def run() -> None:
        for language, prompt in (("en", PROMPT), ("zh-CN", PROMPT_CHINESE)):
            bench, asked = await play(0, language)
            assert await bench.value("spiral.prompt") == prompt
            assert prompt.rpartition("---\n")[2].strip() in asked[-1][0].messages[0].text

    asyncio.run(run())


STRETCH = 12
"""Turns that scenes tell before a storyteller sits down."""


async def read_book(start: str, language: str) -> Bench:
    """A ready start played by its scenes alone, over the first night."""
    bench = (await lay_bench(play_edition("games/solo"))).with_road(teller=None, language=language)
    body = await bench.commit(Opening(), "op-1")
    for number in range(2, STRETCH + 1):
        choice = start if number == 2 else body.choices[0].id
        body = await bench.commit(Choose(choice), f"op-{number}")
    return bench


@pytest.mark.parametrize("start", ["frontier", "city", "ship"])
def test_a_storyteller_goes_on_where_scenes_have_told(start: str) -> None:
    async def run() -> None:
        bench = await read_book(start, "zh-CN")
        commits = (await bench.book.back((await bench.head()).id, STRETCH))[::-1]
        moments = list(follow_time(read_body(commit.body).changes for commit in commits))
        assert moments[-1][0] == 2
        # A segment begins with the turn after that in which a scene went on to it.
        begun = [
            n + 2 for n, (one, other) in enumerate(itertools.pairwise([(0, 0), *moments])) if one != other
        ][1:]
        assert await bench.value("spiral.segment_starts") == begun[-5:]
        night = next(n + 2 for n, moment in enumerate(moments) if moment[0] == 2)
        assert await bench.value("spiral.day_start") == night
        assert await bench.value("spiral.day_before_start") == 3

        cheap = Scripted(sum_up, profile=PROFILE)
        told = bench.with_road(teller=Teller(Scripted(["雾散了。"], profile=PROFILE), cheap))
        await told.commit(Say("我站着听。"), "op-model")
        await condense(told.road, MAIN)
        (errand,) = [request for request in cheap.requests if "day_1" in str(request.answer_schema)]
        versions = re.findall(r"第 (\d+) 回合，第 \d 段", errand.messages[-1].text)
        assert versions == [str(version) for version in range(3, night)]

        await project(told.road, MAIN)
        assert isinstance(told.book, MemoryBook)
        assert told.book.projection is not None
        pages = told.book.projection.pages
        logged = {
            path: sorted({json.loads(line)["turn"] for line in text.splitlines()})
            for path, text in pages.items()
            if path.startswith("logs/day")
        }
        assert sorted(turn for turns in logged.values() for turn in turns) == list(range(3, STRETCH + 2))
        for path, turns in logged.items():
            assert {moments[turn - 2] for turn in turns} == {read_moment(path)}
        assert told.book.projection.heading.startswith("Day 2 Seg ")
        await check_morning(told)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("language", "line"),
    [("en", "For you: reads wet ground (2\u00a0action)"), ("zh-CN", "有利：认得湿地（行动骰\u00a02）")],
)
def test_the_card_after_a_ready_start_speaks_the_language_of_the_campaign(language: str, line: str) -> None:
    async def run() -> None:
        bench = await read_book("frontier", language)
        glitches = len(cast(list[Json], await bench.value("player.glitch_tags")))
        pool: dict[str, Json] = {"action_dice": 2, "danger_dice": glitches, "context": "?"}
        teller = Scripted([calls("", ("roll_check", {**pool, "action_tags": ["reads wet ground"]})), "…"])
        body = await bench.with_road(teller=Teller(teller)).commit(Say("!"), "op-model")
        assert body.decisions[0].lines[0] == line
        told = str(teller.requests[0].messages[-1])
        assert ("`reads wet ground` = 认得湿地；" in told) is (language == "zh-CN")

    asyncio.run(run())


async def check_morning(bench: Bench) -> None:
    """In the next morning the storyteller lets go of all but five segments, whoever told them."""
    for number in itertools.count(1):
        if await bench.value("meta.day") == 3:
            break
        lines: list[str | ScriptedReply] = [calls("", ("advance_time", {"reason": "on"})), "夜深了。"]
        bench = bench.with_road(teller=Teller(Scripted(lines, profile=PROFILE)))
        await bench.commit(Say("我往前走。"), f"op-on-{number}")
    starts = cast(list[Json], await bench.value("spiral.segment_starts"))
    bench = bench.with_road(teller=Teller(Scripted(["天亮了。"], profile=PROFILE)))
    cuts = cast(Sequence[dict[str, Json]], (await bench.commit(Say("我醒来。"), "op-morning")).cuts)
    assert [cut["first"] for cut in cuts if cut.get("by") == "system"] == starts[:1]
    assert len(starts) == 5


def follow_time(turns: Iterable[Sequence[Change]]) -> Iterator[tuple[int, int]]:
    """The moment to which each turn led."""
    day, segment = 1, 1
    for changes in turns:
        for change in changes:
            day = cast(int, change.value) if change.path == "/meta/day" else day
            segment = cast(int, change.value) if change.path == "/meta/segment" else segment
        yield day, segment


def read_moment(path: str) -> tuple[int, int]:
    found = re.fullmatch(r"logs/day(\d)-seg(\d)\.jsonl", path)
    assert found is not None
    return int(found[1]), int(found[2])
