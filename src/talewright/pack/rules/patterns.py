"""Patterns: the regular expressions of lore, held to what can be matched in linear time.

Nothing is matched here. What engines without backtracking do not know is refused: references, looking around.
"""

import re

PATTERN_LENGTH_MAX = 200
"""Characters of one regular expression."""

_BACKTRACKING = re.compile(r"\\[1-9]|\(\?(?:P=|=|!|<=|<!|>|\()|[*+?}]\+")
"""References to groups, looking ahead or behind, atomic groups, possessive counts."""

_ESCAPED = re.compile(r"\\[^1-9]")


def find_mistake(pattern: str) -> str:
    """Why a text is no regular expression that lore may use; empty where it is one."""
    if len(pattern) > PATTERN_LENGTH_MAX:
        return f"a regular expression has at most {PATTERN_LENGTH_MAX} characters, not {len(pattern)}"
    if _BACKTRACKING.search(_ESCAPED.sub("", pattern)):
        return "references, looking ahead or behind and possessive counts are not taken"
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return f"this is no regular expression: {error}"
    return ""
