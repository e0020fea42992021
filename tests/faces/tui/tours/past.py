"""A tour of the past: a card's history, the tree, what can be done there, a comparison, the inspector."""

from dataclasses import replace

from talewright.faces.tui.table.cards_panel import CardBox
from tests.faces.tui.camera import hold_still
from tests.faces.tui.scenery import House, hire, make_lobby, walk
from tests.faces.tui.tours.album import Album, press, visit
from tests.faces.tui.tours.table import CAMPAIGN, TO_THE_DICE, at_table, sit_down
from tests.faces.tui.tours.telling import tell_story
from tests.opened import opened


async def tour_past(album: Album) -> None:
    """A campaign with two branches, one of them told by a model at its end."""
    told = make_lobby(album.language, hire(tell_story(album)))
    # The scenes tell the beginning, in the same store.
    session = await opened(replace(told, teller=None).begin("mist_harbor", album.language, CAMPAIGN))
    await walk(session, TO_THE_DICE)
    await session.mark("before-the-crane")
    await walk(session, (2, 1))
    await session.undo(3)
    await walk(session, (1,))
    await session.close()
    session = await opened(told.open(CAMPAIGN))
    await session.say(album.pick("I ask her who paid for it", "我问她是谁付的钱"))
    await session.close()
    async with visit(House(told, album.language).door(at_table(album))) as pilot:
        table = await sit_down(pilot)
        suspicion = next(box for box in table.query(CardBox) if box.card.variable == "suspicion")
        suspicion.focus()
        await press(pilot, "enter")
        await album.add(pilot, "history", "6")
        await press(pilot, "escape", "f3")
        await album.add(pilot, "tree", "main")
        await press(pilot, "enter")
        await album.add(pilot, "tree_menu")
        await press(pilot, "escape", "up", "up", "c")
        await album.add(pilot, "compare")
        await press(pilot, "escape", "end", "i")
        await hold_still(pilot)
        await album.add(pilot, "inspector")
        await press(pilot, "right")
        await album.add(pilot, "inspector_next")
        await press(pilot, "escape")
        for width, height in ((80, 24), (60, 20)):
            await pilot.resize_terminal(width, height)
            await album.add(pilot, f"tree_{width}x{height}", "main")
