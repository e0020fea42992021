"""Card drawing: a card or part of a panel as lines: title, value, meter, chips, last change, meaning.

Drawing only; the contents are passed in.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from rich.cells import cell_len
from textual.content import Content

from talewright.common.frozen_values import frozen
from talewright.faces.tui.safe_content import safe_line
from talewright.faces.tui.story.dice_drawing import PIPS, write_face
from talewright.faces.tui.widgets.meters import CRITICAL, draw_bar, draw_delta
from talewright.faces.tui.widgets.panel_shapes_drawing import (
    draw_graph,
    draw_map,
    draw_table,
    draw_turn_order,
)
from talewright.faces.tui.widgets.text_wrap import wrap_content
from talewright.play.campaign_view import CardView, PanelView, PartKind, PartView

OPEN: Final = "▾"
FOLDED: Final = "▸"
INDENT: Final = "  "
PIP_MAX: Final = 8
"""Meters up to this maximum are drawn as dots."""

SIGNS: Final = "+-·!"
"""Signs with which a line of a panel may start."""

LINES_MAX: Final = 200
"""How many lines of one card are drawn."""

_SIDES: Final = re.compile(r"\dd(\d+)")

_COMMAS: Final = re.compile(", |、")
"""Separates the parts of a delta."""

_PARTS: Final = re.compile(": |·")
"""Separates an object from its member."""


def draw_card(card: CardView, width: int, *, folded: bool, described: bool = False) -> list[Content]:
    """Draw a card as lines; with `described`, its meaning below."""
    title = draw_title(card.label, folded, "bold")
    if card.critical:
        title = Content.assemble(title, (f" {CRITICAL}", "bold $error"))
    news = sort_delta(card)
    value = safe_line(card.lines[0]) if len(card.lines) == 1 else ""
    delta = draw_delta(news.other)
    if news.new:
        # New items are marked in place; the title only says how many there are.
        delta = Content.assemble((f"+{len(news.new)}", "bold $accent"), " " if delta else "", delta)
    style = "bold $error" if card.critical else "bold $accent" if card.delta else ""
    head, rest = _beside(title, Content.styled(value, style), delta, width)
    if folded:
        return head[:1]
    lines = [*head, *rest]
    if (
        card.value is not None
        and card.minimum is not None
        and card.maximum is not None
        and card.format == "bar"
    ):
        bar = draw_bar(card.value, card.minimum, card.maximum, width - len(INDENT), critical=card.critical)
        lines.append(Content.assemble(INDENT, bar))
    if len(card.lines) != 1:
        for line in card.lines[:LINES_MAX]:
            new = line in news.new
            lines += _item(
                line, width, "+" if new else "·", "bold $accent" if new else "", news.of.get(line, "")
            )
    if described and card.description:
        lines += _indent(Content.styled(safe_line(card.description), "$text-muted"), width)
    return lines


@frozen
class SortedDelta:
    """How a card has just changed, by where on the card that is shown."""

    new: frozenset[str]
    """Lines that were not there before."""

    of: Mapping[str, str]
    """Changes of members, by the line that shows the member."""

    other: str
    """Changes that belong to no line, or to the only one."""


def sort_delta(card: CardView) -> SortedDelta:
    """Sort the parts of a delta by the line they belong to."""
    rest, new, members = card.delta, set[str](), dict[str, str]()
    for line in sorted(card.lines, key=len, reverse=True):
        if line and card.value is None and f"+{line}" in rest:
            new.add(line)
            rest = rest.replace(f"+{line}", "", 1)
    others = []
    for piece in filter(None, (part.strip() for part in _COMMAS.split(rest))):
        name, _, change = piece.rpartition(" ")
        line = _find_line(card, name)
        if line and not _COMMAS.search(line):
            members[line] = change
            continue
        # A line with several members says which of them changed.
        *owners, inner = _PARTS.split(name)
        line = _find_line(card, name[: -len(inner)].rstrip(" :·")) if owners else ""
        if line:
            members[line] = ", ".join(filter(None, (members.get(line), f"{inner} {change}")))
        else:
            others.append(piece)
    return SortedDelta(frozenset(new), members, ", ".join(others))


def _find_line(card: CardView, name: str) -> str:
    """Find the line of a member, which starts with its name and a colon; empty if there is none."""
    several = card.lines if name and len(card.lines) > 1 else ()
    return next((line for line in several if line.startswith((f"{name}:", f"{name}："))), "")


def _beside(
    title: Content, value: Content, delta: Content, width: int
) -> tuple[list[Content], list[Content]]:
    """Put the value to the right of the title if there is room, else below it."""
    right = Content(" ").join(part for part in (value, delta) if part)
    gap = width - title.cell_length - right.cell_length
    if gap >= 1:
        return [Content.assemble(title, " " * gap, right)], []
    gap = width - title.cell_length - delta.cell_length
    if delta and value and gap >= 1:
        return [Content.assemble(title, " " * gap, delta)], _indent(value, width)
    below = [line for part in (value, delta) if part for line in _indent(part, width)]
    return wrap_content(title, width), below


def draw_part(part: PartView, width: int) -> list[Content]:
    """Draw one part of a panel as lines."""
    label = Content.styled(INDENT + safe_line(part.label), "$text-muted")
    match part.kind:
        case PartKind.METER:
            return _draw_meter(part, label, width)
        case PartKind.CHIPS:
            chips = [Content.styled(f" {safe_line(word)} ", "on $panel") for word in part.words]
            return [*_named(part, label, width), *_flow(chips, width)]
        case PartKind.LINES:
            signed = (_take_sign(word) for word in part.words)
            lines = [line for sign, word in signed for line in _item(word, width, sign, "")]
            return [*_named(part, label, width), *lines]
        case PartKind.ROLLED:
            pips = all(1 <= face <= len(PIPS) for face in part.faces) and _has_small_dice(part.label)
            faces = " ".join(write_face(face, pips=pips) for face in part.faces)
            words = " ".join(filter(None, (faces, *map(safe_line, part.words))))
            result = Content.styled(words, "bold")
            *lines, last = _named(part, label, width) or [Content(INDENT)]
            gap = width - last.cell_length - result.cell_length
            if gap < 1:
                return [*lines, last, *_indent(result, width)]
            return [*lines, Content.assemble(last, " " * gap, result)]
        case PartKind.TABLE | PartKind.TURN_ORDER | PartKind.MAP | PartKind.GRAPH:
            return [*_named(part, label, width), *_draw_shape(part, width)]
        case _:
            assert_never(part.kind)


def _draw_shape(part: PartView, width: int) -> list[Content]:
    """Draw a shape if it fits; else write its text."""
    draw = {
        PartKind.TABLE: draw_table,
        PartKind.TURN_ORDER: draw_turn_order,
        PartKind.MAP: draw_map,
        PartKind.GRAPH: draw_graph,
    }[part.kind]
    if drawn := draw(part, width - len(INDENT)):
        return [Content.assemble(INDENT, line) for line in drawn]
    return [line for word in part.words for line in _item(word, width, "·", "")]


def _draw_meter(part: PartView, label: Content, width: int) -> list[Content]:
    words = Content.styled(" ".join(map(safe_line, part.words)), "bold")
    if part.value is None or not part.maximum:
        return [line for line in (label, *_indent(words, width)) if line]
    if float(part.maximum).is_integer() and part.maximum <= PIP_MAX:
        full = max(0, min(int(part.value), int(part.maximum)))
        dots = Content.styled("●" * full + "○" * (int(part.maximum) - full), "$primary")
        words = Content.assemble(dots, " ", words)
        head, rest = _beside(label, words, Content(""), width)
        return [*head, *rest]
    head, rest = _beside(label, words, Content(""), width)
    bar = draw_bar(part.value, 0, part.maximum, width - len(INDENT))
    return [*head, *rest, Content.assemble(INDENT, bar)]


def _has_small_dice(label: str) -> bool:
    """Whether a label names no dice but six-sided ones."""
    return all(sides == "6" for sides in _SIDES.findall(label))


def list_parts(panel: PanelView) -> Sequence[PartView]:
    return panel.parts or (PartView(PartKind.LINES, "", panel.lines),)


def _named(part: PartView, label: Content, width: int) -> list[Content]:
    return _indent(label[len(INDENT) :], width) if part.label else []


def _take_sign(text: str) -> tuple[str, str]:
    """Split off the sign of a line, or use the default sign."""
    own = len(text) > len(INDENT) and text[0] in SIGNS and text[1] == " "
    return (text[0], text[len(INDENT) :]) if own else ("·", text)


def draw_title(text: str, folded: bool, style: str) -> Content:
    return Content.assemble((f"{FOLDED if folded else OPEN} ", "$text-muted"), (safe_line(text), style))


def _item(text: str, width: int, sign: str, style: str, delta: str = "") -> list[Content]:
    """Draw one list item, wrapped with a hanging indent."""
    words = Content.styled(safe_line(text), style)
    if delta:
        words = Content.assemble(words, " ", draw_delta(delta))
    return [
        Content.assemble(INDENT, (f"{sign} " if at == 0 else INDENT, style or "$text-muted"), line)
        for at, line in enumerate(wrap_content(words, width - 2 * len(INDENT)))
    ]


def _indent(content: Content, width: int) -> list[Content]:
    return [Content.assemble(INDENT, line) for line in wrap_content(content, width - len(INDENT))]


def _flow(chips: Sequence[Content], width: int) -> list[Content]:
    """Lay out chips side by side, as many as fit in a row."""
    rows: list[Content] = []
    room = width - len(INDENT)
    for chip in chips:
        chip = chip.truncate(room, ellipsis=True)
        if rows and cell_len(rows[-1].plain) + 1 + chip.cell_length <= width:
            rows[-1] = Content.assemble(rows[-1], " ", chip)
        else:
            rows.append(Content.assemble(INDENT, chip))
    return rows
