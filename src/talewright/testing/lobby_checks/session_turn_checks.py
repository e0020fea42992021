"""Checks of turns: inputs that lead to a turn, inputs that do not, and inputs that are sent twice.

Navigation, news and roles are checked elsewhere.
"""

import asyncio

from talewright.play.session import InputResult, ResultKind, Stamp
from talewright.testing.expectations import expect, expect_equal
from talewright.testing.lobby_checks.lobby_fixtures import LobbyFactories, begin_campaign


def _brief(result: InputResult) -> tuple[str, str]:
    return result.kind.value, result.reason


async def check_choosing(ground: LobbyFactories) -> None:
    """A choice takes one turn, which the view and the past then show."""
    async with begin_campaign(ground) as begun:
        before = await begun.session.view()
        chosen = before.choices[1]
        result = await begun.session.choose(chosen.id)
        after = await begun.session.view()
        expect_equal("the result", (*_brief(result), result.repeated), ("committed", "", False))
        expect(bool(result.operation_id), "the result names no operation")
        expect_equal("one turn", (after.version, after.head), (before.version + 1, result.commit))
        expect(after.turn is not None and after.turn.commit == result.commit, "the view has another turn")
        expect_equal("in the past", (await begun.session.past.turns(1))[-1], after.turn)


async def check_words(ground: LobbyFactories) -> None:
    """Words that match a choice take a turn."""
    async with begin_campaign(ground) as begun:
        view = await begun.session.view()
        result = await begun.session.say(view.choices[0].label)
        expect_equal("the result", _brief(result), ("committed", ""))
        expect_equal("one turn", (await begun.session.view()).version, view.version + 1)


async def check_unspent(ground: LobbyFactories) -> None:
    """If an input leads to no turn, the result says why and nothing changes."""
    async with begin_campaign(ground) as begun:
        session = begun.session
        before = await session.view()
        odd = {
            "unmatched": session.say("xyzzy plugh 7"),
            "empty": session.say("   "),
            "too_long": session.say("x" * 100_000),
            "no_such_choice": session.choose("no-such-choice"),
            "no_such_decision": session.answer("no-such-decision", "yes"),
        }
        for reason, call in odd.items():
            result = await call
            expect_equal(f"the result of {reason}", _brief(result), ("unspent", reason))
            expect(bool(result.message), f"{reason} is not explained")
            expect_equal(f"the view after {reason}", await session.view(), before)


async def check_repeated(ground: LobbyFactories) -> None:
    """An input that is sent twice takes one turn, even through another lobby."""
    async with begin_campaign(ground) as begun:
        view = await begun.session.view()
        stamp = Stamp("sent-twice")
        first = await begun.session.choose(view.choices[0].id, stamp)
        again = await begun.session.choose(view.choices[0].id, stamp)
        elsewhere = await (await begun.reopen()).choose(view.choices[0].id, stamp)
        expect_equal("one commit", {first.commit, again.commit, elsewhere.commit}, {first.commit})
        expect_equal("which is repeated", (first.repeated, elsewhere.repeated), (False, True))
        expect_equal("one turn", (await begun.session.view()).version, view.version + 1)


async def check_base(ground: LobbyFactories) -> None:
    """An input for an earlier turn is refused; one for this turn is not."""
    async with begin_campaign(ground) as begun:
        before = await begun.session.view()
        after = await begun.choose()
        late = await begun.session.choose(after.choices[0].id, Stamp("too-late", before.head))
        expect_equal("an input for an earlier turn", _brief(late), ("failed", "moved"))
        expect(bool(late.message), "it is not explained")
        expect_equal("nothing has changed", await begun.session.view(), after)
        fine = await begun.session.choose(after.choices[0].id, Stamp("in-time", after.head))
        expect_equal("an input for this turn", fine.kind, ResultKind.COMMITTED)


async def check_two_at_once(ground: LobbyFactories) -> None:
    """Simultaneous inputs are taken one after the other."""
    async with begin_campaign(ground) as begun:
        view = await begun.session.view()
        results = await asyncio.gather(*(begun.session.go_on() for _ in range(3)))
        kinds = [result.kind for result in results]
        after = await begun.session.view()
        expect_equal("every turn", after.version, view.version + kinds.count(ResultKind.COMMITTED))
        commits = {result.commit for result in results if result.commit}
        expect_equal("a commit for each", len(commits), kinds.count(ResultKind.COMMITTED))


async def check_before_opening(ground: LobbyFactories) -> None:
    """An input that arrives during the opening waits for it to end."""
    lobby = await ground.make()
    session = await lobby.begin(ground.game, "en")
    result = await session.choose("no-such-choice")
    expect_equal("the input", _brief(result), ("unspent", "no_such_choice"))
    expect_equal("the opening came first", (await session.view()).version, 1)
    await session.close()


async def check_nothing_runs(ground: LobbyFactories) -> None:
    """Stopping or skipping a turn does nothing if none is running."""
    async with begin_campaign(ground) as begun:
        before = await begun.session.view()
        await begun.session.cancel()
        await begun.session.skip()
        expect_equal("the view", await begun.session.view(), before)
        expect_equal("the next turn", (await begun.choose()).version, before.version + 1)


async def check_retrying(ground: LobbyFactories) -> None:
    """The last turn can be taken again, with other words; the old one stays in the tree."""
    async with begin_campaign(ground) as begun:
        first = await begun.session.view()
        second = await begun.choose()
        result = await begun.session.retry(first.choices[1].label)
        after = await begun.session.view()
        expect_equal("the result", _brief(result), ("committed", ""))
        expect_equal("in the place of the old turn", after.version, second.version)
        expect(after.head != second.head, "it is the old turn")
        expect(
            any(row.commit == second.head for row in await begun.session.past.tree(every=True)), "it is lost"
        )
