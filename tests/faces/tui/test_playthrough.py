"""Mist Harbor from the lobby to its closing card, by keys alone, and by mouse alone in each language.

Keys are the same in both languages; where to click is not. On the way a turn is taken back and the tree is
looked at. The dice are the same every time.
"""

import asyncio
from typing import Any

import pytest
from textual.geometry import Offset
from textual.pilot import Pilot

from talewright.faces.tui.history.tree_screen import TreeScreen
from talewright.faces.tui.lobby.lobby_lists import LobbyList
from talewright.faces.tui.lobby.lobby_screen import LobbyScreen
from talewright.faces.tui.table.choice_list import ChoiceList
from talewright.faces.tui.table.table_screen import TableScreen
from talewright.play.campaign_view import View
from talewright.play.verify.campaign_verification import verify
from tests.faces.tui.camera import read, see, until
from tests.faces.tui.scenery import SECRET, House, make_lobby
from tests.faces.tui.tours.album import visit
from tests.faces.tui.tours.table import sit_down

pytestmark = pytest.mark.slow

TURNS_MAX = 80
"""The night is over long before."""

UNDO_AT = 4
"""The turn after which one is taken back, and after which the tree is looked at."""

LOOKED_AT = 12
"""Characters of a choice by which it is found on the screen."""

WORDS = {
    "en": {"game": "Mist Harbor Echoes", "begin": "Start", "undo": "undo", "tree": "tree", "back": "Back"},
    "zh-CN": {"game": "雾港回声", "begin": "开始", "undo": "撤销", "tree": "故事树", "back": "返回"},
}


def find(pilot: Pilot[Any], words: str, *, last: bool = False) -> Offset:
    """Where words stand on the screen, in cells."""
    rows = [strip.text for strip in pilot.app.screen._compositor.render_strips()]
    found = [(row.index(words), y, row) for y, row in enumerate(rows) if words in row]
    assert found, (words, "\n".join(rows))
    at, y, row = found[-1 if last else 0]
    # A wide character takes two cells.
    return Offset(sum(2 if ord(each) > 0x2E7F else 1 for each in row[:at]), y)


async def click(pilot: Pilot[Any], words: str, *, last: bool = False, times: int = 1) -> None:
    """Click on words, once nothing moves any more: whoever clicks looks first."""
    seen = [""]

    def rests() -> bool:
        seen.append(read(pilot.app))
        return seen[-1] == seen[-2] and words in seen[-1]

    await until(pilot, rests)
    await pilot.click(offset=find(pilot, words, last=last), times=times)


class Keys:
    """Only the keyboard is used."""

    async def begin(self, pilot: Pilot[Any], words: dict[str, str]) -> None:
        # By its title it is the last one.
        await pilot.press("end", "n")
        await see(pilot, words["begin"])
        await pilot.press("enter")

    async def choose(self, pilot: Pilot[Any], number: int) -> None:
        await pilot.press(str(number))

    async def undo(self, pilot: Pilot[Any], words: dict[str, str]) -> None:
        await pilot.press("ctrl+z")

    async def look_at_tree(self, pilot: Pilot[Any], words: dict[str, str]) -> None:
        await pilot.press("f3")
        await see(pilot, "[main]")
        await pilot.press("up", "up", "escape")

    async def read_on(self, pilot: Pilot[Any]) -> None:
        await pilot.press("enter")

    async def leave(self, pilot: Pilot[Any]) -> None:
        await pilot.press("4")


class Mouse:
    """Only the mouse is used."""

    async def begin(self, pilot: Pilot[Any], words: dict[str, str]) -> None:
        await click(pilot, words["game"], times=2)
        await see(pilot, words["begin"])
        await click(pilot, words["begin"], last=True)

    async def choose(self, pilot: Pilot[Any], number: int) -> None:
        label = pilot.app.screen.query_one(ChoiceList).choices[number - 1].label
        await click(pilot, f"{number}  {label}"[:LOOKED_AT])

    async def undo(self, pilot: Pilot[Any], words: dict[str, str]) -> None:
        await click(pilot, words["undo"], last=True)

    async def look_at_tree(self, pilot: Pilot[Any], words: dict[str, str]) -> None:
        await click(pilot, words["tree"], last=True)
        await see(pilot, "[main]")
        await click(pilot, "› ")
        await click(pilot, words["back"], last=True)

    async def read_on(self, pilot: Pilot[Any]) -> None:
        await click(pilot, "↓ ", last=True)

    async def leave(self, pilot: Pilot[Any]) -> None:
        await click(pilot, "4  ")


def stand(table: TableScreen) -> View:
    assert table.board.view is not None
    return table.board.view


async def wait_for_turn(pilot: Pilot[Any], head: str) -> TableScreen:
    """The table, once it stands elsewhere than before."""
    table = await sit_down(pilot)
    await until(pilot, lambda: stand(table).head != head and not (table.turns and table.turns.running))
    await pilot.pause()
    return table


async def play(pilot: Pilot[Any], hand: Keys | Mouse, words: dict[str, str]) -> list[str]:
    """From the lobby to the closing card; what was said, turn by turn."""
    await see(pilot, words["game"])
    await hand.begin(pilot, words)
    table = await sit_down(pilot)
    said: list[str] = []
    for turn in range(1, TURNS_MAX):
        view = stand(table)
        if view.end is not None:
            break
        # A different one each time, among those that are in sight.
        number = turn % min(3, len(view.choices)) + 1
        said.append(view.choices[number - 1].label)
        await hand.choose(pilot, number)
        table = await wait_for_turn(pilot, view.head)
        if turn == UNDO_AT:
            head = stand(table).head
            await hand.undo(pilot, words)
            table = await wait_for_turn(pilot, head)
            assert stand(table).head == view.head
            said.pop()
            await hand.look_at_tree(pilot, words)
            await until(pilot, lambda: not isinstance(pilot.app.screen, TreeScreen))
            table = await sit_down(pilot)
    return said


@pytest.mark.parametrize(
    ("hand", "language"),
    [(Keys(), "en"), (Mouse(), "en"), (Mouse(), "zh-CN")],
    ids=["keys-en", "mouse-en", "mouse-zh-CN"],
)
def test_mist_harbor_is_played_to_its_end(
    hand: Keys | Mouse, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if isinstance(hand, Mouse):

        async def refuse(pilot: Pilot[Any], *keys: str) -> None:
            raise AssertionError("no key is pressed here")

        monkeypatch.setattr(Pilot, "press", refuse)
    else:

        async def refuse_click(*_: object, **__: object) -> bool:
            raise AssertionError("nothing is clicked here")

        monkeypatch.setattr(Pilot, "click", refuse_click)

    async def run() -> None:
        house = House(make_lobby(language), language)
        async with visit(house.door()) as pilot:
            said = await play(pilot, hand, WORDS[language])
            table = await sit_down(pilot)
            view = stand(table)
            assert view.end is not None
            assert view.version == len(said) + 1
            told = await table.session.past.turns(TURNS_MAX)
            assert [turn.said for turn in told if turn.said] == said
            assert table.board.hand.offers.card is not None
            await until(pilot, lambda: find(pilot, "4  ") != Offset(0, 0))
            while table.board.story.unseen:
                await hand.read_on(pilot)
            await hand.leave(pilot)
            await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))
            campaigns = pilot.app.screen.query_one("#campaigns", LobbyList)
            await until(pilot, lambda: campaigns.picked == "mist_harbor-1")
        book = await house.lobby.store.open("mist_harbor-1")
        report = await verify(book, secret=SECRET)
        assert report.good, report.violations

    asyncio.run(run())
