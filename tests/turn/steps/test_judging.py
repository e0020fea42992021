"""Judging: errands asked, decisions laid open; a judgement that is thrown away gives its draws back."""

import asyncio
from collections.abc import Mapping, Sequence

from talewright.common.json_values import Json
from talewright.contract.dialect_table import DIALECTS
from talewright.contract.text.leak_guard import LEAK, NAMED, NOTHING_HIDDEN, HiddenTexts
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves import MODEL, PLAYER, Call, Move, Op, Update
from talewright.kernel.judging.rulings import Decision, Errand, Grade, Granted, Option, Refused, Waiting
from talewright.kernel.state.state import begin
from talewright.kernel.story.triggers import Event
from talewright.kernel.system import AuthorFiles, Grant, Sight, SystemAnswer, Tool, ToolWork, Wait
from talewright.turn.records.turn_attempts import AttemptLedger
from talewright.turn.steps.judging import ALL_DRAWN, NO_ANSWER, Judge, JudgedMoves
from talewright.turn.turn_context import Teller
from talewright.turn.turn_progress import TurnDraws, TurnProgress
from tests.plugs.toll import NOTHING, Toll
from tests.turn.making import SECRET, Bench, altered, bridge, lay_bench, make_asker, plain

GAMBLE = Call("gamble", {}, "c1")
KEEPER = Call("ask_keeper", {}, "c2")
PAY = Call("pay", {"coins": 1}, "c3")
CARD = Decision(
    "gamble", "Roll for the passage?", (Option("roll", "Roll"), Option("withdraw", "Step back")),
    ("4 or more lets you pass",),
)  # fmt: skip


class Throwing(Toll):
    """A toll with a tool that draws at once, and one that is never satisfied."""

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        botch = Tool("botch", "Throw no die at all.", NOTHING, work=ToolWork.ROLLING)
        return (
            *super().tools(files, language),
            Tool("throw", "Throw.", NOTHING),
            Tool("nag", "Ask on.", NOTHING),
            Tool("wonder", "Ask, or guess.", NOTHING),
            botch,
        )

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        match call.tool:
            case "throw":
                return Grant(result={"face": chance.draw(6, "throw")})
            case "botch":
                return Grant(result={"highest": 1})
            case "nag":
                return Wait(Errand("nag", "And?", {"type": "string"}))
            case "wonder" if "why" not in answers or answers["why"] == "again":
                return Wait(Errand("why", "Why?", {"type": "string"}, optional=True))
            case "wonder":
                return Grant(result=answers["why"])
            case _:
                return super().judge(call, sight, chance, answers)


THROW, NAG, BOTCH = Call("throw", {}, "t1"), Call("nag", {}, "n1"), Call("botch", {}, "b1")
WRONG = Update(Op.INC, "moood", 1)
EDITION = altered(bridge(), systems=(Throwing(),))


async def judge(
    moves: Sequence[Move],
    script: Sequence[str] | None = None,
    *,
    errands_max: int = 4,
    cause: str = MODEL,
    answers: Mapping[str, Json] | None = None,
    may_draw: bool = True,
    veil: HiddenTexts = NOTHING_HIDDEN,
) -> tuple[JudgedMoves, TurnProgress, Bench]:
    bench = await lay_bench(EDITION, script)
    working = TurnProgress(EDITION.game, begin(EDITION.game), TurnDraws(SECRET, 1))
    asker = None if script is None else make_asker(bench.road, DIALECTS["tools"], veil, AttemptLedger())
    teller: Teller | None = bench.road.teller
    judge = Judge(working, None if asker is None else asker.guard, asker, teller, errands_max)
    judged = await judge.judge(moves, cause, answers, may_draw=may_draw)
    return judged, working, bench


def test_what_is_granted_stands() -> None:
    judged, working, _ = asyncio.run(judge([PAY, Update(Op.INC, "mood", 2)]))
    assert [type(ruling) for ruling in judged.rulings] == [Granted, Granted]
    assert (judged.mends, judged.opened) == ((), ())
    assert working.rulings == list(judged.rulings)
    assert {change.path for change in working.changes} == {"/bridge/crossed", "/bridge/coins", "/mood"}
    assert working.rolls == []


def test_while_one_move_must_be_mended_nothing_happens_and_no_draw_is_kept() -> None:
    judged, working, _ = asyncio.run(judge([THROW, WRONG, THROW]))
    assert [refused.move for refused in judged.mends] == [WRONG]
    assert len(judged.rulings) == 3
    assert (working.rulings, working.changes, working.rolls, working.fortune.draws) == ([], [], [], ())
    # The same dice fall when the answer is given again without the mistake.
    again, kept, _ = asyncio.run(judge([THROW, THROW]))
    first = [plain(r).result for r in judged.rulings if isinstance(r, Granted)]
    assert [plain(r).result for r in again.rulings] == first
    assert [draw.index for draw in kept.fortune.draws] == [0, 1]
    assert kept.rolls == [
        {"kind": "call", "tool": "throw", "result": {"face": draw.face}} for draw in kept.fortune.draws
    ]


