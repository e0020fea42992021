"""The story as Markdown: plain text that any reader of Markdown shows alike.

Nothing in it is run or fetched.
"""

import re
from collections.abc import Iterator, Sequence

from talewright.play.export.campaign_story import (
    ExportedStory,
    ProseBlock,
    ProseBlockKind,
    ProseSpan,
    ProseWeight,
    StoryPassage,
)

_SIGNS = re.compile(r"[\\`*_{}\[\]<>#|~!&]")
"""Signs that mean something to Markdown or to HTML within it."""

_OPENERS = re.compile(r"^(\s*)([-+=>:]|\d+[.)])")
"""What would begin a list, a heading or a quote at the start of a line."""

_MARKS = {ProseWeight.PLAIN: "", ProseWeight.EMPHASIS: "*", ProseWeight.STRONG: "**"}


def to_markdown(story: ExportedStory) -> str:
    """The whole story."""
    parts = [f"# {escape(story.title)}", *_passages(story.passages), "---"]
    parts += [f"*{escape(line)}*" for line in story.closing]
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """Words that Markdown shows as they are."""
    text = _SIGNS.sub(r"\\\g<0>", text)
    # A backslash in front of a digit is shown; in front of the sign behind it, it is not.
    return _OPENERS.sub(lambda found: f"{found[1]}{found[2][:-1]}\\{found[2][-1]}", text)


def _passages(passages: Sequence[StoryPassage]) -> Iterator[str]:
    for passage in passages:
        if passage.said:
            yield f"> **{escape(passage.said)}**"
        yield from _notes(passage.dice)
        yield from map(_block, passage.blocks)
        yield from _notes(passage.events)


def _notes(lines: Sequence[str]) -> Iterator[str]:
    """Dice and events: lines that belong together, set apart from the story by emphasis."""
    if lines:
        yield "  \n".join(f"*{escape(line)}*" for line in lines)


def _block(block: ProseBlock) -> str:
    lines = [_line(line) for line in block.lines]
    match block.kind:
        case ProseBlockKind.PARAGRAPH:
            return "  \n".join(lines)
        case ProseBlockKind.HEADING:
            return f"### {lines[0]}"
        case ProseBlockKind.QUOTE:
            return "\n".join(f"> {line}  " for line in lines).rstrip()
        case ProseBlockKind.ITEM:
            return f"- {lines[0]}"
        case ProseBlockKind.BREAK:
            return "* * *"


def _line(spans: Sequence[ProseSpan]) -> str:
    return "".join(f"{_MARKS[span.weight]}{escape(span.text)}{_MARKS[span.weight]}" for span in spans)
