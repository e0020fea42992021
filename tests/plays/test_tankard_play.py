"""The long play in the Dusty Tankard contains what it is there for, and its history follows from the seed."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any, cast

import pytest

from talewright.cli.campaign.cost_command import tell
from talewright.common.json_values import Json
from talewright.kernel.state.changes import apply
from talewright.kernel.state.state import State
from talewright.llm.profiles import Profile
from talewright.play.history.campaign_cost import count_costs
from talewright.play.history.campaign_history import read_history
from talewright.systems.world.authored.authored_world import AuthoredPerson, SimulationDepth
from talewright.systems.world.authored.world_builder import world_of
from talewright.systems.world.authored.world_files import PLAYER
from talewright.systems.world.offscreen.agendas import has_succeeded, read_progress
from talewright.systems.world.offscreen.simulated_scenes import find_scene
from talewright.systems.world.people.knowledge import KnowledgeEntry, knowledge_of
from talewright.systems.world.people.whereabouts import find_person
from talewright.systems.world.reports.world_history import Learned, list_learned
from talewright.systems.world.slots import TOLD, WITNESSED
from talewright.systems.world.tool_descriptions import ADVANCE, DISCOVER, MOVE
from talewright.systems.world.world_state import WorldState
from talewright.turn.records.commit_body import MODEL, SCENES
from tests.plays.performances import in_memory, perform, perform_straight
from tests.plays.scripts import PLAYS, read_play
from tests.plays.stage import Stage, Told, load_edition
from tests.systems.world.making import Play as WorldPlay

pytestmark = pytest.mark.slow
"""Each test needs the whole play, which takes seconds."""

NAME = "28_dusty_tankard"
TURNS_MIN = 50
HOURS_MIN = 48
ASKS_MEAN_MAX = 2.0
SEEDS = (b"a wet week at Pellow Lock", b"another week at Pellow Lock")


@cache
def read_turns() -> list[tuple[Told, WorldState]]:
    """Every turn of the play, with the world after it."""
    edition = load_edition(read_play(PLAYS / f"{NAME}.yaml").game)
    world = world_of(edition.game.files["world"], "en")
    document: Mapping[str, Json] = edition.game.initial
    turns = []
    for told in perform_straight(NAME).told:
        document = apply(document, told.body.changes)
        own = cast("Mapping[str, Json]", document["world"])
        turns.append((told, WorldState(world, own, told.commit.version + 1)))
    assert State(document, len(turns)).digest == perform_straight(NAME).digest
    return turns


def read_calls(told: Told) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Tool and arguments of every call of a turn that was granted."""
    for ruling in cast("tuple[Mapping[str, Any], ...]", told.body.rulings):
        if ruling["ruling"] == "granted" and "call" in ruling["move"]:
            yield ruling["move"]["call"], ruling["move"]["arguments"]


def trace(state: WorldState, fact: str) -> list[KnowledgeEntry]:
    """How the player came to know a fact: their own entry, that of whoever told them, and so on."""
    chain = [knowledge_of(state, PLAYER)[fact]]
    while chain[-1].source == TOLD and chain[-1].by:
        chain.append(knowledge_of(state, chain[-1].by)[fact])
    return chain


def last() -> WorldState:
    return read_turns()[-1][1]


def find_new(name: str, before: WorldState, after: WorldState) -> set[str]:
    """The keys that an object of the state has gained."""
    return set(after.part(name)) - set(before.part(name))


def test_it_is_long_and_told_in_several_ways() -> None:
    bodies = [told.body for told, _ in read_turns()]
    chosen = [str(cast("Mapping[str, Any]", body.input).get("choice", "")) for body in bodies]
    assert len(bodies) >= TURNS_MIN
    assert sum(body.told == MODEL for body in bodies) >= 40
    assert sum(body.told == SCENES for body in bodies) >= 5
    assert sum(name.startswith("world.") for name in chosen) >= 8
    assert sum(bool(name) and "." not in name for name in chosen) >= 8


def test_everywhere_is_visited() -> None:
    places = [state.at for _, state in read_turns()]
    assert set(places) == set(last().places)
    hidden = {place.id for place in last().places.values() if place.hidden}
    assert hidden
    moves = sum(before != after for before, after in pairwise(places))
    assert moves >= 12
    # More than one of the ways was asked for by another name of the place.
    said = {
        arguments["destination"]
        for told, _ in read_turns()
        for tool, arguments in read_calls(told)
        if tool == MOVE
    }
    assert len(said - set(last().places) - {place.name for place in last().places.values()}) >= 5


def test_people_come_along() -> None:
    came: dict[str, str] = {}
    for told, state in read_turns():
        for tool, arguments in read_calls(told):
            for name in arguments["accompaniedBy"] if tool == MOVE else ():
                person = next(one for one in state.people.values() if name in (one.name, *one.also))
                assert find_person(state, person, state.tick) == state.at
                # By themselves they would have been somewhere else.
                alone = WorldState(state.world, {**state.own, "stays": {}}, state.turn)
                assert find_person(alone, person, state.tick) != state.at
                came[person.id] = state.at
    assert came == {"wick": "taproom", "loft_man": "lock", "sloe": "taproom", "hob": "taproom"}


