"""After every call, the storyteller reads where the player is now, who is there and what they know.

It is read at the end of the conversation: every request begins with the whole request before it.
"""

import asyncio
import random
import re
from dataclasses import replace
from itertools import pairwise

from talewright.chronicle.records import MAIN
from talewright.common.json_values import Json
from talewright.contract.text.leak_guard import LEAK
from talewright.kernel.game import Game
from talewright.kernel.judging.moves import Call
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.story.cast import Lore
from talewright.kernel.story.game_texts import NO_TEXTS, Texts
from talewright.llm.requests import Request, ToolResult
from talewright.prompt.current_turn_part import CHANGED
from talewright.prompt.prompt_assembly import spell_messages
from talewright.providers.scripted import ScriptedReply
from talewright.systems.world.authored.world_files import PLACES, RULES
from talewright.systems.world.people.whereabouts import list_hidden, list_visible
from talewright.systems.world.world_state import WorldState, read_world
from talewright.turn.game_master.master_turn import brief_now
from talewright.turn.inputs.player_inputs import Say
from talewright.turn.records.commit_body import read_body
from talewright.turn.records.prompt_rebuild import rebuild
from talewright.turn.steps.briefing import RENEWED_SINCE_ENGINE
from tests.systems.world.making import GAME, WORLD
from tests.systems.world.random_worlds import Files, make_files, make_world_game
from tests.turn.making import Bench, calls, lay_bench, make_edition, plain
from tests.turn.mastering import begin_master

WORLDS, TURNS, MOVES = 12, 4, 2
COUNTED = "Everyone who comes to the mill is counted twice."
KEPT = "Sera wants: "


def make_world(seed: int) -> tuple[Game, Files]:
    """A world in which every place looks like itself, and time passes only by calls."""
    files = make_files(random.Random(seed))
    files[PLACES] = [{**row, "description": f"It looks like {row['id']} only."} for row in files[PLACES]]
    files[RULES] = {**files[RULES], "ticks": {"message": 0}}
    return replace(make_world_game(files), contract="tools", plan="tool_loop"), files


def move(destination: str) -> tuple[str, dict[str, Json]]:
    return "moveToLocation", {"destination": destination, "narrativeTime": "", "accompaniedBy": []}


async def see(bench: Bench) -> WorldState:
    """The world as it is."""
    recalled = await bench.recall()
    return read_world(WorkingState(recalled.edition.game, recalled.position).sight(WORLD))


def find_changed(request: Request) -> str:
    """What the last message says has changed."""
    last = request.messages[-1]
    assert isinstance(last, ToolResult)
    return last.text.partition(f"\n\n{CHANGED}\n\n")[2]


def is_told_last(told: str, label: str) -> bool:
    """Whether the last word on someone or something is a note, and not that it no longer holds."""
    gone = [found.end() for found in re.finditer(rf"- No longer: .*\b{label}\b", told)]
    return told.rfind(f"- {label}: ") > max(gone, default=-1)


def check_situation(request: Request, state: WorldState) -> None:
    """Whether the place and everyone there are in it, and nobody else."""
    place, told = state.places[state.at], "\n".join(message.text for message in request.messages[1:])
    assert f"The player is at {place.name}. {place.description}" in find_changed(request)
    here = [person.name for person in list_visible(state)]
    for person in state.people.values():
        assert is_told_last(told, person.name) == (person.name in here), person.name
    hidden = ", ".join(person.name for person in list_hidden(state))
    assert is_told_last(told, "Here, but not yet discovered") == bool(hidden)
    assert (
        not hidden
        or f"discovered: {hidden}. When the player looks around or they show themselves, call " in told
    )


async def travel(seed: int) -> int:
    """Move through a world in every turn; how many requests followed a move that was granted."""
    game, files = make_world(seed)
    chance = random.Random(seed)
    places = [row["id"] for row in files[PLACES]]
    bench = await lay_bench(make_edition(game), ["It begins."], opened=True)
    seen = 0
    for number in range(TURNS):
        goals = [chance.choice(places) for _ in range(MOVES)]
        bench = bench.told_by(*(calls("", move(goal)) for goal in goals), "So it was.")
        body = await bench.commit(Say("I walk"), f"op-{number}")
        requests = bench.provider.requests
        for before, after in pairwise(requests):
            assert spell_messages(after.messages).startswith(spell_messages(before.messages))
        granted = [not row["refused"] for one in plain(body.exchanges) for row in one.get("results", ())]
        for went, goal, request in zip(granted, goals, requests[1:], strict=True):
            assert (f"It looks like {goal} only." in find_changed(request)) == went
            seen += went
        if granted[-1]:
            check_situation(requests[-1], await see(bench))
    return seen


