"""Help screen: all keys of the current screen, generated from `key_bindings`.

The bindings are the only source, so the help is always right.
"""

from collections.abc import Sequence

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widget import Widget

from talewright.common.frozen_values import frozen
from talewright.faces.tui.key_bindings import KeyBinding
from talewright.faces.tui.widgets.text_wrap import wrap_content
from talewright.faces.tui.words.shared_words import shared_words

GAP = 3
"""Columns between a key and what it does."""


@frozen
class HelpChapter:
    """Keys that belong together."""

    title: str
    keys: Sequence[KeyBinding]


class HelpScreen(ModalScreen[None]):
    """A page over the screen."""

    BINDINGS = [  # noqa: RUF012 - as Textual declares it
        Binding("escape,f1,question_mark,q,enter", "dismiss", show=False)
    ]
    DEFAULT_CSS = """
    HelpScreen {
        align: center middle;
        & > #page {
            width: 72;
            max-width: 100%;
            height: auto;
            max-height: 100%;
            padding: 1 2;
            border: round $primary;
            border-title-style: bold;
            background: $surface;
            scrollbar-size-vertical: 1;
        }
    }
    """

    def __init__(self, chapters: Sequence[HelpChapter], language: str) -> None:
        super().__init__()
        self._chapters = chapters
        self._language = language

    def compose(self) -> ComposeResult:
        """Put all chapters on one scrolling page."""
        page = VerticalScroll(HelpPage(self._chapters, self._language), id="page")
        page.border_title = Content(shared_words(self._language).help_title)
        yield page


class HelpPage(Widget):
    """The chapters, one below the other."""

    DEFAULT_CSS = """
    HelpPage { height: auto; width: 1fr; }
    """

    def __init__(self, chapters: Sequence[HelpChapter], language: str) -> None:
        super().__init__()
        self._chapters = chapters
        self._language = language

    def render(self) -> Content:
        """All lines."""
        return Content("\n").join(draw_chapters(self._chapters, self._language, self.size.width))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as there are lines."""
        return len(draw_chapters(self._chapters, self._language, width))


def draw_chapters(chapters: Sequence[HelpChapter], language: str, width: int) -> list[Content]:
    """Draw keys on the left and what they do on the right."""
    widest = max((cell_len(key.written) for chapter in chapters for key in chapter.keys), default=0)
    lines: list[Content] = []
    for chapter in chapters:
        lines.append(Content.styled(chapter.title, "bold $primary"))
        for key in chapter.keys:
            lines += _draw(key, widest + GAP, language, width)
        lines.append(Content(""))
    return [*lines, *wrap_content(Content.styled(shared_words(language).help_foot, "$text-muted"), width)]


def _draw(key: KeyBinding, indent: int, language: str, width: int) -> list[Content]:
    folded = wrap_content(Content(key.does(language)), width - indent)
    name = Content.assemble((key.written, "bold $accent"), " " * (indent - cell_len(key.written)))
    return [Content.assemble(name if at == 0 else " " * indent, line) for at, line in enumerate(folded)]