def test_a_judgement_that_waits_is_thrown_away_and_made_again_with_the_same_dice() -> None:
    judged, working, _ = asyncio.run(judge([THROW, KEEPER], ['"Old Marn"']))
    assert [type(ruling) for ruling in judged.rulings] == [Granted, Granted]
    assert [(draw.version, draw.index) for draw in working.fortune.draws] == [(1, 0)]
    alone, _, _ = asyncio.run(judge([THROW]))
    assert plain(judged.rulings[0]).result == plain(alone.rulings[0]).result
    assert plain(working.position.state.document["bridge"])["keeper"] == "Old Marn"


def test_a_call_that_waits_for_the_player_is_held_and_the_rest_stands() -> None:
    judged, working, _ = asyncio.run(judge([Update(Op.INC, "mood", 1), GAMBLE]))
    assert [type(ruling) for ruling in judged.rulings] == [Granted, Waiting]
    assert judged.opened == (CARD,)
    assert working.decisions == [CARD]
    assert plain(working.position.state.document["_engine"])["decisions"] == {
        "gamble": {"tool": "gamble", "arguments": "{}"}
    }
    assert Waiting(GAMBLE, CARD) in working.rulings


def test_an_answered_call_is_judged_with_the_answer() -> None:
    judged, working, _ = asyncio.run(judge([GAMBLE], cause=PLAYER, answers={"gamble": "roll"}))
    (ruling,) = judged.rulings
    assert isinstance(ruling, Granted)
    (draw,) = working.fortune.draws
    assert ruling.result == {"rolled": draw.face}
    assert working.rolls == [{"kind": "call", "tool": "gamble", "result": {"rolled": draw.face}}]
    judged, working, _ = asyncio.run(judge([GAMBLE], cause=PLAYER, answers={"gamble": "withdraw"}))
    assert working.fortune.draws == ()
    # What the player has decided is told to the storyteller as well, though no die fell.
    assert working.rolls == [{"kind": "call", "tool": "gamble", "result": {"rolled": None}}]


def test_what_is_rolled_is_noted_also_where_no_die_falls() -> None:
    _, working, _ = asyncio.run(judge([BOTCH, PAY, Update(Op.INC, "mood", 1)]))
    assert (working.fortune.draws, working.rolls) == (
        (),
        [{"kind": "call", "tool": "botch", "result": {"highest": 1}}],
    )


def test_an_answered_call_that_is_refused_after_all_is_noted_with_the_reason() -> None:
    wrong = Call("pay", {"coins": 99}, "gamble")
    judged, working, _ = asyncio.run(judge([wrong], cause=PLAYER, answers={"gamble": "roll"}))
    (refused,) = judged.mends
    assert working.rolls == [{"kind": "call", "tool": "pay", "result": {"refused": refused.reason}}]
    dropped = Call("pay", {"coins": "all"}, "gamble")
    judged, working, _ = asyncio.run(judge([dropped], cause=PLAYER, answers={"gamble": "roll"}))
    reason = "the keeper does not want everything"
    assert working.rolls == [{"kind": "call", "tool": "pay", "result": {"refused": reason}}]
    _, working, _ = asyncio.run(judge([dropped]))
    assert working.rolls == []


def test_a_call_whose_errand_failed_is_closed_and_the_rest_stands() -> None:
    closed = Refused(KEEPER, Grade.DROP, NO_ANSWER)
    for script in (["no json"], None):
        judged, working, _ = asyncio.run(judge([KEEPER, PAY], script))
        assert judged.rulings[1:] == (closed,)
        assert isinstance(judged.rulings[0], Granted)
        assert (judged.mends, closed in working.rulings) == ((), True)


def test_a_call_that_can_do_without_an_answer_is_judged_without_it() -> None:
    wonder = Call("wonder", {}, "w1")
    for script, result in ((None, None), (["no JSON"], None), (['"It rains."'], "It rains.")):
        judged, _, _ = asyncio.run(judge([wonder], script))
        assert judged.rulings == (Granted(wonder, (), result),)
    # It is asked once, whatever the answer.
    judged, _, _ = asyncio.run(judge([wonder], ['"again"', "no JSON"]))
    assert judged.rulings == (Refused(wonder, Grade.DROP, NO_ANSWER),)


def test_no_more_errands_than_the_limit() -> None:
    for limit in (0, 1, 3):
        judged, _, bench = asyncio.run(judge([NAG], ['"on"'] * 9, errands_max=limit))
        assert len(bench.provider.requests) == limit
        assert judged.rulings == (Refused(NAG, Grade.DROP, NO_ANSWER),)


