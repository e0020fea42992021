"""Names: what a campaign may be called, so that every store on every system can keep it.

Whether a campaign of a name is there is the store's business.
"""

import re

from talewright.chronicle.errors import ChronicleError

NAME_LENGTH_MAX = 64
"""Characters of a campaign's name."""

_NAME = re.compile(rf"[a-z0-9_-]{{1,{NAME_LENGTH_MAX}}}")


def is_campaign_name(name: str) -> bool:
    """Whether a campaign may be called so."""
    return _NAME.fullmatch(name) is not None


def check_campaign_name(name: str) -> None:
    """Refuse what no campaign may be called."""
    if not is_campaign_name(name):
        raise ChronicleError(
            f"{name[:NAME_LENGTH_MAX]!r} cannot be the name of a campaign",
            f"Take 1 to {NAME_LENGTH_MAX} lower-case letters (a to z), digits, `-` and `_`.",
        )
