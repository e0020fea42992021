"""Status bar: the most important values, in one or two lines at the top, and whose turn it is in a fight.

It draws the values it is given, and knows no session.
"""

from collections.abc import Sequence
from typing import Final

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from talewright.faces.tui.safe_content import safe_line
from talewright.faces.tui.widgets.meters import CRITICAL, WRITTEN_ARROW, draw_bar, draw_delta
from talewright.faces.tui.widgets.panel_shapes_drawing import HERE, draw_level
from talewright.play.campaign_view import PanelView, PartKind, PartView, StatusView

ROWS_MAX: Final = 2
"""Lines of the bar; items that do not fit are drawn more compactly."""

GAP: Final = "   "
BAR_WIDTHS: Final = (10, 6, 0)
"""Widths of a meter in columns, from wide to none."""

ORDER_BAR_WIDTHS: Final = (8, 4, 0)
"""The same in a turn order."""

TEXT_WIDTH_MIN: Final = 8
"""Maximum width of one item, in columns."""


class StatusBar(Widget):
    """The status bar."""

    DEFAULT_CSS = """
    StatusBar {
        height: auto;
        max-height: 4;
        padding: 0 2;
        background: $surface;
        color: $foreground;
    }
    StatusBar.-empty { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._status: tuple[StatusView, ...] = ()
        self._orders: tuple[PartView, ...] = ()
        self._with_orders = False
        self.set_class(True, "-empty")

    def show(self, status: tuple[StatusView, ...], panels: Sequence[PanelView] = ()) -> None:
        """Show these values, and the turn orders among the panels."""
        self._status = status
        parts = (part for panel in panels for part in panel.parts)
        self._orders = tuple(part for part in parts if part.kind is PartKind.TURN_ORDER)
        self._fit()

    def show_orders(self, shown: bool) -> None:
        """Show turn orders too, when the panels are on another tab."""
        self._with_orders = shown
        self._fit()

    def render(self) -> Content:
        """Draw all rows."""
        return Content("\n").join(self._draw(self.size.width))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the number of rows the items need at this width."""
        return max(1, len(self._draw(width)))

    def _draw(self, width: int) -> list[Content]:
        orders = self._orders if self._with_orders else ()
        return [*arrange(self._status, width), *(draw_order(order, width) for order in orders)]

    def _fit(self) -> None:
        self.set_class(not self._status and not (self._with_orders and self._orders), "-empty")
        self.refresh(layout=True)


def draw_order(order: PartView, width: int) -> Content:
    """Draw a turn order on one line, with the widest bars that fit; finally, cut it."""
    line = Content("")
    for bar_width in ORDER_BAR_WIDTHS:
        line = Content(GAP).join(_draw_fighter(order, at, bar_width) for at in range(len(order.rows)))
        if line.cell_length <= width:
            break
    return line.truncate(width, ellipsis=True)


def _draw_fighter(order: PartView, at: int, bar_width: int) -> Content:
    now = at == order.current
    name = safe_line(order.rows[at][0]) if order.rows[at] else ""
    parts = [Content.styled(f"{HERE}{name}" if now else name, "bold $primary" if now else "$text-muted")]
    level = order.levels[at] if at < len(order.levels) else None
    if level is not None:
        parts += [draw_level(level, bar_width)] if bar_width else []
        parts.append(Content.styled(f"{level[0]}/{level[1]}", "bold" if level[0] > 0 else "$text-muted"))
    return Content(" ").join(parts)


def arrange(status: Sequence[StatusView], width: int) -> list[Content]:
    """Arrange the items in rows, with the widest meters that fit; finally, cut them."""
    if not status or width <= 0:
        return []
    for bar_width in BAR_WIDTHS:
        rows = _fill([draw_item(item, bar_width) for item in status], width)
        if len(rows) <= ROWS_MAX:
            return rows
    each = max(TEXT_WIDTH_MIN, width * ROWS_MAX // len(status) - len(GAP))
    # Warnings come first, so that they are never dropped for lack of room.
    first = sorted(status, key=lambda item: not item.critical)
    spare = [draw_item(item, 0, with_delta=False).truncate(each, ellipsis=True) for item in first]
    return _fill(spare, width)[:ROWS_MAX]


def draw_item(item: StatusView, bar_width: int, *, with_delta: bool = True) -> Content:
    """Draw one item: name, meter, value in words, change, and whether it is critical."""
    parts = [Content.styled(safe_line(item.label), "$text-muted"), Content(" ")]
    if bar_width and item.value is not None and item.minimum is not None and item.maximum is not None:
        bar = draw_bar(item.value, item.minimum, item.maximum, bar_width, critical=item.critical)
        parts += [bar, Content(" ")]
    parts.append(Content.styled(safe_line(item.text), "bold $error" if item.critical else "bold"))
    if item.critical:
        parts.append(Content.styled(f" {CRITICAL}", "bold $error"))
    # The story shows the previous value; the bar only has room for the difference.
    if with_delta and item.delta and WRITTEN_ARROW not in item.delta:
        parts += [Content(" "), draw_delta(item.delta)]
    return Content.assemble(*parts)


def _fill(items: Sequence[Content], width: int) -> list[Content]:
    rows: list[Content] = []
    for item in items:
        item = item.truncate(width, ellipsis=True)
        if rows and rows[-1].cell_length + len(GAP) + item.cell_length <= width:
            rows[-1] = Content.assemble(rows[-1], GAP, item)
        else:
            rows.append(item)
    return rows
