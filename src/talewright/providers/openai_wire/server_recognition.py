"""Server recognition: which program answers at an address, and how large a context it has allocated.

A server is recognised by its own pages, never by its port. Only the context that the server has allocated
counts, not what the model could use.
"""

import asyncio
import re
from collections.abc import Iterator, Mapping

from talewright.common.frozen_values import frozen
from talewright.llm.known_models import KOBOLD_CPP, LLAMA_CPP, LM_STUDIO, OLLAMA, VLLM
from talewright.llm.measured_abilities import CONTEXT_TOKENS_MAX, CONTEXT_TOKENS_MIN
from talewright.providers.openai_wire.probe_connection import ProbeConnection, ProbePage, as_fields

MODEL_LIST = "/v1/models"
LLAMA_CPP_PAGE = "/props"
OLLAMA_PAGE = "/api/version"
LM_STUDIO_PAGE = "/api/v1/models"
LM_STUDIO_OLD_PAGE = "/api/v0/models"
KOBOLD_CPP_PAGE = "/api/extra/version"
PAGES = (MODEL_LIST, LLAMA_CPP_PAGE, OLLAMA_PAGE, LM_STUDIO_PAGE, LM_STUDIO_OLD_PAGE, KOBOLD_CPP_PAGE)

KOBOLD_CPP_CONTEXT = "/api/extra/true_max_context_length"
OLLAMA_LOADED = "/api/ps"
OLLAMA_SHOW = "/api/show"

OWNERS: Mapping[str, str] = {
    "llamacpp": LLAMA_CPP.name,
    "vllm": VLLM.name,
    "koboldcpp": KOBOLD_CPP.name,
    "library": OLLAMA.name,
    "organization_owner": LM_STUDIO.name,
}
"""The owner named in the list of models, by server."""

_OLLAMA_CONTEXT = re.compile(r"^\s*num_ctx\s+([0-9]{1,9})\s*$", re.MULTILINE)


@frozen
class RecognisedServer:
    """The program at an address, with the pages by which it was recognised."""

    kind: str
    """The name of a service; empty if it is unknown."""

    pages: Mapping[str, ProbePage]


async def recognise_server(connection: ProbeConnection, seconds: float) -> RecognisedServer:
    """Find out which program answers."""
    found = await asyncio.gather(*(connection.look_up(path, seconds) for path in PAGES))
    pages = dict(zip(PAGES, found, strict=True))
    return RecognisedServer(_name_kind(pages), pages)


def _name_kind(pages: Mapping[str, ProbePage]) -> str:
    """The program; the order matters, since some imitate the pages of others."""
    owners = {str(row.get("owned_by", "")) for row in _list_rows(pages[MODEL_LIST].body, "data")}
    owner = next((kind for name, kind in OWNERS.items() if name in owners), "")
    if as_fields(pages[KOBOLD_CPP_PAGE].body).get("result") == "KoboldCpp":
        return KOBOLD_CPP.name
    if any(page.server == "llama.cpp" for page in pages.values()) or owner in (LLAMA_CPP.name, VLLM.name):
        return owner if owner == VLLM.name else LLAMA_CPP.name
    if "default_generation_settings" in as_fields(pages[LLAMA_CPP_PAGE].body):
        return LLAMA_CPP.name
    studio = _list_rows(pages[LM_STUDIO_PAGE].body, "models")
    older = _list_rows(pages[LM_STUDIO_OLD_PAGE].body, "data")
    if any("loaded_instances" in row for row in studio) or any("max_context_length" in row for row in older):
        return LM_STUDIO.name
    if isinstance(as_fields(pages[OLLAMA_PAGE].body).get("version"), str):
        return OLLAMA.name
    return owner


async def find_context(
    connection: ProbeConnection, server: RecognisedServer, model: str, seconds: float
) -> int | None:
    """The context that the server has allocated for a model; None if it gives no credible number."""
    pages = server.pages
    if server.kind == OLLAMA.name:
        return await _find_ollama_context(connection, model, seconds)
    claims = list(_read_model_list(pages[MODEL_LIST].body, model))
    if server.kind == LLAMA_CPP.name:
        # Fetched again: a router of several models gives it only for the loaded one.
        page = await connection.look_up(LLAMA_CPP_PAGE, seconds)
        claims.append(as_fields(as_fields(page.body).get("default_generation_settings")).get("n_ctx"))
    elif server.kind == KOBOLD_CPP.name:
        page = await connection.look_up(KOBOLD_CPP_CONTEXT, seconds)
        claims.append(as_fields(page.body).get("value"))
    elif server.kind == LM_STUDIO.name:
        page = await connection.look_up(LM_STUDIO_PAGE, seconds)
        older = await connection.look_up(LM_STUDIO_OLD_PAGE, seconds)
        claims += [*_read_studio(page.body, model), *_read_old_studio(older.body, model)]
    return _choose(claims)


async def _find_ollama_context(connection: ProbeConnection, model: str, seconds: float) -> int | None:
    loaded = await connection.look_up(OLLAMA_LOADED, seconds)
    for row in _list_rows(loaded.body, "models"):
        if _is_same(model, row.get("name"), row.get("model")) and row.get("context_length"):
            return _choose([row["context_length"]])
    # Older versions do not say what is allocated; they always obey a model's own parameter.
    shown = await connection.look_up(OLLAMA_SHOW, seconds, {"model": model})
    found = _OLLAMA_CONTEXT.search(str(as_fields(shown.body).get("parameters") or ""))
    return _choose([int(found[1])] if found else [])


def _read_model_list(body: object, model: str) -> Iterator[object]:
    """What the list of models says: vLLM, and recent versions of llama.cpp."""
    rows = _list_rows(body, "data")
    for row in rows:
        if len(rows) == 1 or row.get("id") == model:
            yield row.get("max_model_len")
            yield as_fields(row.get("meta")).get("n_ctx")


def _read_studio(body: object, model: str) -> Iterator[object]:
    for row in _list_rows(body, "models"):
        for instance in _list_rows(row, "loaded_instances"):
            if model in (row.get("key"), row.get("id"), instance.get("id")):
                yield as_fields(instance.get("config")).get("context_length")


def _read_old_studio(body: object, model: str) -> Iterator[object]:
    for row in _list_rows(body, "data"):
        if row.get("id") == model:
            yield row.get("loaded_context_length")


def _choose(claims: list[object]) -> int | None:
    """The smallest credible claim. A server that also claims nonsense is not believed at all."""
    numbers = [claim for claim in claims if claim is not None]
    sound = [
        number
        for number in numbers
        if isinstance(number, int)
        and not isinstance(number, bool)
        and CONTEXT_TOKENS_MIN <= number <= CONTEXT_TOKENS_MAX
    ]
    return min(sound) if sound and len(sound) == len(numbers) else None


def _is_same(model: str, *names: object) -> bool:
    return any(name in (model, f"{model}:latest") for name in names)


def _list_rows(body: object, name: str) -> list[Mapping[str, object]]:
    rows = as_fields(body).get(name)
    return [as_fields(row) for row in rows] if isinstance(rows, list) else []
