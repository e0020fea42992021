"""Facts and discovery: by which ways knowledge comes, and what somebody tells when asked."""

from typing import Any

from talewright.common.json_values import Json
from talewright.kernel.judging.move_resolution import carry_out
from talewright.kernel.judging.moves import Call, Op, Update
from tests.systems.world.making import FACTS, PEOPLE, WORLD, Play, make_world


def known(play: Play, person: str) -> dict[str, tuple[str, str]]:
    rows = play.own["knowledge"].get(person, {})
    return {fact: (row["source"], row["by"]) for fact, row in rows.items()}


def test_a_fact_is_known_to_those_who_are_here() -> None:
    play = Play()
    result = play.do("noteFact", fact="The lamp fell.")
    assert result["fact"] == "note_1"
    assert known(play, "grim") == known(play, "player") == {"note_1": ("witnessed", "")}
    assert "sera" not in play.own["knowledge"]
    assert "Lately: The lamp fell" in play.notes()
    # The same words are the same fact.
    assert play.do("noteFact", fact="the  lamp fell.", witnesses=["you"])["fact"] == "note_1"
    assert list(play.own["facts"]) == ["note_1"]


def test_chinese_facts_keep_their_marks() -> None:
    play = Play()
    play.do("noteFact", fact="灯掉了，  是谁干的？")
    assert play.own["facts"]["note_1"]["text"] == "灯掉了， 是谁干的？"
    # Names and facts are still compared whatever the width of their marks.
    assert play.do("noteFact", fact="灯掉了, 是谁干的?")["fact"] == "note_1"
    play.end_turn("", ["桥断了！"])
    assert play.own["facts"]["note_2"]["text"] == "桥断了！"


def test_a_fact_is_told_by_somebody_to_somebody() -> None:
    play = Play()
    play.do("noteFact", fact="The well is dry.", told_by="Grim", told_to=["Wren"])
    assert known(play, "player") == {"note_1": ("told", "grim")}
    # Nobody told him: he has come to it himself.
    assert known(play, "grim") == {"note_1": ("inferred", "")}
    play.do("noteFact", fact="A dragon was seen over the northern pass.", told_by="the barkeep")
    assert known(play, "player")["dragon"] == ("told", "grim")
    assert "dragon" not in known(play, "grim")
    assert "Sera" in play.refuse("noteFact", fact="It rains.", told_by="Sera")
    assert "needs `fact`" in play.refuse("noteFact", fact="")


def test_nobody_tells_a_fact_to_themselves() -> None:
    play = Play()
    play.do("noteFact", fact="The well is dry.", told_by="Grim", told_to=["Grim", "Wren"])
    assert known(play, "player") == {"note_1": ("told", "grim")}
    assert known(play, "grim") == {"note_1": ("inferred", "")}
    assert "leave out `told_to`" in play.refuse(
        "noteFact", fact="It rains.", told_by="Grim", told_to=["Grim"]
    )


def test_facts_of_the_storyteller_are_known_to_those_who_are_here() -> None:
    play = Play()
    play.end_turn("It rains.", ["It rains.", "The roof leaks.", "", "It rains."])
    assert [row["text"] for row in play.own["facts"].values()] == ["It rains.", "The roof leaks."]
    assert (
        known(play, "grim") == known(play, "player") == dict.fromkeys(("note_1", "note_2"), ("witnessed", ""))
    )
    play.end_turn("It still rains.", ["The fire is out."])
    assert len(known(play, "grim")) == 3


def test_somebody_tells_what_is_news() -> None:
    play = Play()
    said = play.do("askCharacter", characterName="Grim", topic="")
    assert said == {"says": "A dragon was seen over the northern pass.", "source": "witnessed", "by": ""}
    assert known(play, "player") == {"dragon": ("told", "grim")}
    told = WORLD.tell([Call("askCharacter")], play.sight)
    assert "A dragon was seen over the northern pass" in told
    assert play.do("askCharacter", characterName="Grim", topic="")["says"] == ""
    assert "Grim" in WORLD.tell([Call("askCharacter")], play.sight)
    assert play.do("askCharacter", characterName="Grim", topic="dragon")["says"] != ""
    assert play.do("askCharacter", characterName="Grim", topic="the price of salt")["says"] == ""


