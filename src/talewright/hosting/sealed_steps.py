"""Sealed steps: encrypts the turn data that DBOS stores with the host's keys, like the record itself.

A step contains story text, and a database dump may fall into the wrong hands. Each result is bound to its
step.
"""

import base64
import binascii
import json
import logging
from collections.abc import Mapping
from typing import Any

from talewright.common.json_values import Json
from talewright.hosting.durable_runner import (
    DurableRunner,
    RecordedSteps,
    StepCall,
    StepReader,
    run_dbos_step,
)
from talewright.hosting.plain_json_serializer import PlainJsonSerializer
from talewright.stores.postgres.sealing import CampaignSeal, SealingKeys, UnsealError, read_key_id
from talewright.stores.postgres.upkeep.resealing import BATCH_MAX, ResealReport
from talewright.turn.turn_context import StepWork

SEALED = "sealed"
"""The one member of a sealed result."""

_LOG = logging.getLogger(__name__)

_STEPS = """
select workflow_uuid, function_id, function_name, output from dbos.operation_outputs
where output is not null and (workflow_uuid, function_id) > ($1, $2)
order by workflow_uuid, function_id limit $3
"""
_RESEAL = """
update dbos.operation_outputs set output = $3 where workflow_uuid = $1 and function_id = $2 and output = $4
"""


class SealedSteps:
    """The steps of one workflow; without a seal they are stored unencrypted, for tests."""

    def __init__(
        self, workflow: str, read_steps: StepReader, seal: CampaignSeal | None, call: StepCall = run_dbos_step
    ) -> None:
        self._workflow = workflow
        self._read_steps = read_steps
        self._seal = seal
        self._call = call

    def make_runner(self) -> DurableRunner:
        """The runner of the workflow."""
        return DurableRunner(self._workflow, self.read, self.call)

    async def call(self, name: str, step: StepWork) -> Json:
        """Run a step, or return its stored result."""

        async def work() -> Json:
            return self._close(name, await step())

        return self._open(name, await self._call(name, work))

    async def read(self, workflow: str) -> RecordedSteps:
        """The stored steps, in their order."""
        return [(name, self._open(name, result)) for name, result in await self._read_steps(workflow)]

    async def read_if_possible(self) -> RecordedSteps:
        """The same; none if they cannot be decrypted, such as after a key change."""
        try:
            return await self.read(self._workflow)
        except UnsealError as failure:
            _LOG.warning("the steps of workflow %s cannot be read: %s", self._workflow, failure)
            return []

    def _close(self, name: str, result: Json) -> Json:
        if self._seal is None:
            return result
        text = PlainJsonSerializer().serialize(result)
        sealed = self._seal.seal(text.encode("ascii"), f"{self._workflow}/{name}")
        return {SEALED: base64.b64encode(sealed).decode("ascii")}

    def _open(self, name: str, stored: Json) -> Json:
        """The result of a step. Raises UnsealError if it was altered, or sealed with another key."""
        text = stored.get(SEALED) if isinstance(stored, Mapping) else None
        if self._seal is None or not isinstance(text, str):
            return stored
        opened: Json = json.loads(self._seal.unseal(base64.b64decode(text), f"{self._workflow}/{name}"))
        return opened


async def reseal_steps(connection: Any, keys: SealingKeys) -> ResealReport:
    """Seal every stored step again that another key than the first has sealed."""
    report, last = ResealReport(), ("", -1)
    if not await connection.fetchval("select to_regclass('dbos.operation_outputs') is not null"):
        return report
    while rows := await connection.fetch(_STEPS, *last, BATCH_MAX):
        for row in rows:
            place = f"{row['workflow_uuid']}/{row['function_name']}"
            try:
                text = _reseal(row["output"], place, keys)
            except UnsealError:
                report += ResealReport(0, (f"steps {place}",))
                continue
            if text is not None:
                where = row["workflow_uuid"], row["function_id"]
                await connection.execute(_RESEAL, *where, text, row["output"])
                report += ResealReport(1)
        last = rows[-1]["workflow_uuid"], rows[-1]["function_id"]
    return report


def _reseal(text: str, place: str, keys: SealingKeys) -> str | None:
    """A stored result with another seal; None if it needs none."""
    try:
        stored = json.loads(text)
        sealed = base64.b64decode(stored[SEALED]) if isinstance(stored, dict) and SEALED in stored else b""
    except (ValueError, TypeError, binascii.Error):
        return None
    if not sealed or read_key_id(sealed) == keys.first:
        return None
    seal = keys.seal_for(b"")
    again = base64.b64encode(seal.seal(seal.unseal(sealed, place), place)).decode("ascii")
    return PlainJsonSerializer().serialize({**stored, SEALED: again})
