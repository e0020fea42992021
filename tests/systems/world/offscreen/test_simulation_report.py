"""Simulation reports: what a model may bring about away from the player, and what is refused."""

import random
from dataclasses import replace
from typing import Any

import pytest

from talewright.common.json_values import Json
from talewright.systems.world.authored.world_files import FACTS, PLAYER, RULES
from talewright.systems.world.offscreen import simulation_report
from talewright.systems.world.offscreen.simulation_report import PRESENT_SINCE_ENGINE
from talewright.systems.world.people.knowledge import knowledge_of
from talewright.systems.world.people.whereabouts import find_person
from tests.systems.world.making import WORLD, Play
from tests.systems.world.offscreen.told_life import FILES, answer, ask, is_fit, person, report, start
from tests.systems.world.test_nothing_private import shown

PLAYED = {**FILES[RULES], "player": {"name": "Robin"}}
QUARREL = "Ada and Bea quarrelled about the bridge."


def asked(ticks: int = 30, **changed: Any) -> tuple[Play, str]:
    play = start(**changed)
    play.wait(ticks)
    return play, ask(play).id


def refusals(play: Play, errand: str, **kinds: Json) -> list[str]:
    told = report(**kinds)
    assert is_fit(ask(play), told)
    return [reason.split(": ", 1)[1] for reason in answer(play, errand, told).refused]


def test_what_happened_is_known_to_those_who_were_there_and_to_nobody_else() -> None:
    play, errand = asked()
    events: list[Json] = [
        {"description": QUARREL, "witnesses": []},
        {"description": "Bea wept.", "witnesses": ["bea"]},
    ]
    assert refusals(play, errand, events=events) == []
    assert play.own["facts"] == {
        "life_1": {"text": QUARREL, "tick": 30},
        "life_2": {"text": "Bea wept.", "tick": 30},
    }
    way = {"source": "witnessed", "by": "", "at": 30, "twist": 0}
    assert play.own["knowledge"] == {"ada": {"life_1": way}, "bea": {"life_1": way, "life_2": way}}
    assert play.own["simulated"] == 30
    assert play.own["events"] == []


def test_a_summary_is_known_to_all_of_them() -> None:
    play, errand = asked(15)
    assert is_fit(ask(play), {"summary": "x"})
    long = f"Ada mended  a pot.\n{'Bea watched. ' * 40}"
    assert answer(play, errand, {"summary": long}).refused == ()
    (row,) = play.own["facts"].values()
    assert row["text"].startswith("Ada mended a pot. Bea watched.")
    assert row["text"].endswith("watched.")
    assert len(row["text"]) <= 400
    assert set(play.own["knowledge"]) == {"ada", "bea"}


def test_somebody_alone_knows_what_they_did() -> None:
    dig = {"id": "dig", "segments": 4, "every_hours": 1}
    play, errand = asked(30, people=[person("cid", agendas=[dig])])
    answer(play, errand, {"summary": "Cid dug."})
    assert set(play.own["knowledge"]) == {"cid"}


def test_chinese_keeps_its_marks() -> None:
    play, errand = asked(15)
    answer(play, errand, {"summary": "他们吵了一架，为了桥！"})
    assert play.own["facts"]["life_1"]["text"] == "他们吵了一架，为了桥！"


def test_facts_are_told_by_those_who_know_them_to_those_they_would_tell() -> None:
    play, errand = asked()
    rows: list[Json] = [
        {"fact": "news", "by": "Ada", "to": "Bea"},
        {"fact": "secret", "by": "Ada", "to": "Bea"},
        {"fact": "rumour", "by": "Ada", "to": "Bea"},
        {"fact": "news", "by": "Bea", "to": "Ada"},
        {"fact": "news", "by": "Cid", "to": "Ada"},
        {"fact": "news", "by": "Ada", "to": "ada"},
    ]
    assert refusals(play, errand, told=rows) == [
        "Ada would not tell Bea 'secret'",
        "Ada does not know 'rumour'",
        "Bea does not know 'news'",
        "`by`: 'Cid' is not here; here is Ada, Bea",
        "`by` and `to` are the same person",
    ]
    about = [{**row, "about": ["bea"]} for row in FILES[FACTS]]
    other, same = asked(facts=about)
    assert refusals(other, same, told=rows[:1]) == ["Ada would not tell Bea 'news'"]
    told = {"news": {"source": "told", "by": "ada", "at": 30, "twist": 0}}
    assert play.own["knowledge"] == {"bea": told}
    play.wait(30)
    assert refusals(play, ask(play).id, told=rows[:1]) == ["Bea knows 'news' already"]


