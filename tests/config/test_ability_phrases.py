"""What a server was found to do, in words: one paragraph, and one line where its context is too small."""

from dataclasses import replace

import pytest

from talewright.config.ability_phrases import (
    AbilityWords,
    ability_words,
    describe_abilities,
    describe_small_context,
)
from talewright.config.model_settings import ModelSettings, known_services
from talewright.llm.measured_abilities import MeasuredAbilities
from talewright.llm.profiles import AnswerMode
from talewright.providers.openai_wire.server_probe import ProbeQuestion

SMALL = MeasuredAbilities(
    "2026-11-16",
    "llama_cpp",
    AnswerMode.SCHEMA,
    context_tokens=8_192,
    takes_tools=True,
    keeps_prefix=True,
    read_tokens_per_second=30.4,
    write_tokens_per_second=7.25,
)


def test_the_paragraph() -> None:
    assert describe_abilities(SMALL) == (
        "The server is llama.cpp. It reads 30 tokens a second and writes 7.2. Its context is 8,192 tokens. "
        "It enforces the format of answers. It calls tools. It remembers what it has already read. Good for "
        "games with short prompts."
    )
    assert describe_abilities(SMALL, "zh-CN") == (
        "服务器是 llama.cpp。它每秒读 30 个词元，写 7.2 个。上下文为 8,192 个词元。"
        "它能保证回答符合规定的格式。它会调用工具。读过的内容不必重读。适合提示较短的游戏。"
    )


@pytest.mark.parametrize(
    ("changes", "end"),
    [
        ({"read_tokens_per_second": 900.0, "write_tokens_per_second": 40.0}, "games with short prompts."),
        (
            {
                "read_tokens_per_second": 900.0,
                "write_tokens_per_second": 40.0,
                "context_tokens": 32_768,
            },
            "Good for all games.",
        ),
        # Fast enough to be no bother, but too slow for the long form of prompts.
        (
            {"read_tokens_per_second": 200.0, "write_tokens_per_second": 20.0, "context_tokens": 32_768},
            "games with short prompts.",
        ),
        ({"write_tokens_per_second": 1.0}, "or try a smaller model."),
        ({"answer_mode": AnswerMode.FREE, "keeps_prefix": None}, "It calls tools."),
        ({"write_tokens_per_second": None, "takes_tools": False}, "already read."),
    ],
)
def test_the_verdict(changes: dict[str, object], end: str) -> None:
    assert describe_abilities(replace(SMALL, **changes)).endswith(end)  # type: ignore[arg-type]


def test_nothing_found() -> None:
    assert describe_abilities(MeasuredAbilities("2026-11-16")) == ability_words("en").nothing
    unknown = MeasuredAbilities("2026-11-16", answer_mode=AnswerMode.JSON, read_tokens_per_second=50.0)
    assert describe_abilities(unknown) == (
        "The server could not be recognised. It reads 50 tokens a second. It enforces JSON, but not the "
        "format of answers."
    )


def test_everything_has_words() -> None:
    words: AbilityWords = ability_words("en")
    assert list(words.questions) == [str(question) for question in ProbeQuestion]
    assert set(words.modes) == set(AnswerMode)
    assert set(words.more_context) == {one.name for one in known_services() if one.is_local}


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("server", [one.name for one in known_services() if one.is_local])
def test_how_to_raise_a_small_context(server: str, language: str) -> None:
    measured = MeasuredAbilities("2026-11-16", server, context_tokens=4_096)
    model = ModelSettings(name="home", model="x", base_url="http://127.0.0.1:1/v1", measured=measured)
    line = describe_small_context(model, language)
    assert "4,096" in line
    assert "16384" in line
    assert "\n" not in line
    assert line.endswith(("`talewright models probe home`.", "`talewright models probe home`。"))
    roomy = replace(model, measured=replace(measured, context_tokens=8_192))
    assert describe_small_context(roomy, language) == ""


def test_ollama_tells_its_variable() -> None:
    measured = MeasuredAbilities("2026-11-16", "ollama")
    model = ModelSettings(name="home", model="x", base_url="http://127.0.0.1:1/v1", measured=measured)
    assert describe_small_context(model) == (
        "4,096 tokens of context are too few for most games. To raise it, quit Ollama, start it with "
        "`OLLAMA_CONTEXT_LENGTH=16384 ollama serve` and run `talewright models probe home`."
    )
    assert describe_small_context(replace(model, measured=None)) == ""
