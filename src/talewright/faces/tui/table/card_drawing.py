"""Card drawing: a card or a part of a panel as lines: title, value, meter, chips, last change, meaning.

Drawing only; what is on it is given from outside.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from rich.cells import cell_len
from textual.content import Content

from talewright.common.frozen_values import frozen
from talewright.faces.tui.safe_content import safe_line
from talewright.faces.tui.story.dice_animation import PIPS, write_face
from talewright.faces.tui.widgets.meters import CRITICAL, draw_bar, draw_delta
from talewright.faces.tui.widgets.text_wrap import wrap_content
from talewright.play.campaign_view import CardView, PanelView, PartKind, PartView

OPEN: Final = "▾"
FOLDED: Final = "▸"
INDENT: Final = "  "
PIP_MAX: Final = 8
"""The greatest meter that is drawn as so many dots."""

SIGNS: Final = "+-·!"
"""With which a line of a panel may begin by itself."""

LINES_MAX: Final = 200
"""Lines of one card that are drawn."""

_COMMAS: Final = re.compile(", |、")
"""What stands between the parts of a delta."""

_PARTS: Final = re.compile(": |·")
"""What stands between an object and its member."""


def draw_card(card: CardView, width: int, *, folded: bool, described: bool = False) -> list[Content]:
    """A card as lines; `described`, with what it means beneath."""
    title = draw_title(card.label, folded, "bold")
    if card.critical:
        title = Content.assemble(title, (f" {CRITICAL}", "bold $error"))
    news = sort_delta(card)
    value = safe_line(card.lines[0]) if len(card.lines) == 1 else ""
    delta = draw_delta(news.other)
    if news.new:
        # What is new is marked where it stands; the title only says how much of it there is.
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
    """How a card has just changed, by where on it that is told."""

    new: frozenset[str]
    """Lines that were not there before."""

    of: Mapping[str, str]
    """By a line that tells a member, how that member changed."""

    other: str
    """What belongs to no line, or to the only one."""


def sort_delta(card: CardView) -> SortedDelta:
    """What of a delta is told at which line."""
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
        # A line with several members tells which of them it was.
        *owners, inner = _PARTS.split(name)
        line = _find_line(card, name[: -len(inner)].rstrip(" :·")) if owners else ""
        if line:
            members[line] = ", ".join(filter(None, (members.get(line), f"{inner} {change}")))
        else:
            others.append(piece)
    return SortedDelta(frozenset(new), members, ", ".join(others))


def _find_line(card: CardView, name: str) -> str:
    """The line of a member, which begins with its name and a colon of its language; empty without one."""
    several = card.lines if name and len(card.lines) > 1 else ()
    return next((line for line in several if line.startswith((f"{name}:", f"{name}："))), "")


def _beside(
    title: Content, value: Content, delta: Content, width: int
) -> tuple[list[Content], list[Content]]:
    """The value at the right of the title where there is room, or else below it."""
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
    """One part of a panel as lines."""
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
            pips = all(1 <= face <= len(PIPS) for face in part.faces)
            faces = " ".join(write_face(face, pips=pips) for face in part.faces)
            words = " ".join(filter(None, (faces, *map(safe_line, part.words))))
            return [*_named(part, label, width), *_indent(Content.styled(words, "bold"), width)]
        case _:
            assert_never(part.kind)


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


def list_parts(panel: PanelView) -> Sequence[PartView]:
    return panel.parts or (PartView(PartKind.LINES, "", panel.lines),)


def _named(part: PartView, label: Content, width: int) -> list[Content]:
    return _indent(label[len(INDENT) :], width) if part.label else []


def _take_sign(text: str) -> tuple[str, str]:
    """The sign a line brings along, else the usual one; and the line without it."""
    own = len(text) > len(INDENT) and text[0] in SIGNS and text[1] == " "
    return (text[0], text[len(INDENT) :]) if own else ("·", text)


def draw_title(text: str, folded: bool, style: str) -> Content:
    return Content.assemble((f"{FOLDED if folded else OPEN} ", "$text-muted"), (safe_line(text), style))


def _item(text: str, width: int, sign: str, style: str, delta: str = "") -> list[Content]:
    """One line of a list, folded under itself."""
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
    """Chips side by side, as many as a row holds."""
    rows: list[Content] = []
    room = width - len(INDENT)
    for chip in chips:
        chip = chip.truncate(room, ellipsis=True)
        if rows and cell_len(rows[-1].plain) + 1 + chip.cell_length <= width:
            rows[-1] = Content.assemble(rows[-1], " ", chip)
        else:
            rows.append(Content.assemble(INDENT, chip))
    return rows
