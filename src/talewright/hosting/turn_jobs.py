"""Turn jobs: the jobs of a worker and their outcomes, as JSON.

Values only. A job names an accepted input; everything else about the turn is in the record.
"""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, Final, TypeVar, assert_never, cast

from talewright.chronicle.store import CampaignBook
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.turn.turn_outcomes import Committed, Degraded, Failed, Outcome, OutcomeReason, Unspent

APPLICATION: Final = "talewright"
"""The name of the application in DBOS."""

TURNS: Final = "turns"
"""The queue and the workflow of turns: one at a time per campaign."""

BACKGROUND: Final = "background"
"""The queue and the workflow of summaries and errands: one at a time per campaign, alongside its turns."""

BASE_LENGTH: Final = 12
"""How many characters of a commit's id are in the name of a workflow."""

LIST_MAX: Final = 1_000
"""How many workflows are listed at once."""

AFTER: Final = "after"
"""Stands for the commit that a turn continues, in the name of background work."""


def name_place(owner: str, campaign: str) -> str:
    """The unique name of a campaign across all owners; owner ids contain no slash."""
    return f"{owner}/{campaign}"


@frozen
class TurnJob:
    """An accepted input that is to become a turn."""

    owner: str
    campaign: str
    operation_id: str
    base: str
    """The id of the commit it continues. It is random, so a campaign never finds workflows of an earlier one
    with its name.
    """

    try_number: int
    """How many attempts of the operation have ended before."""

    language: str = ""
    """The player's language; empty uses that of the campaign."""

    @property
    def place(self) -> str:
        """The campaign; its turns run one after the other."""
        return name_place(self.owner, self.campaign)

    @property
    def workflow(self) -> str:
        """The id of its workflow: the same for the same attempt, whichever node orders it."""
        return f"{self.place}/{self.base[:BASE_LENGTH]}/{self.operation_id}/{self.try_number}"

    def to_json(self) -> dict[str, Json]:
        """As the argument of its workflow."""
        return asdict(self)


@frozen
class BackgroundJob:
    """The summaries and errands that follow a commit."""

    owner: str
    campaign: str
    branch: str
    commit: str
    language: str = ""

    @property
    def place(self) -> str:
        """The campaign."""
        return name_place(self.owner, self.campaign)

    @property
    def workflow(self) -> str:
        """The id of its workflow: one for each commit."""
        return f"{self.place}/{AFTER}/{self.commit}"

    def to_json(self) -> dict[str, Json]:
        """As the argument of its workflow."""
        return asdict(self)


def read_operation(workflow: str) -> str:
    """The operation in the name of a turn's workflow, or the commit that a background job follows."""
    parts = workflow.split("/")
    return parts[-1] if len(parts) == 1 or parts[-2] == AFTER else parts[-2]


Job = TypeVar("Job", TurnJob, BackgroundJob)


def read_job(kind: type[Job], raw: Mapping[str, Json]) -> Job:
    """Read the argument of a workflow; members that this version does not know are ignored."""
    return kind(**{part.name: cast(Any, raw[part.name]) for part in fields(kind)})


def write_outcome(outcome: Outcome) -> dict[str, Json]:
    """The result of a turn's workflow as JSON. The commit itself is in the record."""
    match outcome:
        case Committed(commit, repeated):
            return {"kind": "committed", "commit": commit.id, "repeated": repeated}
        case Unspent(reason, detail):
            return {"kind": "unspent", "reason": reason.value, "detail": detail}
        case Degraded(reason, detail, trouble):
            return {"kind": "degraded", "reason": reason.value, "detail": detail, "trouble": trouble}
        case Failed(reason, detail, head):
            return {"kind": "failed", "reason": reason.value, "detail": detail, "head": head}
        case _:
            assert_never(outcome)


async def read_outcome(raw: Json, book: CampaignBook) -> Outcome:
    """Read the result of a turn's workflow; its commit comes from the record."""
    made = cast(Mapping[str, Json], raw)
    if made["kind"] == "committed":
        return Committed(await book.read(str(made["commit"])), bool(made["repeated"]))
    reason, detail = OutcomeReason(str(made["reason"])), str(made["detail"])
    match made["kind"]:
        case "unspent":
            return Unspent(reason, detail)
        case "degraded":
            return Degraded(reason, detail, str(made["trouble"]))
        case _:
            return Failed(reason, detail, str(made["head"]))
