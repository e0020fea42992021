"""Cards panel: every visible variable and the panels of systems, in boxes that can be folded.

The game decides which panels there are; none is known here by name. `card_drawing` decides how a card looks.
"""

from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from talewright.common.language_tags import COMMON_LANGUAGE
from talewright.faces.tui.safe_content import plain
from talewright.faces.tui.table.card_drawing import INDENT, draw_card, draw_part, draw_title, list_parts
from talewright.faces.tui.widgets.text_wrap import wrap_content
from talewright.faces.tui.words.table_words import TableWords, table_words
from talewright.play.campaign_view import CardView, PanelView


class FoldableBox(Widget, can_focus=True):
    """A card or a panel on the table."""

    DEFAULT_CSS = """
    FoldableBox {
        height: auto;
        padding: 0 1;
        margin-bottom: 1;
        border-left: outer transparent;
        &.-fresh { border-left: outer $accent; }
        &:focus { background: $panel; border-left: outer $primary; }
        &:hover { background: $surface; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "pick", "history", show=False),
        Binding("space", "fold", "fold", show=False),
    ]

    @dataclass
    class Picked(Message):
        """A card was picked, to see more about it."""

        variable: str

    @dataclass
    class Folded(Message):
        """A box was folded or unfolded."""

        key: str
        folded: bool

    def __init__(self, key: str, *, folded: bool = False) -> None:
        super().__init__()
        self.key = key
        """The key under which its folded state is saved."""

        self.folded = folded
        self._drawn: tuple[int, list[Content]] | None = None

    def draw(self, width: int) -> list[Content]:
        """Draw all lines at a width."""
        raise NotImplementedError

    def render(self) -> Content:
        """Draw the visible part."""
        return Content("\n").join(self._lines(self.size.width))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the number of lines."""
        return max(1, len(self._lines(width)))

    def action_pick(self) -> None:
        """Request its history; a box without one folds instead."""
        self.action_fold()

    def action_fold(self) -> None:
        """Fold or unfold the box."""
        self.folded = not self.folded
        self.redraw()
        self.post_message(self.Folded(self.key, self.folded))

    def redraw(self) -> None:
        """Redraw the box."""
        self._drawn = None
        self.refresh(layout=True)

    def on_click(self, event: events.Click) -> None:
        """Fold on a click on the sign before the title; pick on any other click."""
        event.stop()
        offset = event.get_content_offset(self)
        if offset is not None and offset.y == 0 and offset.x < len(INDENT):
            self.action_fold()
        else:
            self.action_pick()

    def _lines(self, width: int) -> list[Content]:
        if self._drawn is None or self._drawn[0] != width:
            self._drawn = (width, self.draw(max(8, width)))
        return self._drawn[1]


class CardBox(FoldableBox):
    """A variable as a card."""

    def __init__(self, card: CardView, *, folded: bool = False) -> None:
        super().__init__(f"card:{card.variable}", folded=folded)
        self.card = card
        self.described = False
        """Whether its description is always shown, not only with the focus or as a warning."""

        self.tooltip = plain(card.description) if card.description else None

    def show(self, card: CardView, *, described: bool) -> None:
        """Show another value."""
        if (card, described) != (self.card, self.described):
            self.card, self.described = card, described
            self.redraw()

    def watch_has_focus(self, _has_focus: bool) -> None:
        """Show its description while it has the focus."""
        super().watch_has_focus(_has_focus)
        if not self.described and self.card.description:
            self.redraw()
            if _has_focus:
                self.call_after_refresh(self.scroll_visible, animate=False)

    def action_pick(self) -> None:
        """Request its history."""
        self.post_message(self.Picked(self.card.variable))

    def draw(self, width: int) -> list[Content]:
        """Title, value, bar and description."""
        described = self.described or self.has_focus or self.card.critical
        return draw_card(self.card, width, folded=self.folded, described=described)


