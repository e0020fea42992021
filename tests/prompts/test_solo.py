"""A campaign with memories of its own: its prompt begins the same all day long, and is cut in the morning."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from talewright.chronicle.records import MAIN
from talewright.kernel.documents import Json
from talewright.llm.messages import System
from talewright.llm.profiles import Profile
from talewright.llm.requests import Request
from talewright.providers.scripted import Line, Scripted
from talewright.stores.memory import MemoryBook
from talewright.systems.spiral import system
from talewright.systems.spiral.rulebook import parse_file
from talewright.turn.bodies import from_json
from talewright.turn.condensing import condense
from talewright.turn.inputs import Opening, Say
from talewright.turn.projecting import project
from talewright.turn.rebuilding import rebuild
from talewright.turn.road import Teller
from tests.kernel.making import make_game
from tests.prompts.counting import find_broken
from tests.systems.spiral.making import LAYOUT, PROMPT, PROMPT_CHINESE
from tests.turn.making import Bench, calls, lay_bench, make_edition

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
SETUP: list[list[str | Line]] = [
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


def tell(day: int, segment: int, turn: int) -> list[str | Line]:
    """Three turns a segment: notes are made in the first, time goes on in the last."""
    told = f"Day {day}, segment {segment}, turn {turn}. The river says nothing, and says it again."
    if turn == 1:
        return [calls("", note("Active Threads", f"Seen on day {day}.{segment}.", "append")), told]
    return [calls("", ("advance_time", {"reason": "on"})), told] if turn == 3 else [told]


def list_turns(days: int) -> Iterator[list[str | Line]]:
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
    return second.text if isinstance(second, System) else ""


def test_a_campaign_of_three_days() -> None:
    async def run() -> None:
        bench, asked = await play(3)
        commits = (await bench.book.back((await bench.head()).id, len(asked)))[::-1]
        bodies = {commit.version: from_json(commit.body) for commit in commits}
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