def test_where_everything_has_fallen_a_call_that_would_draw_must_be_mended() -> None:
    judged, working, _ = asyncio.run(judge([THROW, Update(Op.INC, "mood", 1)], may_draw=False))
    assert judged.mends == (Refused(THROW, Grade.MEND, ALL_DRAWN),)
    assert (working.changes, working.fortune.draws) == ([], ())
    judged, working, _ = asyncio.run(judge([PAY], may_draw=False))
    assert judged.mends == ()
    assert working.changes != []


def test_nothing_to_judge() -> None:
    judged, working, _ = asyncio.run(judge([]))
    assert judged == JudgedMoves(())
    assert working.rulings == []


GRUDGE = "the keeper once drowned a man who would not pay, and sold his boots"
TELLING = Update(Op.PUSH, "log", f"He says that {GRUDGE}.", "told")


def test_a_move_by_which_the_player_would_read_what_is_hidden_is_to_be_mended() -> None:
    judged, working, _ = asyncio.run(judge([THROW, TELLING], [], veil=HiddenTexts([GRUDGE])))
    refused = Refused(TELLING, Grade.MEND, LEAK.message)
    assert (judged.mends, judged.rulings[1]) == ((refused,), refused)
    assert isinstance(judged.rulings[0], Granted)
    assert (working.changes, working.rulings, working.fortune.draws) == ([], [], ())


def test_what_is_hidden_may_be_written_where_it_stays_hidden() -> None:
    hidden = Update(Op.SET, "grudge", f"{GRUDGE}, twice")
    judged, working, _ = asyncio.run(judge([hidden], [], veil=HiddenTexts([GRUDGE])))
    assert judged.mends == ()
    assert [change.path for change in working.changes] == ["/grudge"]


def test_what_is_hidden_now_is_covered_for_the_rest_of_the_turn() -> None:
    boots = "the boots were never sold; he wears them under the counter on market days"

    async def run() -> None:
        bench = await lay_bench(EDITION, [])
        working = TurnProgress(EDITION.game, begin(EDITION.game), TurnDraws(SECRET, 1))
        asker = make_asker(bench.road, DIALECTS["tools"], HiddenTexts([GRUDGE]), AttemptLedger())
        rules, before = Judge(working, asker.guard, asker, bench.road.teller, 4), asker.guard.veil
        await rules.judge([BOTCH], MODEL)
        assert asker.guard.veil is before
        await rules.judge([Update(Op.SET, "grudge", boots), Update(Op.PUSH, "log", boots[:45])], MODEL)
        assert asker.guard.veil.covers([boots])
        assert asker.guard.veil.covers([GRUDGE])
        # What everyone can read has been told.
        assert not asker.guard.veil.covers([boots[:45]])
        told = Update(Op.PUSH, "log", f"He says that {boots}")
        assert (await rules.judge([told], MODEL)).mends == (Refused(told, Grade.MEND, LEAK.message),)

    asyncio.run(run())


class Carving(Toll):
    """A toll with a tool whose words are read by everyone, and which says something of its own."""

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        return (*super().tools(files, language), Tool("carve", "Carve words into the rail.", NOTHING))

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        if call.tool != "carve":
            return super().judge(call, sight, chance, answers)
        update = Update(Op.SET, "bridge.keeper", str(call.arguments["words"]).strip())
        return Grant((update,), events=(Event("toll", "toll.carved", "system:toll"),))


def test_a_call_that_names_a_text_is_to_be_mended_and_a_system_may_name_one() -> None:
    edition = altered(bridge(), systems=(Carving(),))
    named, plainly = Call("carve", {"words": " toll.across "}, "k1"), Call("carve", {"words": "Marn"}, "k2")

    async def run() -> None:
        bench = await lay_bench(edition, [])
        working = TurnProgress(edition.game, begin(edition.game), TurnDraws(SECRET, 1))
        veil = HiddenTexts(names={"toll.across": "", "toll.carved": ""})
        asker = make_asker(bench.road, DIALECTS["tools"], veil, AttemptLedger())
        rules = Judge(working, asker.guard, asker, bench.road.teller, 4)
        assert (await rules.judge([named], MODEL)).mends == (Refused(named, Grade.MEND, NAMED.message),)
        assert working.changes == []
        assert (await rules.judge([plainly], MODEL)).mends == ()

    asyncio.run(run())


def test_an_answer_to_an_errand_does_not_bring_it_out_either() -> None:
    judged, working, _ = asyncio.run(judge([KEEPER], [f'"{GRUDGE}"'], veil=HiddenTexts([GRUDGE])))
    assert judged.mends == (Refused(KEEPER, Grade.MEND, LEAK.message),)
    assert working.changes == []


def test_without_a_storyteller_the_words_are_the_author_s_own() -> None:
    judged, working, _ = asyncio.run(judge([TELLING]))
    assert (judged.mends, len(working.changes)) == ((), 1)
