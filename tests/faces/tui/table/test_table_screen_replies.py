"""What is typed at the table where the focus is elsewhere."""

from textual.pilot import Pilot

from tests.faces.tui.fakes import FakeSession
from tests.faces.tui.stage import TableStage
from tests.faces.tui.table.playing import play, press


def test_typing_begins_a_line_wherever_the_focus_is() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        app.table.board.story.focus()
        await pilot.pause()
        await press("h", "i")(app, pilot)
        assert app.table.board.line.value == "hi"
        assert app.table.board.line.has_focus

    play(FakeSession(), scene)
