"""Stored results: every form of a step that was ever stored is read, and errors keep their types.

`kept_steps` holds one turn and the work after it in each form, as DBOS stored their steps. For a new form,
add a file with what `list_steps` returns then.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from talewright.chronicle.records import MAIN
from talewright.chronicle.store import (
    DamagedError,
    HeadMovedError,
    StorageFullError,
    StoreAwayError,
    UnsavedError,
)
from talewright.common.json_values import Json
from talewright.common.work_meter import TooMuchWorkError
from talewright.errors import TalewrightError
from talewright.hosting.durable_runner import ExecutionLostError, RecordedSteps
from talewright.hosting.recovery.stored_results import (
    FORM,
    UnknownFormError,
    find_value,
    read_result,
    write_error,
    write_value,
)
from talewright.hosting.sealed_steps import SealedSteps
from talewright.stores.postgres.connection_retry import LostWriteError
from talewright.turn.background.asides import condense
from talewright.turn.inputs.player_inputs import Opening, Say
from talewright.turn.records.turn_attempts import describe_failure
from talewright.turn.turn_outcomes import Committed, OutcomeReason
from tests.hosting.test_durable_runner import KEY, FakeWorkflow, ran
from tests.stores.postgres.stores import KEYS
from tests.turn.making import Bench, bridge, lay_bench

KEPT = Path(__file__).parent / "kept_steps"
WORKFLOW = "owner/bridge/0123456789ab/said/0"
TURN_STEPS = 3
"""The beginning, one request and the commit."""


async def lay_opened() -> Bench:
    """A campaign before the turn that is kept."""
    bench = await lay_bench(bridge(), ["He waits."])
    await bench.commit(Opening(), "opening")
    return bench.told_by("It is late.", '"it leaks"')


async def list_steps() -> RecordedSteps:
    """The steps of a turn and of the work after it, as they are stored now."""
    workflow, bench = FakeWorkflow(), await lay_opened()
    bench = bench.with_road(runner=workflow.runner())
    assert isinstance(await bench.take(Say("I wait."), "said"), Committed)
    assert await condense(bench.road, MAIN) == 1
    return workflow.steps


def read_kept(form: int) -> RecordedSteps:
    steps = json.loads((KEPT / f"form_{form}.json").read_text(encoding="utf-8"))
    return [(step["name"], step["stored"]) for step in steps["steps"]]


def find_shape(value: Any) -> Any:
    """The members and types of a value, without what they hold."""
    if isinstance(value, dict):
        return {name: find_shape(one) for name, one in value.items()}
    if isinstance(value, list):
        return [find_shape(one) for one in value]
    return (
        "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__
    )


def test_what_is_stored_now_has_the_newest_kept_form() -> None:
    steps = asyncio.run(list_steps())
    assert find_shape([list(step) for step in steps]) == find_shape([list(step) for step in read_kept(FORM)])
    assert [name.rpartition("/")[2] for name, _ in steps] == [
        name.rpartition("/")[2] for name, _ in read_kept(FORM)
    ]


@pytest.mark.parametrize("form", range(FORM + 1))
def test_a_turn_continues_from_the_steps_of_every_form(form: int) -> None:
    async def run() -> None:
        workflow, bench = FakeWorkflow(read_kept(form)[: TURN_STEPS - 1]), await lay_opened()
        bench = bench.with_road(runner=workflow.runner())
        beginning: Any = find_value(workflow.steps[0][1])
        # The game of this test may change; the form does not.
        beginning["edition"] = (await bench.head()).game_digest
        outcome = await bench.take(Say("I wait."), "said")
        assert isinstance(outcome, Committed)
        assert outcome.commit.id == beginning["commit_id"]
        assert not bench.provider.requests
        assert len(workflow.steps) == TURN_STEPS

    asyncio.run(run())


@pytest.mark.parametrize("form", range(FORM + 1))
def test_sealed_steps_of_every_form_open(form: int) -> None:
    kept = json.loads((KEPT / f"form_{form}.json").read_text(encoding="utf-8"))

    async def read(workflow: str) -> RecordedSteps:
        return [(kept["sealed"]["name"], kept["sealed"]["stored"])]

    async def run() -> None:
        ((_, opened),) = await SealedSteps(WORKFLOW, read, KEYS.seal_for(b"")).read(WORKFLOW)
        assert opened == kept["steps"][0]["stored"]

    asyncio.run(run())


def test_every_kept_form_of_an_error_is_read() -> None:
    with pytest.raises(HeadMovedError) as moved:
        read_result({"moved": "head"})
    assert moved.value.head == "head"
    with pytest.raises(TalewrightError, match="KeyError: 'thing'"):
        read_result({"failed": "KeyError: 'thing'"})
    kept: Json = {
        "form": 1,
        "error": {
            "type": "DamagedError",
            "message": "the record is damaged",
            "details": {"message": "the record is damaged", "hint": "Restore it."},
        },
    }
    with pytest.raises(DamagedError) as damaged:
        read_result(kept)
    assert (str(damaged.value), damaged.value.hint) == ("the record is damaged", "Restore it.")
    assert write_error(damaged.value) == kept


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (HeadMovedError("head"), OutcomeReason.MOVED),
        (DamagedError("damaged", "Restore it."), OutcomeReason.READ_ONLY),
        (TooMuchWorkError(7), OutcomeReason.TOO_MUCH_WORK),
        (UnsavedError("the campaign was removed"), OutcomeReason.UNSAVED),
        (StorageFullError("full", "Ask."), OutcomeReason.UNSAVED),
        (TalewrightError("odd", "Look."), OutcomeReason.ERROR),
        (KeyError("thing"), OutcomeReason.ERROR),
    ],
)
def test_a_stored_error_keeps_its_type(error: Exception, reason: OutcomeReason) -> None:
    async def fail() -> Json:
        raise error

    async def run() -> None:
        workflow = FakeWorkflow()
        with pytest.raises(type(error)):
            await workflow.runner().run(KEY, "commit", fail)
        workflow.steps = json.loads(json.dumps(workflow.steps))
        with pytest.raises(TalewrightError) as found:
            await workflow.runner().run(KEY, "commit", fail)
        again = found.value
        assert describe_failure(again) == describe_failure(error)
        assert describe_failure(again)[0].reason is reason
        if isinstance(error, TalewrightError):
            assert type(again) is type(error)
            assert vars(again) == vars(error)
            assert str(again) == str(error)

    asyncio.run(run())


@pytest.mark.parametrize(
    "error",
    [
        StoreAwayError("away"),
        LostWriteError(),
        OSError(28, "no space left"),
        TimeoutError(),
        ConnectionError(),
    ],
)
def test_a_transient_failure_is_no_result(error: Exception) -> None:
    async def fail() -> Json:
        raise error

    async def succeed() -> Json:
        return "told"

    async def run() -> None:
        workflow = FakeWorkflow()
        with pytest.raises(ExecutionLostError) as lost:
            await workflow.runner().run(KEY, "ask 1", fail)
        assert lost.value.__cause__ is error
        assert not workflow.steps
        assert await workflow.runner().run(KEY, "ask 1", succeed) == "told"

    asyncio.run(run())


def test_a_step_of_a_newer_program_is_left_to_it() -> None:
    newer: Json = {**write_value("told"), "form": FORM + 1}
    with pytest.raises(UnknownFormError):
        read_result(newer)
    assert find_value(newer) is None

    async def run() -> None:
        with pytest.raises(ExecutionLostError):
            await FakeWorkflow([("operation/ask 1", newer)]).runner().run(KEY, "ask 1", ran(1, []))

    asyncio.run(run())
