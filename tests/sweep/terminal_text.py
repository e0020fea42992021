"""Terminal text, swept: hostile strings through everything the terminal face draws.

Each string is told, said, noted, thrown, put on cards, choices, meters and titles. What a driver would then
write has no control byte but the colours of the face itself, reads no markup, and comes in bounded time.
Now and then a whole table with such strings on it is drawn by Textual.
"""

import asyncio
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from time import process_time
from typing import Final

from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.content import Content
from textual.strip import Strip
from textual.style import Style as VisualStyle

from talewright.faces.tui.lobby.lobby_rows import draw_campaign, draw_game
from talewright.faces.tui.safe_content import plain, safe, safe_line
from talewright.faces.tui.story.dice_drawing import draw_roll, draw_rolls
from talewright.faces.tui.story.live_narration import LiveNarration
from talewright.faces.tui.story.markdown_blocks import TextMark
from talewright.faces.tui.story.story_entries import NarrationEntry, NoticeKind, read_note, read_turn
from talewright.faces.tui.story.story_layout import lay_out
from talewright.faces.tui.story.styled_lines import LineTone, StoryLine, StoryPalette, paint
from talewright.faces.tui.table.card_drawing import draw_card, draw_part
from talewright.faces.tui.table.choice_list import draw_choice
from talewright.faces.tui.table.status_bar import arrange
from talewright.faces.tui.table.table_layout import TableLayout
from talewright.faces.tui.words.lobby_words import lobby_words
from talewright.faces.tui.words.table_words import table_words
from talewright.play.campaign_view import (
    CardView,
    ChanceView,
    ChangeView,
    ChoiceView,
    DecisionView,
    PanelView,
    PartKind,
    PartView,
    RollView,
    StatusView,
    TurnView,
    View,
    Viewer,
)
from talewright.play.lobby import CampaignDetails, CampaignInfo, GameInfo
from tests.sweep.parts import Progress

TABLE = table_words("en")
LOBBY = lobby_words("en")

FULL_COUNT = 100_000

SECONDS_MAX: Final = 5.0
"""Processor time that all drawings of one string may take together."""

TABLE_EVERY: Final = 500
"""A whole table is drawn once for so many strings."""

KINDS: Final[tuple[NoticeKind, ...]] = ("notice", "trouble", "event")
FORMS: Final = ("bar", "plain", "list", "chips", "keyvalue")
WIDTHS: Final = (24, 60, 100)
SHORT: Final = 40
"""Characters up to which a string is drawn without being cut, so that its brackets can be counted."""

LONG: Final = 1_000_000
NOW: Final = datetime(2031, 1, 1, tzinfo=UTC)

ATOMS: Final = (
    *("\x1b", "\x1b[31m", "\x1b[2J", "\x1b[?1049h", "\x1bc", "\x1b]0;title\x07", "\x1b]8;;http://evil\x1b\\"),
    *("\x1b]52;c;aGVsbG8=\x07", "\x1bP1$r0m\x1b\\", "\x1b_x\x1b\\", "\x9b31m", "\x9d52;c;x\x9c", "\x90q\x9c"),
    *("\x85", "\x00", "\x07", "\x08", "\x0b", "\x0c", "\r", "\r\n", "\n", "\n\n", "\t", "\x7f"),
    *("\u202e", "\u202a", "\u2066", "\u2069", "\u061c", "\u200f", "\u200b", "\u200d", "\u2060", "\ufeff"),
    *("\ufe0f", "\ufe0e", "\xad", "\u2028", "\u2029", "\u034f", "\u115f", "\u3164", "\U000e0041", "\ufff9"),
    *("[bold red]", "[/]", "[/bold]", "[@click=app.quit]", "[link=http://evil]", "[$error]", "[on red]"),
    *("\\[", "[[", "]]", "[", "]", ":smile:", "[b]x[/b]", "[#ff0000]", "[not bold]", "{x}", "%s"),
    *("*", "**", "`", "```\n", "# ", "- ", "1. ", "> ", "    ", "|a|b|\n|-|-|\n", "---\n", "<b>", "</b>"),
    *("[x](http://e.x)", "![i](http://e.x/i.png)", "<http://e.x>", "&#27;", "&#x202e;", "&lt;", "\\*"),
    *(
        "\ud83d",
        "\ude00",
        "\udfff",
        "👩\u200d🚀",
        "❤\ufe0f",
        "1\ufe0f\u20e3",
        "🇫🇷",
        "雾港",
        "，。「",
        "e\u0301",
    ),
    *(
        "a",
        "word ",
        "don’t",
        "—",
        "…",
        "e\u0301",
        "  ",
        "x" * 30,
        "\u0301" * 40,
        "\u0e33",
        "\u0915\u094d\u0937",
    ),
)
CONTROL: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
SGR: Final = re.compile("\x1b\\[[0-9;]*m")
CONSOLE: Final = Console(color_system="truecolor", force_terminal=True)
LOUD: Final = VisualStyle(bold=True, italic=True)
PALETTE: Final = StoryPalette(
    Style(),
    {tone: Style(color="red", bgcolor="blue") for tone in LineTone},
    {mark: Style(bold=True) for mark in (TextMark.EMPHASIS, TextMark.STRONG, TextMark.CODE)},
    VisualStyle(),
    lambda style: LOUD,
)


