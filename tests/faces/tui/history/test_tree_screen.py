"""The tree, walked with keys and mouse."""

import pytest
from textual.content import Content
from textual.pilot import Pilot

from talewright.errors import TalewrightError
from talewright.faces.tui.history import tree_list
from talewright.faces.tui.history.compare_screen import CompareScreen
from talewright.faces.tui.history.inspector_screen import InspectorScreen
from talewright.faces.tui.history.tree_list import TreeList, draw_row
from talewright.faces.tui.history.tree_screen import TreeScreen
from talewright.faces.tui.widgets.dialogs import Menu
from talewright.faces.tui.words.history_words import HistoryWords, history_words
from talewright.play.campaign_past import TreeRow
from talewright.play.session_inputs import Fork, Switch, Undo
from tests.faces.tui.fakes import FakePast
from tests.faces.tui.lobby.stage import LANGUAGES, SIZES, HallStage, Scene, keys, press, settle, visit

ROW_COUNT = 5_000
ROWS_DRAWN_MAX = 400
"""Rows that are drawn while a screen of thirty lines is opened and walked a little."""


def tree(scene: Scene, past: FakePast | None = None, **how: object) -> HallStage:
    language = str(how.get("language", "en"))
    return visit(lambda: TreeScreen(past or FakePast(), language), scene, **how)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_first_sight(size: tuple[int, int], language: str) -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        here = "you are here" if language == "en" else "你在这里"
        for words in ("[branch-1]", "[main]", "(pier)", here, "› Pay her", "She counts the coins twice."):
            assert words in app.seen
        assert app.screen.query_one(TreeList).cursor == 3

    tree(scene, size=size, language=language)


def test_turn_is_told_in_words_without_signs() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert app.seen.count("The pier is empty.") == 2
        assert "**" not in app.seen

    tree(scene, FakePast(rows=(TreeRow(0, "c1", 1, "Go", "# The **pier** is empty.", here=True),)))


@pytest.mark.parametrize(
    ("pressed", "wish"),
    [
        (("up", "up", "u"), Undo(1)),
        (("home", "u", "tab", "enter"), Undo(2)),
        (("up", "s"), Switch("branch-1")),
        (("up", "b", "w", "enter"), Fork("d3", "w")),
        (("b", "enter"), Fork("c3")),
        (("escape",), None),
    ],
)
def test_wishes(pressed: tuple[str, ...], wish: object) -> None:
    assert tree(keys(*pressed)).answers == [wish]


@pytest.mark.parametrize(
    ("pressed", "told"),
    [
        (("u",), "You are already here."),
        (("s",), "You are already here."),
        (("up", "u"), "is not on this branch"),
        (("up", "up", "s"), "No branch ends here."),
        (("c",), "Pick another turn first"),
    ],
)
def test_what_cannot_be_done_is_told(pressed: tuple[str, ...], told: str) -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, *pressed)
        assert told in app.seen
        assert app.answers == []

    tree(scene)


def test_going_back_far_is_asked_about() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "home", "u")
        assert "Go back 2 turns?" in app.seen
        await press(pilot, "enter")
        assert app.answers == []

    tree(scene)


def test_menu_offers_what_can_be_done() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "up", "enter")
        assert isinstance(app.screen, Menu)
        for words in (
            "Switch to branch branch-1",
            "Start a branch at turn 3",
            "Compare turn 3 with the current one",
        ):
            assert words in app.seen
        assert "Go back to" not in app.seen
        await press(pilot, "enter")
        assert app.answers == [Switch("branch-1")]

    tree(scene)


def test_two_are_picked_and_compared_and_the_tree_is_still_there() -> None:
    past = FakePast()

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "home", "space")
        assert "✓ picked" in app.seen
        await press(pilot, "down", "down", "c")
        assert isinstance(app.screen, CompareScreen)
        assert ("compare", "c1", "d3") in past.calls
        await press(pilot, "escape")
        assert isinstance(app.screen, TreeScreen)
        await press(pilot, "home", "space", "down", "down", "c")
        assert past.calls[-1] == ("compare", "c3", "d3"), "with where one is, when none is picked"

    tree(scene, past)


