"""The report about a world: the true state for its author, and nothing hidden for the player."""

import itertools
import json
from typing import Any, cast
from xml.etree import ElementTree

from talewright.common.work_meter import UNLIMITED, limit_work
from talewright.kernel.system import ReportContent
from talewright.systems.world.people.knowledge import KnowledgeEntry
from talewright.systems.world.reports.knowledge_picture import place_knowers
from talewright.systems.world.reports.world_history import (
    SAMPLES_MAX,
    Presence,
    list_learned,
    list_presences,
    read_past,
    tell_moment,
)
from tests.systems.world.making import FACTS, PEOPLE, PLACES, RULES, WORLD, Play, make_world
from tests.systems.world.reports.pasts import RecordedPlay, play_a_day

BARE = "game_id: bare\ntitle: Bare\nversion: '1'\nlanguage: en\nsystems: [world]\n"
SVG = "{http://www.w3.org/2000/svg}"


def report(play: RecordedPlay, *, spoilers: bool = True) -> ReportContent:
    return WORLD.report("world", play.sight, play.turns, spoilers=spoilers)


def words_of(picture: str) -> list[str]:
    return [one.text or "" for one in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_the_author_sees_who_is_really_where_and_how_plans_stand() -> None:
    play = play_a_day()
    told = "\n".join(report(play).lines)
    assert "  The Cellar: Ann (hidden)" in told
    assert "    plan hide_coins: done Mon 20:30 (get the coins into the cellar)" in told
    assert "    plan leave_town: done Mon 23:30" in told
    assert "    knows since Mon 16:30: Bran pays with false coins" in told
    assert "    feels: Sera +40, Bran -30" in told
    start = RecordedPlay()
    start.begin_record()
    told = "\n".join(report(start).lines)
    assert "    plan hide_coins: 0 of 2 steps (get the coins into the cellar)" in told
    assert "    plan leave_town: not begun" in told


def test_the_same_for_programs() -> None:
    data = cast(Any, report(play_a_day()).data)
    assert json.loads(json.dumps(data)) == data
    people = {one["id"]: one for one in data["people"]}
    assert data["player"]["at"] == "mill"
    assert people["ann"]["discovered"] is False
    assert people["bran"]["plans"][0] == {
        "id": "hide_coins",
        "started": 0,
        "done": 48,
        "stopped": False,
        "filled": 2,
        "segments": 2,
    }
    heard = data["player"]["knows"][0]
    assert heard == {
        "fact": "dragon",
        "text": "A dragon was seen over the northern pass.",
        "source": "told",
        "by": "grim",
        "since": 0,
    }


AGENDAS = "".join(
    f"    - {{id: a{number}, segments: 12, every_hours: 10000, chance: 0.0001}}\n" for number in range(50)
)


def test_plans_that_have_not_advanced_yet_take_no_work() -> None:
    people = f"- id: ann\n  name: Ann\n  at: inn\n  agendas:\n{AGENDAS}"
    places = "- {id: inn, name: Inn, exits: []}\n"
    hostile = {"places": places, "people": people, "facts": "[]\n", "rules": "{}\n"}
    files = {"game.yaml": BARE, **{f"world/{name}.yaml": text for name, text in hostile.items()}}
    play = Play(make_world(files))
    with limit_work(UNLIMITED) as meter:
        told = WORLD.report("world", play.sight, (), spoilers=True).lines
    assert "    plan a49: 0 of 12 steps" in told
    assert meter.steps < 10_000


def test_the_player_is_told_nothing_that_the_panel_does_not_show() -> None:
    play = play_a_day()
    seen = report(play, spoilers=False)
    told = "\n".join(seen.lines) + json.dumps(seen.data)
    assert "Old Mill" in told
    assert "heard from Grim" in told
    for secret in ("Ann", "Cellar", "false coins", "leave_town", "cellar barrels"):
        assert secret not in told
    assert seen.pictures == {}


def test_where_everybody_was_follows_from_the_record() -> None:
    play = play_a_day()
    history = read_past(play.state, play.turns)
    # A turn is a tick, a move five, and the way to the mill nine.
    assert [place for _, place in history.player] == ["inn", "square", "mill"]
    assert [turn for turn, _ in history.turns] == [1, 2, 3, 4, 5]
    assert history.turns[-1][1] == play.state.tick
    wren = list_presences(play.state, history, "player")
    assert [one.place for one in wren] == ["inn", "square", "mill"]
    assert all(one.end == after.start for one, after in itertools.pairwise(wren))
    bran = list_presences(play.state, history, "bran")
    # From the square, where the first step was, to the cellar when the plan succeeded, and to the mill.
    assert [one for one in bran if one.place == "cellar"] == [Presence("cellar", 48, 84)]
    grim = [one.place for one in list_presences(play.state, history, "grim")]
    assert grim == ["inn", "square"]
    (tobb,) = list_presences(play.state, history, "new_1")
    assert tobb.start == next(tick for tick, place in history.player if place == "mill")
    for person, at in (("player", play.state.at), ("bran", "mill")):
        assert list_presences(play.state, history, person)[-1].place == at


def test_who_learned_what_in_play_from_whom() -> None:
    found = {(one.person, one.entry.fact): one.entry.by for one in list_learned(play_a_day().state)}
    assert found["player", "dragon"] == "grim"
    assert ("grim", "dragon") not in found, "known from the start"
    assert found["bran", "hide_coins"] == ""


def test_days_have_names_in_the_first_week_and_numbers_later() -> None:
    world = Play().state.world
    assert tell_moment(world, 0) == "Mon 16:30"
    assert tell_moment(world, 12 * 8) == "Tue 00:30"
    assert tell_moment(world, 12 * 24 * 7) == "day 8, 16:30"


def test_the_pictures_show_what_happened() -> None:
    pictures = report(play_a_day()).pictures
    assert set(pictures) == {"timeline", "knowledge"}
    timeline = words_of(pictures["timeline"])
    assert {"Wren", "Grim", "Sera", "Bran", "Ann", "Tobb"} <= set(timeline)
    assert "Bran carried a heavy sack into the cellar." in timeline
    assert "Mon 18:00" in timeline
    knowledge = words_of(pictures["knowledge"])
    assert "from the start" in knowledge
    assert "was there, Mon 20:30" in knowledge
    assert "heard it, Mon 16:30" in knowledge
    assert report(play_a_day()).pictures == pictures


def test_the_pictures_stand_alone_and_suit_light_and_dark() -> None:
    for picture in report(play_a_day()).pictures.values():
        assert "@media (prefers-color-scheme:dark)" in picture
        tags = {one.tag.removeprefix(SVG) for one in ElementTree.fromstring(picture).iter()}
        assert tags <= {"svg", "title", "style", "rect", "text", "path", "circle", "g"}
        assert "href" not in picture
        assert "url(" not in picture


def test_the_pictures_escape_all_text() -> None:
    odd = '<script>alert("x")</script>&amp;'
    files = {
        "world/people.yaml": PEOPLE.replace("name: Grim", f"name: '{odd}'"),
        "world/places.yaml": PLACES.replace("name: Market Square", f"name: '{odd}'"),
        "world/facts.yaml": FACTS.replace("A dragon was seen over the northern pass.", f"'{odd}'"),
        "world/rules.yaml": RULES.replace("name: Wren", f"name: '{odd}'"),
    }
    play = RecordedPlay(make_world(files))
    play.begin_record()
    play.wait(300)
    play.do("noteFact", fact="A \x0b bell\x00 ]]> rings")
    play.end()
    for picture in report(play).pictures.values():
        assert "<script" not in picture
        assert odd in words_of(picture)
        assert any("bell ]]> rings" in text for text in words_of(picture))


def test_a_large_world_is_drawn_in_part() -> None:
    people = "".join(
        f"- {{id: p{number}, name: Person {number}, at: inn, knows: [f{number % 60}]}}\n"
        for number in range(80)
    )
    facts = "".join(f"- {{id: f{number}, text: Fact {number}.}}\n" for number in range(70))
    files = {"world/people.yaml": people, "world/facts.yaml": facts}
    play = RecordedPlay(make_world(files))
    play.begin_record()
    for _ in range(5):
        play.wait(2000)
        play.end()
    pictures = report(play).pictures
    assert all(len(picture) < 400_000 for picture in pictures.values())
    assert "65 others are not drawn." in words_of(pictures["timeline"])
    assert any("facts that nobody knows" in text for text in words_of(pictures["knowledge"]))
    presences = list_presences(play.state, read_past(play.state, play.turns), "p1")
    assert len(presences) <= SAMPLES_MAX


def test_two_who_have_it_from_each_other_are_drawn() -> None:
    one, other = KnowledgeEntry("f", "told", "b", 3), KnowledgeEntry("f", "told", "a", 3)
    third = KnowledgeEntry("f", "told", "nobody", 1, twist=1)
    placed = place_knowers({"a": one, "b": other, "c": third})
    assert {(knower.person, knower.column, knower.row) for knower in placed} == {
        ("a", 0, 1),
        ("b", 0, 2),
        ("c", 0, 0),
    }
