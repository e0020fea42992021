"""Card history: the curve of one variable, and what changed it, newest first.

The dialog is read-only. A value holds until the next change.
"""

from collections.abc import Iterable, Sequence

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from talewright.common.json_values import write_number
from talewright.faces.tui.app_port import run_in_background
from talewright.faces.tui.key_bindings import CARD_HISTORY_KEYS, bind
from talewright.faces.tui.safe_content import describe_error, safe_line
from talewright.faces.tui.widgets.dialogs import Dialog
from talewright.faces.tui.widgets.key_bar import KeyBar
from talewright.faces.tui.widgets.meters import draw_arrows
from talewright.faces.tui.widgets.text_wrap import WrappedText
from talewright.faces.tui.words.history_words import HistoryWords, history_words
from talewright.play.campaign_past import CampaignPast, Provenance, VariableTrail

LEVELS = " ▁▂▃▄▅▆▇█"
"""One character per eighth of a line, from empty to full."""


def sample(points: Sequence[tuple[int, float]], width: int) -> tuple[float, ...]:
    """Sample the value at up to `width` evenly spaced turns; fewer when there are fewer turns."""
    first, last = points[0][0], points[-1][0]
    count = min(width, last - first + 1)
    if count <= 1:
        return (points[-1][1],)
    values: list[float] = []
    at = 0
    for step in range(count):
        turn = first + step * (last - first) / (count - 1)
        while at + 1 < len(points) and points[at + 1][0] <= turn:
            at += 1
        values.append(points[at][1])
    return tuple(values)


def draw_curve(values: Sequence[float], height: int, low: float, high: float) -> tuple[str, ...]:
    """Draw the values as bars, top line first; even the lowest value leaves a mark."""
    steps = len(LEVELS) - 1
    span = high - low
    bars = [
        max(1, min(height * steps, round((value - low) / span * height * steps))) if span > 0 else steps
        for value in values
    ]
    return tuple(
        "".join(LEVELS[max(0, min(steps, bar - line * steps))] for bar in bars)
        for line in range(height - 1, -1, -1)
    )


CAUSES_SHOWN_MAX = 200
"""How many changes are listed one by one."""

CURVE_LINES = 4
CURVE_COLUMNS_MAX = 72
FRAME_COLUMNS = 8
"""Border, padding and scroll bar of the box."""


class CardHistory(Dialog[None]):
    """How the value of a card changed over the story."""

    BINDINGS = bind(CARD_HISTORY_KEYS)
    DEFAULT_CSS = """
    CardHistory {
        & > #box { width: 80; }
        & #curve { color: $primary; height: auto; margin-bottom: 1; }
        & #meaning, & #facts, & #causes { margin-bottom: 1; }
        & #meaning { color: $text-muted; }
    }
    """

    def __init__(self, past: CampaignPast, variable: str, language: str, meaning: str = "") -> None:
        super().__init__(Content(safe_line(variable)))
        self._meaning = meaning
        """The author's description of the variable."""

        self._past, self._variable, self._language = past, variable, language
        self._words: HistoryWords = history_words(language)

    def body(self) -> Iterable[Widget]:
        """Description, curve, facts and causes."""
        meaning = WrappedText(Content(safe_line(self._meaning)), id="meaning")
        meaning.display = bool(self._meaning)
        facts = WrappedText(Content(self._words.looking), id="facts")
        return meaning, Static(id="curve"), facts, WrappedText(id="causes"), KeyBar()

    def on_mount(self) -> None:
        """Load the history after the first paint."""
        self.query_one(KeyBar).show(CARD_HISTORY_KEYS, self._language)
        box = self.query_one("#box")
        box.can_focus = True
        box.focus()
        run_in_background(self, self._load, "looking")

    async def _load(self) -> None:
        words = self._words
        try:
            trail = await self._past.trail(self._variable)
        except Exception as error:
            self.query_one("#facts", Static).update(describe_error(error, words.wrong, words.wrong_hint))
            return
        if trail is None:
            self.query_one("#facts", Static).update(Content(words.no_trail))
            return
        self.query_one("#box").border_title = Content(safe_line(trail.label))
        facts = self.query_one("#facts", Static)
        if trail.points:
            width = min(CURVE_COLUMNS_MAX, self.app.size.width - FRAME_COLUMNS)
            self.query_one("#curve", Static).update(Content("\n".join(draw_trail(trail, width))))
            facts.update(tell_facts(trail, words))
        facts.display = bool(trail.points)
        self.query_one("#curve").display = bool(trail.points)
        self.query_one("#causes", Static).update(tell_causes(trail.causes, words))

    def action_back(self) -> None:
        """Close the dialog."""
        self.dismiss(None)


def draw_trail(trail: VariableTrail, width: int) -> tuple[str, ...]:
    """Draw the curve of a trail between its declared limits, or its own lowest and highest value."""
    values = sample(trail.points, width)
    numbers = [value for _, value in trail.points]
    low = min(numbers) if trail.minimum is None else trail.minimum
    high = max(numbers) if trail.maximum is None else trail.maximum
    # With few values the curve would be very thin, so each is drawn wider.
    wide = max(1, width // len(values))
    return tuple("".join(sign * wide for sign in line) for line in draw_curve(values, CURVE_LINES, low, high))


def tell_facts(trail: VariableTrail, words: HistoryWords) -> Content:
    """Describe the current, lowest and highest value and the limits."""
    low = min(trail.points, key=lambda point: point[1])
    high = max(trail.points, key=lambda point: point[1])
    facts = [
        words.now.format(value=write_number(trail.points[-1][1])),
        words.low.format(value=write_number(low[1]), turn=low[0]),
        words.high.format(value=write_number(high[1]), turn=high[0]),
    ]
    if trail.minimum is not None and trail.maximum is not None:
        facts.append(words.range.format(low=write_number(trail.minimum), high=write_number(trail.maximum)))
    return Content(words.join.join(facts))


def tell_causes(causes: tuple[Provenance, ...], words: HistoryWords) -> Content:
    """List what changed the variable, newest first."""
    if not causes:
        return Content.styled(words.no_causes, "$text-muted")
    parts = [Content.styled(words.causes, "bold")]
    parts += [_tell_cause(cause, words) for cause in causes[:CAUSES_SHOWN_MAX]]
    more = len(causes) - CAUSES_SHOWN_MAX
    if more > 0:
        parts.append(Content.styled(words.older.format(count=more), "$text-muted"))
    return Content("\n\n").join(parts)


def _tell_cause(cause: Provenance, words: HistoryWords) -> Content:
    by = words.by.format(cause=safe_line(cause.cause)) if cause.cause else ""
    lines = [
        Content.assemble(
            (f"{words.turn.format(turn=cause.version)}  " if cause.version else "", "$text-muted"),
            (draw_arrows(safe_line(cause.text)), "bold"),
            (f"{words.join}{by}" if by else "", "$text-muted"),
        )
    ]
    if cause.reason:
        lines.append(Content("  " + words.reason.format(reason=safe_line(cause.reason))))
    if cause.said:
        lines.append(Content.styled("  " + words.said.format(said=safe_line(cause.said)), "$text-muted"))
    return Content("\n").join(lines)
