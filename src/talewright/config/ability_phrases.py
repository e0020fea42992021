"""Ability phrases: the results of probing a model's server, in one plain paragraph, in two languages.

The verdict follows from the limits that `llm/model_fit.py` sets for such a model.
"""

from collections.abc import Mapping
from types import MappingProxyType

from talewright.common.frozen_values import frozen
from talewright.common.language_tags import pick_words
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
    tools: Mapping[bool, str]
    keeps: str
    verdict_all: str
    verdict_short: str
    verdict_slow: str
    nothing: str
    """If no question was answered."""

    questions: Mapping[str, str]
    """What is being asked, by the name of the question."""

    small_context: str
    """The beginning of a line about a small context, with `{tokens}`."""

    more_context: Mapping[str, str]
    """How to raise it, by server: the middle of the line."""

    again: str
    """What to do after that: the end of the line, with `{name}`."""

    space: str
    """Between sentences."""


ENGLISH_ABILITIES = AbilityWords(
    server="The server is {title}.",
    unknown_server="The server could not be recognised.",
    speeds="It reads {read} tokens a second and writes {write}.",
    read="It reads {read} tokens a second.",
    context="Its context is {tokens} tokens.",
    modes=MappingProxyType(
        {
            AnswerMode.SCHEMA: "It enforces the format of answers.",
            AnswerMode.JSON: "It enforces JSON, but not the format of answers.",
            AnswerMode.FREE: "It does not enforce the format of answers; the model must keep to it.",
        }
    ),
    tools=MappingProxyType({True: "It calls tools.", False: "It cannot call tools."}),
    keeps="It remembers what it has already read.",
    verdict_all="Good for all games.",
    verdict_short="Good for games with short prompts.",
    verdict_slow="That is slow: expect to wait for every turn, or try a smaller model.",
    nothing="The server answered none of the questions, so the most careful settings are used.",
    questions=MappingProxyType(
        {
            "server": "which server it is",
            "usage": "whether it counts tokens",
            "context": "how large its context is",
            "schema": "whether it enforces the format of answers",
            "object_schema": "whether it does so with another setting",
            "speed": "how fast it reads and writes",
            "prefix": "whether it remembers what it has read",
            "grammar": "whether it accepts a grammar",
            "json": "whether it enforces JSON",
            "tools": "whether it calls tools",
        }
    ),
    small_context="{tokens} tokens of context are too few for most games. To raise it, ",
    more_context=MappingProxyType(
        {
            "ollama": "quit Ollama, start it with `OLLAMA_CONTEXT_LENGTH=16384 ollama serve`",
            "lm_studio": "load the model in LM Studio with a context length of 16384",
            "llama_cpp": "start the server with `-c 16384`",
            "vllm": "start the server with `--max-model-len 16384`",
            "kobold_cpp": "start KoboldCpp with `--contextsize 16384`",
        }
    ),
    again=" and run `talewright models probe {name}`.",
    space=" ",
)

CHINESE_ABILITIES = AbilityWords(
    server="服务器是 {title}。",
    unknown_server="没能认出这是哪种服务器。",
    speeds="它每秒读 {read} 个词元，写 {write} 个。",
    read="它每秒读 {read} 个词元。",
    context="上下文为 {tokens} 个词元。",
    modes=MappingProxyType(
        {
            AnswerMode.SCHEMA: "它能保证回答符合规定的格式。",
            AnswerMode.JSON: "它能保证回答是 JSON，但不能保证具体格式。",
            AnswerMode.FREE: "它不能保证回答的格式，只能靠模型自己写对。",
        }
    ),
    tools=MappingProxyType({True: "它会调用工具。", False: "它不能调用工具。"}),
    keeps="读过的内容不必重读。",
    verdict_all="适合所有游戏。",
    verdict_short="适合提示较短的游戏。",
    verdict_slow="速度偏慢：每回合都要等一会儿，也可以换一个更小的模型。",
    nothing="服务器没有回答任何问题，因此采用最稳妥的设置。",
    questions=MappingProxyType(
        {
            "server": "这是哪种服务器",
            "usage": "会不会统计词元",
            "context": "上下文有多大",
            "schema": "能不能保证回答的格式",
            "object_schema": "换一种方式能不能保证格式",
            "speed": "读写有多快",
            "prefix": "读过的内容要不要重读",
            "grammar": "支不支持语法约束",
            "json": "能不能保证回答是 JSON",
            "tools": "会不会调用工具",
        }
    ),
    small_context="上下文只有 {tokens} 个词元，对大多数游戏来说太少。要调大，",
    more_context=MappingProxyType(
        {
            "ollama": "请退出 Ollama，再这样启动：`OLLAMA_CONTEXT_LENGTH=16384 ollama serve`",
            "lm_studio": "请在 LM Studio 里把上下文长度设为 16384，重新加载模型",
            "llama_cpp": "启动服务器时请加上：`-c 16384`",
            "vllm": "启动服务器时请加上：`--max-model-len 16384`",
            "kobold_cpp": "启动 KoboldCpp 时请加上：`--contextsize 16384`",
        }
    ),
    again="，然后运行 `talewright models probe {name}`。",
    space="",
)


def ability_words(language: str) -> AbilityWords:
    """The sentences in a language; English if there is no translation."""
    return pick_words(language, {"en": ENGLISH_ABILITIES, "zh-CN": CHINESE_ABILITIES})


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
        told.append(words.tools[found.takes_tools])
    if found.keeps_prefix:
        told.append(words.keeps)
    return words.space.join(filter(None, [*told, _judge(found, words)]))


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
