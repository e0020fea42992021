"""The probe of a real server with a real model: what it can do, found at an address that nobody knows."""

import asyncio
import os
from dataclasses import replace
from time import monotonic

import pytest

from talewright.bootstrap.ability_probe_runner import probe_abilities
from talewright.config.model_settings import ModelSettings
from talewright.llm.profiles import FREE, AnswerMode, CacheKind, SchemaForm
from tests.models.server_process import MODEL
from tests.models.serving import CONTEXT_TOKENS

pytestmark = pytest.mark.timeout(900)
LIMIT_SECONDS = 60.0


def test_a_real_server_is_recognised_and_measured(model_url: str) -> None:
    model = ModelSettings(name="home", model=MODEL, base_url=model_url)
    assert model.profile.answer_mode is AnswerMode.FREE
    start = monotonic()
    found = asyncio.run(probe_abilities(model, None, lambda question, number, of: None))
    seconds = monotonic() - start
    print(f"{seconds:.1f} s at a load of {os.getloadavg()[0]:.1f}: {found}")
    assert seconds <= LIMIT_SECONDS
    assert found.server == "llama_cpp"
    assert (found.answer_mode, found.schema_form) == (AnswerMode.SCHEMA, SchemaForm.JSON_SCHEMA)
    assert (found.context_tokens, found.asks_usage) == (CONTEXT_TOKENS, True)
    profile = replace(model, measured=found).profile
    assert profile.answer_mode is AnswerMode.SCHEMA
    assert (profile.prices, profile.cache.kind) == (FREE, CacheKind.AUTOMATIC)