def test_hidden_people_are_found_by_chance_and_by_the_storyteller() -> None:
    ways: dict[str, str] = {}
    turns = read_turns()
    for (_, before), (told, after) in pairwise(turns):
        for name in find_new("met", before, after):
            person: AuthoredPerson = after.people[name]
            if person.hidden:
                drawn = any(f"meeting {name}" in draw.why for draw in told.body.draws)
                called = any(tool == DISCOVER for tool, _ in read_calls(told))
                ways[name] = "chance" if drawn else "call" if called else "name"
    assert ways == {"wick": "chance", "loft_man": "call"}
    assert {one.id for one in last().people.values() if one.hidden} == set(ways)
    # And somebody whom no author has written.
    assert [person.name for person in last().people.values() if person.id.startswith("new_")] == ["Tobb"]


def test_time_passes_and_never_goes_back() -> None:
    ticks = [state.tick for _, state in read_turns()]
    assert ticks == sorted(ticks)
    assert ticks[-1] * last().world.rules.tick_minutes >= HOURS_MIN * 60
    slept = [
        arguments["ticks"]
        for told, _ in read_turns()
        for tool, arguments in read_calls(told)
        if tool == ADVANCE
    ]
    assert sum(ticks >= 100 for ticks in slept) >= 2


def test_plans_succeed_that_nobody_told_the_storyteller_of() -> None:
    state, known = last(), knowledge_of(last(), PLAYER)
    done = [
        agenda.id for agenda in state.world.agendas.values() if has_succeeded(read_progress(state, agenda))
    ]
    unseen = [name for name in done if name not in known or known[name].source != WITNESSED]
    assert len(done) >= 8
    assert len(unseen) >= 4
    # Their outcomes have changed the game's own variables, and opened scenes.
    changed = {change.path for told, _ in read_turns() for change in told.body.changes}
    assert {"/flags/notice", "/flags/clock_sold"} <= changed


def test_rumours_reach_the_player_through_several_mouths() -> None:
    state = last()
    twice = trace(state, "amos_went")
    assert [entry.by for entry in twice] == ["prewitt", "hob", ""]
    assert twice[-1].source == WITNESSED
    # Whoever told it had heard it in the night before, while the player slept.
    slept = next(after for told, after in read_turns() if "I sleep" in told.body.said)
    assert slept.count("turn_start") < twice[1].at <= slept.tick < twice[0].at
    twisted = trace(state, "slow_axle")
    assert [(entry.by, entry.twist) for entry in twisted] == [
        ("ibby", 1),
        ("dorcas", 1),
        ("sloe", 0),
        ("", 0),
    ]


def test_life_off_screen_is_told_in_every_depth() -> None:
    depths: Counter[SimulationDepth] = Counter()
    for told, state in read_turns():
        scene = find_scene(state)
        assert len(told.condensed) == (scene is not None)
        if not state.turn % state.world.rules.simulation.every_turns:
            depths[scene.depth if scene is not None else SimulationDepth.SKIP] += 1
    print(dict(depths))
    assert depths.keys() == set(SimulationDepth)
    assert min(depths.values()) >= 3


def test_what_a_model_told_off_screen_has_consequences() -> None:
    state = last()
    # Mrs Prewitt told Hob of the straw, so that he began what he had been waiting to do.
    heard = knowledge_of(state, "hob")["warm_straw"]
    plan = read_progress(state, state.world.agendas["carry_soup"])
    assert (heard.source, heard.by) == (TOLD, "prewitt")
    assert heard.at <= plan.started < plan.done
    # What they said to each other comes to the player as a rumour, and is in no prompt before that.
    rumour = trace(state, "life_4")
    assert [entry.by for entry in rumour] == ["stroud", "prewitt", ""]
    fact = state.fact("life_4")
    assert fact is not None
    asked = [
        told.commit.version
        for told, after in read_turns()
        if after.tick <= rumour[0].at
        and any(fact.text in str(request.messages) for request in told.asked[:1])
    ]
    assert asked == []
    # Nobody goes to the moon, and nobody learns what would not be told.
    assert "moon" not in str(state.own)
    assert "inspector" not in knowledge_of(state, "ibby")


def test_a_player_action_takes_at_most_two_asks() -> None:
    costs = count_costs(asyncio.run(read_history(perform_straight(NAME).book)), Profile)
    (line,) = (line for line in tell(costs, turns=False) if "per player action" in line)
    print(line)
    assert costs.background_asks == sum(len(told.condensed) for told, _ in read_turns())
    assert costs.actions == len(read_turns()) - 1
    assert costs.asks_per_action <= ASKS_MEAN_MAX


def live_through(seed: bytes) -> list[Learned]:
    """What everybody learns if the moves of the play, without company, are made under a seed."""
    play = WorldPlay(load_edition(read_play(PLAYS / f"{NAME}.yaml").game).game, seed=seed)
    for told, _ in read_turns():
        for tool, arguments in read_calls(told):
            if tool in (MOVE, ADVANCE):
                play.rule(tool, **{**arguments, **({"accompaniedBy": []} if tool == MOVE else {})})
        play.end_turn()
    return list_learned(play.state)


def test_the_same_seed_gives_the_same_history() -> None:
    print(f"seeds {SEEDS}")
    again = Stage(read_play(PLAYS / f"{NAME}.yaml"), in_memory())
    assert perform(again) == perform_straight(NAME).digest
    assert [told.body for told in again.told] == [told.body for told, _ in read_turns()]
    one, other = (live_through(seed) for seed in SEEDS)
    assert len(one) > 40
    assert live_through(SEEDS[0]) == one
    assert other != one
