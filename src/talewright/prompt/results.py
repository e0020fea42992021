"""Results: what has been decided in a turn, as the model that tells it learns of it.

A change of something secret never stands here, whoever made it.
"""

import json
from collections.abc import Mapping, Sequence

from talewright.kernel.game import Game
from talewright.kernel.slots.slot_types import Slot, member
from talewright.kernel.state.changes import Change, to_operation
from talewright.kernel.state.documents import Json
from talewright.kernel.state.state_paths import parse_pointer


def write_results(results: Sequence[Json]) -> str:
    """What has been decided, in words for the model."""
    return f"[RESULTS]\n{write_plainly(list(results))}"


def write_plainly(value: Json) -> str:
    """JSON in as few bytes as it takes, the same for the same value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def show_changes(game: Game, changes: Sequence[Change]) -> list[Json]:
    """The changes that a model may know of."""
    shown: list[Json] = []
    for change in changes:
        slot = game.layout.find(parse_pointer(change.path))
        assert slot is not None
        if not slot.secret:
            raw = to_operation(change)
            shown.append({**raw, "value": prune(slot, raw["value"])} if "value" in raw else raw)
    return shown


def prune(slot: Slot, value: Json) -> Json:
    """A value without what is secret in it."""
    if isinstance(value, Mapping):
        inner = {name: (member(slot, name), below) for name, below in value.items()}
        return {n: prune(s, b) for n, (s, b) in inner.items() if s is not None and not s.secret}
    if isinstance(value, Sequence) and not isinstance(value, str) and slot.element is not None:
        return [prune(slot.element, element) for element in value]
    return value
