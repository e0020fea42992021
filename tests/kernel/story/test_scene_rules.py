"""A game played from its scenes alone."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.kernel.chance import Chance
from talewright.kernel.judging.move_resolution import carry_out
from talewright.kernel.judging.moves import Call, Op, Update
from talewright.kernel.judging.rulings import Decision, Grade, Granted, Refused
from talewright.kernel.slots.slot_types import Slot, SlotKind
from talewright.kernel.state.state import Position, begin
from talewright.kernel.story.endings import Outcome, Route
from talewright.kernel.story.scene_rules import (
    TakenChoice,
    carry_out_choice,
    current_scene,
    is_over,
    leave,
    may_stay,
    offered,
    open_finale,
    open_scenes,
    wording,
)
from talewright.kernel.story.scenes import Check, Choice, Ladder, Rung, Scene, SceneResult, Trial, Variant
from talewright.kernel.system import AuthorFiles, Denial, Grant, Sight, SystemAnswer, Tool, Wait
from tests.kernel.making import (
    Scripted,
    boolean,
    integer,
    listing,
    make_ending,
    make_game,
    make_layout,
    make_scene,
    make_trigger,
    maybe,
    string,
)
from tests.kernel.scene_walk import begin_story, play, routes

LAYOUT = make_layout({"hp": integer(5, 0, 9), "lit": boolean(), "log": listing(string())})


def up(path: str, value: int = 1) -> Update:
    return Update(Op.INC, path, value)


CHECK = Check(
    "2d6",
    8,
    SceneResult("k.success", (up("hp", 2),), "cellar"),
    SceneResult("k.failure", (Update(Op.DEC, "hp", 5),)),
)
HALL = make_scene(
    LAYOUT,
    "hall",
    "hp > 0",
    Choice("wait", text="k.wait", updates=(up("hp"),)),
    Choice("climb", updates=(Update(Op.SET, "lit", True),), check=CHECK, next="attic"),
    Choice("down", text="k.down", next="cellar"),
    Choice("secret", when=maybe(LAYOUT, "hp >= 8")),
)
YARD = make_scene(LAYOUT, "yard", "hp > 0", Choice("wait"))
ZOO = make_scene(LAYOUT, "zoo", "hp > 0", Choice("wait"))
ATTIC = make_scene(LAYOUT, "attic", None, Choice("wait"))
CELLAR = Scene(
    "cellar",
    (Variant("k.lit", maybe(LAYOUT, "lit")), Variant("k.dark")),
    (Choice("wait"), Choice("win", updates=(Update(Op.SET, "hp", 9),))),
)
BRIGHT = make_scene(LAYOUT, "bright", "lit", Choice("wait"), priority=5, once=True)
ROUTES = (
    Route("tell", "public", Outcome.WIN, updates=(Update(Op.PUSH, "log", "told"),)),
    Route("burn", "ashes", Outcome.LOSE),
)
GAME = make_game(
    LAYOUT,
    scenes=[HALL, ZOO, YARD, ATTIC, CELLAR, BRIGHT],
    endings=[
        make_ending(LAYOUT, "dead", "hp <= 0"),
        make_ending(LAYOUT, "finale", "hp >= 9", Outcome.WIN, *ROUTES),
    ],
    triggers=[make_trigger(LAYOUT, "t", "hp == 7", Update(Op.PUSH, "log", "seven"))],
)


def started() -> Position:
    return begin_story(GAME, begin(GAME), Scripted()).position


def test_the_first_scene_opens_by_itself() -> None:
    opening = begin_story(GAME, begin(GAME), Scripted())
    assert opening.scene is HALL
    assert opening.texts == ("scene.hall.text.1",)
    assert opening.position.state.version == 1
    assert opening.roll is None
    assert opening.position.state.read(("_engine", "seen")) == {"hall": 1}
    assert current_scene(GAME, opening.position) is HALL
    assert [change.cause for change in opening.changes] == ["engine", "engine"]
    assert current_scene(GAME, begin(GAME)) is None


def test_a_choice_is_told_and_another_scene_follows() -> None:
    turn = play(GAME, started(), "wait", Scripted())
    assert turn.texts == ("k.wait", "scene.yard.text.1")
    assert turn.scene is YARD
    assert turn.position.state.read(("hp",)) == 6
    assert turn.position.state.version == 2
    assert turn.changes[0].cause == "scene:hall"
    again = play(GAME, turn.position, "wait", Scripted())
    assert again.scene is ZOO
    assert again.texts == ("scene.zoo.text.1",)
    assert play(GAME, again.position, "wait", Scripted()).scene is HALL


def test_triggers_and_rulings_belong_to_the_turn() -> None:
    first = play(GAME, started(), "wait", Scripted())
    back = play(GAME, play(GAME, first.position, "wait", Scripted()).position, "wait", Scripted())
    turn = play(GAME, back.position, "wait", Scripted())
    assert turn.position.state.read(("log",)) == ["seven"]
    assert [change.cause for change in turn.changes] == ["scene:hall", "trigger:t", "engine", "engine"]
    assert len(turn.rulings) == 3
    assert turn.events == ()


@pytest.mark.parametrize(
    ("faces", "texts", "scene", "hp"),
    [
        ((4, 4), ("k.success", "k.lit"), CELLAR, 7),
        ((4, 3), ("ending.dead",), None, 0),
    ],
)
def test_a_check_decides(
    faces: tuple[int, int], texts: tuple[str, ...], scene: Scene | None, hp: int
) -> None:
    turn = play(GAME, started(), "climb", Scripted(*faces))
    assert turn.roll is not None
    assert turn.roll.total == sum(faces)
    assert turn.texts[-len(texts) :] == texts
    assert turn.scene is scene
    assert turn.position.state.read(("hp",)) == hp
    assert turn.position.state.read(("lit",)) is True
    assert is_over(turn.position) is (hp == 0)


def test_a_failed_check_leads_where_the_choice_says() -> None:
    strong = play(GAME, started(), "wait", Scripted()).position
    strong = play(GAME, play(GAME, strong, "wait", Scripted()).position, "wait", Scripted()).position
    turn = play(GAME, strong, "climb", Scripted(1, 1))
    assert turn.scene is ATTIC
    assert turn.texts == ("k.failure", "scene.attic.text.1")


LADDER = Ladder(
    "d6",
    (
        Rung(6, True, "k.yes_and", SceneResult("k.best", (up("hp", 3),), "cellar")),
        Rung(4, True, "", SceneResult("k.good", (up("hp", 2),), "attic")),
        Rung(2, False, "k.no", SceneResult("k.bad", (up("hp", 1),))),
        Rung(None, False, "k.no_and", SceneResult("", (Update(Op.DEC, "hp", 1),), "yard")),
    ),
)


@pytest.mark.parametrize(
    ("face", "texts", "follows", "hp"),
    [
        (6, ("k.roll", "k.best"), "cellar", 8),
        (5, ("k.roll", "k.good"), "attic", 7),
        (4, ("k.roll", "k.good"), "attic", 7),
        (3, ("k.roll", "k.bad"), "zoo", 6),
        (2, ("k.roll", "k.bad"), "zoo", 6),
        (1, ("k.roll",), "yard", 4),
    ],
)
def test_of_several_results_the_highest_that_is_reached_follows(
    face: int, texts: tuple[str, ...], follows: str, hp: int
) -> None:
    choice = Choice("roll", text="k.roll", check=LADDER, next="zoo")
    act = carry_out_choice(GAME, started(), HALL, choice, Scripted(face))
    assert act.roll is not None
    assert act.roll.total == face
    assert (act.texts, act.next, act.trial) == (texts, follows, None)
    assert act.step.position.state.read(("hp",)) == hp


@pytest.mark.parametrize(
    ("total", "number"), [(99, 0), (6, 0), (5, 1), (4, 1), (3, 2), (2, 2), (1, 3), (-9, 3)]
)
def test_every_total_reaches_one_rung(total: int, number: int) -> None:
    assert LADDER.reached(total) is LADDER.rungs[number]


def test_a_named_scene_needs_no_condition_and_priority_goes_first() -> None:
    turn = play(GAME, started(), "down", Scripted())
    assert turn.scene is CELLAR
    assert turn.texts == ("k.down", "k.dark")
    lit = play(GAME, started(), "climb", Scripted(6, 6)).position
    assert wording(CELLAR, lit) == "k.lit"
    bright = play(GAME, lit, "wait", Scripted())
    assert bright.scene is BRIGHT
    assert [s.id for s in open_scenes(GAME, bright.position)] == ["yard", "zoo", "hall"]


def test_once_scenes_do_not_come_back() -> None:
    lit = play(GAME, started(), "climb", Scripted(6, 6)).position
    after = play(GAME, play(GAME, lit, "wait", Scripted()).position, "wait", Scripted())
    assert after.scene is not None
    assert "bright" not in [s.id for s in open_scenes(GAME, after.position)]


def test_choices_are_offered_while_their_condition_holds() -> None:
    position = started()
    assert [choice.id for choice in offered(HALL, position)] == ["wait", "climb", "down"]
    lucky = carry_out(GAME, position, [Update(Op.SET, "hp", 8)], "scene:s").position
    assert [choice.id for choice in offered(HALL, lucky)] == ["wait", "climb", "down", "secret"]


def test_a_finale_offers_its_routes_and_the_chosen_one_ends_the_game() -> None:
    cellar = play(GAME, started(), "down", Scripted()).position
    assert open_finale(GAME, cellar) is None
    assert routes(GAME, cellar) == ()
    opened = play(GAME, cellar, "win", Scripted())
    assert opened.scene is None
    assert opened.texts == ("finale.finale",)
    assert routes(GAME, opened.position) == ROUTES
    finale = open_finale(GAME, opened.position)
    assert finale is not None
    assert finale.id == "finale"
    ended = play(GAME, opened.position, "tell", Scripted())
    assert ended.texts == ("ending.public",)
    assert ended.scene is None
    assert is_over(ended.position)
    assert ended.position.state.read(("log",)) == ["told"]
    assert ended.changes[0].cause == "finale:finale"
    assert routes(GAME, ended.position) == ()
    burnt = play(GAME, opened.position, "burn", Scripted())
    assert burnt.position.state.read(("_engine", "outcome")) == "lose"


def test_with_no_scene_open_the_narrator_falls_silent() -> None:
    quiet = make_game(LAYOUT)
    opening = begin_story(quiet, begin(quiet), Scripted())
    assert opening.scene is None
    assert opening.texts == ()
    assert opening.position.state.version == 1


class Coin:
    """A system whose one tool tosses a coin, or answers what it is told to."""

    name = "coin"

    def slots(self, files: AuthorFiles) -> Mapping[str, Slot]:
        return {"tosses": Slot(kind=SlotKind.INTEGER, default=0, readonly=True)}

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        return (Tool("toss", "Toss the coin.", {}),)

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        if "answer" in call.arguments:
            return Grant(result=call.arguments["answer"])
        if "refuse" in call.arguments:
            return Denial("the coin is lost", Grade(str(call.arguments["refuse"])))
        if "wait" in call.arguments:
            return Wait(Decision("toss", "Heads or tails?", ()))
        outcome = "success" if chance.draw(2, "toss") == 2 else "fail"
        return Grant((Update(Op.INC, "tosses", 1),), {"outcome": outcome})


COIN = Coin()
COIN_LAYOUT = make_layout({"hp": integer(5, 0, 9), **COIN.slots({})})
WON = SceneResult("k.won", (up("hp"),), "yard")
LOST = SceneResult("k.lost", (Update(Op.DEC, "hp", 1),))


def try_it(**arguments: Json) -> Choice:
    trial = Trial("toss", arguments, WON, LOST)
    return Choice("try", text="k.try", updates=(Update(Op.SET, "hp", 3),), check=trial, next="attic")


def carry_out_trial(choice: Choice, *faces: int) -> TakenChoice:
    scene = make_scene(COIN_LAYOUT, "hall", "hp > 0", choice)
    game = make_game(COIN_LAYOUT, scenes=[scene], systems=[COIN])
    return carry_out_choice(game, begin(game), scene, choice, Scripted(*faces))


@pytest.mark.parametrize(
    ("face", "texts", "follows", "hp"),
    [(2, ("k.try", "k.won"), "yard", 4), (1, ("k.try", "k.lost"), "attic", 2)],
)
def test_a_trial_is_decided_by_a_system(face: int, texts: tuple[str, ...], follows: str, hp: int) -> None:
    act = carry_out_trial(try_it(), face)
    assert act.texts == texts
    assert act.next == follows
    assert act.roll is None
    assert act.trial == {"outcome": "success" if face == 2 else "fail"}
    assert [(change.path, change.value, change.cause) for change in act.step.changes] == [
        ("/hp", 3, "scene:hall"),
        ("/tosses", 1, "system:coin"),
        ("/hp", hp, "scene:hall"),
    ]
    assert act.step.rulings[1] == Granted(Call("toss"), act.step.changes[1:2], act.trial)
    assert act.step.events == ()


@pytest.mark.parametrize("answer", [None, "moved", ["moved"], {"place": "yard"}, {"outcome": "blocked"}])
def test_a_granted_call_is_a_success_unless_its_outcome_is_another(answer: Json) -> None:
    act = carry_out_trial(try_it(answer=answer))
    assert act.texts == ("k.try", "k.lost" if isinstance(answer, dict) and "outcome" in answer else "k.won")
    assert act.trial == answer


def test_a_system_says_which_other_outcomes_are_a_success() -> None:
    assert carry_out_trial(try_it(answer={"outcome": "critical", "success": True})).texts[-1] == "k.won"
    assert carry_out_trial(try_it(answer={"outcome": "critical", "success": False})).texts[-1] == "k.lost"
    assert carry_out_trial(try_it(answer={"outcome": "critical", "success": 1})).texts[-1] == "k.lost"


def test_a_partial_success_has_a_result_of_its_own_or_that_of_a_success() -> None:
    answer: Json = {"outcome": "partial_success", "success": True}
    plain = try_it(answer=answer)
    assert carry_out_trial(plain).texts == ("k.try", "k.won")
    assert isinstance(plain.check, Trial)
    costly = replace(plain, check=replace(plain.check, partial=SceneResult("k.cost", (), "cellar")))
    act = carry_out_trial(costly)
    assert (act.texts, act.next) == (("k.try", "k.cost"), "cellar")
    assert isinstance(costly.check, Trial)
    won = replace(costly, check=replace(costly.check, arguments={"answer": {"success": True}}))
    assert carry_out_trial(won).texts == ("k.try", "k.won")


@pytest.mark.parametrize("grade", [Grade.MEND, Grade.DROP])
def test_a_refused_trial_fails_and_its_refusal_is_kept(grade: Grade) -> None:
    act = carry_out_trial(try_it(refuse=grade.value))
    assert act.texts == ("k.try", "k.lost")
    assert act.trial is None
    assert act.step.rulings[1] == Refused(Call("toss", {"refuse": grade.value}), grade, "the coin is lost")
    assert [(event.type, event.text) for event in act.step.events] == [
        ("rejected_update", "the coin is lost")
    ]
    assert [change.path for change in act.step.changes] == ["/hp", "/hp"]


def test_a_trial_cannot_wait_for_an_answer() -> None:
    act = carry_out_trial(try_it(wait=True))
    assert act.texts == ("k.try", "k.lost")
    reason = "'toss' waits for an answer, and a trial is decided at once"
    assert act.step.rulings[1] == Refused(Call("toss", {"wait": True}), Grade.MEND, reason)


def test_a_turn_with_a_trial_says_what_the_system_answered() -> None:
    hall = make_scene(COIN_LAYOUT, "hall", "hp > 0", try_it(), Choice("leave"))
    rest = [make_scene(COIN_LAYOUT, name, None, Choice("wait")) for name in ("attic", "yard")]
    game = make_game(COIN_LAYOUT, scenes=[hall, *rest], systems=[COIN])
    opening = begin_story(game, begin(game), Scripted())
    assert opening.trial is None
    turn = play(game, opening.position, "try", Scripted(2))
    assert turn.trial == {"outcome": "success"}
    assert turn.roll is None
    assert turn.texts == ("k.try", "k.won", "scene.yard.text.1")
    assert turn.position.state.read(("tosses",)) == 1


def test_a_scene_may_be_played_again_unless_it_is_once_or_no_longer_holds() -> None:
    position = started()
    scene = current_scene(GAME, position)
    assert scene is not None
    always, never = maybe(LAYOUT, "true"), maybe(LAYOUT, "false")
    for when, once, stays in (
        (None, False, True),
        (always, False, True),
        (never, False, False),
        (None, True, False),
    ):
        assert may_stay(replace(scene, when=when, once=once), position) is stays


def test_a_scene_that_is_left_is_nowhere() -> None:
    step = leave(GAME, started())
    assert current_scene(GAME, step.position) is None
    assert [change.path for change in step.changes] == ["/_engine/scene"]
