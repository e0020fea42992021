"""Life off-screen: gossip with delay, loss and distortion, agendas and consequences, all within limits."""

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from talewright.systems.world.authored.authored_world import AuthoredPerson, AuthoredWorld, GossipRules
from talewright.systems.world.authored.world_builder import build_world
from talewright.systems.world.authored.world_files import FACTS, PEOPLE, PLACES, RULES
from talewright.systems.world.offscreen import gossip, life_ledger
from talewright.systems.world.offscreen.agendas import clock_of, finish_tick, read_progress
from talewright.systems.world.offscreen.seeded_chance import SeededChance
from talewright.systems.world.offscreen.simulation import LivedTime, live
from talewright.systems.world.people.whereabouts import locate
from talewright.systems.world.world_state import Stay, WorldState
from tests.systems.world.making import Play, make_world
from tests.systems.world.random_worlds import make_files, make_world_game

GOSSIPS: Mapping[str, Any] = {
    PLACES: [{"id": "inn", "name": "Inn"}, {"id": "far", "name": "Far"}],
    PEOPLE: [
        {"id": "a", "name": "Ada", "at": "inn", "knows": ["news", "secret"]},
        {"id": "b", "name": "Bea", "at": "inn"},
        {"id": "c", "name": "Cid", "at": "far"},
    ],
    FACTS: [
        {"id": "news", "text": "It is so.", "twists": ["It is worse."]},
        {"id": "secret", "text": "Nobody knows.", "trust": 10},
    ],
    RULES: {"start": {"at": "far"}},
}


def state_of(files: Mapping[str, Any], gossip: GossipRules | None = None) -> WorldState:
    game = make_world_game(files)
    world = build_world(files, "en")
    if gossip is not None:
        world = replace(world, rules=replace(world.rules, gossip=gossip))
    return replace(Play(game).state, world=world)


def learned(lived: LivedTime) -> dict[str, Any]:
    rows: dict[str, Any] = {}
    for update in lived.updates:
        parts = update.path.split("/")
        if parts[2] == "knowledge":
            rows[parts[3]] = update.value
    return rows


def test_gossip_travels_between_people_who_meet() -> None:
    lived = live(state_of(GOSSIPS, GossipRules(10_000, 0, 0, 0)), 100, "far", 1)
    assert learned(lived) == {"b": {"news": {"source": "told", "by": "a", "at": 12, "twist": 0}}}
    assert [(event.who, event.fact, event.place) for event in lived.events] == [(("a", "b"), "news", "inn")]
    assert lived.meetings == 8


def test_what_is_lost_is_not_told_and_what_is_distorted_is_told_otherwise() -> None:
    assert learned(live(state_of(GOSSIPS, GossipRules(10_000, 0, 10_000, 0)), 100, "far", 1)) == {}
    assert learned(live(state_of(GOSSIPS, GossipRules(0, 0, 0, 0)), 100, "far", 1)) == {}
    twisted = learned(live(state_of(GOSSIPS, GossipRules(10_000, 0, 0, 10_000)), 100, "far", 1))
    assert twisted["b"]["news"]["twist"] == 1


def test_a_fact_is_passed_on_after_a_while() -> None:
    files = {**GOSSIPS, PEOPLE: [{**person, "at": "inn"} for person in GOSSIPS[PEOPLE]]}
    slow = learned(live(state_of(files, GossipRules(10_000, 600, 0, 0)), 1_000, "far", 3))
    told = {who: row["news"] for who, row in slow.items()}
    assert set(told) == {"b", "c"}
    second = next((row for row in told.values() if row["by"] != "a"), None)
    if second is not None:
        assert second["at"] >= told[second["by"]]["at"] + 120


@pytest.mark.parametrize(("about", "known"), [(["c"], True), (["b"], False), (["a"], False)])
def test_nobody_gossips_about_people_to_their_faces(about: list[str], known: bool) -> None:
    ada = {"id": "a", "name": "Ada", "at": "inn", "knows": ["news"]}
    facts = [{"id": "news", "text": "It is so.", "about": about}]
    files = {**GOSSIPS, FACTS: facts, PEOPLE: [ada, *GOSSIPS[PEOPLE][1:]]}
    lived = live(state_of(files, GossipRules(10_000, 0, 0, 0)), 100, "far", 1)
    assert ("b" in learned(lived)) is known


def test_nobody_gossips_where_the_player_is() -> None:
    assert learned(live(state_of(GOSSIPS, GossipRules(10_000, 0, 0, 0)), 100, "inn", 1)) == {}


def test_liking_lets_a_secret_out() -> None:
    people = [{**GOSSIPS[PEOPLE][0], "relationships": {"b": 10}}, *GOSSIPS[PEOPLE][1:]]
    lived = live(state_of({**GOSSIPS, PEOPLE: people}, GossipRules(10_000, 0, 0, 0)), 100, "far", 1)
    assert set(learned(lived)["b"]) == {"news", "secret"}


