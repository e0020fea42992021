"""Open turns: a turn that somebody outside is telling, call by call, as data that any process can pick up.

Working data beside the records: it is in no chain, and once the turn is committed or given up it is gone.
Whose it is and how long is for whoever takes the turns to judge; a store compares nothing but the revision.
"""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import cast

from talewright.chronicle.records import Json
from talewright.common.frozen_values import frozen


@frozen
class OpenTurn:
    """One turn under way, on one branch."""

    branch: str
    operation_id: str
    holder: str
    """Who tells it."""

    until: str
    """When the hold on it ends, as ISO 8601 in UTC."""

    revision: int = 0
    """Given by the store: greater with every write on its branch, also after it was dropped."""

    body: Mapping[str, Json] = field(default_factory=dict)
    """What was put in and proposed so far, in the words of whoever takes the turns."""


@frozen
class OpenTurnSlot:
    """What is kept of the open turns of one branch."""

    revision: int = 0
    """The last that was given."""

    turn: OpenTurn | None = None

    @property
    def expected(self) -> int:
        """What whoever writes must have seen: the revision of the turn; 0 where there is none."""
        return 0 if self.turn is None else self.turn.revision

    def put(self, turn: OpenTurn | None) -> "OpenTurnSlot":
        """The same with another turn, which has the next revision, or with none."""
        if turn is None:
            return OpenTurnSlot(self.revision)
        revision = self.revision + 1
        return OpenTurnSlot(revision, replace(turn, revision=revision))


def write_slot(slot: OpenTurnSlot) -> dict[str, Json]:
    """A slot as a store may keep it."""
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
    """The slot that `write_slot` made; a KeyError, TypeError or ValueError where it is none."""
    revision, raw = int(cast(int, form["revision"])), form.get("turn")
    if raw is None:
        return OpenTurnSlot(revision)
    turn = cast(Mapping[str, Json], raw)
    names = ("branch", "operation_id", "holder", "until")
    branch, operation_id, holder, until = (str(turn[name]) for name in names)
    body = dict(cast(Mapping[str, Json], turn["body"]))
    return OpenTurnSlot(revision, OpenTurn(branch, operation_id, holder, until, revision, body))
