"""The runner of the ability probe: connects a configured model with the probe of its server.

The code that talks to servers is loaded on first use. Nothing is saved here.
"""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol

from talewright.config.api_keys import ApiKey
from talewright.config.model_settings import ModelSettings
from talewright.llm.measured_abilities import MeasuredAbilities

NONCE_BYTES = 8
"""Random bytes that make a prompt new to every server."""


class RunningProbe(Protocol):
    """A probe whose questions can be skipped."""

    def skip(self) -> None:
        """Continue with the next question."""

    async def run(self) -> MeasuredAbilities:
        """Ask all questions; return what was found."""


async def probe_abilities(
    model: ModelSettings,
    key: ApiKey | None,
    progress: Callable[[str, int, int], None],
    begin: Callable[[RunningProbe], None] = lambda probe: None,
) -> MeasuredAbilities:
    """Ask the server of a model what it can do, in at most a minute.

    `progress` is called with the name of each question, its number and how many there are; `begin` gets the
    probe, to skip questions.
    """
    from talewright.providers.openai_wire.probe_connection import ProbeConnection
    from talewright.providers.openai_wire.server_probe import AbilityProbe

    connection = ProbeConnection(model.base_url, "" if key is None else key.reveal())
    try:
        nonce, today = os.urandom(NONCE_BYTES).hex(), datetime.now(UTC).date().isoformat()
        probe = AbilityProbe(connection, model.model, nonce, date=today, progress=progress)
        begin(probe)
        return await probe.run()
    finally:
        await connection.close()