def test_agendas_follow_each_other_and_have_consequences() -> None:
    play = Play()
    state = play.state
    bran = state.world.agendas["hide_coins"]
    assert (clock_of(state, bran), read_progress(state, bran).started) == (0, 0)
    play.go("cellar")
    play.wait(30)
    assert clock_of(play.state, bran) == 1
    play.wait(200)
    own = play.own
    assert own["agendas"]["hide_coins"]["done"] == 48
    assert own["agendas"]["leave_town"] == {"started": 48, "done": 84, "stopped": False, "due": False}
    assert clock_of(play.state, bran) == 2
    assert own["stays"]["bran"] == {"at": "mill", "until": 0}
    assert own["relations"]["bran"]["grim"] == -20
    assert play.position.state.document["alarm"] == 0
    play.end_turn()
    assert play.position.state.document["alarm"] == 1
    play.end_turn()
    assert play.position.state.document["alarm"] == 1


def test_an_agenda_may_be_stopped_or_wait_for_knowledge() -> None:
    people = """
- id: a
  name: Ada
  at: inn
  agendas:
    - {id: first, segments: 1, every_hours: 1, outcome: {stops: [second], learns: [dragon]}}
    - {id: second, segments: 1, every_hours: 2, outcome: {event: It went wrong.}}
    - {id: third, segments: 1, every_hours: 1, knows: [dragon], outcome: {event: She left.}}
    - {id: fourth, segments: 1, every_hours: 1, knows: [false_coins]}
"""
    play = Play(make_world({"world/people.yaml": people}))
    play.go("square")
    play.wait(90)
    rows = play.own["agendas"]
    assert rows["second"]["stopped"] is True
    assert (rows["third"]["started"], rows["third"]["done"]) == (12, 24)
    assert "fourth" not in rows
    assert set(play.own["knowledge"]["a"]) == {"dragon", "third"}
    assert play.own["knowledge"]["a"]["dragon"]["source"] == "inferred"
    stopped = play.state.world.agendas["second"]
    assert clock_of(play.state, stopped) == 0
    assert clock_of(play.state, play.state.world.agendas["fourth"]) == 0


def test_an_agenda_does_not_start_before_its_owner_knows_what_it_needs() -> None:
    people = """
- id: a
  name: Ada
  at: inn
  agendas: [{id: late, segments: 1, every_hours: 1, knows: [dragon], outcome: {event: She left.}}]
"""
    play = Play(make_world({"world/people.yaml": people}))
    for _ in range(10):
        play.end_turn()
    # Nobody else's life has gone on since the first tick; she is told now.
    assert play.own["lived"] == 0
    play.do("noteFact", fact="A dragon was seen over the northern pass.", told_by="you", told_to=["Ada"])
    told = play.own["tick"]
    play.wait(90)
    row = play.own["agendas"]["late"]
    assert (row["started"], row["done"]) == (told, told + 12)


def test_how_long_an_agenda_takes_follows_from_the_seed() -> None:
    files = make_files(random.Random(4))
    world = build_world(files, "en")
    for agenda in world.agendas.values():
        ends = {finish_tick(world, agenda, seed, 7) for seed in range(20)}
        assert min(ends) >= 7 + agenda.segments * world.ticks_in(agenda.every_minutes)
        assert (len(ends) == 1) is (agenda.chance == 10_000)


def test_the_same_seed_gives_the_same_life() -> None:
    for number in range(20):
        state = state_of(make_files(random.Random(number)))
        assert live(state, 2_000, "p0", 5) == live(state, 2_000, "p0", 5)


def test_work_and_changes_are_bounded_however_long_the_absence(monkeypatch: pytest.MonkeyPatch) -> None:
    state = state_of(make_files(random.Random(2), people_max=60, facts_max=40))
    looked: list[str] = []

    def look(world: AuthoredWorld, stays: Mapping[str, Stay], person: AuthoredPerson, tick: int) -> str:
        looked.append(person.id)
        return locate(world, stays, person, tick)

    monkeypatch.setattr(life_ledger, "locate", look)
    people, agendas = len(state.people), len(state.world.agendas)
    picked = min(people, gossip.MEETINGS_MAX // gossip.MOMENTS_MAX)
    each = picked * (1 + gossip.COMPANY_TRIES)
    for until in (2_000, 200_000, 20_000_000):
        looked.clear()
        lived = live(state, until, "p0", 5)
        assert len(looked) <= gossip.MOMENTS_MAX * each + agendas * (people + 1)
        assert lived.meetings <= gossip.MEETINGS_MAX
        assert len(lived.updates) <= life_ledger.CHANGES_MAX + gossip.TELLINGS_MAX + 20


def test_chances_are_even() -> None:
    chance = SeededChance(1, "dice")
    faces = [chance.below(6) for _ in range(6_000)]
    assert all(880 < faces.count(face) < 1_120 for face in range(6))
    assert [SeededChance(1, "x").below(1000) for _ in range(2)] == [SeededChance(1, "x").below(1000)] * 2
    assert sum(SeededChance(seed).happens(2_500) for seed in range(4_000)) in range(900, 1_100)