def test_a_rumour_reaches_the_player_through_two_mouths() -> None:
    play = Play()
    play.go("square")
    play.end_turn()
    play.wait(150)
    play.end_turn()
    for _ in range(40):
        if "dragon" in known(play, "sera"):
            break
        play.wait(24)
    play.go("mill")
    while "Sera" not in play.wait(12)["present"]:
        pass
    while play.do("askCharacter", characterName="Sera", topic="dragon")["says"] == "":
        play.wait(12)
    said = play.do("askCharacter", characterName="Sera", topic="dragon")
    assert (said["source"], said["by"]) == ("told", "Grim")
    assert known(play, "player")["dragon"] == ("told", "sera")
    assert "Grim" in WORLD.tell([Call("askCharacter")], play.sight)


def test_a_scene_gives_a_fact_by_its_id() -> None:
    play = Play()
    assert play.do("noteFact", fact="dragon", told_by="grim", told_to=["player"])["fact"] == "dragon"
    assert known(play, "player")["dragon"] == ("told", "grim")
    assert play.own["facts"] == {}
    assert play.do("noteFact", fact="false_coins", witnesses=["player"])["fact"] == "false_coins"
    assert known(play, "player")["false_coins"] == ("witnessed", "")
    # Words are no id, even if there is an id in them.
    assert play.do("noteFact", fact="The dragon sleeps.")["fact"] == "note_1"


def test_what_is_told_by_its_id_is_told_as_the_teller_knows_it() -> None:
    play = Play()
    row: dict[str, Json] = {"source": "told", "by": "sera", "at": 1, "twist": 1}
    play.position = carry_out(
        play.game, play.position, [Update(Op.SET, "/world/knowledge/grim", {"dragon": row})], "test"
    ).position
    play.do("noteFact", fact="dragon", told_by="grim", told_to=["player"])
    assert play.own["knowledge"]["player"]["dragon"]["twist"] == 1


def test_trust_keeps_a_secret() -> None:
    play = Play()
    play.go("square")
    while "Bran" not in play.wait(1)["present"]:
        pass
    said = play.do("askCharacter", characterName="Bran", topic="")
    assert "false" not in said["says"]
    (private,) = [note for note in WORLD.notes(play.sight) if "would not tell" in note.text]
    assert "Bran pays with false coins" in private.text
    assert private.ear == "narrator"
    assert not any("false coins" in note.text for note in WORLD.notes(play.sight) if note.ear == "everyone")


def test_nobody_tells_the_player_what_is_about_themselves() -> None:
    dragon = "  text: A dragon was seen over the northern pass.\n"
    for about, says in (("sera", "A dragon was seen over the northern pass."), ("grim", "")):
        play = Play(make_world({"world/facts.yaml": FACTS.replace(dragon, f"{dragon}  about: [{about}]\n")}))
        assert play.do("askCharacter", characterName="grim", topic="the dragon")["says"] == says


def test_what_comes_of_an_agenda_may_be_a_secret_too() -> None:
    event = "        event: Bran carried a heavy sack into the cellar.\n"
    secret = PEOPLE.replace(event, f"{event}        trust: 50\n        about: [bran]\n")
    fact = Play(make_world({"world/people.yaml": secret})).state.fact("hide_coins")
    assert fact is not None
    assert (fact.trust, fact.about) == (50, ("bran",))


def test_hidden_and_improvised_people_are_discovered() -> None:
    play = Play()
    new: dict[str, Any] = {"introduction": "A tinker with one eye.", "goals": "sell pots"}
    assert "is not at The Dusty Tankard now" in play.refuse("discoverCharacter", characterName="Ann", **new)
    assert (
        play.do("discoverCharacter", characterName="Tobb", **new)["message"] == "Character Tobb discovered."
    )
    assert play.own["people"]["new_1"]["at"] == "inn"
    assert any(note.startswith("Tobb: A tinker with one eye.") for note in play.notes())
    assert play.do("discoverCharacter", characterName="tobb", **new)["name"] == "Tobb"
    assert len(play.own["people"]) == 1
    play.chance = Highest()
    play.go("cellar")
    hidden = next(note for note in play.notes() if "Ann" in note)
    assert "discoverCharacter" in hidden
    play.do("discoverCharacter", characterName="安娜", **new)
    assert "ann" in play.own["met"]
    assert any(note.startswith("Ann: A thief behind the barrels.") for note in play.notes())
    assert play.do("askCharacter", characterName="Ann", topic="")["says"] == ""


class Highest:
    def draw(self, sides: int, why: str = "") -> int:
        return sides