def test_inspect_stands_on_top() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "i")
        assert "! This spoils the game" in app.seen
        await press(pilot, "tab", "enter")
        assert isinstance(app.screen, InspectorScreen)
        await press(pilot, "escape")
        assert isinstance(app.screen, TreeScreen)

    tree(scene)


def test_folded_turns_are_unfolded() -> None:
    past = FakePast()

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "a")
        assert "┊ 3 turns" in app.seen
        assert app.screen.query_one(TreeList).cursor == 4, "the cursor stays on its turn"
        await press(pilot, "home", "down")
        assert "are folded" in app.seen
        await press(pilot, "u")
        assert app.answers == []
        await press(pilot, "enter")
        assert "┊" not in app.seen

    tree(scene, past)


def test_mouse() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await pilot.click(TreeList, offset=(6, 2))
        await settle(pilot)
        assert app.screen.query_one(TreeList).cursor == 2
        await pilot.click(TreeList, offset=(6, 2), times=2)
        await settle(pilot)
        await pilot.click("#items", offset=(2, 0))
        await settle(pilot)
        assert app.answers == [Switch("branch-1")]

    tree(scene)


def test_several_branches_at_one_turn() -> None:
    past = FakePast(rows=(TreeRow(0, "c1", 1, branches=("main", "other"), here=True),))

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "s")
        assert "Which branch?" in app.seen
        await press(pilot, "down", "enter")
        assert app.answers == [Switch("other")]

    tree(scene, past)


def test_past_that_cannot_be_read() -> None:
    class Broken(FakePast):
        async def tree(self, *, every: bool = False) -> tuple[TreeRow, ...]:
            raise TalewrightError("the record is damaged", "Recover it.")

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert "! the record is damaged" in app.seen
        await press(pilot, "enter", "u", "space", "down", "end")
        assert app.answers == []

    tree(scene, Broken())


def test_of_thousands_of_rows_only_those_in_sight_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[TreeRow] = []

    def draw(row: TreeRow, words: HistoryWords, picked: bool) -> Content:
        drawn.append(row)
        return draw_row(row, words, picked)

    monkeypatch.setattr(tree_list, "draw_row", draw)
    rows = tuple(
        TreeRow(0, f"c{turn}", turn, "Go on", "The mist comes in. " * 5, here=turn == ROW_COUNT - 1)
        for turn in range(ROW_COUNT)
    )

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await app.push_screen(TreeScreen(FakePast(rows=rows), "en"))
        await settle(pilot)
        assert f"◉ {ROW_COUNT - 1} you are here" in app.seen
        await press(pilot, "pageup", "home")
        assert "● 0" in app.seen
        await press(pilot, "h")
        assert app.screen.query_one(TreeList).cursor == ROW_COUNT - 1
        assert len(drawn) < ROWS_DRAWN_MAX

    tree(scene)


WAYS = FakePast(
    rows=(
        TreeRow(0, "c1", 1, "", "The mist comes in.", untaken=("Wait", "Jump")),
        TreeRow(0, "c2", 2, "Go in", "It is dark.", ("main",), here=True),
    )
)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_ways_that_were_not_taken(size: tuple[int, int], language: str) -> None:
    words = history_words(language)

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert "○ Wait" not in app.seen
        await press(pilot, "o")
        assert app.seen.index("├─○ Wait") < app.seen.index("├─○ Jump") < app.seen.index("◉ 2")
        await press(pilot, "up")
        assert words.untaken.format(turn=1) in " ".join(app.seen.split()).replace("。 ", "。")
        await press(pilot, "u")
        assert app.answers == []
        await press(pilot, "o")
        assert "○ Wait" not in app.seen

    tree(scene, WAYS, size=size, language=language)


@pytest.mark.parametrize("pressed", [("up", "enter", "enter"), ("up", "b", "enter")])
def test_branch_begins_where_a_way_was_offered(pressed: tuple[str, ...]) -> None:
    app = visit(lambda: TreeScreen(WAYS, "en", untaken=True), keys(*pressed))
    assert app.answers == [Fork("c1")]
