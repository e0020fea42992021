"""Turns, rolls and an app with nothing but a story, for the tests of the story."""

from textual.app import App, ComposeResult

from talewright.faces.tui.story.story_widget import StoryWidget
from talewright.play.campaign_view import ChangeView, RollView, TurnView

ROLL = RollView("Stealth holds", 9, "2d6+1", (3, 5), "success")


def make_turn(number: int, narration: str = "", rolls: tuple[RollView, ...] = ()) -> TurnView:
    """A turn by its number."""
    told = narration or f"Turn {number} begins.\n\nIt goes on for a while, and then it ends."
    return TurnView(f"c{number}", number, f"step {number}", told, rolls)


def make_full_turn() -> TurnView:
    """A turn with one of everything."""
    return TurnView(
        "full",
        1,
        "I *look* around",
        "The **fog** comes in.",
        rolls=(ROLL,),
        changes=(ChangeView("s", "Suspicion 20 -> 30"), ChangeView("c", "Coins 12 -> 7")),
        events=("The lights go out.",),
        refusals=("You cannot carry that.",),
    )


class Shelf:
    """Turns that are asked for in pages."""

    def __init__(self, count: int) -> None:
        self.turns = tuple(make_turn(number) for number in range(count))
        self.asked: list[tuple[str, int]] = []

    def last(self, count: int) -> tuple[TurnView, ...]:
        """The last turns."""
        return self.turns[-count:]

    async def more(self, before: str, count: int) -> tuple[TurnView, ...]:
        """The turns before one."""
        self.asked.append((before, count))
        end = [turn.commit for turn in self.turns].index(before)
        return self.turns[max(0, end - count) : end]


class StoryApp(App[None]):
    """An app with nothing but a story."""

    def __init__(self, story: StoryWidget) -> None:
        super().__init__()
        self.story = story

    def compose(self) -> ComposeResult:
        yield self.story

    def screen_text(self) -> list[str]:
        """The rows of the story as they are seen."""
        return [self.story.render_line(row).text.rstrip() for row in range(self.story.size.height)]
