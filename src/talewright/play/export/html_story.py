"""HTML export: the story as one HTML file, light or dark as the reader's system prefers.

It has no scripts and fetches nothing.
"""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from talewright.play.export.campaign_story import (
    ExportedStory,
    ProseBlock,
    ProseBlockKind,
    ProseSpan,
    ProseWeight,
    StoryPassage,
)

CSS = """
:root { color-scheme: light dark; }
body { max-width: 38rem; margin: 0 auto; padding: 2rem 1rem 4rem; font: 1.1em/1.7 Georgia, "Noto Serif",
  "Noto Serif CJK SC", "Songti SC", serif; color: #222; background: #fdfcf9; }
h1 { line-height: 1.25; margin: 1rem 0 2.5rem; }
.said { margin: 2rem 0 1rem; padding-left: 0.9rem; border-left: 0.2rem solid #b0762e; font-style: italic; }
:lang(zh) .said { font-style: normal; }
.said p, .note p, .end p { margin: 0; }
.note { margin: 1rem 0; font-size: 0.9em; opacity: 0.75; }
hr { border: 0; border-top: 1px solid #8886; width: 40%; margin: 2rem auto; }
.end { margin-top: 3rem; text-align: center; }
@media (prefers-color-scheme: dark) { body { color: #e6e1d8; background: #1b1a18; } }
""".strip()

_TAGS = {ProseWeight.PLAIN: "", ProseWeight.EMPHASIS: "em", ProseWeight.STRONG: "strong"}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def to_html(story: ExportedStory) -> str:
    """The whole story as a self-contained page."""
    title = escape(story.title)
    lines = [
        "<!DOCTYPE html>",
        f'<html lang="{escape(story.language)}">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{title}</title>",
        f"<style>\n{CSS}\n</style>",
        "</head>",
        "<body>",
        "<main>",
        f"<h1>{title}</h1>",
        *passages_to_html(story.passages),
        *closing_to_html(story),
        "</main>",
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def passages_to_html(passages: Sequence[StoryPassage]) -> Iterator[str]:
    """The turns of a story; also well-formed XHTML."""
    for passage in passages:
        if passage.said:
            yield f'<blockquote class="said"><p>{escape(passage.said)}</p></blockquote>'
        yield from _notes(passage.dice)
        for kind, group in groupby(passage.blocks, key=lambda block: block.kind):
            blocks = list(group)
            if kind is ProseBlockKind.ITEM:
                yield "<ul>" + "".join(f"<li>{_lines(block)}</li>" for block in blocks) + "</ul>"
            else:
                yield from map(_block, blocks)
        yield from _notes(passage.events)


def _notes(lines: Sequence[str]) -> Iterator[str]:
    """Dice and events: related lines, set apart from the story."""
    if lines:
        yield '<div class="note">' + "".join(f"<p>{escape(line)}</p>" for line in lines) + "</div>"


def closing_to_html(story: ExportedStory) -> Iterator[str]:
    """The last lines of a story."""
    yield "<hr />"
    yield '<div class="end">' + "".join(f"<p>{escape(line)}</p>" for line in story.closing) + "</div>"


def _block(block: ProseBlock) -> str:
    if block.kind is ProseBlockKind.BREAK:
        return "<hr />"
    words = _lines(block)
    if block.kind is ProseBlockKind.HEADING:
        return f"<h2>{words}</h2>"
    paragraph = f"<p>{words}</p>"
    return f"<blockquote>{paragraph}</blockquote>" if block.kind is ProseBlockKind.QUOTE else paragraph


def _lines(block: ProseBlock) -> str:
    return "<br />".join("".join(map(_span, line)) for line in block.lines)


def _span(span: ProseSpan) -> str:
    tag = _TAGS[span.weight]
    words = escape(span.text)
    return f"<{tag}>{words}</{tag}>" if tag else words
