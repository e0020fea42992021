"""The history of one card: its curve, and what changed it, newest first.

It only looks, and closes.
"""

from collections.abc import Iterable

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from talewright.faces.tui.arrows import draw_arrows
from talewright.faces.tui.hall.asking import Dialog
from talewright.faces.tui.hall.keybar import KeyBar
from talewright.faces.tui.hall.prose import Prose
from talewright.faces.tui.hall.trouble import tell_trouble
from talewright.faces.tui.hall.working import work
from talewright.faces.tui.keys import bind
from talewright.faces.tui.past.curve import draw_curve, sample, tell_number
from talewright.faces.tui.past.keys import HISTORY
from talewright.faces.tui.safety import safe_line
from talewright.faces.tui.words.past import PastWords, past_words
from talewright.play.campaign_past import CampaignPast, Provenance, VariableTrail

CAUSES_SHOWN_MAX = 200
"""Changes that are told one by one."""

CURVE_LINES = 4
CURVE_COLUMNS_MAX = 72
FRAME_COLUMNS = 8
"""Border, air and scroll bar of the box."""


class CardHistory(Dialog[None]):
    """How a card came to stand where it stands."""

    BINDINGS = bind(HISTORY)
    DEFAULT_CSS = """
    CardHistory {
        & > #box { width: 80; }
        & #curve { color: $primary; height: auto; margin-bottom: 1; }
        & #facts, & #causes { margin-bottom: 1; }
    }
    """

    def __init__(self, past: CampaignPast, variable: str, language: str) -> None:
        super().__init__(Content(safe_line(variable)))
        self._past, self._variable, self._language = past, variable, language
        self._words: PastWords = past_words(language)

    def body(self) -> Iterable[Widget]:
        """The curve, what it comes to, and the causes."""
        facts = Prose(Content(self._words.looking), id="facts")
        return Static(id="curve"), facts, Prose(id="causes"), KeyBar()

    def on_mount(self) -> None:
        """Look back behind the first paint."""
        self.query_one(KeyBar).show(HISTORY, self._language)
        box = self.query_one("#box")
        box.can_focus = True
        box.focus()
        work(self, self._load, "looking")

    async def _load(self) -> None:
        words = self._words
        try:
            trail = await self._past.trail(self._variable)
        except Exception as error:
            self.query_one("#facts", Static).update(tell_trouble(error, words.wrong, words.wrong_hint))
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
        """Close it."""
        self.dismiss(None)


def draw_trail(trail: VariableTrail, width: int) -> tuple[str, ...]:
    """The curve of a trail between its bounds, or between its own lowest and highest."""
    values = sample(trail.points, width)
    numbers = [value for _, value in trail.points]
    low = min(numbers) if trail.minimum is None else trail.minimum
    high = max(numbers) if trail.maximum is None else trail.maximum
    # Few values would make a very thin curve: each is drawn wider.
    wide = max(1, width // len(values))
    return tuple("".join(sign * wide for sign in line) for line in draw_curve(values, CURVE_LINES, low, high))


def tell_facts(trail: VariableTrail, words: PastWords) -> Content:
    """Now, lowest, highest and the bounds, in words."""
    low = min(trail.points, key=lambda point: point[1])
    high = max(trail.points, key=lambda point: point[1])
    facts = [
        words.now.format(value=tell_number(trail.points[-1][1])),
        words.low.format(value=tell_number(low[1]), turn=low[0]),
        words.high.format(value=tell_number(high[1]), turn=high[0]),
    ]
    if trail.minimum is not None and trail.maximum is not None:
        facts.append(words.range.format(low=tell_number(trail.minimum), high=tell_number(trail.maximum)))
    return Content(words.join.join(facts))


def tell_causes(causes: tuple[Provenance, ...], words: PastWords) -> Content:
    """What changed it, newest first."""
    if not causes:
        return Content.styled(words.no_causes, "$text-muted")
    parts = [Content.styled(words.causes, "bold")]
    parts += [_tell_cause(cause, words) for cause in causes[:CAUSES_SHOWN_MAX]]
    more = len(causes) - CAUSES_SHOWN_MAX
    if more > 0:
        parts.append(Content.styled(words.older.format(count=more), "$text-muted"))
    return Content("\n\n").join(parts)


def _tell_cause(cause: Provenance, words: PastWords) -> Content:
    by = words.by.format(cause=safe_line(cause.cause)) if cause.cause else ""
    lines = [
        Content.assemble(
            (words.turn.format(turn=cause.version), "$text-muted"),
            "  ",
            (draw_arrows(safe_line(cause.text)), "bold"),
            (f"{words.join}{by}" if by else "", "$text-muted"),
        )
    ]
    if cause.reason:
        lines.append(Content("  " + words.reason.format(reason=safe_line(cause.reason))))
    if cause.said:
        lines.append(Content.styled("  " + words.said.format(said=safe_line(cause.said)), "$text-muted"))
    return Content("\n").join(lines)
