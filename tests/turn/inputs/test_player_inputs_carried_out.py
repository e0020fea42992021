"""Deeds: what each input does before anything is told, and why some do nothing."""

import asyncio

from talewright.kernel.game import Game
from talewright.kernel.state.state import Position, begin
from talewright.turn.inputs.player_inputs import (
    AnswerDecision,
    Choose,
    Deed,
    GoOn,
    Input,
    Opening,
    PlayersTable,
    Say,
    carry_out_input,
)
from talewright.turn.records.commit_body import OfferedChoice, TurnBody
from talewright.turn.turn_outcomes import Committed, OutcomeReason, Unspent
from talewright.turn.turn_progress import TurnDraws, TurnProgress
from tests.turn.doubles import Keeping
from tests.turn.making import SECRET, bridge, calls, lay_bench, make_edition, plain
from tests.turn.stories import GAME, LISTS, WORDS, stand, tower, tower_game


def do(
    given: Input,
    position: Position,
    *,
    game: Game = GAME,
    body: TurnBody | None = None,
    teller: bool = False,
    begun: bool = True,
    intro: str = "",
) -> tuple[Deed | Unspent, TurnProgress]:
    working = TurnProgress(game, position, TurnDraws(SECRET, position.turn))
    edition = make_edition(game, {**WORDS, **({"intro": intro} if intro else {})}, LISTS)
    table = PlayersTable(body or TurnBody(), edition.words("en"), teller, begun)
    return carry_out_input(table, working, given), working


IN_HALL = stand(scene="hall")
ON_TABLE = TurnBody(
    choices=(
        OfferedChoice("climb", "Climb the stair"),
        OfferedChoice("dice", "Throw a die"),
        OfferedChoice("jump", "Jump into the dark"),
        OfferedChoice("beg", "Beg"),
        OfferedChoice("sing", "Sing a song", source="model"),
        OfferedChoice("fly", "Fly", source="finale"),
        OfferedChoice("swim", "Swim", source="finale"),
    )
)


def test_the_opening() -> None:
    assert do(Opening(), begin(GAME), begun=False)[0] == Deed("", leaves=True, authored=True)
    told = do(Opening(), begin(GAME), begun=False, intro="It begins.")[0]
    assert told == Deed("", ("intro",), leaves=True, authored=True)
    bare = tower_game(scenes=())
    assert do(Opening(), begin(bare), game=bare, begun=False)[0] == Unspent(OutcomeReason.NO_TELLER)
    assert do(Opening(), begin(bare), game=bare, begun=False, teller=True)[0] == Deed("", leaves=True)
    told = do(Opening(), begin(bare), game=bare, begun=False, teller=True, intro="It begins.")[0]
    assert told == Deed("", ("intro",), leaves=True, authored=True)
    # An introduction alone would leave the player with nothing to do.
    told = do(Opening(), begin(bare), game=bare, begun=False, intro="It begins.")[0]
    assert told == Unspent(OutcomeReason.NO_TELLER)


def test_a_state_that_was_brought_along_is_taken_up_where_it_stands() -> None:
    working = TurnProgress(GAME, IN_HALL, TurnDraws(SECRET, 1))
    table = PlayersTable(TurnBody(), tower().words("en"), False, False, imported=True)
    assert carry_out_input(table, working, Opening()) == Deed("", authored=True, resumes=True)


def test_a_story_is_opened_once_and_first() -> None:
    assert do(Opening(), IN_HALL)[0] == Unspent(OutcomeReason.NO_SUCH_CHOICE)
    assert do(Say("hello"), begin(GAME), begun=False)[0] == Unspent(OutcomeReason.NO_SUCH_CHOICE)


def test_nothing_happens_after_the_end() -> None:
    for given in (Say("hello"), Choose("climb"), GoOn(), AnswerDecision("d", "o")):
        assert do(given, stand(scene="hall", ending="flown"), teller=True)[0] == Unspent(OutcomeReason.OVER)


def test_going_on_needs_a_teller() -> None:
    assert do(GoOn(), IN_HALL)[0] == Unspent(OutcomeReason.NO_TELLER)
    assert do(GoOn(), IN_HALL, teller=True)[0] == Deed("")


def test_a_choice_of_a_scene_is_carried_out_at_once() -> None:
    deed, working = do(Choose("climb"), IN_HALL, body=ON_TABLE, teller=True)
    assert deed == Deed("Climb the stair", ("climbed",), leaves=True, authored=True)
    assert working.position.state.document["place"] == "tower"
    assert [(c.path, c.cause) for c in working.changes] == [("/place", "scene:hall")]


def test_a_choice_that_rolls_says_what_fell_and_keeps_the_draw() -> None:
    deed, working = do(Choose("dice"), IN_HALL, body=ON_TABLE)
    (draw,) = working.fortune.draws
    assert (draw.version, draw.index, draw.sides) == (5, 0, 6)
    roll = {"kind": "roll", "text": f"1d6 ({draw.face}) = {draw.face}", "total": draw.face}
    expected = {**roll, "needed": 1, "success": True}
    assert isinstance(deed, Deed)
    assert deed.results == (expected,)
    assert working.rolls == [expected]
    assert deed.passages == ("lucky",)
    assert working.position.state.document["coins"] == 4


def test_a_choice_may_name_the_scene_that_follows() -> None:
    deed, _ = do(Choose("jump"), IN_HALL, body=ON_TABLE)
    assert deed == Deed("Jump into the dark", (), "cellar", leaves=True, authored=True)


def test_a_choice_of_the_teller_is_words() -> None:
    deed, working = do(Choose("sing"), IN_HALL, body=ON_TABLE, teller=True)
    assert deed == Deed("Sing a song")
    assert working.changes == []


