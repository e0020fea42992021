"""Model fit: limits follow from context and measured speeds, and only from those."""

import json
from dataclasses import replace

import pytest

from talewright.llm.model_fit import (
    ANSWER_SECONDS,
    FIRST_TOKEN_SECONDS,
    PROMPT_TOKENS_MIN,
    TURN_SECONDS,
    describe_fit,
    fit_timeouts,
    fit_to_speed,
)
from talewright.llm.profiles import Profile, read_profile, write_profile

UNKNOWN = Profile("some model", context_tokens=8_192)
SLOW = replace(UNKNOWN, read_tokens_per_second=40.0, write_tokens_per_second=14.0, takes_grammar=True)
FAST = replace(UNKNOWN, read_tokens_per_second=2_000.0, write_tokens_per_second=80.0)


def test_a_model_that_was_not_measured_keeps_its_profile() -> None:
    assert fit_to_speed(UNKNOWN) == UNKNOWN
    assert fit_timeouts(UNKNOWN) is None
    assert describe_fit(UNKNOWN) == ()


def test_a_fast_model_keeps_its_profile() -> None:
    assert fit_to_speed(FAST) == FAST
    assert fit_timeouts(fit_to_speed(FAST)) is None


def test_a_slow_model_gets_short_prompts_and_answers() -> None:
    fitted = fit_to_speed(SLOW)
    assert fitted.short_prompts
    assert fitted.prompt_tokens_max == PROMPT_TOKENS_MIN
    assert fitted.output_tokens_max <= 14.0 * ANSWER_SECONDS
    assert fitted.list_items_max == 1
    assert fitted.string_length_max <= 400
    assert json.loads(fitted.extra)["repeat_penalty"] == 1.1


@pytest.mark.parametrize("read", [5.0, 30.0, 60.0, 150.0, 400.0, 5_000.0])
@pytest.mark.parametrize("write", [2.0, 11.0, 20.0, 60.0])
@pytest.mark.parametrize("context", [2_048, 4_096, 8_192, 131_072])
def test_prompts_and_answers_keep_to_the_time_where_that_is_possible(
    read: float, write: float, context: int
) -> None:
    measured = replace(
        UNKNOWN, read_tokens_per_second=read, write_tokens_per_second=write, context_tokens=context
    )
    fitted = fit_to_speed(measured)
    prompt = fitted.prompt_tokens_max or context
    assert prompt <= max(read * FIRST_TOKEN_SECONDS, PROMPT_TOKENS_MIN)
    assert fitted.output_tokens_max <= max(write * ANSWER_SECONDS, 240)
    assert fit_to_speed(fitted) == fitted
    assert read_profile(write_profile(fitted)).prompt_tokens_max == fitted.prompt_tokens_max


def test_a_model_with_a_small_context_gets_short_prompts_however_fast_it_is() -> None:
    assert fit_to_speed(replace(FAST, context_tokens=4_096)).short_prompts


def test_what_the_player_wrote_about_sampling_counts_more() -> None:
    fitted = fit_to_speed(replace(SLOW, extra='{"repeat_penalty": 1.0, "seed": 3}'))
    assert json.loads(fitted.extra)["repeat_penalty"] == 1.0
    assert json.loads(fitted.extra)["seed"] == 3


def test_other_servers_get_no_sampling_of_llama_cpp() -> None:
    assert fit_to_speed(replace(SLOW, takes_grammar=False)).extra == "{}"


def test_the_wait_follows_the_speed() -> None:
    waits = fit_timeouts(fit_to_speed(SLOW))
    slower = fit_timeouts(fit_to_speed(replace(SLOW, read_tokens_per_second=10.0)))
    assert waits is not None
    assert slower is not None
    assert waits.turn_seconds == TURN_SECONDS < slower.turn_seconds
    assert waits.first_token_seconds < waits.total_seconds < slower.total_seconds


def test_what_was_decided_is_said_with_its_reason() -> None:
    told = " ".join(describe_fit(fit_to_speed(SLOW)))
    assert "reads 40 a second" in told
    assert "writes 14 a second" in told
    assert "short form" in told
    assert "a grammar limits answers" in told
    assert describe_fit(replace(FAST, prompt_tokens_max=3_000))[1].startswith("prompts have at most 3000")
    assert describe_fit(Profile("recorded", short_prompts=True, prompt_tokens_max=900)) != ()
