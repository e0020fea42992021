"""Checks of roles: what a role may do, and an external game master who narrates turns.

What a role may see is checked by the tests of `presentation`.
"""

from talewright.play.campaign_view import Viewer
from talewright.play.input_results import InputResult
from talewright.play.master_desk import OutsideTurnView, ProposedCall
from talewright.play.session import ResultKind, Stamp
from talewright.play.session_roles import RoleError
from talewright.testing.expectations import expect, expect_equal, expect_raises
from talewright.testing.lobby_checks.lobby_fixtures import LobbyFactories, begin_campaign, expect_code

HOLDER = "the-suite"


async def check_rights(ground: LobbyFactories) -> None:
    """A role that may not play cannot take turns, and only a master has a desk."""
    async with begin_campaign(ground) as begun:
        before = await begun.session.view()
        master = await begun.reopen(Viewer.MASTER)
        expect_equal("the viewer", (await master.view()).viewer, Viewer.MASTER)
        choice = before.choices[0].id
        for call in (master.choose(choice), master.say("hello"), master.go_on(), master.retry()):
            await expect_code("role_refused", "a master who plays", call)
        try:
            _ = begun.session.master
        except RoleError:
            pass
        else:
            raise AssertionError("a player has the desk of a master")
        expect_equal("nothing has changed", await begun.session.view(), before)


async def check_master(ground: LobbyFactories) -> None:
    """A master reads a brief, opens a turn, submits calls and narrates it."""
    async with begin_campaign(ground) as begun:
        master = (await begun.reopen(Viewer.MASTER)).master
        brief = await master.brief()
        expect(bool(brief.sections) and bool(brief.tools), "the brief is empty")
        expect_equal(
            "the brief since now",
            {one.is_new for one in (await master.brief(brief.version)).sections},
            {False},
        )
        expect_equal("the view to show", (await master.player_view()).viewer, Viewer.PLAYER)
        opened = await master.begin("I look around.", Stamp("told-outside"), HOLDER)
        assert isinstance(opened, OutsideTurnView), opened
        expect_equal("the input", (opened.said, opened.rounds), ("I look around.", 0))
        again = await master.begin("I look around.", Stamp("told-outside"), HOLDER)
        assert isinstance(again, OutsideTurnView), again
        judged = await master.propose(opened.handle, (ProposedCall("no_such_tool", {}, "c1"),))
        expect(
            bool(judged.flaws) or any(one.refused for one in judged.results), "an unknown tool was granted"
        )
        told = await master.finish(opened.handle, "Nothing moves.", facts=("It is quiet.",))
        assert told.result is not None, told
        view = await begun.session.view()
        expect_equal("the turn", (told.result.kind, told.result.commit), (ResultKind.COMMITTED, view.head))
        assert view.turn is not None
        expect("Nothing moves." in view.turn.narration, "the words are not in the story")
        await expect_code("lease_lost", "a turn that is over", master.propose(opened.handle, ()))


async def check_giving_up(ground: LobbyFactories) -> None:
    """A turn that a master gives up leaves the campaign unchanged and free for the next turn."""
    async with begin_campaign(ground) as begun:
        before = await begun.session.view()
        master = (await begun.reopen(Viewer.MASTER)).master
        opened = await master.choose(before.choices[0].id, Stamp("given-up"))
        assert isinstance(opened, OutsideTurnView), opened
        held = await begun.session.choose(before.choices[0].id)
        expect_equal("a player meanwhile", held.reason, "turn_open")
        named = await master.open_turn()
        expect_equal("the open turn", named and named.operation_id, "given-up")
        await master.give_up(opened.handle)
        expect_equal("the open turn afterwards", await master.open_turn(), None)
        expect_equal("the head", (await begun.session.view()).head, before.head)
        expect_equal("the next turn", (await begun.choose()).version, before.version + 1)
        again = await master.begin("I look around.", Stamp("released"))
        assert isinstance(again, OutsideTurnView), again
        await master.release("released")
        expect_equal("the open turn after its release", (await master.brief()).open_turn, None)
        await expect_code("lease_lost", "a turn that was released", master.finish(again.handle, "x"))
        odd = await master.choose("no-such-choice")
        expect(isinstance(odd, InputResult) and odd.reason == "no_such_choice", "an unknown choice")
        error = master.hand_in_answer("no-such-system", "none", "x")
        await expect_code("not_wanted", "an answer that nobody asked for", error)
        await expect_code("not_wanted", "a summary that nobody asked for", master.hand_in_summary("x"))
        await expect_raises(Exception, "an unknown handle", master.finish("no-such-handle", "x"))