def test_choices_that_are_not_there() -> None:
    assert do(Choose("eat"), IN_HALL, body=ON_TABLE)[0] == Unspent(OutcomeReason.NO_SUCH_CHOICE, "eat")
    # What was laid out and is no longer offered: its condition fails, its scene or its route is gone.
    assert do(Choose("beg"), IN_HALL, body=ON_TABLE)[0] == Unspent(OutcomeReason.NO_SUCH_CHOICE, "beg")
    assert do(Choose("climb"), stand(), body=ON_TABLE)[0] == Unspent(OutcomeReason.NO_SUCH_CHOICE, "climb")
    assert do(Choose("fly"), IN_HALL, body=ON_TABLE)[0] == Unspent(OutcomeReason.NO_SUCH_CHOICE, "fly")
    finale = stand(scene="hall", finale="dawn")
    assert do(Choose("swim"), finale, body=ON_TABLE)[0] == Unspent(OutcomeReason.NO_SUCH_CHOICE, "swim")


def test_a_choice_named_like_a_route_does_not_take_it() -> None:
    body = TurnBody(choices=(OfferedChoice("climb", "Climb", source="finale"),))
    assert do(Choose("climb"), IN_HALL, body=body)[0] == Unspent(OutcomeReason.NO_SUCH_CHOICE, "climb")


def test_a_route_of_the_finale() -> None:
    deed, working = do(Choose("fly"), stand(scene="hall", finale="dawn"), body=ON_TABLE)
    assert deed == Deed("Fly", leaves=True, authored=True)
    document = working.position.state.document
    assert (document["coins"], working.events[-1].type) == (0, "game_over")
    assert [c.cause for c in working.changes if c.path == "/coins"] == ["finale:dawn"]


def test_words_that_name_a_choice() -> None:
    for teller in (False, True):
        deed, working = do(Say("take the stairs!"), IN_HALL, teller=teller)
        assert deed == Deed("take the stairs!", ("climbed",), leaves=True, authored=True)
        assert working.position.state.document["place"] == "tower"
    deed, _ = do(Say("spread your arms"), stand(scene="hall", finale="dawn"))
    assert deed == Deed("spread your arms", leaves=True, authored=True)


def test_words_that_only_come_near_are_left_to_the_teller() -> None:
    near = Say("climb up the stair")
    assert isinstance(do(near, IN_HALL)[0], Deed)
    assert do(near, IN_HALL)[1].changes != []
    deed, working = do(near, IN_HALL, teller=True)
    assert (deed, working.changes) == (Deed("climb up the stair"), [])


def test_words_of_ones_own() -> None:
    assert do(Say("I sing"), IN_HALL, teller=True)[0] == Deed("I sing")
    assert do(Say("I sing"), IN_HALL)[0] == Unspent(OutcomeReason.UNMATCHED)
    assert do(Say("I sing"), stand())[0] == Unspent(OutcomeReason.NO_TELLER)


def test_a_decision_comes_first_and_is_answered_by_its_options() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), ["He waits."], runner=Keeping())
        await bench.commit(Opening(), "opening")
        asking = bench.with_road(runner=Keeping()).told_by(calls("He shakes the cup.", ("gamble", {})))
        opened = await asking.commit(Say("I gamble"), "ask")
        assert [card.id for card in opened.decisions] == ["gamble"]
        for given in (Say("no"), Choose("x"), GoOn()):
            assert await bench.take(given, f"op-{given}") == Unspent(OutcomeReason.DECISION_FIRST)
        answers = {
            AnswerDecision("toss", "roll"): Unspent(OutcomeReason.NO_SUCH_DECISION, "toss"),
            AnswerDecision("gamble", "hop"): Unspent(OutcomeReason.NO_SUCH_CHOICE, "hop"),
        }
        for answer, expected in answers.items():
            assert await bench.take(answer, f"op-{answer}") == expected
        done = await bench.told_by("It falls.").take(AnswerDecision("gamble", "roll", "for luck"), "roll")
        assert isinstance(done, Committed)
        assert done.commit.body["said"] == "Roll: for luck"

    asyncio.run(run())


def test_an_answer_tells_the_system_the_option_and_the_note() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), ["He waits.", calls("The cup.", ("gamble", {}))])
        await bench.commit(Opening(), "opening")
        await bench.commit(Say("I gamble"), "ask")
        recalled = await bench.recall()
        texts = bridge().words("en")
        table = PlayersTable(recalled.body, texts, True, True)
        for note, said in (("", "Step back"), ("not today", "Step back: not today")):
            working = TurnProgress(bridge().game, recalled.position, TurnDraws(SECRET, 3))
            deed = carry_out_input(table, working, AnswerDecision("gamble", "withdraw", note))
            assert isinstance(deed, Deed)
            (call,) = deed.moves
            assert (deed.said, call.tool, call.id, dict(call.arguments)) == (said, "gamble", "gamble", {})
            noted = {"gamble.note": note} if note else {}
            assert deed.answers == {"gamble": "withdraw", **noted}
            assert plain(working.position.state.document["_engine"])["decisions"] == {}

    asyncio.run(run())


def test_the_story_without_a_teller_from_its_beginning_to_its_end() -> None:
    async def run() -> None:
        bench = await lay_bench(tower("It begins."))
        told = [(await bench.commit(Opening(), "op-0")).narration]
        for number, choice in enumerate(("jump", "out", "climb", "up", "fly"), 1):
            told.append((await bench.commit(Choose(choice), f"op-{number}")).narration)
        assert told == [
            "It begins.\n\nA hall with a stair.",
            "A cellar.",
            "A hall with a stair.",
            "Step after step.\n\nA tower.",
            "The sun comes up.",
            "You fly.",
        ]

    asyncio.run(run())
