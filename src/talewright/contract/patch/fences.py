"""Fences: the fenced blocks in a text, opened at the start of a line and closed at the end of one.

What a block holds is not read here.

No string of JSON holds a line break, so a fence within one neither begins a line nor ends one. A block of
JSON may also open behind a few words (`PATCH_BUNDLE: ```json`), as long as no quote or brace is among them.
"""

import re
from dataclasses import dataclass

_OPENING = re.compile(
    r"""(?:\A|(?<=\n))(?:
        [ \t]*+(?P<fence>`{3,}+|~{3,}+)[ \t]*+(?P<word>[A-Za-z][A-Za-z0-9]*+)?
        |[^`~"{\n]*+(?P<late_fence>`{3,}+|~{3,}+)[ \t]*+(?P<late_word>json[a-z0-9]*+)
    )""",
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)
_CLOSING = {sign: re.compile(rf"(?<!{sign})({sign}{{3,}}+)[ \t]*+(?=\n|\Z)") for sign in "`~"}


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block."""

    word: str
    """What stands after the opening fence, in small letters; empty where nothing does."""

    content: str
    end: int
    """Where in the text the block is over."""

    closed: bool = True


def find_blocks(text: str) -> tuple[Block, ...]:
    """The blocks of a text, in order. One that is never closed holds all the rest."""
    blocks: list[Block] = []
    opening = _OPENING.search(text)
    while opening is not None:
        fence = opening["fence"] or opening["late_fence"]
        word = (opening["word"] or opening["late_word"] or "").lower()
        block = Block(word, text[opening.end() :], len(text), closed=False)
        for closing in _CLOSING[fence[0]].finditer(text, opening.end()):
            if len(closing[1]) >= len(fence):
                block = Block(word, text[opening.end() : closing.start()], closing.end())
                break
        blocks.append(block)
        opening = _OPENING.search(text, block.end)
    return tuple(blocks)