def test_events_must_be_new_and_seen_by_somebody_who_was_there(monkeypatch: pytest.MonkeyPatch) -> None:
    play, errand = asked()
    events: list[Json] = [
        {"description": "Cid came in.", "witnesses": ["Cid"]},
        {"description": "The player did it.", "witnesses": ["player"]},
        {"description": "the  bridge fell.", "witnesses": []},
        {"description": "Ada sang.", "witnesses": []},
        {"description": "Ada sang.", "witnesses": []},
        {"description": "x" * 401, "witnesses": []},
        {"description": "This is one too many.", "witnesses": []},
    ]
    assert refusals(play, errand, events=events) == [
        "`witnesses`: 'Cid' is not here; here is Ada, Bea",
        "`witnesses`: 'player' is not here; here is Ada, Bea",
        "this is known already; report it as told",
        "this is known already; report it as told",
        "`description` has at most 400 characters; this one has 401",
    ]
    assert [row["text"] for row in play.own["facts"].values()] == ["Ada sang."]
    monkeypatch.setattr(simulation_report, "FACTS_MAX", 1)
    play.wait(30)
    more: list[Json] = [{"description": "Bea left.", "witnesses": []}]
    assert refusals(play, ask(play).id, events=more) == ["no more facts can be noted"]


@pytest.mark.parametrize(
    "text", ["Ada told Bea that Cid has the keys.", "Ada wept for Old Cid.", "Bea waited for Robin."]
)
def test_events_name_only_people_who_were_there(text: str) -> None:
    people = [person("ada"), person("bea"), person("cid", also=["Old Cid"])]
    play = start(people=people)
    play = Play(replace(play.game, files={"world": {**play.game.files["world"], RULES: PLAYED}}))
    play.wait(30)
    errand = ask(play).id
    (reason,) = refusals(play, errand, events=[{"description": text, "witnesses": []}])
    assert reason.endswith("was not there; tell it without naming them")
    assert play.own["facts"] == {}


def test_events_of_older_engines_named_anybody() -> None:
    play, errand = asked()
    told = report(events=[{"description": "Ada spoke ill of Cid.", "witnesses": []}])
    for engine in (PRESENT_SINCE_ENGINE - 1, PRESENT_SINCE_ENGINE):
        updates = WORLD.take(errand, told, replace(play.sight, engine=engine))
        assert any("/facts/" in one.path for one in updates) == (engine < PRESENT_SINCE_ENGINE)


def test_nobody_quotes_what_the_author_says_somebody_wants() -> None:
    goals = "marry the miller's widow before anybody learns about the debts of his late brother"
    plan = "dig up the strongbox under the old pear tree in the yard at night"
    dig = {"id": "dig", "goal": plan, "segments": 9, "every_hours": 9}
    play, errand = asked(people=[person("ada", goals=goals, agendas=[dig]), person("bea"), person("cid")])
    events: list[Json] = [
        {"description": f"Ada told Bea that she wants to {goals}.", "witnesses": []},
        {"description": f"Bea helps Ada {plan}.", "witnesses": []},
        {"description": "Ada asked Bea about the widow.", "witnesses": []},
    ]
    quoted = "this quotes what somebody wants; say what was done or said"
    assert refusals(play, errand, events=events) == [quoted, quoted]
    assert len(play.own["facts"]) == 1


def test_feelings_change_within_bounds() -> None:
    play, errand = asked()
    rows: list[Json] = [
        {"characterName": "Ada", "towards": "Bea", "change": 6},
        {"characterName": "Bea", "towards": "Ada", "change": -21},
        {"characterName": "Bea", "towards": "Ada", "change": -20},
        {"characterName": "Bea", "towards": "Ada", "change": 3},
        {"characterName": "Cid", "towards": "Ada", "change": 3},
    ]
    assert refusals(play, errand, relationships=rows) == [
        "feelings go from -100 to 100",
        "`change` is from -20 to 20",
        "Bea and Ada are there twice",
        "`characterName`: 'Cid' is not here; here is Ada, Bea",
    ]
    assert play.own["relations"] == {"bea": {"ada": -20}}


def test_people_go_where_they_can_go_and_come_back() -> None:
    play, errand = asked()
    rows: list[Json] = [
        {"characterName": "Ada", "destination": "the yard"},
        {"characterName": "Bea", "destination": "the moon"},
        {"characterName": "Bea", "destination": "Vault"},
        {"characterName": "Cid", "destination": "Inn"},
    ]
    assert refusals(play, errand, movements=rows) == [
        "Bea cannot go to 'the moon' from here",
        "Bea cannot go to 'Vault' from here",
        "`characterName`: 'Cid' is not here; here is Ada, Bea",
    ]
    assert play.own["stays"] == {"ada": {"at": "yard", "until": 78}}
    state = play.state
    assert [find_person(state, state.people["ada"], tick) for tick in (77, 78)] == ["yard", "inn"]


