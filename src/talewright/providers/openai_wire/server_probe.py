"""The server probe: asks a server a dozen short questions to find out what it can do, within a time limit.

It judges answers, not statuses: many servers silently ignore what they do not know. It never fails; if a
question was skipped, refused or not answered, the safe assumption stays. Nothing is saved here.
"""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeAlias

from talewright.common.frozen_values import frozen
from talewright.llm.measured_abilities import MeasuredAbilities
from talewright.llm.profiles import AnswerMode, SchemaForm
from talewright.providers.openai_wire.probe_connection import ProbeConnection, ProbeReply
from talewright.providers.openai_wire.server_recognition import (
    RecognisedServer,
    find_context,
    recognise_server,
)
from talewright.providers.openai_wire.speed_measurement import (
    WRITTEN_PER_READ,
    WRITTEN_TOKENS,
    is_prefix_kept,
    measure_speed,
    write_speed_prompt,
)


class ProbeQuestion(StrEnum):
    """What is asked, in this order."""

    SERVER = "server"
    USAGE = "usage"
    CONTEXT = "context"
    SCHEMA = "schema"
    OBJECT_SCHEMA = "object_schema"
    SPEED = "speed"
    PREFIX = "prefix"
    GRAMMAR = "grammar"
    JSON = "json"
    TOOLS = "tools"


ProbeProgress: TypeAlias = Callable[[ProbeQuestion, int, int], None]
"""Called before each question with its number and the total."""


@frozen
class ProbeLimits:
    """How long a probe may take, in seconds."""

    total_seconds: float = 55.0
    """For all questions; the rest of a minute is for closing the connections."""

    page_seconds: float = 3.0
    """For a page of the server."""

    first_seconds: float = 20.0
    """For the first question to the model, which may have to be loaded."""

    question_seconds: float = 10.0
    """For each further question."""

    speed_seconds: float = 25.0
    """For measuring its reading and writing speed."""


CAPITAL = "What is the capital of France? Answer in plain words, not in JSON."
"""No honest answer has anything to do with ODD_NUMBERS."""

WEATHER = "What is the weather in Paris right now?"
ODD_NUMBERS = (7319, 8426)
FORM_TOKENS = 48
"""For an answer in an enforced form: some models begin with a lot of white space."""

GRAMMAR_TOKENS = 12
THINKING_TOKENS = 600
"""For the same if the model thinks first."""

