"""The plug-in: what it shows and offers, and what other systems hear of it."""

from dataclasses import replace

from talewright.kernel.judging.moves import Call
from talewright.kernel.panel_parts import Lines, PlaceMap
from talewright.kernel.system import Denial, NoteAudience
from talewright.kernel.system.system_parts import check_system, check_tools
from talewright.systems.world import system
from talewright.systems.world.people.whereabouts import list_visible
from tests.systems.world.making import GAME, WORLD, Play, make_world


def test_the_time_at_the_start_is_in_the_language_of_the_reader() -> None:
    texts = {"texts/zh-CN/world/rules.yaml": "start: {narrative_time: 午后将尽}\n"}
    game = make_world(texts)
    for language, time in (("en", "Late afternoon"), ("zh-CN", "午后将尽")):
        play = Play(game, language)
        assert any(time in note for note in play.notes())
        assert any(time in choice.hint for choice in WORLD.choices(play.sight))
        assert play.own["time"] == ""
        play.wait(1)
        assert not any(time in note for note in play.notes())


def test_the_system_is_whole() -> None:
    check_system(system())
    check_tools(WORLD, GAME.files["world"], ("en", "zh-CN"))
    assert isinstance(WORLD.judge(Call("fly"), Play().sight, None, {}), Denial)  # type: ignore[arg-type]


def test_a_new_state_holds_nothing_that_the_author_wrote() -> None:
    own = Play().own
    assert [name for name, value in own.items() if value and name not in ("time", "at", "said")] == []


def test_conditions_read_the_world() -> None:
    triggers = (
        '- id: late\n  when: world.tick > 9 and world.at == "inn" and world.agendas.hide_coins.done >= 0\n'
        "  effects: [{op: inc, path: alarm, value: 3}]\n"
    )
    play = Play(make_world({"triggers.yaml": triggers}))
    play.wait(10)
    play.end_turn()
    assert play.position.state.document["alarm"] == 0
    play.go("square")
    play.wait(60)
    play.go("inn")
    play.end_turn()
    # One from Bran's agenda, three from the trigger.
    assert play.position.state.document["alarm"] == 4


def test_what_happens_before_the_player_is_told_and_known() -> None:
    play = Play()
    play.go("square")
    play.end_turn()
    play.wait(45)
    play.end_turn()
    told = WORLD.tell([Call("advanceTime")], play.sight)
    assert "Before your eyes: Bran carried a heavy sack into the cellar." in told
    play.wait(1)
    play.end_turn()
    assert "Before your eyes" not in WORLD.tell([Call("advanceTime")], play.sight)


def test_the_panel_shows_only_what_the_player_knows() -> None:
    play = Play()
    (panel,) = WORLD.panels(play.sight)
    assert panel.title == "The world"
    assert [name for name, _ in panel.status] == ["The Dusty Tankard"]
    (plan,) = [part for part in panel.parts if isinstance(part, PlaceMap)]
    assert [place.name for place in plan.places] == ["The Dusty Tankard", "Market Square"]
    assert plan.ways == ((0, 1),)
    assert plan.here == 0
    play.do("askCharacter", characterName="Grim", topic="")
    (panel,) = WORLD.panels(play.sight)
    lines = [part for part in panel.parts if isinstance(part, Lines)]
    assert lines[-1].lines == ("A dragon was seen over the northern pass (heard from Grim)",)


def test_a_small_model_names_only_what_there_is() -> None:
    sight = Play().sight
    assert WORLD.argument_values("moveToLocation", sight) == {
        "destination": ["The Dusty Tankard", "Market Square"]
    }
    assert WORLD.argument_values("askCharacter", sight) == {"characterName": ["Grim"]}
    assert WORLD.argument_values("noteFact", sight) == {}


def test_the_player_can_always_do_something() -> None:
    play = Play(language="zh-CN")
    play.do("askCharacter", characterName="Grim", topic="")
    labels = {choice.id: choice.label for choice in WORLD.choices(play.sight)}
    assert labels == {
        "talk-grim": "和Grim聊聊",
        "ask-grim-dragon": "向Grim打听the dragon",
        "wait": "等一个小时",
        "go-square": "去Market Square",
        "wait-long": "等六个小时",
    }


def test_knowledge_may_be_spoken_and_goals_may_not_be_quoted() -> None:
    ears = {note.text.split(":")[0]: note.ear for note in WORLD.notes(Play().sight)}
    assert ears["Grim"] is NoteAudience.EVERYONE
    assert ears["Grim wants"] is NoteAudience.NARRATOR


def test_others_hear_how_much_time_has_passed() -> None:
    play = Play()
    play.end_turn()
    play.go("square")
    tick = WORLD.tick(play.sight, None)  # type: ignore[arg-type]
    assert tick.minutes == (5 + 1) * 5


def test_a_world_from_which_places_and_people_were_removed_is_played_on() -> None:
    play = Play()
    play.go("square")
    play.do("discoverCharacter", characterName="Tobb", introduction="A tinker.", goals="")
    play.go("mill", "Sera")
    play.wait(100)
    play.end_turn()
    smaller = make_world(
        {
            "world/places.yaml": "- {id: inn, name: Inn, exits: [attic]}\n- {id: attic, name: Attic}\n",
            "world/people.yaml": "- {id: grim, name: Grim, at: inn}\n- {id: sera, name: Sera, at: attic}\n",
            "world/facts.yaml": "",
        }
    )
    later = Play(smaller)
    later.position = replace(later.position, state=play.position.state)
    assert later.state.at == "inn"
    assert [person.name for person in list_visible(later.state)] == ["Grim", "Tobb"]
    assert later.notes()
    assert WORLD.panels(later.sight)
    later.go("attic")
    assert [person.name for person in list_visible(later.state)] == ["Sera"]
    later.end_turn("Sera waits.")
    later.wait(50)
    assert WORLD.choices(later.sight)


def test_somebody_hidden_who_is_met_is_noticed_once() -> None:
    play = Play()
    play.end_turn()
    play.chance = Lowest()
    play.go("cellar")
    play.end_turn()
    assert WORLD.tell([Call("moveToLocation")], play.sight).endswith("You notice Ann. You see Ann.")
    play.wait(1)
    play.end_turn()
    assert WORLD.tell([Call("advanceTime")], play.sight).endswith("You see Ann.")
    assert "notice" not in WORLD.tell([Call("advanceTime")], play.sight)


class Lowest:
    def draw(self, sides: int, why: str = "") -> int:
        return 1
