"""Checks of navigation and of the past: going back, branches, marks, the tree and comparisons.

No narration is ever lost.
"""

from talewright.play.campaign_view import Viewer
from talewright.testing.expectations import expect, expect_equal
from talewright.testing.lobby_checks.lobby_fixtures import LobbyFactories, begin_campaign, expect_code


async def check_undoing(ground: LobbyFactories) -> None:
    """Going back shows an earlier turn, never one before the first."""
    async with begin_campaign(ground) as begun:
        first = await begun.session.view()
        second = await begun.choose()
        await begun.choose()
        expect_equal("one turn back", (await begun.session.undo()).head, second.head)
        expect_equal("far back", (await begun.session.undo(100)).head, first.head)
        expect_equal("the view", (await begun.session.view()).head, first.head)


async def check_branches(ground: LobbyFactories) -> None:
    """A branch starts at a turn; one can switch between branches."""
    async with begin_campaign(ground) as begun:
        session = begun.session
        first = await session.view()
        main = await begun.choose()
        forked = await session.fork(first.head, "aside")
        expect_equal("a branch", (forked.branch, forked.head), ("aside", first.head))
        aside = await begun.choose(1)
        back = await session.switch(main.branch)
        expect_equal("back", (back.branch, back.head), (main.branch, main.head))
        expect_equal("the branches", sorted(back.branches), sorted(["aside", main.branch]))
        named = await session.fork()
        expect(named.branch not in ("", "aside", main.branch), "a branch without a name of its own")
        expect_equal("it starts here", named.head, main.head)
        await expect_code("name_taken", "a branch in use", session.fork("", "aside"))
        await expect_code("turn_unknown", "an unknown branch", session.switch("nowhere"))
        await expect_code("turn_unknown", "an unknown turn", session.fork("0" * 32))
        there = await session.switch("aside")
        expect_equal("the other branch", there.head, aside.head)
        again = await begun.reopen()
        expect_equal("opened again", (await again.view()).branch, "aside")


async def check_marks(ground: LobbyFactories) -> None:
    """A mark names a turn from which the story can continue later."""
    async with begin_campaign(ground) as begun:
        session = begun.session
        first = await session.view()
        for name in ("before the door", "50% / ü?#"):
            await session.mark(name)
        await begun.choose()
        loaded = await session.load("before the door")
        expect_equal("the marked turn", (loaded.head, loaded.version), (first.head, first.version))
        expect(loaded.branch != first.branch, "it goes on where it was")
        expect_equal("the marks", sorted(loaded.marks), ["50% / ü?#", "before the door"])
        await expect_code("turn_unknown", "an unknown mark", session.load("nowhere"))
        await expect_code("name_unfit", "a mark that is too long", session.mark("x" * 100))


async def check_past(ground: LobbyFactories) -> None:
    """The past lists turns, page by page, and draws the tree with its branches."""
    async with begin_campaign(ground) as begun:
        session, past = begun.session, begun.session.past
        views = [await session.view()]
        views += [await begun.choose() for _ in range(3)]
        turns = await past.turns()
        expect_equal("all turns", [turn.commit for turn in turns], [view.head for view in views])
        expect_equal("the last two", await past.turns(2), turns[-2:])
        expect_equal("those before", await past.turns(2, turns[2].commit), turns[:2])
        expect_equal("by number", await past.turns(2, first=2), turns[1:3])
        expect_equal("beyond the last", await past.turns(9, first=4), turns[3:])
        expect_equal("none", await past.turns(9, first=99), ())
        expect_equal("one turn", await past.turn(turns[1].commit), turns[1])
        await session.fork(turns[1].commit, "aside")
        aside = await begun.choose(1)
        rows = await past.tree(every=True)
        expect(
            {turn.commit for turn in turns} | {aside.head} <= {row.commit for row in rows},
            "turns are missing",
        )
        expect_equal("where one is", [row.commit for row in rows if row.here], [aside.head])
        expect(bool(await past.tree()), "the short tree is empty")
        page = await past.tree_page(2, 1, every=True)
        expect_equal("a page of it", (page.rows, page.first, page.total), (rows[1:3], 1, len(rows)))
        around = await past.tree_page(1, around=turns[2].commit)
        expect_equal("around a turn", [row.commit for row in around.rows], [turns[2].commit])
        expect_equal("where one is", (await past.tree_page(9)).here, aside.version)
        expect_equal("the branch by number", (await past.turns(9, first=3))[0].commit, aside.head)
        compared = await past.compare(views[-1].head, "aside")
        expect_equal("where they parted", compared.parted, turns[1].version)
        expect_equal("one line", [turn.commit for turn in compared.one], [turn.commit for turn in turns[2:]])
        expect_equal("the other", [turn.commit for turn in compared.other], [aside.head])
        await expect_code("turn_unknown", "an unknown comparison", past.compare("nowhere", "aside"))


async def check_reasons(ground: LobbyFactories) -> None:
    """Every variable that is shown has a history; others have none."""
    async with begin_campaign(ground) as begun:
        for _ in range(3):
            await begun.choose()
        view, past = await begun.session.view(), begun.session.past
        trails = {card.variable: await past.trail(card.variable) for card in view.cards}
        expect(any(trail is not None and trail.causes for trail in trails.values()), "nothing was ever set")
        for variable, trail in trails.items():
            if trail is not None:
                expect_equal(f"why {variable}", await past.why(variable), trail.causes)
        trends = {trend.variable: trend.points for trend in await past.trends()}
        moved = {name: trail.points for name, trail in trails.items() if trail is not None and trail.points}
        expect_equal("what moved", set(trends), {name for name, points in moved.items() if len(points) > 1})
        for name, points in trends.items():
            expect_equal(f"how {name} moved", points, moved[name])
        figures = await past.statistics()
        expect_equal("the turns", (figures.turns, figures.counted), (view.version, view.version))
        expect_equal("the branches", figures.branches, 1)
        expect_equal("an unknown variable", await past.trail("no-such-variable"), None)


async def check_inspecting(ground: LobbyFactories) -> None:
    """Authors see the whole record of a turn, players what they were shown."""
    async with begin_campaign(ground) as begun:
        view = await begun.choose()
        author = await begun.reopen(Viewer.AUTHOR)
        seen = [await session.past.inspect(view.head) for session in (begun.session, author)]
        expect_equal("the turn", {(one.version, one.commit) for one in seen}, {(view.version, view.head)})
        expect(seen[0] != seen[1], "a player sees as much as an author")
        await expect_code("turn_unknown", "an unknown turn", begun.session.past.inspect("0" * 32))
