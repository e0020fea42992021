"""Measured abilities: how they are written, and what they change in a profile."""

import pytest

from talewright.llm.known_models import CAREFUL, LLAMA_CPP
from talewright.llm.measured_abilities import (
    ABILITY_FIELDS,
    MeasuredAbilities,
    apply_abilities,
)
from talewright.llm.profiles import AnswerMode, CacheKind, SchemaForm

FULL = MeasuredAbilities(
    "2026-11-16",
    "llama_cpp",
    AnswerMode.SCHEMA,
    SchemaForm.JSON_OBJECT,
    takes_grammar=True,
    takes_tools=False,
    context_tokens=4_096,
    asks_usage=False,
    keeps_prefix=True,
    reports_progress=True,
    read_tokens_per_second=45.5,
    write_tokens_per_second=17.0,
)
EMPTY = MeasuredAbilities("2026-11-16")


def test_only_answers_are_written() -> None:
    assert EMPTY.to_settings() == {"date": "2026-11-16"}
    assert EMPTY.found_nothing
    assert not FULL.found_nothing
    assert list(FULL.to_settings()) == list(ABILITY_FIELDS)
    assert {type(value) for value in FULL.to_settings().values()} == {str, bool, int, float}


def test_they_count_more_than_a_row() -> None:
    found = apply_abilities(CAREFUL, FULL)
    assert found.answer_mode is AnswerMode.SCHEMA
    assert found.schema_form is SchemaForm.JSON_OBJECT
    assert (found.takes_grammar, found.takes_tools, found.asks_usage) == (True, False, False)
    assert (found.context_tokens, found.reports_progress) == (4_096, True)
    assert (found.read_tokens_per_second, found.write_tokens_per_second) == (45.5, 17.0)
    assert found.cache.kind is CacheKind.AUTOMATIC


def test_what_was_not_measured_stays() -> None:
    assert apply_abilities(LLAMA_CPP.default, EMPTY) == LLAMA_CPP.default


@pytest.mark.parametrize(("keeps", "kind"), [(True, CacheKind.AUTOMATIC), (False, CacheKind.NONE)])
def test_a_measured_cache(keeps: bool, kind: CacheKind) -> None:
    found = apply_abilities(LLAMA_CPP.default, MeasuredAbilities("2026-11-16", keeps_prefix=keeps))
    assert found.cache.kind is kind
