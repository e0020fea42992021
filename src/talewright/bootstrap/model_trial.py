"""Model trial: tests a model with one real question, and finds servers on this machine.

Timeouts are short, and nothing is saved.
"""

import asyncio
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Protocol, cast

from talewright.bootstrap.provider_factory import make_openai, make_provider
from talewright.common.frozen_values import frozen
from talewright.config.api_keys import ApiKey
from talewright.config.model_settings import ModelSettings, TimeoutSettings, known_services, model_of_service
from talewright.errors import TalewrightError
from talewright.llm.cost_meter import cost_by_profile
from talewright.llm.provider import Provider
from talewright.llm.reply_chunks import Chunk, gather
from talewright.llm.requests import Request, SystemMessage, UserMessage
from talewright.llm.token_estimate import estimate_usage

CONNECT_SECONDS = 1.0
"""Timeout to connect to a server on this machine."""

LIST_SECONDS = 3.0
"""Timeout for a server to list its models."""

TRIAL_TOKENS_MAX = 64
"""Maximum tokens of the reply to the test question: a reasoning model needs some."""

TRIAL_SECONDS = 60.0
"""Timeout for the reply; a local server may have to load the model first."""

QUESTION = Request(
    (SystemMessage("You answer with one word."), UserMessage("Are you ready? Answer: ready.")),
    max_output_tokens=TRIAL_TOKENS_MAX,
)


class ModelLister(Protocol):
    """A provider that can list its models."""

    async def list_models(self) -> tuple[str, ...]:
        """The names of its models."""


@frozen
class ServerProbe:
    """The result of probing a server."""

    name: str
    title: str
    base_url: str
    models: tuple[str, ...] = ()
    trouble: str = ""
    """Why it did not respond; empty if it did."""

    hint: str = ""


@frozen
class ModelTrial:
    """A model's reply to the test question."""

    text: str
    input_tokens: int
    output_tokens: int
    seconds: float
    dollars: float | None = None


def local_servers() -> tuple[ModelSettings, ...]:
    """The usual addresses of model servers on this machine, without a model."""
    return tuple(model_of_service(one, "", one.name) for one in known_services() if one.is_local)


async def probe_servers(
    servers: Sequence[ModelSettings], progress: Callable[[int, int], None]
) -> tuple[ServerProbe, ...]:
    """Probe several servers concurrently; `progress` is called with the number done and the total."""
    done = 0

    async def knock(server: ModelSettings) -> ServerProbe:
        nonlocal done
        found = await probe(server, None)
        done += 1
        progress(done, len(servers))
        return found

    return tuple(await asyncio.gather(*(knock(server) for server in servers)))


async def probe(model: ModelSettings, key: ApiKey | None) -> ServerProbe:
    """Ask a server for its models. Only the OpenAI protocol allows that for free."""
    titles = {one.name: one.title for one in known_services()}
    found = ServerProbe(model.name, titles.get(model.service, model.name), model.base_url)
    shown = "" if key is None else key.reveal()
    try:
        provider = make_openai(
            model, shown, TimeoutSettings(), connect_seconds=CONNECT_SECONDS, list_seconds=LIST_SECONDS
        )
        try:
            models = await cast(ModelLister, provider).list_models()
        finally:
            await provider.close()
    except TalewrightError as error:
        return ServerProbe(found.name, found.title, found.base_url, (), error.message, error.hint)
    return ServerProbe(found.name, found.title, found.base_url, models)


async def try_model(model: ModelSettings, key: ApiKey | None) -> ModelTrial:
    """Ask a model one short question. Raises TalewrightError with what went wrong and what to do."""
    provider = make_provider(
        model, key, TimeoutSettings(total_seconds=TRIAL_SECONDS, first_token_seconds=TRIAL_SECONDS)
    )
    try:
        return await _try(provider)
    finally:
        await provider.close()


async def _try(provider: Provider) -> ModelTrial:
    start = perf_counter()
    chunks: list[Chunk] = [chunk async for chunk in provider.stream(QUESTION)]
    reply = gather(chunks)
    usage = reply.usage or estimate_usage(QUESTION, reply)
    return ModelTrial(
        " ".join(reply.text.split()),
        usage.input_tokens,
        usage.output_tokens,
        perf_counter() - start,
        cost_by_profile(usage, provider.profile),
    )
