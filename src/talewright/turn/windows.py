"""Windows: from which turn on the past stands in prompts word for word, as each commit says for the next.

A value with a JSON form. When a window is cut is decided elsewhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import cast

from talewright.kernel.state.documents import Json
from talewright.prompt.window import TURNS_MAX

_NEVER: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Window:
    """What a prompt shows of the past."""

    first: int = 1
    """The version of the oldest turn that is shown word for word."""

    cut_at: int = 0
    """The version of the turn that cut it last: from there on the memory is frozen."""

    frozen: str = ""
    """The beginning of the digest of everything that stands before the memory: where it differs from the
    turn before, a provider has to read the whole prompt anew."""

    told_at: Mapping[str, int] = field(default_factory=lambda: _NEVER)
    """When an entry of lore was last told, of those for which that still matters."""

    known: int = 0
    """How many of that turn's first changes the memory knows: asides, hand edits, the deed."""


def write_window(window: Window) -> Json:
    """A window as it is kept; nothing of it where there is nothing to say."""
    raw: dict[str, Json] = {}
    if window.first > 1 or window.cut_at:
        raw |= {"first": window.first, "cut_at": window.cut_at}
    if window.known:
        raw["known"] = window.known
    if window.frozen:
        raw["frozen"] = window.frozen
    if window.told_at:
        raw["lore"] = dict(window.told_at)
    return raw or None


def read_window(raw: Json, version: int) -> Window:
    """The window that a commit of this version left.

    However long nobody has cut it, as where scenes told all turns, no more is read back than a prompt shows.
    """
    kept = cast(Mapping[str, int], raw) if isinstance(raw, Mapping) else {}
    told_at = cast(Mapping[str, int], kept.get("lore", _NEVER))
    first = max(kept.get("first", 1), version - TURNS_MAX)
    frozen = cast(str, kept.get("frozen", ""))
    return Window(first, kept.get("cut_at", 0), frozen, told_at, kept.get("known", 0))
