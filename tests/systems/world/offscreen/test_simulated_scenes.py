"""Simulated scenes: who is asked about, since when and how deeply, and what is unresolved."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from talewright.kernel.judging.rulings import ErrandWeight
from talewright.systems.world.authored.authored_world import SimulationDepth
from talewright.systems.world.offscreen import simulated_scenes
from talewright.systems.world.offscreen.simulated_scenes import SimulatedScene, find_scene, read_scene
from talewright.systems.world.offscreen.unresolved_threads import PlotThread, group_agendas, list_threads
from talewright.systems.world.world_state import WorldState
from tests.systems.world.making import WORLD, Play
from tests.systems.world.offscreen.told_life import EVERY_TURN, ask, person, start
from tests.systems.world.random_worlds import carry_out, make_deeds, make_files, make_world_game

SKIP, SUMMARY, FULL = SimulationDepth


def after(ticks: int, **changed: Any) -> SimulatedScene | None:
    play = start(**changed)
    if ticks:
        play.wait(ticks)
    return find_scene(play.state)


@pytest.mark.parametrize(("ticks", "depth"), [(0, ""), (10, ""), (11, SUMMARY), (20, SUMMARY), (21, FULL)])
def test_the_ticks_since_the_last_time_decide(ticks: int, depth: str) -> None:
    scene = after(ticks)
    assert (scene.depth if scene else "") == depth
    if scene is not None:
        assert scene == SimulatedScene(scene.depth, 0, 0, ticks, "inn", ("ada", "bea"))


def test_the_id_of_an_errand_says_all_that_its_answer_needs() -> None:
    play = start()
    play.wait(30)
    errand = ask(play)
    assert errand.id == "life:full:0:0:30:inn:ada,bea"
    assert read_scene(errand.id, play.state) == find_scene(play.state)
    assert (errand.weight, errand.optional, errand.apart) == (ErrandWeight.CHEAP, True, True)
    other = start(people=[person("bea"), person("cid")])
    assert read_scene(errand.id, other.state) == SimulatedScene(FULL, 0, 0, 30, "inn", ("bea",))
    for wrong in (
        "day-3",
        "life:deep:0:0:30:inn:ada",
        "life:full:0:0:30:moon:ada",
        "life:full:0:x:30:inn:ada",
        "life:full:0:0:30:inn:zoe",
    ):
        assert read_scene(wrong, play.state) is None


def test_nobody_is_asked_about_where_the_player_is_or_has_just_been() -> None:
    play = start()
    play.go("inn")
    play.wait(30)
    assert find_scene(play.state) is None
    play.go("yard")
    assert play.own["left"] == {"far": 0, "inn": 35}
    assert find_scene(play.state) is None
    play.wait(11)
    scene = find_scene(play.state)
    assert scene is not None
    assert (scene.since, scene.ticks, scene.depth) == (35, 16, SUMMARY)


def test_an_author_may_let_no_model_tell() -> None:
    assert after(500, offscreen={"depth": "skip", "every_turns": 1}) is None
    scene = after(500, offscreen={"depth": "summary", "every_turns": 1})
    assert scene is not None
    assert scene.depth is SUMMARY


def test_a_model_is_asked_once_in_so_many_turns() -> None:
    play = start(offscreen={"every_turns": 3})
    play.wait(30)
    asked = []
    for _ in range(9):
        play.end_turn()
        asked.append(len(WORLD.errands(play.sight, ())))
    assert asked.count(1) == 3
    assert max(asked) == 1


AGENDA = {"id": "dig", "goal": "dig a hole", "segments": 4, "every_hours": 1}


def test_a_plan_that_moves_on_is_unresolved_and_told_early() -> None:
    people = [person("ada", agendas=[AGENDA]), person("bea"), person("cid")]
    assert after(11, people=people) == SimulatedScene(SUMMARY, 0, 0, 11, "inn", ("ada", "bea"))
    scene = after(13, people=people)
    assert scene is not None
    assert scene.depth is FULL
    quick = [person("ada", agendas=[{**AGENDA, "segments": 12}]), person("bea")]
    early = {"every_turns": 1, "summary_ticks": 50, "full_ticks": 50}
    assert after(10, people=quick, offscreen=early) is None
    scene = after(12, people=quick, offscreen=early)
    assert scene is not None
    assert scene.depth is FULL
    # When it is done, it is settled.
    assert after(49, people=[person("ada", agendas=[AGENDA]), person("bea")], offscreen=early) is None


def test_a_plan_that_waits_for_what_somebody_here_knows_is_unresolved() -> None:
    waiting = {**AGENDA, "knows": ["news"]}
    people = [person("ada"), person("bea", agendas=[waiting]), person("cid")]
    scene = after(5, people=people)
    assert scene is not None
    assert (scene.depth, scene.people) == (FULL, ("ada", "bea"))
    # Ada does not like Bea enough for that, Cid is elsewhere, and what comes first has not happened.
    for knows, more in (("secret", {}), ("rumour", {}), ("news", {"after": ["first"]})):
        agendas = [{**waiting, "knows": [knows], **more}, {**AGENDA, "id": "first", "every_hours": 99}]
        assert after(5, people=[person("ada"), person("bea", agendas=agendas), person("cid")]) is None


def test_somebody_alone_is_asked_about_only_with_something_to_settle() -> None:
    assert after(500, people=[person("ada"), person("cid")]) is None
    scene = after(30, people=[person("ada"), person("cid", agendas=[AGENDA])])
    assert scene == SimulatedScene(SUMMARY, 0, 0, 30, "yard", ("cid",))


def test_of_many_people_those_with_something_to_settle_come_first() -> None:
    crowd: list[dict[str, Any]] = [{"id": f"c{at}", "name": f"Name {at}", "at": "inn"} for at in range(9)]
    crowd[7] = {**crowd[7], "agendas": [AGENDA]}
    seen: set[tuple[str, ...]] = set()
    for ticks in range(30, 40):
        scene = after(ticks, people=crowd)
        assert scene is not None
        assert len(scene.people) == 4
        assert "c7" in scene.people
        seen.add(scene.people)
    assert len(seen) > 3


def test_the_same_state_gives_the_same_scene_and_threads_are_of_those_who_are_there() -> None:
    found = 0
    for number in range(30):
        chance = random.Random(f"scenes {number}")
        files = make_files(chance)
        files["world/rules.yaml"]["offscreen"] = EVERY_TURN
        secret = chance.randbytes(8)
        deeds = make_deeds(chance, files, 12)
        plays = [Play(make_world_game(files), seed=secret) for _ in range(2)]
        for deed in deeds:
            for play in plays:
                carry_out(play, deed)
            scene, other = (find_scene(play.state) for play in plays)
            assert scene == other, f"world {number}"
            if scene is not None:
                found += 1
                state = plays[0].state
                assert scene.place != state.at
                assert scene.since <= scene.tick == state.tick
                threads = list_threads(state, scene.people, scene.since, group_agendas(state.world))
                assert {thread.owner for thread in threads} <= set(scene.people)
    assert found > 50


def test_in_a_large_world_only_some_places_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    places = [{"id": f"p{at}", "name": f"Place {at}"} for at in range(200)] + [{"id": "far", "name": "Far"}]
    people = [{"id": f"c{at}", "name": f"Name {at}", "at": f"p{at // 2}"} for at in range(400)]
    looked: list[tuple[str, ...]] = []

    def look(state: WorldState, names: Sequence[str], *more: Any) -> list[PlotThread]:
        looked.append(tuple(names))
        return list_threads(state, names, *more)

    monkeypatch.setattr(simulated_scenes, "list_threads", look)
    assert after(30, places=places, people=people) is not None
    assert len(looked) == simulated_scenes.PLACES_LOOKED_MAX
