"""Tellers: the small model as a storyteller, held to a schema, held to a grammar, or left to itself.

It is the adapter that every player has; only the numbers that fit so small a model are set here.
"""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TypeAlias

from talewright.llm.known_models import find_profile
from talewright.llm.profiles import AnswerMode, Profile
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request
from talewright.providers.openai_wire.openai_provider import OpenAICompatible
from talewright.providers.reply_timeouts import ProviderTimeouts
from tests.models.server_process import MODEL
from tests.models.watching import Watched

OUTPUT_TOKENS = 900
"""What an answer may have: as much as the game wishes for."""

STRING_LENGTH_MAX = 120
LIST_ITEMS_MAX = 1
"""Characters of every text and elements of every list that are asked for: with three characters a token, an
answer that fills them all still ends. A list of choices has three, since no fewer are allowed."""

FREE_OUTPUT_TOKENS = 60
"""What an answer may have that is held to nothing: it hardly ever ends by itself."""

SPELLED_OUTPUT_TOKENS = 400
"""What an answer may have that a grammar brings to its end."""

PATIENT = ProviderTimeouts(first_token_seconds=600.0, between_chunks_seconds=300.0, total_seconds=1_200.0)
"""Limits for a busy machine."""

SAMPLING: dict[str, object] = {"seed": 11}
"""The same question gets the same answer, as far as the processor allows."""

HELD = replace(
    find_profile(MODEL, service="llama_cpp"),
    output_tokens_max=OUTPUT_TOKENS,
    string_length_max=STRING_LENGTH_MAX,
    list_items_max=LIST_ITEMS_MAX,
    extra=json.dumps(SAMPLING),
)
"""The model, held to the schema of an answer."""

FREE = replace(HELD, answer_mode=AnswerMode.FREE, output_tokens_max=FREE_OUTPUT_TOKENS)
"""The model, told of the form of an answer in words alone."""

SPELLED = replace(FREE, output_tokens_max=SPELLED_OUTPUT_TOKENS)
"""The model, where it is held to a grammar, which comes to its end."""

CALLING = replace(SPELLED, extra=json.dumps(SAMPLING | {"logit_bias": [["<", 3.0]]}))
"""The model, with a liking for the sign that a call begins with: by itself it has hardly any."""

Spell: TypeAlias = Callable[[Request], str]
"""The grammar that the answer to a request is held to, in the notation of llama.cpp."""


def make_adapter(url: str, profile: Profile, key: str = "") -> OpenAICompatible:
    """The adapter that every player has, with the patience of a test."""
    return OpenAICompatible(MODEL, url, key, profile=profile, timeouts=PATIENT)


@dataclass(frozen=True, slots=True)
class Spelled:
    """The model, held to a grammar of its own for every request."""

    url: str
    spell: Spell
    profile: Profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask under the grammar of this request."""
        extra = json.loads(self.profile.extra) | {"grammar": self.spell(request)}
        # The server takes no grammar beside tools: those bring one themselves.
        profile = replace(self.profile, takes_tools=False, extra=json.dumps(extra))
        adapter = make_adapter(self.url, profile)
        try:
            async with aclosing(adapter.stream(request)) as stream:
                async for chunk in stream:
                    yield chunk
        finally:
            await adapter.close()

    async def close(self) -> None:
        """Nothing is kept between two requests."""


def make_teller(url: str, profile: Profile = HELD, spell: Spell | None = None) -> Watched:
    """The model as a provider that is watched."""
    return Watched(make_adapter(url, profile) if spell is None else Spelled(url, spell, profile))
