"""Travel and time: ticks and their cost, company, who is here on arrival, and time that never goes back."""

from collections.abc import Sequence

import pytest

from talewright.kernel.judging.move_resolution import judge
from talewright.kernel.judging.moves import MODEL, Call
from tests.systems.world.making import GAME, Play, make_world


class Faces:
    """The faces that are written down for some draws, the lowest for the others."""

    def __init__(self, **faces: int) -> None:
        self.faces = faces
        self.asked: list[str] = []

    def draw(self, sides: int, why: str = "") -> int:
        self.asked.append(why)
        return self.faces.get(why.replace(" ", "_"), 1)


def test_a_move_costs_ticks_by_its_way() -> None:
    play = Play()
    assert play.go("square")["tick"] == 5
    assert play.go("mill")["tick"] == 14
    # The way back to the square and to the inn as any move, then one tick down.
    assert play.go("cellar")["tick"] == 14 + 5 + 5 + 1
    play.end_turn()
    assert play.own["tick"] == 25
    play.end_turn()
    assert play.own["tick"] == 26


def test_the_first_turn_costs_nothing_and_every_other_one_tick() -> None:
    play = Play(make_world({"world/rules.yaml": "ticks: {message: 3, move: 7, minutes: 10}\n"}))
    step = play.end_turn()
    assert play.own["tick"] == 0
    assert play.go("square")["tick"] == 7
    step = play.end_turn()
    assert play.own["tick"] == 10
    assert not step.events


def test_who_is_there_is_true_on_arrival() -> None:
    play = Play()
    assert play.go("square")["present"] == ["Sera"]
    moved = play.go("inn")
    assert moved["message"] == "Moved to The Dusty Tankard. Characters here: Grim, Bran."
    waited = play.wait(12)
    assert waited["left"] == ["Bran"]
    assert waited["came"] == ["Sera"]
    assert "Sera" in waited["present"]


def test_people_come_along_and_others_cannot() -> None:
    play = Play()
    reason = play.refuse("moveToLocation", destination="square", narrativeTime="", accompaniedBy=["Sera"])
    assert reason == "moveToLocation: `accompaniedBy`: 'Sera' is not here; here is Grim"
    assert "Grim" in play.go("square", "the barkeep")["present"]
    assert play.own["stays"]["grim"] == {"at": "square", "until": 0}


def test_a_hidden_person_may_be_met_by_chance() -> None:
    for face, found in ((5_000, True), (5_001, False)):
        play = Play()
        play.chance = chance = Faces(meeting_ann=face)
        result = play.go("cellar")
        assert chance.asked == ["the world", "life off-screen", "meeting ann"]
        assert ("ann" in play.own["met"]) is found
        assert ("Just discovered" in result["message"]) is found
        assert result["present"] == (["Ann"] if found else [])
        play.chance = chance = Faces(meeting_ann=face)
        play.wait(1)
        assert ("meeting ann" in chance.asked) is not found


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("moveToLocation", {"destination": "inn"}, "the player is at The Dusty Tankard already"),
        ("moveToLocation", {"destination": " "}, "needs `destination`"),
        ("moveToLocation", {"destination": "x" * 121}, "has at most 120 characters"),
        ("moveToLocation", {"destination": "mill", "narrativeTime": 3}, "`narrativeTime` is a text, not 3"),
        ("moveToLocation", {"destination": "mill", "accompaniedBy": "Grim"}, "is a list of at most 12 names"),
        ("advanceTime", {"ticks": 0}, "from 1 to 10000, not 0"),
        ("advanceTime", {"ticks": 1.5}, "from 1 to 10000, not 1.5"),
        ("advanceTime", {"ticks": True}, "from 1 to 10000, not true"),
    ],
)
def test_what_cannot_be_done_is_explained(tool: str, arguments: dict[str, object], reason: str) -> None:
    play = Play()
    assert reason in play.refuse(tool, **arguments)  # type: ignore[arg-type]
    assert play.own == Play().own


def test_time_in_words_holds_for_its_part_of_the_day() -> None:
    play = Play()
    assert play.wait(2, "The light is going")["time"] == "The light is going"
    assert play.wait(2)["time"] == "afternoon, about 16:50"
    play.wait(2, "Nearly evening")
    for _ in range(8):
        play.end_turn()
    assert any("It is Nearly evening" in note for note in play.notes())
    for _ in range(8):
        play.end_turn()
    assert any("It is evening, about 18:" in note for note in play.notes())


def test_the_same_secret_gives_the_same_world_and_another_does_not_need_to() -> None:
    def run(seed: bytes) -> Sequence[str]:
        play = Play(seed=seed)
        digests = []
        for goal in ("square", "mill", "inn", "square"):
            play.go(goal)
            play.wait(40)
            play.end_turn()
            digests.append(play.position.state.digest)
        return digests

    assert run(b"one") == run(b"one")
    assert run(b"one") != run(b"two")


def test_a_judgement_leaves_the_position_as_it_was() -> None:
    play = Play()
    before = play.position.state.digest
    moved = {"destination": "square", "narrativeTime": "", "accompaniedBy": []}
    judge(GAME, play.position, [Call("moveToLocation", moved)], MODEL, Faces())
    assert play.position.state.digest == before
