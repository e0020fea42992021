"""A story as Markdown: plain text that any reader of Markdown shows alike, and none runs or fetches."""

import re
from collections.abc import Iterator, Sequence

from talewright.play.looking_back.prose import Block, BlockKind, Span, Weight
from talewright.play.looking_back.stories import Passage, Story

_SIGNS = re.compile(r"[\\`*_{}\[\]<>#|~!&]")
"""Signs that mean something to Markdown or to HTML within it."""

_OPENERS = re.compile(r"^(\s*)([-+=>:]|\d+[.)])")
"""What would begin a list, a heading or a quote at the start of a line."""

_MARKS = {Weight.PLAIN: "", Weight.EMPHASIS: "*", Weight.STRONG: "**"}


def to_markdown(story: Story) -> str:
    """The whole story."""
    parts = [f"# {escape(story.title)}", *_passages(story.passages), "---"]
    parts += [f"*{escape(line)}*" for line in story.closing]
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """Words that Markdown shows as they are."""
    text = _SIGNS.sub(r"\\\g<0>", text)
    # A backslash in front of a digit is shown; in front of the sign behind it, it is not.
    return _OPENERS.sub(lambda found: f"{found[1]}{found[2][:-1]}\\{found[2][-1]}", text)


def _passages(passages: Sequence[Passage]) -> Iterator[str]:
    for passage in passages:
        if passage.said:
            yield f"> **{escape(passage.said)}**"
        yield from map(_block, passage.blocks)


def _block(block: Block) -> str:
    lines = [_line(line) for line in block.lines]
    match block.kind:
        case BlockKind.PARAGRAPH:
            return "  \n".join(lines)
        case BlockKind.HEADING:
            return f"### {lines[0]}"
        case BlockKind.QUOTE:
            return "\n".join(f"> {line}  " for line in lines).rstrip()
        case BlockKind.ITEM:
            return f"- {lines[0]}"
        case BlockKind.BREAK:
            return "* * *"


def _line(spans: Sequence[Span]) -> str:
    return "".join(f"{_MARKS[span.weight]}{escape(span.text)}{_MARKS[span.weight]}" for span in spans)
