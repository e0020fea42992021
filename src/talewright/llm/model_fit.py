"""Model fit: how long prompts, answers and waits may be for a model of a measured speed, and why.

Pure arithmetic on a profile. A model whose speed was not measured keeps what its profile says.
"""

import json
from dataclasses import replace

from talewright.common.frozen_values import frozen
from talewright.llm.profiles import Profile

FIRST_TOKEN_SECONDS = 20.0
"""How long a model may take to read a prompt that it has not seen before, if that is possible."""

LONG_PROMPT_SHARE = 0.7
"""Long prompts are read at about this share of the speed measured with short ones."""

ANSWER_SECONDS = 40.0
"""How long it may take to write an answer."""

TURN_SECONDS = 58.0
"""How long a slow model may take for a turn with all its repairs, before the scene narrates it instead."""

SHORT_PROMPT_TOKENS = 4_000
"""A model that reads fewer tokens than this in the time allowed gets the short form of everything."""

SHORT_ANSWER_TOKENS = 600
"""So does a model that writes fewer tokens than this in the time allowed."""

SHORT_CONTEXT_TOKENS = 6_000
"""So does a model with a smaller context than this."""

PROMPT_TOKENS_MIN = 1_100
"""The shortest prompt that has room for a game, however slow the model is."""

SHORT_ANSWER_SECONDS = 24.0
"""The longest time for a short answer: a repair must fit into the turn too."""

ANSWER_TOKENS_MIN = 240
ANSWER_TOKENS_MAX = 400
"""Tokens of a short answer."""

FRAME_TOKENS = 110
"""Tokens of a short answer that are not narration: choices, one update, quotes and brackets."""

TEXT_LENGTH_MIN = 200
TEXT_LENGTH_MAX = 400
"""Characters of a short narration."""

CHARACTERS_PER_TOKEN = 2.5
"""At least how many characters of narration one token holds, for planning; English has more than three."""

AGAINST_LOOPS = {
    "min_p": 0.1,
    "repeat_penalty": 1.1,
    "dry_multiplier": 0.8,
    "dry_allowed_length": 3,
    "dry_penalty_last_n": 1_024,
}
"""llama.cpp sampling settings against nonsense, loops and repeating the prompt."""

SLACK = 3.0
"""How many times longer than measured a model may take before it counts as stuck."""


@frozen
class FittedTimeouts:
    """How long to wait for a model of a measured speed, in seconds."""

    first_token_seconds: float
    total_seconds: float
    turn_seconds: float


def fit_to_speed(profile: Profile) -> Profile:
    """The profile with limits that follow from its context and its measured speeds.

    Stricter limits set by the player or by the model's row are kept. Fitting twice changes nothing.
    """
    read, write = profile.read_tokens_per_second, profile.write_tokens_per_second
    if read is None or write is None:
        return profile
    prompt = int(read * LONG_PROMPT_SHARE * FIRST_TOKEN_SECONDS)
    answer = int(write * ANSWER_SECONDS)
    if not _is_short(profile, prompt, answer):
        return replace(
            profile,
            prompt_tokens_max=prompt if prompt < profile.context_tokens else None,
            output_tokens_max=min(profile.output_tokens_max, answer),
        )
    wanted = int(write * SHORT_ANSWER_SECONDS)
    output = min(profile.output_tokens_max, _clamp(wanted, ANSWER_TOKENS_MIN, ANSWER_TOKENS_MAX))
    length = int((output - FRAME_TOKENS) * CHARACTERS_PER_TOKEN)
    return replace(
        profile,
        short_prompts=True,
        prompt_tokens_max=_clamp(prompt, PROMPT_TOKENS_MIN, SHORT_PROMPT_TOKENS),
        output_tokens_max=output,
        string_length_max=min(profile.string_length_max, _clamp(length, TEXT_LENGTH_MIN, TEXT_LENGTH_MAX)),
        list_items_max=1,
        extra=_add_sampling(profile) if profile.takes_grammar else profile.extra,
    )


def fit_timeouts(profile: Profile) -> FittedTimeouts | None:
    """How long to wait for a slow model; None if the defaults are right for it."""
    read, write = profile.read_tokens_per_second, profile.write_tokens_per_second
    if read is None or write is None or not profile.short_prompts:
        return None
    reading = (profile.prompt_tokens_max or profile.context_tokens) / read
    writing = profile.output_tokens_max / write
    # A busy machine reads at a third of its speed, and the turn's own limit ends it anyway.
    first = max(FIRST_TOKEN_SECONDS, reading * SLACK)
    return FittedTimeouts(first, first + writing * SLACK, max(TURN_SECONDS, reading + writing))


def describe_fit(profile: Profile) -> tuple[str, ...]:
    """What was decided for a model and why, one sentence each; empty if nothing was."""
    read, write = profile.read_tokens_per_second, profile.write_tokens_per_second
    told = [f"the model reads at most {profile.context_tokens} tokens at once"] if _is_fitted(profile) else []
    if profile.prompt_tokens_max is not None:
        why = "" if read is None else f": it reads {read:.0f} a second"
        told.append(f"prompts have at most {profile.prompt_tokens_max} tokens{why}")
    if profile.short_prompts:
        why = "" if write is None else f": it writes {write:.0f} a second"
        told.append(f"answers have at most {profile.output_tokens_max} tokens{why}")
        told.append("instructions, the world and past turns are given in a short form")
        told.append(f"a text of an answer has at most {profile.string_length_max} characters")
    if profile.short_prompts and profile.takes_grammar:
        told.append("a grammar limits answers to changes that the rules would grant")
    return tuple(told)


def _is_fitted(profile: Profile) -> bool:
    return profile.short_prompts or profile.prompt_tokens_max is not None


def _is_short(profile: Profile, prompt: int, answer: int) -> bool:
    slow = prompt < SHORT_PROMPT_TOKENS or answer < SHORT_ANSWER_TOKENS
    return profile.short_prompts or slow or profile.context_tokens < SHORT_CONTEXT_TOKENS


def _clamp(value: int, least: int, most: int) -> int:
    return max(least, min(value, most))


def _add_sampling(profile: Profile) -> str:
    """The extra members of a request plus those against loops; the player's own settings take precedence."""
    return json.dumps(AGAINST_LOOPS | json.loads(profile.extra))