TOOL_TOKENS = 64
ODD_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"number": {"type": "integer", "enum": list(ODD_NUMBERS)}},
    "required": ["number"],
    "additionalProperties": False,
}
ODD_GRAMMAR = f'root ::= "{ODD_NUMBERS[0]}" | "{ODD_NUMBERS[1]}"'
ODD_OBJECT = re.compile(r'\s*\{\s*"number"\s*:\s*(?:7319|8426)\s*\}?\s*')
JSON_SCHEMA_FORM = {"type": "json_schema", "json_schema": {"name": "answer", "schema": ODD_SCHEMA}}
OBJECT_SCHEMA_FORM = {"type": "json_object", "schema": ODD_SCHEMA}
TOOL_NAME = "look_up_weather"
TOOL: Mapping[str, Any] = {
    "type": "function",
    "function": {
        "name": TOOL_NAME,
        "description": "The weather of a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}
THOUGHTS = re.compile(r"\s*<think>.*?(</think>|\Z)", re.DOTALL)


class AbilityProbe:
    """One probe of one model on one server."""

    def __init__(
        self,
        connection: ProbeConnection,
        model: str,
        nonce: str,
        *,
        date: str,
        limits: ProbeLimits = ProbeLimits(),  # noqa: B008 - a frozen value
        progress: ProbeProgress = lambda question, number, of: None,
    ) -> None:
        self._connection = connection
        self._model = model
        self._prompt = write_speed_prompt(nonce)
        self._limits = limits
        self._progress = progress
        self._found: dict[str, Any] = {"date": date}
        self._forms: dict[ProbeQuestion, bool | None] = {}
        self._server: RecognisedServer | None = None
        self._plain: ProbeReply | None = None
        self._timed: ProbeReply | None = None
        self._asking: asyncio.Task[None] | None = None
        self._skipped: asyncio.Task[None] | None = None

    def skip(self) -> None:
        """Continue with the next question."""
        if self._asking is not None:
            self._skipped = self._asking
            self._asking.cancel()

    async def run(self) -> MeasuredAbilities:
        """Ask everything; return what was found."""
        ask = {
            ProbeQuestion.SERVER: self._ask_server,
            ProbeQuestion.USAGE: self._ask_usage,
            ProbeQuestion.CONTEXT: self._ask_context,
            ProbeQuestion.SCHEMA: self._ask_schema,
            ProbeQuestion.OBJECT_SCHEMA: self._ask_object_schema,
            ProbeQuestion.SPEED: self._ask_speed,
            ProbeQuestion.PREFIX: self._ask_prefix,
            ProbeQuestion.GRAMMAR: self._ask_grammar,
            ProbeQuestion.JSON: self._ask_json,
            ProbeQuestion.TOOLS: self._ask_tools,
        }
        try:
            async with asyncio.timeout(self._limits.total_seconds):
                for number, question in enumerate(ProbeQuestion, 1):
                    self._progress(question, number, len(ProbeQuestion))
                    self._asking = task = asyncio.create_task(ask[question]())
                    try:
                        await task
                    except asyncio.CancelledError:
                        if self._skipped is not task:
                            task.cancel()
                            raise
                    finally:
                        self._asking = None
        except TimeoutError:
            pass
        return MeasuredAbilities(**self._found, **_judge_forms(self._forms))

    async def _ask_server(self) -> None:
        self._server = await recognise_server(self._connection, self._limits.page_seconds)
        self._found["server"] = self._server.kind

    async def _ask_usage(self) -> None:
        """The first question to the model; if it is not answered, no more are asked."""
        options: dict[str, object] = {"stream_options": {"include_usage": True}}
        reply = await self._ask(WEATHER, 1, options, self._limits.first_seconds)
        if reply.is_refused:
            reply = await self._ask(WEATHER, 1, {}, self._limits.first_seconds)
            if reply.is_answered:
                self._found["asks_usage"] = False
        elif reply.is_answered and reply.usage is not None:
            self._found["asks_usage"] = True
        self._plain = reply if reply.is_answered else None

    async def _ask_context(self) -> None:
        if self._server is not None:
            found = await find_context(self._connection, self._server, self._model, self._limits.page_seconds)
            self._found["context_tokens"] = found

    async def _ask_schema(self) -> None:
        await self._ask_form(ProbeQuestion.SCHEMA, {"response_format": JSON_SCHEMA_FORM}, _is_odd_object)

    async def _ask_object_schema(self) -> None:
        if not self._forms.get(ProbeQuestion.SCHEMA):
            form = {"response_format": OBJECT_SCHEMA_FORM}
            await self._ask_form(ProbeQuestion.OBJECT_SCHEMA, form, _is_odd_object)

    async def _ask_json(self) -> None:
        """Only relevant if no schema is enforced."""
        if not any(self._forms.get(one) for one in (ProbeQuestion.SCHEMA, ProbeQuestion.OBJECT_SCHEMA)):
            form = {"response_format": {"type": "json_object"}}
            await self._ask_form(ProbeQuestion.JSON, form, lambda text: text.lstrip().startswith("{"))

    async def _ask_grammar(self) -> None:
        form = {"grammar": ODD_GRAMMAR}
        await self._ask_form(ProbeQuestion.GRAMMAR, form, _is_odd_number, GRAMMAR_TOKENS)
        self._found["takes_grammar"] = self._forms.get(ProbeQuestion.GRAMMAR)

    async def _ask_speed(self) -> None:
        if self._plain is None:
            return
        seconds = self._limits.speed_seconds
        more: dict[str, object] = {"ignore_eos": True, "return_progress": True}
        usage = {} if self._found.get("asks_usage") is False else {"stream_options": {"include_usage": True}}
        reply = await self._ask(self._prompt, WRITTEN_TOKENS, {**more, **usage}, seconds)
        self._found["reports_progress"] = reply.told_progress if reply.status else None
        if reply.is_refused:
            reply = await self._ask(self._prompt, WRITTEN_TOKENS, usage, seconds)
        speed = measure_speed(reply, self._prompt, seconds)
        reads = [speed.read]
        if reply.is_late and reply.first_seconds is None:
            # The prompt was too long for the model; the short one of the first question shows more.
            reads.append(measure_speed(self._plain, WEATHER, self._limits.first_seconds).read)
        read = min((one for one in reads if one is not None), default=None)
        self._found["read_tokens_per_second"] = read
        # If it was too slow to write anything in time, an estimate is better than nothing.
        guess = round(read * WRITTEN_PER_READ, 2) if reply.is_late and read is not None else None
        self._found["write_tokens_per_second"] = speed.write or guess
        self._timed = reply if reply.is_answered else None

    async def _ask_prefix(self) -> None:
        if self._timed is not None:
            usage = self._found.get("asks_usage") is not False
            options: dict[str, object] = {"stream_options": {"include_usage": True}} if usage else {}
            again = await self._ask(self._prompt, 1, options, self._limits.question_seconds)
            if again.is_answered:
                self._found["keeps_prefix"] = is_prefix_kept(self._timed, again, self._prompt)

    async def _ask_tools(self) -> None:
        if self._plain is None:
            return
        options: dict[str, object] = {"tools": [TOOL]}
        if self._found.get("asks_usage"):
            options["stream_options"] = {"include_usage": True}
        reply = await self._ask(WEATHER, TOOL_TOKENS, options, self._limits.question_seconds)
        if reply.is_refused:
            self._found["takes_tools"] = False
        elif _is_fitting_call(reply.called):
            self._found["takes_tools"] = True
        elif reply.is_answered and _has_dropped_tools(self._plain, reply):
            self._found["takes_tools"] = False

    async def _ask_form(
        self,
        question: ProbeQuestion,
        form: Mapping[str, object],
        is_held: Callable[[str], bool],
        tokens: int = FORM_TOKENS,
    ) -> None:
        """Ask for an answer that no model would give unless its form is enforced."""
        if self._plain is None:
            return
        for limit in (tokens, THINKING_TOKENS):
            reply = await self._ask(CAPITAL, limit, form, self._limits.question_seconds)
            text = THOUGHTS.sub("", reply.text, count=1)
            if is_held(text):
                self._forms[question] = True
                return
            if reply.is_refused or (reply.is_answered and text.strip()):
                self._forms[question] = False
                return
            if not reply.is_answered or not (reply.has_thought or reply.text.strip()):
                return

    async def _ask(self, text: str, tokens: int, options: Mapping[str, object], seconds: float) -> ProbeReply:
        question = {"model": self._model, "stream": True, "temperature": 0, "max_tokens": tokens}
        message = {"role": "user", "content": text}
        return await self._connection.ask({**question, **options, "messages": [message]}, seconds)


def _judge_forms(forms: Mapping[ProbeQuestion, bool | None]) -> dict[str, Any]:
    """The strictest form that was enforced; free only if every question was clearly answered."""
    asked = (ProbeQuestion.SCHEMA, ProbeQuestion.OBJECT_SCHEMA, ProbeQuestion.JSON)
    schema, with_schema, plain = (forms.get(question) for question in asked)
    if schema or with_schema:
        form = SchemaForm.JSON_SCHEMA if schema else SchemaForm.JSON_OBJECT
        return {"answer_mode": AnswerMode.SCHEMA, "schema_form": form}
    if schema is False and with_schema is False and plain is not None:
        return {"answer_mode": AnswerMode.JSON if plain else AnswerMode.FREE}
    return {}


def _is_odd_object(text: str) -> bool:
    return ODD_OBJECT.fullmatch(text) is not None


def _is_odd_number(text: str) -> bool:
    return text.strip() in map(str, ODD_NUMBERS)


def _is_fitting_call(called: tuple[str, str] | None) -> bool:
    if called is None or called[0] != TOOL_NAME:
        return False
    try:
        arguments = json.loads(called[1])
    except (ValueError, RecursionError):
        return False
    return isinstance(arguments, dict) and isinstance(arguments.get("city"), str)


def _has_dropped_tools(plain: ProbeReply, reply: ProbeReply) -> bool:
    """Whether the tools did not make the prompt longer: then the server ignores them silently."""
    without, with_tools = ((one.usage or {}).get("prompt_tokens") for one in (plain, reply))
    return isinstance(without, int) and isinstance(with_tools, int) and 0 < with_tools <= without
