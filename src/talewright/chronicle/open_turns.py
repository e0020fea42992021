"""Open turns: a turn that an outside narrator writes call by call, as data that any process can pick up."""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import cast

from talewright.chronicle.records import Json
from talewright.common.frozen_values import frozen


@frozen
class OpenTurn:
    """One turn in progress on one branch."""

    branch: str
    operation_id: str
    holder: str
    """Who narrates it."""

    until: str
    """When the holder's lease ends, as ISO 8601 in UTC."""

    revision: int = 0
    """Assigned by the store: increases with every write on its branch, even after the turn was dropped."""

    body: Mapping[str, Json] = field(default_factory=dict)
    """The input and the proposals so far, in a format defined by the turn layer."""


@frozen
class OpenTurnSlot:
    """What a store keeps about the open turns of one branch."""

    revision: int = 0
    """The last revision assigned."""

    turn: OpenTurn | None = None

    @property
    def expected(self) -> int:
        """The revision a writer must have seen: that of the turn, or 0 if there is none."""
        return 0 if self.turn is None else self.turn.revision

    def put(self, turn: OpenTurn | None) -> "OpenTurnSlot":
        """A copy with another turn at the next revision, or with none."""
        if turn is None:
            return OpenTurnSlot(self.revision)
        revision = self.revision + 1
        return OpenTurnSlot(revision, replace(turn, revision=revision))


def write_slot(slot: OpenTurnSlot) -> dict[str, Json]:
    """A slot as JSON, for a store."""
    turn = slot.turn
    form: dict[str, Json] = {"revision": slot.revision}
    if turn is not None:
        form["turn"] = {
            "branch": turn.branch,
            "operation_id": turn.operation_id,
            "holder": turn.holder,
            "until": turn.until,
            "body": turn.body,
        }
    return form


def read_slot(form: Mapping[str, Json]) -> OpenTurnSlot:
    """Read what `write_slot` wrote; raises KeyError, TypeError or ValueError for anything else."""
    revision, raw = int(cast(int, form["revision"])), form.get("turn")
    if raw is None:
        return OpenTurnSlot(revision)
    turn = cast(Mapping[str, Json], raw)
    names = ("branch", "operation_id", "holder", "until")
    branch, operation_id, holder, until = (str(turn[name]) for name in names)
    body = dict(cast(Mapping[str, Json], turn["body"]))
    return OpenTurnSlot(revision, OpenTurn(branch, operation_id, holder, until, revision, body))
