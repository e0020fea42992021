"""Patterns: the keys of lore that are regular expressions, each told at its place where it cannot be matched.

What can be matched is known where keys are looked for, in `prompt.lore`; nothing is matched here.
"""

from collections.abc import Sequence

from talewright.pack.desk import Desk
from talewright.pack.faults import Code
from talewright.pack.files.nodes import ListNode
from talewright.pack.forms.records import Source
from talewright.prompt.lore.regex_matcher import find_mistake


def check_patterns(source: Source, name: str, keys: Sequence[str], desk: Desk) -> None:
    """Tell which of the keys in a record's field are no patterns."""
    written = source.node.entries.get(name)
    if not isinstance(written, ListNode) or source.broken:
        return
    for node, key in zip(written.items, keys, strict=True):
        mistake = find_mistake(key)
        if mistake:
            message = f"this is no pattern that lore may use: {mistake}"
            desk.report(Code.BAD_PATTERN, node.place, message, "Mend it, or delete `regex`.")
