"""Lore checked: entries that can never be told.

Whether a key is ever spoken cannot be known; only conditions are looked at.
"""

from talewright.pack.faults import Code
from talewright.pack.meaning.conditions import USELESS, Consequence, check_condition
from talewright.pack.meaning.inquiry import Inquiry


def check_lore(inquiry: Inquiry) -> None:
    """Tell which entries never come up."""
    for entry in inquiry.library.lore:
        if entry.when is not None:
            never = Consequence(Code.LORE_NEVER_TOLD, f"nothing ever brings up `{entry.id}`")
            always = Consequence(
                Code.ALWAYS_HOLDS, f"`{entry.id}` is always told", "Write `constant: true` instead of `when`."
            )
            check_condition(inquiry, entry.when, USELESS if entry.keys or entry.constant else never, always)
        if entry.reveal_when is not None:
            never = Consequence(Code.LORE_NEVER_TOLD, f"`{entry.id}` is withheld for ever")
            always = Consequence(
                Code.ALWAYS_HOLDS, f"`{entry.id}` is never withheld", "Delete `reveal_when`, or ask for more."
            )
            check_condition(inquiry, entry.reveal_when, never, always)