def test_every_request_after_a_move_has_the_new_place_and_its_people() -> None:
    assert sum(asyncio.run(travel(seed)) for seed in range(WORLDS)) > 3 * WORLDS


async def at_inn(*script: str | ScriptedReply, game: Game = GAME, texts: Texts = NO_TEXTS) -> Bench:
    edition = make_edition(game, texts.entries, texts.lists)
    bench = await lay_bench(edition, ["It begins."], opened=True)
    return bench.told_by(*script)


def test_a_call_that_changes_nothing_says_so() -> None:
    async def run() -> None:
        bench = await at_inn(calls("", move("The Dusty Tankard")), calls("", move("mill")), "You walk.")
        await bench.commit(Say("I stay, then walk"), "op")
        first, second = bench.provider.requests[1:]
        assert find_changed(first) == ""
        assert first.messages[-1].text.endswith('tell what happens here"}')
        assert '[STATE]\n{"world":{"at":"mill","tick":' in find_changed(second)

    asyncio.run(run())


def test_lore_of_the_new_place_comes_with_it_once() -> None:
    texts = Texts("en", {"lore.counted.text": COUNTED}, {"lore.counted.keys": ("Old Mill",)})

    async def run() -> None:
        bench = await at_inn(
            calls("", move("mill")),
            calls("", ("advanceTime", {"narrativeTime": "", "ticks": 1})),
            "You are there.",
            game=replace(GAME, lore=(Lore("counted"),)),
            texts=texts,
        )
        body = await bench.commit(Say("I walk"), "op")
        first, moved, waited = bench.provider.requests
        assert COUNTED not in first.messages[-1].text
        assert find_changed(moved).endswith(f"[LORE]\n- {COUNTED}")
        assert COUNTED not in find_changed(waited)
        # The next turn shows it again with this one.
        assert body.lore == ({"id": "counted", "why": "key Old Mill"},)

    asyncio.run(run())


def test_what_the_people_of_the_new_place_would_not_tell_is_guarded() -> None:
    async def run() -> None:
        bench = await at_inn(calls("", move("square")), "You walk.")
        await bench.commit(Say("I walk"), "op")
        (kept,) = [line for line in find_changed(bench.provider.requests[-1]).split("\n") if KEPT in line]
        secret = kept.partition(KEPT)[2]
        bench = await at_inn(calls("", move("square")), f"You see it: {secret}", "You walk.")
        body = await bench.commit(Say("I walk"), "op")
        assert [one.get("mend") for one in plain(body.exchanges)] == [None, [LEAK.message], None]

    asyncio.run(run())


def test_turns_of_older_engines_are_rebuilt_as_they_were() -> None:
    async def run() -> None:
        bench = await at_inn(calls("", move("mill")), "You walk.")
        await bench.commit(Say("I walk"), "op")
        head = await bench.head()
        for engine in (RENEWED_SINCE_ENGINE, RENEWED_SINCE_ENGINE - 1):
            old = replace(head, body={**head.body, "engine": engine})
            rebuilt = await rebuild(bench.road, old, bench.provider.profile)
            assert rebuilt is not None
            changed = find_changed(rebuilt.requests[-1])
            assert bool(changed) == (engine == RENEWED_SINCE_ENGINE)

    asyncio.run(run())


def test_a_game_master_reads_the_same_within_an_open_turn() -> None:
    texts = Texts("en", {"lore.counted.text": COUNTED}, {"lore.counted.keys": ("Old Mill",)})

    async def run() -> None:
        bench = await at_inn(game=replace(GAME, lore=(Lore("counted"),)), texts=texts)
        before = await brief_now(bench.road, MAIN)
        master = await begin_master(bench.road, MAIN, Say("I walk"), "op")
        tool, where = move("mill")
        told = await master.propose([Call(tool, {**where, "reason": "the player walks there"})])
        assert told.changed.startswith(CHANGED)
        assert "The player is at Old Mill. The wheel stands still." in told.changed
        assert COUNTED in told.changed
        count = len(await bench.records())
        sections = {one.name: one for one in (await brief_now(bench.road, MAIN, before.version)).sections}
        assert "The player is at Old Mill. The wheel stands still." in sections["notes"].text
        assert '"at":"mill"' in sections["state"].text
        assert sections["asked"].text == f"[LORE]\n- {COUNTED}\n\n[PLAYER]\nI walk"
        assert {name for name, one in sections.items() if one.is_new} >= {"notes", "state", "asked"}
        assert not sections["role"].is_new
        assert len(await bench.records()) == count
        # What the rounds brought up is part of the turn.
        body = read_body((await master.finish("You walk.")).commit.body)
        assert [plain(row)["id"] for row in body.lore] == ["counted"]

    asyncio.run(run())
