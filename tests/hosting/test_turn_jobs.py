"""Turn jobs: what a workflow is given and what comes of it survive the way through the database."""

import asyncio
import json

import pytest

from talewright.chronicle.records import MAIN
from talewright.chronicle.store import Founding
from talewright.hosting.turn_jobs import BackgroundJob, TurnJob, read_job, read_outcome, write_outcome
from talewright.stores.memory_store import MemoryStore
from talewright.turn.turn_outcomes import Committed, Degraded, Failed, Outcome, OutcomeReason, Unspent
from tests.stores.sessions import make_root


@pytest.mark.parametrize(
    "outcome",
    [
        Unspent(OutcomeReason.TOO_LONG, "1,200 characters"),
        Degraded(OutcomeReason.UNTOLD, "three attempts", "unreachable"),
        Failed(OutcomeReason.MOVED, "another node", "0f3a"),
    ],
)
def test_an_outcome_comes_back_as_it_was(outcome: Outcome) -> None:
    async def run() -> None:
        book = await MemoryStore().found(Founding("harbor", make_root("harbor"), b"secret"))
        assert await read_outcome(json.loads(json.dumps(write_outcome(outcome))), book) == outcome

    asyncio.run(run())


@pytest.mark.parametrize("repeated", [False, True])
def test_a_commit_comes_from_the_record(repeated: bool) -> None:
    async def run() -> None:
        root = make_root("harbor")
        book = await MemoryStore().found(Founding("harbor", root, b"secret"))
        stored = write_outcome(Committed(root, repeated))
        assert len(json.dumps(stored)) < 100
        assert await read_outcome(stored, book) == Committed(root, repeated)

    asyncio.run(run())


def test_a_job_is_read_by_later_versions_too() -> None:
    turn = TurnJob("ann", "harbor", "op-1", "0f3a5c7e9b1d24680", 2, "en")
    assert read_job(TurnJob, {**turn.to_json(), "added": 1}) == turn
    background = BackgroundJob("ann", "harbor", MAIN, "0f3a", "en")
    assert read_job(BackgroundJob, {**background.to_json(), "added": 1}) == background
    assert (turn.place, turn.workflow) == ("ann/harbor", "ann/harbor/0f3a5c7e9b1d/op-1/2")
    assert (background.place, background.workflow) == ("ann/harbor", "ann/harbor/after/0f3a")
