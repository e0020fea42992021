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
from talewright.play.campaign_view import FighterView, FightView, StatusView

ROWS_MAX: Final = 2
"""Lines of the bar; items that do not fit are drawn more compactly."""

GAP: Final = "   "
BAR_WIDTHS: Final = (10, 6, 0)
"""Widths of a meter in columns, from wide to none."""

FIGHT_BAR_WIDTHS: Final = (8, 4, 0)
"""The same in a fight."""

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
        self._fight: FightView | None = None
        self._with_fight = False
        self.set_class(True, "-empty")

    def show(self, status: tuple[StatusView, ...], fight: FightView | None = None) -> None:
        """Show these values, and how a fight stands."""
        self._status, self._fight = status, fight
        self._fit()

    def show_fight(self, shown: bool) -> None:
        """Show the fight too, when the panels are on another tab."""
        self._with_fight = shown
        self._fit()

    def render(self) -> Content:
        """Draw all rows."""
        return Content("\n").join(self._draw(self.size.width))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the number of rows the items need at this width."""
        return max(1, len(self._draw(width)))

    def _draw(self, width: int) -> list[Content]:
        fights = [self._fight] if self._fight is not None and self._with_fight else []
        return [*arrange(self._status, width), *(draw_fight(fight, width) for fight in fights)]

    def _fit(self) -> None:
        self.set_class(not self._status and not (self._with_fight and self._fight), "-empty")
        self.refresh(layout=True)


def draw_fight(fight: FightView, width: int) -> Content:
    """Draw a fight on one line, with the widest bars that fit; finally without whose turn it is, and cut."""
    turn = [Content.styled(safe_line(fight.turn), "bold $primary")] if fight.turn else []
    line = Content("")
    for bar_width, before in [*((wide, turn) for wide in FIGHT_BAR_WIDTHS), (0, [])]:
        fighters = [_draw_fighter(one, bar_width, marked=not before) for one in fight.fighters]
        line = Content(GAP).join([*before, *fighters])
        if line.cell_length <= width:
            break
    return line.truncate(width, ellipsis=True)


def _draw_fighter(one: FighterView, bar_width: int, *, marked: bool) -> Content:
    name = safe_line(one.name)
    now = one.is_acting
    shown = f"{HERE}{name}" if now and marked else name
    parts = [Content.styled(shown, "bold $primary" if now else "$text-muted")]
    if one.points is not None and one.points_maximum is not None:
        level = (one.points, one.points_maximum)
        parts += [draw_level(level, bar_width)] if bar_width else []
        style = "$text-muted" if one.is_out else "bold $error" if one.is_low and one.is_player else "bold"
        parts.append(Content.styled(f"{level[0]}/{level[1]}", style))
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
