"""What a replayed turn has in common with its commit."""

from collections.abc import Mapping, Sequence
from typing import cast

from talewright.chronicle.records import Commit
from talewright.common.json_values import Json
from talewright.turn.turn_outcomes import Degraded, Unspent


def find_differences(commit: Commit, again: Commit | Unspent | Degraded) -> tuple[str, ...]:
    """The members in which a replayed turn differs from its commit."""
    if not isinstance(again, Commit):
        return ("outcome",)
    members = ("version", "game_digest", "state_digest")
    unlike = [name for name in members if getattr(commit, name) != getattr(again, name)]
    old, new = _comparable(commit.body), _comparable(again.body)
    names = [*old, *(name for name in new if name not in old)]
    return (*unlike, *(name for name in names if old.get(name) != new.get(name)))


def _comparable(body: Mapping[str, Json]) -> dict[str, Json]:
    """A body without refused edits: their text is not in the record."""
    edits = cast(Sequence[Mapping[str, Json]], body.get("edits", ()))
    taken: Json = [edit for edit in edits if "refused" not in edit]
    return {**body, "edits": taken}
