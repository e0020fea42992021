"""Ability phrases: the results of probing a model's server, in one plain paragraph.

The verdict follows from the limits that `llm/model_fit.py` sets for such a model.
"""

from collections.abc import Mapping
from functools import reduce
from typing import Annotated

from talewright.common.frozen_values import frozen
from talewright.common.word_catalogues import WordKeys, load_words
from talewright.config.model_settings import ModelSettings, find_service
from talewright.llm.measured_abilities import MeasuredAbilities, apply_abilities
from talewright.llm.model_fit import fit_to_speed
from talewright.llm.profiles import AnswerMode, Profile

ROOMY_CONTEXT = 16_000
"""Tokens of context that are enough for every game."""

SMALL_CONTEXT = 8_000
"""Tokens of context below which most games are cramped, so that raising it is worthwhile."""

SLUGGISH_READ, SLUGGISH_WRITE = 10.0, 3.0
"""Tokens per second below which playing is no fun."""


@frozen
class AbilityWords:
    """The sentences of the paragraph."""

    server: str
    """With `{title}`."""

    unknown_server: str
    speeds: str
    """With `{read}` and `{write}`."""

    read: str
    """If its writing speed is unknown, with `{read}`."""

    context: str
    """With `{tokens}`."""

    modes: Mapping[AnswerMode, str]
    takes_tools: str
    takes_no_tools: str
    keeps: str
    verdict_all: str
    verdict_short: str
    verdict_slow: str
    nothing: str
    """If no question was answered."""

    questions: Annotated[
        Mapping[str, str],
        WordKeys(
            "server",
            "usage",
            "context",
            "schema",
            "object_schema",
            "speed",
            "prefix",
            "grammar",
            "json",
            "tools",
        ),
    ]
    """What is being asked, by the name of the question."""

    small_context: str
    """The beginning of a line about a small context, with `{tokens}`."""

    more_context: Annotated[
        Mapping[str, str], WordKeys("ollama", "lm_studio", "llama_cpp", "vllm", "kobold_cpp")
    ]
    """How to raise it, by server: the middle of the line."""

    again: str
    """What to do after that: the end of the line, with `{name}`."""

    sentences: str
    """Two sentences, one after the other."""


def ability_words(language: str) -> AbilityWords:
    """The sentences in a language; English if there is no translation."""
    return load_words(AbilityWords, "model_abilities", language)


def describe_abilities(found: MeasuredAbilities, language: str = "en") -> str:
    """One paragraph about the results of probing a server."""
    words = ability_words(language)
    if found.found_nothing:
        return words.nothing
    service = find_service(found.server)
    told = [words.unknown_server if service is None else words.server.format(title=service.title)]
    read, write = found.read_tokens_per_second, found.write_tokens_per_second
    if read is not None and write is not None:
        told.append(words.speeds.format(read=_tell_speed(read), write=_tell_speed(write)))
    elif read is not None:
        told.append(words.read.format(read=_tell_speed(read)))
    if found.context_tokens is not None:
        told.append(words.context.format(tokens=f"{found.context_tokens:,}"))
    if found.answer_mode is not None:
        told.append(words.modes[found.answer_mode])
    if found.takes_tools is not None:
        told.append(words.takes_tools if found.takes_tools else words.takes_no_tools)
    if found.keeps_prefix:
        told.append(words.keeps)
    told += filter(None, [_judge(found, words)])
    return reduce(lambda text, next_one: words.sentences.format(text=text, next=next_one), told)


def describe_small_context(model: ModelSettings, language: str = "en") -> str:
    """One line that says how to raise the context, if the server has too little; otherwise empty."""
    words, tokens = ability_words(language), model.profile.context_tokens
    server = model.service if model.measured is None else model.measured.server or model.service
    if tokens >= SMALL_CONTEXT or server not in words.more_context:
        return ""
    line = words.small_context.format(tokens=f"{tokens:,}") + words.more_context[server]
    return line + words.again.format(name=model.name)


def _judge(found: MeasuredAbilities, words: AbilityWords) -> str:
    read, write = found.read_tokens_per_second, found.write_tokens_per_second
    if read is None or write is None:
        return ""
    if read < SLUGGISH_READ or write < SLUGGISH_WRITE:
        return words.verdict_slow
    if found.answer_mode is AnswerMode.FREE:
        return ""
    quick = not fit_to_speed(apply_abilities(Profile(found.server), found)).short_prompts
    roomy = found.context_tokens is not None and found.context_tokens >= ROOMY_CONTEXT
    return words.verdict_all if quick and roomy else words.verdict_short


def _tell_speed(speed: float) -> str:
    return f"{speed:,.0f}" if speed >= 10 else f"{speed:.1f}"