def test_nobody_vanishes_or_appears_before_the_player() -> None:
    move: list[Json] = [{"characterName": "Ada", "destination": "Yard"}]
    gone = ["Ada is not there any more, or the player is"]
    for place in ("inn", "yard"):
        play, errand = asked()
        play.go(place)
        assert answer(play, errand, report(movements=move)).refused[0].endswith(gone[0])
        assert play.own["stays"] == {}
    play, errand = asked()
    answer(play, errand, report(movements=move))
    play.wait(30)
    away = "life:full:30:30:60:inn:ada,bea"
    assert answer(play, away, report(movements=move)).refused[0].endswith(gone[0])


def test_nobody_leaves_where_the_story_has_put_them() -> None:
    leave = {"id": "leave", "segments": 1, "every_hours": 1, "outcome": {"moves": {"ada": "yard"}}}
    play, _ = asked(people=[person("ada", agendas=[leave]), person("bea"), person("cid")])
    assert play.own["stays"] == {"ada": {"at": "yard", "until": 0}}
    move: list[Json] = [{"characterName": "Ada", "destination": "Inn"}]
    judged = answer(play, ask(play).id, report(movements=move))
    assert judged.refused[0].endswith("Ada stays where the story has put them")


def test_only_the_first_of_two_answers_about_the_same_time_counts() -> None:
    play, first = asked()
    play.wait(5)
    second = ask(play).id
    assert first != second
    answer(play, first, report(events=[{"description": QUARREL, "witnesses": []}]))
    late = answer(play, second, report(events=[{"description": "They made up.", "witnesses": []}]))
    assert (late.updates, len(late.refused)) == ((), 1)


@pytest.mark.parametrize(
    "told", [None, 7, {}, {"reportSimulation": 3}, {"reportSimulation": {"events": [1]}}]
)
def test_an_answer_that_says_nothing_brings_nothing_about(told: Json) -> None:
    play, errand = asked()
    answer(play, errand, told)
    assert play.own["facts"] == play.own["knowledge"] == {}
    assert answer(play, "no such errand", report()).updates == ()


def test_what_was_told_off_screen_spreads_as_a_rumour_and_reaches_the_player_by_two_mouths() -> None:
    quarrel = "Two of them quarrelled about the bridge."
    crowd = [person("ada"), person("bea"), person("cid", at="inn")]
    play, errand = asked(people=crowd, offscreen={"every_turns": 1, "people": 2}, gossip={"chance": 1})
    before = shown(play) + "\n".join(play.notes())
    answer(play, errand, report(events=[{"description": quarrel, "witnesses": []}]))
    # Neither the player nor the storyteller reads anything of it.
    assert shown(play) + "\n".join(play.notes()) == before
    knows = [name for name in play.state.people if "life_1" in knowledge_of(play.state, name)]
    (third,) = set(play.state.people) - set(knows)
    assert len(knows) == 2
    play.wait(600)
    heard = knowledge_of(play.state, third)["life_1"]
    assert (heard.source, heard.by in knows) == ("told", True)
    assert quarrel[:-1] not in shown(play) + "\n".join(play.notes())
    play.go("inn")
    told = play.do("askCharacter", characterName=third, topic="who quarrelled")
    assert (told["says"], told["source"]) == (quarrel, "told")
    assert knowledge_of(play.state, PLAYER)["life_1"].by == third
    assert quarrel[:-1] in shown(play)


THINGS: list[Any] = [
    *("Ada", "Bea", "Cid", "player", "Zoe", "", 3, "news", "secret", "rumour", "life_1", "moon", "Yard"),
    *(-500, -5, 5, ["Ada"], ["Zoe"], "Line one.", "Line two.", None, "Inn"),
]
MEMBERS = (
    *("description", "witnesses", "fact", "by", "to"),
    *("characterName", "towards", "change", "destination"),
)


def test_any_report_leaves_the_world_in_order() -> None:
    """Reports of nonsense: nobody unknown is moved, learns or tells anything."""
    for number in range(60):
        chance = random.Random(f"nonsense {number}")
        play, _ = asked()
        for _ in range(3):
            rows: dict[str, Json] = {
                kind: [{name: chance.choice(THINGS) for name in MEMBERS} for _ in range(chance.randrange(8))]
                for kind in ("events", "movements", "told", "relationships")
            }
            play.wait(25)
            answer(play, ask(play).id, {"dialogue": [], "reportSimulation": rows})
            state = play.state
            assert PLAYER not in play.own["knowledge"], f"report {number}"
            for who in state.people:
                assert find_person(state, state.people[who], state.tick) in state.places
                for entry in knowledge_of(state, who).values():
                    assert state.fact(entry.fact) is not None, f"report {number}"
                    assert not entry.by or entry.fact in knowledge_of(state, entry.by)
