"""The durable Runner: every step of a turn is a step of a DBOS workflow, and runs once.

A failed step is a result too. A transient failure, of a disk, a database or DBOS itself, is not: it ends this
execution of the workflow without a trace in the record, and another execution continues from the stored
steps.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from dbos import DBOS, error

from talewright.common.json_values import Json
from talewright.hosting.recovery.stored_results import (
    TRANSIENT,
    UnknownFormError,
    read_result,
    write_error,
    write_value,
)
from talewright.turn.turn_context import StepWork, TurnKey

RecordedSteps: TypeAlias = list[tuple[str, Json]]
"""The steps of a workflow in order: name and stored result."""


class ExecutionLostError(BaseException):
    """This execution of a workflow cannot continue: another one has taken over, or the database is gone.

    Its cause says why. Nothing in a turn catches this error, so no failed attempt is recorded.
    """


class StepReader(Protocol):
    """Reads the stored steps of a workflow."""

    def __call__(self, workflow: str) -> Awaitable[RecordedSteps]: ...


StepCall: TypeAlias = Callable[[str, StepWork], Awaitable[Json]]


async def run_dbos_step(name: str, step: StepWork) -> Json:
    """Run a step of the current workflow, or return its stored result."""

    async def work() -> Json:
        return await step()

    return await DBOS.run_step_async({"name": name}, work)


class DurableRunner:
    """Runs the steps of one workflow.

    DBOS identifies steps by their order, which is the same in every execution of a turn. In background work
    it may differ, because questions answered before a crash are not asked again; there, stored steps are
    found by name.
    """

    def __init__(self, workflow: str, read_steps: StepReader, call: StepCall = run_dbos_step) -> None:
        self._workflow = workflow
        self._read_steps = read_steps
        self._call = call
        self._taken = 0
        """How many stored or new steps this execution has passed."""

        self._recorded: dict[str, Json] = {}
        self._lock = asyncio.Lock()

    async def run(self, key: TurnKey, name: str, step: StepWork) -> Json:
        """Run a step of an attempt, or return its stored result."""
        errors: list[Exception] = []

        async def work() -> Json:
            try:
                return write_value(await step())
            except TRANSIENT as failure:
                raise ExecutionLostError(str(failure)) from failure
            except Exception as failure:
                errors.append(failure)
                return write_error(failure)

        place = f"{key.operation}/{name}"
        async with self._lock:
            result = await self._find(place, work)
        if errors:
            raise errors[0]
        try:
            return read_result(result)
        except UnknownFormError as failure:
            raise ExecutionLostError(str(failure)) from failure

    async def _find(self, place: str, work: StepWork) -> Json:
        if place in self._recorded:
            return self._recorded[place]
        try:
            self._taken += 1
            return await self._call(place, work)
        except error.DBOSUnexpectedStepError:
            await self._read_on()
        except Exception as failure:
            raise ExecutionLostError(str(failure)) from failure
        return await self._find(place, work)

    async def _read_on(self) -> None:
        """Skip all stored steps, so that the next one is new."""
        steps = await self._read_steps(self._workflow)
        self._recorded = dict(steps)

        async def refuse() -> Json:
            raise ExecutionLostError("a stored step is gone")

        for name, _ in steps[self._taken :]:
            self._taken += 1
            await self._call(name, refuse)