class PanelBox(FoldableBox):
    """The panel of a system."""

    def __init__(self, panel: PanelView, *, folded: bool = False) -> None:
        super().__init__(f"panel:{panel.id}", folded=folded)
        self.panel = panel

    def show(self, panel: PanelView) -> None:
        """Show other parts."""
        if panel != self.panel:
            self.panel = panel
            self.redraw()

    def draw(self, width: int) -> list[Content]:
        """Title and parts."""
        title = draw_title(self.panel.title, self.folded, "bold $primary")
        if self.folded:
            return wrap_content(title, width)
        return [
            *wrap_content(title, width),
            *(line for part in list_parts(self.panel) for line in draw_part(part, width)),
        ]


class CardsPanel(VerticalScroll, can_focus=False):
    """Cards at the top, panels below; scrollable."""

    DEFAULT_CSS = """
    CardsPanel {
        background: $background;
        padding: 1 1 0 1;
        scrollbar-size-vertical: 1;
    }
    CardsPanel > #no-cards { color: $text-muted; padding: 0 1; }
    """

    @dataclass
    class Picked(Message):
        """The history of a card was requested."""

        variable: str

    @dataclass
    class Collapsed(Message):
        """Which boxes are folded now."""

        collapsed: frozenset[str]

    def __init__(self) -> None:
        super().__init__()
        self.collapsed: frozenset[str] = frozenset()
        self.described = True
        """Whether cards show their descriptions."""

        self.words: TableWords = table_words(COMMON_LANGUAGE)

    def show(self, cards: tuple[CardView, ...], panels: tuple[PanelView, ...], fresh: bool) -> None:
        """Show these; with `fresh`, mark recent changes and scroll them into view."""
        kept = {box.key: box for box in self.query(FoldableBox)}
        wanted: list[FoldableBox] = []
        for card in cards:
            box = kept.get(f"card:{card.variable}")
            box = box if isinstance(box, CardBox) else self._make_card(card)
            box.show(card, described=self.described)
            wanted.append(box)
        for panel in panels:
            box = kept.get(f"panel:{panel.id}")
            box = _rehang(box, panel) if isinstance(box, PanelBox) else self._make_panel(panel)
            wanted.insert(0, box) if panel.is_urgent else wanted.append(box)
        self._arrange(list(kept.values()), wanted)
        changed = [box for box in wanted if isinstance(box, CardBox) and box.card.delta]
        for box in wanted:
            box.set_class(fresh and box in changed, "-fresh")
        if fresh and changed:
            # A new warning takes precedence over everything else, then what is urgent.
            urgent = wanted[0] if any(panel.is_urgent for panel in panels) else changed[0]
            first = next((box for box in changed if box.card.critical), urgent)
            self.call_after_refresh(first.scroll_visible, animate=False)

    def describe(self, described: bool) -> None:
        """Show the description of every card, or only that of the focused one."""
        self.described = described
        for box in self.query(CardBox):
            box.show(box.card, described=described)

    def _make_card(self, card: CardView) -> CardBox:
        return CardBox(card, folded=f"card:{card.variable}" in self.collapsed)

    def _make_panel(self, panel: PanelView) -> PanelBox:
        return PanelBox(panel, folded=f"panel:{panel.id}" in self.collapsed)

    def _arrange(self, before: list[FoldableBox], wanted: list[FoldableBox]) -> None:
        if before == wanted and (wanted or self.query("#no-cards")):
            return
        # The author's order seldom changes; only then are all boxes mounted again.
        with self.app.batch_update():
            for child in list(self.children):
                if child not in wanted:
                    child.remove()
            for at, box in enumerate(wanted):
                if box.parent is None:
                    self.mount(box, before=at if at < len(self.children) else None)
                elif self.children.index(box) != at:
                    self.move_child(box, before=at)
            if not wanted:
                self.mount(Static(plain(self.words.no_cards), id="no-cards"))

    @on(FoldableBox.Picked)
    def _pick(self, event: FoldableBox.Picked) -> None:
        event.stop()
        self.post_message(self.Picked(event.variable))

    @on(FoldableBox.Folded)
    def _fold(self, event: FoldableBox.Folded) -> None:
        event.stop()
        others = self.collapsed - {event.key}
        self.collapsed = others | {event.key} if event.folded else others
        self.post_message(self.Collapsed(self.collapsed))


def _rehang(box: PanelBox, panel: PanelView) -> PanelBox:
    box.show(panel)
    return box