def run(count: int, seed: int, progress: Progress | None = None) -> int:
    """Draw so many strings."""
    chance = random.Random(seed)
    batch: list[str] = []
    for number in range(count):
        text = make_string(chance, number)
        begun = process_time()
        check_string(text, chance, f"seed {seed}, string {number}")
        taken = process_time() - begun
        assert taken < SECONDS_MAX, f"seed {seed}, string {number}: {taken:.1f} s"
        batch.append(text)
        if len(batch) == TABLE_EVERY or number == count - 1:
            asyncio.run(check_table(chance.sample(batch, min(24, len(batch))), f"seed {seed}, to {number}"))
            batch.clear()
        if progress:
            progress(1)
    return count


def make_string(chance: random.Random, number: int) -> str:
    """A hostile string: pieces that mean something to somebody, any code points, or one piece without end."""
    kind = chance.random()
    if number % 400 == 399:
        piece = chance.choice(ATOMS)
        return piece * (LONG // len(piece))
    if kind < 0.6:
        return "".join(chance.choices(ATOMS, k=chance.randint(1, 12)))
    if kind < 0.8:
        return "".join(chance.choices(ATOMS, k=chance.randint(12, 120)))
    if kind < 0.9:
        return "".join(chr(chance.randrange(0x110000)) for _ in range(chance.randint(1, 60)))
    if kind < 0.97:
        low = "".join(chr(chance.randrange(0x180)) for _ in range(chance.randint(1, 60)))
        return low + chance.choice(ATOMS)
    return chance.choice(ATOMS) * chance.randint(50, 1_000)


def check_string(text: str, chance: random.Random, where: str) -> None:
    """One string through all that draws; of what comes in several forms, through one of them."""
    width = chance.choice(WIDTHS)
    for name, lines in draw_story(text, width, chance):
        _check_strips([paint(line, PALETTE) for line in lines], f"{where}, {name}")
    for name, contents in draw_table(text, width, chance):
        _check_strips([_strip(content) for content in contents], f"{where}, {name}")
    if len(text) <= SHORT:
        _check_brackets(text, where)


def draw_story(text: str, width: int, chance: random.Random) -> Iterator[tuple[str, list[StoryLine]]]:
    """A string in every place of the story."""
    roll = RollView(text, 7, text, (3, 4), text)
    turn = TurnView("c", 1, text, text, (roll,), (ChangeView("v", text),), (text,), (text,))
    yield "turn", lay_out(read_turn(turn), width)
    kind = chance.choice(KINDS)
    yield kind, lay_out([read_note(text, kind)], width)
    live = LiveNarration(text)
    step = max(1, len(text) // 7)
    for at in range(0, len(text), step):
        live.draft.add(text[at : at + step])
        live.lay_out(width)
    yield "live", live.lines


def draw_table(text: str, width: int, chance: random.Random) -> Iterator[tuple[str, list[Content]]]:
    """A string in every place of the table and the lobby that is drawn by a function."""
    form = chance.choice((*FORMS, text[:20]))
    card = CardView("v", text, form, (text, "other"), text, text, 3, 0, 10)
    yield f"card {form!r}", draw_card(card, width, folded=False)
    part = chance.choice(list(PartKind))
    rows, spots = ((text, text), (text[:3],)), ((0, 0), (1, 1))
    words, levels = (f"{text} -> {text}", text), (chance.choice((None, (3, 10))), (0, 0))
    shape = PartView(
        part, text, words, 3, 10, (1, 6), rows, chance.random() < 0.5, 1, spots, levels, ((0, 1),)
    )
    yield f"part {part}", draw_part(shape, width)
    yield "choice", [draw_choice(1, ChoiceView("c", text, text, "high"), TABLE, width, spare=True)]
    yield "status", arrange([StatusView(text, text, text, True, 3, 0, 10), StatusView(text, text)], width)
    chances = ChanceView((3, 7), (0.25, 0.75), (text, "success"), 0.75, text)
    roll = RollView(text, 7, text, (3, 4), text, chances=chance.choice((None, chances)))
    yield "dice", list(draw_roll(roll, width))
    yield "rolls", list(draw_rolls((roll, roll, roll), width))
    yield "game", [draw_game(GameInfo("g", text, (text,), text, text, 3), LOBBY)]
    info, details = CampaignInfo(text, "g", text, text, text), CampaignDetails(text, 1, text, text, 1.0, 5)
    yield "campaign", [draw_campaign(info, details, LOBBY, NOW, trouble) for trouble in ("", text)]
    yield "plain", [plain(text)]


def _strip(content: Content) -> Strip:
    parts = content.render(VisualStyle(), end="", parse_style=lambda style: LOUD)
    return Strip([Segment(text.replace("\n", " "), style.rich_style) for text, style in parts])


def _check_strips(strips: Iterable[Strip], where: str) -> None:
    """Neither the words nor what a driver writes may steer a terminal."""
    for strip in strips:
        found = CONTROL.search(strip.text)
        assert found is None, f"{where}: {found!r} in {strip.text[:200]!r}"
        for segment in strip:
            assert segment.style is None or segment.style.link is None, f"{where}: a link"
        written = strip.render(CONSOLE)
        found = CONTROL.search(SGR.sub("", written))
        assert found is None, f"{where}: {found!r} in {written[:200]!r}"
        written.encode()


def _check_brackets(text: str, where: str) -> None:
    """No markup is read: brackets come out as they went in."""
    wanted = _brackets(safe_line(text))
    for kind in KINDS:
        lines = lay_out([read_note(text, kind)], 100)
        assert _brackets("".join(line.text for line in lines)) == wanted, f"{where}, {kind}"
    label = draw_choice(1, ChoiceView("c", text), TABLE, 200, spare=True).plain
    assert _brackets(label) == wanted, f"{where}, choice"
    card = draw_card(CardView("v", "label", "plain", (text,)), 200, folded=False)
    assert _brackets("".join(line.plain for line in card)) == wanted, f"{where}, card"
    assert _brackets(draw_game(GameInfo("g", text, ("en",)), LOBBY).plain) == wanted, f"{where}, title"
    told = safe(text)
    # Links, code and tables are Markdown's own use of brackets.
    if not any(sign in told for sign in ("](", "```", "~~~", "|", "<")):
        lines = lay_out([NarrationEntry(told)], 100)
        assert _brackets("".join(line.text for line in lines)) == _brackets(told), f"{where}, narration"


def _brackets(text: str) -> str:
    return re.sub(r"[^\[\]]", "", text)


class Table(App[None]):
    """The board of the table, with strings in all its places."""

    def __init__(self, texts: list[str]) -> None:
        super().__init__()
        self._texts = texts

    def compose(self) -> ComposeResult:
        yield TableLayout("en", animations=False)

    def fill(self) -> None:
        """Show everything that a view can hold."""
        one, two, *rest = self._texts * 3
        board = self.query_one(TableLayout)
        turns = tuple(TurnView(f"c{at}", at, text, text, events=(text,)) for at, text in enumerate(rest[:6]))
        view = View(
            *(one, one, two, "en", Viewer.PLAYER, two, "c9", 9, turns[-1]),
            status=tuple(StatusView(text, text, text) for text in rest[:3]),
            cards=tuple(CardView(str(at), text, "list", (text, two)) for at, text in enumerate(rest[:4])),
            panels=(PanelView("p", one, (two,), (PartView(PartKind.CHIPS, one, tuple(rest[:3])),)),),
            choices=tuple(ChoiceView(str(at), text, two, "high") for at, text in enumerate(rest[:5])),
            notices=(one, two),
        )

        async def more(before: str, count: int) -> tuple[TurnView, ...]:
            return ()

        board.story.open(turns, more)
        board.show(view, fresh=True)
        board.activity.tell(one)
        decision = DecisionView("d", two, (one,), (("y", one), ("n", two)), True)
        board.show(replace(view, decisions=(decision,)) if len(one) % 2 else view, fresh=True)


async def check_table(texts: list[str], where: str) -> None:
    """A whole table, as Textual draws it."""
    app = Table(texts)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        app.fill()
        await pilot.pause()
        strips = app.screen._compositor.render_strips()
        assert any(strip.text.strip() for strip in strips), where
        for strip in strips:
            written = "".join(
                Strip.render_style(segment.style, segment.text, ColorSystem.TRUECOLOR)
                if segment.style
                else segment.text
                for segment in strip
            )
            found = CONTROL.search(SGR.sub("", written))
            assert found is None, f"{where}, table: {found!r} in {written!r}"
