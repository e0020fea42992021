"""The remote ModelChooser: the models of a server, for the holder of its owner's token.

The models and their keys are the server's; nothing is set up on this machine.
"""

import asyncio
from collections.abc import Callable
from dataclasses import field
from typing import TypeVar

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.play.model_choices import ModelCandidate, ModelChoice, ModelSource, ModelTrialView, TrialView
from talewright.play.wire.view_codec import Sendable, WireError, to_wire
from talewright.remote.campaign_requests import quote_segment, read_many, read_one
from talewright.remote.server_connection import ServerAnswer, ServerConnection, ServerRequest

T = TypeVar("T", bound=Sendable)

LOOK_SECONDS = 0.5
"""How long to wait before checking a server's progress again."""

TRIAL_SECONDS = 120.0
"""How long a model may take to answer a test question."""


@frozen
class RemoteModels:
    """A ModelChooser over HTTP."""

    connection: ServerConnection
    look_seconds: float = LOOK_SECONDS
    skips: list[bool] = field(default_factory=list, compare=False, repr=False)
    """Not empty if the current question is to be skipped."""

    def in_language(self, language: str) -> "RemoteModels":
        """The same: the server answers in its own language."""
        return self

    async def choices(self) -> tuple[ModelChoice, ...]:
        """The models that are set up."""
        return await self._list(ModelChoice, "/models")

    async def chosen(self, campaign: str = "", game: str = "") -> str:
        """The model of a campaign; without a campaign, the default."""
        query = {name: value for name, value in (("campaign", campaign), ("game", game)) if value}
        return _text((await self._send("GET", "/models/chosen", query)).read(), "name")

    async def choose(self, name: str, campaign: str = "") -> None:
        """Use a model for a campaign when it is next opened; without a campaign, by default."""
        body: dict[str, Json] = {"name": name, **({"campaign": campaign} if campaign else {})}
        await self._send("PUT", "/models/chosen", body=body)

    async def local(self) -> tuple[ModelSource, ...]:
        """The model servers that respond on the server's machine."""
        return await self._list(ModelSource, "/models/local")

    async def services(self) -> tuple[ModelSource, ...]:
        """The known services, each with some models."""
        return await self._list(ModelSource, "/models/services")

    async def at_address(self, base_url: str) -> ModelSource:
        """The model server at an address, as the server sees it."""
        return read_one(ModelSource, await self._send("GET", "/models/address", {"base_url": base_url}))

    async def test(self, candidate: ModelCandidate) -> TrialView:
        """Ask it one short question; nothing is saved."""
        return read_one(TrialView, await self._try("/models/test", candidate))

    async def find_abilities(
        self, candidate: ModelCandidate, progress: Callable[[str, int, int], None]
    ) -> str:
        """Let the server ask, and check its progress from time to time; an older server asks nothing."""
        self.skips.clear()
        try:
            view = read_one(ModelTrialView, await self._try("/models/trials", candidate, {"ask": "false"}))
        except TalewrightError:
            return ""
        path = f"/models/trials/{quote_segment(view.id)}"
        try:
            while view.is_running:
                if view.of:
                    progress(view.question, view.number, view.of)
                await asyncio.sleep(self.look_seconds)
                if self.skips:
                    self.skips.clear()
                    await self._send("POST", f"{path}/skip")
                view = read_one(ModelTrialView, await self._send("GET", path))
        except asyncio.CancelledError:
            await self._send("DELETE", path)
            raise
        return view.abilities or view.told

    def skip_question(self) -> None:
        """Make the server continue with its next question."""
        self.skips.append(True)

    async def keep(self, candidate: ModelCandidate) -> str:
        """Save it as the default model of the server; returns what was done, in words."""
        return _text((await self._try("/models/keep", candidate)).read(), "text")

    async def _list(self, kind: type[T], path: str) -> tuple[T, ...]:
        return read_many(kind, await self._send("GET", path))

    async def _try(
        self, path: str, candidate: ModelCandidate, query: dict[str, str] | None = None
    ) -> ServerAnswer:
        request = ServerRequest(
            "POST", path, query or {}, to_wire(candidate), repeatable=False, wait_seconds=TRIAL_SECONDS
        )
        return await self.connection.send(request)

    async def _send(
        self, method: str, path: str, query: dict[str, str] | None = None, body: Json = None
    ) -> ServerAnswer:
        return await self.connection.send(ServerRequest(method, path, query or {}, body))


def _text(raw: Json, name: str) -> str:
    value = raw.get(name) if isinstance(raw, dict) else None
    if not isinstance(value, str):
        raise WireError(f"the server's answer has no {name}")
    return value
