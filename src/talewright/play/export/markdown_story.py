"""Markdown export: the story as plain Markdown that every renderer shows alike.

It runs and fetches nothing.
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
"""Characters with a meaning in Markdown or in HTML within it."""

_OPENERS = re.compile(r"^(\s*)([-+=>:]|\d+[.)])")
"""What would start a list, a heading or a quote at the beginning of a line."""

_MARKS = {ProseWeight.PLAIN: "", ProseWeight.EMPHASIS: "*", ProseWeight.STRONG: "**"}


def to_markdown(story: ExportedStory) -> str:
    """The whole story."""
    parts = [f"# {escape(story.title)}", *_passages(story.passages), "---"]
    parts += [f"*{escape(line)}*" for line in story.closing]
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """Escape text so that Markdown shows it literally."""
    text = _SIGNS.sub(r"\\\g<0>", text)
    # A backslash before a digit would be shown; before the character after it, it is not.
    return _OPENERS.sub(lambda found: f"{found[1]}{found[2][:-1]}\\{found[2][-1]}", text)


def _passages(passages: Sequence[StoryPassage]) -> Iterator[str]:
    for passage in passages:
        if passage.said:
            yield f"> **{escape(passage.said)}**"
        yield from _notes(passage.dice)
        yield from map(_block, passage.blocks)
        yield from _notes(passage.events)


def _notes(lines: Sequence[str]) -> Iterator[str]:
    """Dice and events: related lines, set apart from the story by emphasis."""
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
