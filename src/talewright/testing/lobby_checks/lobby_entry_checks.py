"""Checks of a lobby itself: games, campaigns, their names and languages, exports and the bin.

Turns are checked elsewhere.
"""

from talewright.errors import TalewrightError
from talewright.play.lobby import ExportForm
from talewright.play.session import wait_for_opening
from talewright.testing.expectations import expect, expect_equal, expect_raises
from talewright.testing.lobby_checks.lobby_fixtures import (
    LobbyFactories,
    begin,
    begin_campaign,
    expect_code,
)


async def check_games(ground: LobbyFactories) -> None:
    """Games are listed with their titles and languages; unknown ones are refused."""
    lobby = await ground.make()
    games = {one.id: one for one in await lobby.games()}
    expect(ground.game in games, "the game is not listed")
    expect(bool(games[ground.game].title and games[ground.game].languages), "it has no title or no language")
    await expect_code("game_unknown", "an unknown game", lobby.begin("no-such-game"))
    expect_equal("campaigns of an empty place", await lobby.campaigns(), ())


async def check_beginning(ground: LobbyFactories) -> None:
    """A campaign starts with an opening turn, and is listed from then on."""
    lobby = await ground.make()
    session = await lobby.begin(ground.game, "en")
    expect(session.opening is not None, "a new campaign has no opening")
    result = await wait_for_opening(session)
    view = await session.view()
    expect(view.turn is not None and bool(view.turn.narration), "the opening told nothing")
    expect_equal(
        "the result of the opening", result and (result.kind.value, result.commit), ("committed", view.head)
    )
    expect_equal("the first version", (view.version, view.game, view.language), (1, ground.game, "en"))
    expect(len(view.choices) > 1, "there is nothing to choose")
    listed = await lobby.campaigns()
    expect_equal("the list", [(one.name, one.game) for one in listed], [(view.campaign, ground.game)])
    await session.close()


async def check_names(ground: LobbyFactories) -> None:
    """Campaigns are numbered unless they are given a name; each name is used once."""
    lobby = await ground.make()
    names = [(await (await begin(lobby, ground.game)).view()).campaign for _ in range(2)]
    expect_equal("numbered names", names, [f"{ground.game}-1", f"{ground.game}-2"])
    view = await (await begin(lobby, ground.game, campaign="mine")).view()
    expect_equal("a given name", view.campaign, "mine")
    await expect_code("name_taken", "a name in use", lobby.begin(ground.game, campaign="mine"))
    for unfit in ("../mine", "a b/c", ".."):
        await expect_code("name_unfit", f"the name {unfit!r}", lobby.begin(ground.game, campaign=unfit))
    expect_equal("the last begun first", (await lobby.campaigns())[0].name, "mine")


async def check_languages(ground: LobbyFactories) -> None:
    """A campaign keeps the language it was started in, even when it is reopened."""
    lobby = await ground.make()
    (game,) = [one for one in await lobby.games() if one.id == ground.game]
    for language in game.languages:
        session = await begin(lobby, ground.game, language, f"in-{language.lower()}")
        expect_equal("its language", (await session.view()).language, language)
        await session.close()
        again = await (await ground.reopen()).open(f"in-{language.lower()}")
        expect_equal("its language, opened again", (await again.view()).language, language)
        await again.close()


async def check_beginning_once(ground: LobbyFactories) -> None:
    """The same operation starts only one campaign, whichever lobby is asked and however often."""
    lobby = await ground.make()
    names = []
    for asked in (lobby, lobby, await ground.reopen()):
        session = await asked.begin(ground.game, "en", operation_id="begin-once")
        await wait_for_opening(session)
        view = await session.view()
        names.append((view.campaign, view.version))
        await session.close()
    expect_equal("the campaigns of one operation", names, [names[0]] * 3)
    expect_equal("how many there are", len(await lobby.campaigns()), 1)
    other = await lobby.begin(ground.game, "en", operation_id="begin-twice")
    expect((await other.view()).campaign != names[0][0], "another operation begins another campaign")


async def check_opening(ground: LobbyFactories) -> None:
    """A campaign continues where it was left; the last one played is listed first."""
    async with begin_campaign(ground) as begun:
        before = await begun.choose()
        await begun.session.close()
        again = await begun.reopen()
        expect_equal("the view after opening it again", await again.view(), before)
        await begin(begun.lobby, ground.game, campaign="later")
        await again.choose(before.choices[0].id)
        listed = [one.name for one in await begun.lobby.campaigns()]
        expect_equal("the last played first", listed, [begun.name, "later"])
        await expect_code("campaign_unknown", "an unknown campaign", begun.lobby.open("no-such-campaign"))


async def check_details(ground: LobbyFactories) -> None:
    """Details name the turn, the last line, the storyteller and the first receipt."""
    async with begin_campaign(ground) as begun:
        first = await begun.lobby.details(begun.name)
        view = await begun.choose()
        details = await begun.lobby.details(begun.name)
        expect_equal("the turn", (details.name, details.turn), (begun.name, view.version))
        expect(bool(details.last) and bool(details.receipt), "no last line or no receipt")
        expect_equal("the first receipt stays", details.receipt, first.receipt)
        await expect_code("campaign_unknown", "unknown details", begun.lobby.details("no-such-campaign"))


async def check_exports(ground: LobbyFactories) -> None:
    """No export is empty; stories contain the narration, and save games can be imported again."""
    async with begin_campaign(ground) as begun:
        view = await begun.choose()
        written = {form: await begun.lobby.write_out(begun.name, form) for form in ExportForm}
        expect(all(written.values()), "an export is empty")
        assert view.turn is not None
        words = view.turn.narration.strip().split("\n")[0][:30].encode()
        expect(words in written[ExportForm.MARKDOWN], "the story lacks the last turn")
        lobby = await ground.reopen()
        for form, name in ((ExportForm.SAVE, "from-save"), (ExportForm.WHOLE, "from-whole")):
            expect_equal("the given name", await lobby.bring_in(written[form], name), name)
            session = await lobby.open(name)
            await wait_for_opening(session)
            brought = await session.view()
            expect_equal("what can be chosen", brought.choices, view.choices)
            await session.close()
        expect_equal(
            "named after its file",
            await lobby.bring_in(written[ExportForm.SAVE], file_name="My Tale.json"),
            "my_tale",
        )
        taken = lobby.bring_in(written[ExportForm.SAVE], "from-save")
        await expect_code("name_taken", "a name in use", taken)
        await expect_code("save_unreadable", "bytes that are no save game", lobby.bring_in(b"\x00\xff{"))
        await expect_code("campaign_unknown", "an unknown export", lobby.write_out("nobody", ExportForm.SAVE))


async def check_removing(ground: LobbyFactories) -> None:
    """A removed campaign is gone, and its name is free."""
    async with begin_campaign(ground) as begun:
        await begun.session.close()
        expect(bool(await begun.lobby.remove(begun.name)), "no words about where it is now")
        expect_equal("the list", await begun.lobby.campaigns(), ())
        await expect_code("campaign_unknown", "a removed campaign", begun.lobby.open(begun.name))
        await expect_raises(TalewrightError, "removing it again", begun.lobby.remove(begun.name))
        session = await begin(begun.lobby, ground.game, campaign=begun.name)
        expect_equal("begun again", (await session.view()).version, 1)
        await session.close()
