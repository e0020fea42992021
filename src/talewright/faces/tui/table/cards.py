"""The cards: every variable the player may see, and the panels of the game's systems.

Which panels there are is decided by the game; none is known here by name.
"""

from dataclasses import dataclass

from textual import on
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import Static

from talewright.faces.tui.safety import plain
from talewright.faces.tui.table.card_box import Box, CardBox, PanelBox
from talewright.faces.tui.words.table import ENGLISH, TableWords
from talewright.play.campaign_view import CardView, PanelView


class CardsPanel(VerticalScroll, can_focus=False):
    """Cards above, panels below; scrolls."""

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
        """The history of a card is asked for."""

        variable: str

    @dataclass
    class Collapsed(Message):
        """Which boxes are folded now."""

        collapsed: frozenset[str]

    def __init__(self) -> None:
        super().__init__()
        self.collapsed: frozenset[str] = frozenset()
        self.words: TableWords = ENGLISH

    def show(self, cards: tuple[CardView, ...], panels: tuple[PanelView, ...], fresh: bool) -> None:
        """Draw these; with `fresh`, mark what has just changed and bring it into sight."""
        kept = {box.key: box for box in self.query(Box)}
        wanted: list[Box] = []
        for card in cards:
            box = kept.get(f"card:{card.variable}")
            wanted.append(_refill(box, card) if isinstance(box, CardBox) else self._make_card(card))
        for panel in panels:
            box = kept.get(f"panel:{panel.id}")
            wanted.append(_rehang(box, panel) if isinstance(box, PanelBox) else self._make_panel(panel))
        self._arrange(list(kept.values()), wanted)
        changed = [box for box in wanted if isinstance(box, CardBox) and box.card.delta]
        for box in wanted:
            box.set_class(fresh and box in changed, "-fresh")
        if fresh and changed:
            self.call_after_refresh(changed[0].scroll_visible, animate=False)

    def _make_card(self, card: CardView) -> CardBox:
        return CardBox(card, folded=f"card:{card.variable}" in self.collapsed)

    def _make_panel(self, panel: PanelView) -> PanelBox:
        return PanelBox(panel, folded=f"panel:{panel.id}" in self.collapsed)

    def _arrange(self, before: list[Box], wanted: list[Box]) -> None:
        if before == wanted and (wanted or self.query("#no-cards")):
            return
        # The order is the author's and seldom changes: only then is everything hung anew.
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

    @on(Box.Picked)
    def _pick(self, event: Box.Picked) -> None:
        event.stop()
        self.post_message(self.Picked(event.variable))

    @on(Box.Folded)
    def _fold(self, event: Box.Folded) -> None:
        event.stop()
        others = self.collapsed - {event.key}
        self.collapsed = others | {event.key} if event.folded else others
        self.post_message(self.Collapsed(self.collapsed))


def _refill(box: CardBox, card: CardView) -> CardBox:
    box.show(card)
    return box


def _rehang(box: PanelBox, panel: PanelView) -> PanelBox:
    box.show(panel)
    return box
