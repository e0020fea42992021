"""Requests on the Gemini wire: parsed into blocks, and rejected as the vendor would.

For the answers see `gemini_reply_format`.
"""

import re
from collections.abc import Iterable
from typing import NoReturn

from talewright_testkit.fake_provider.parsed_request import (
    Json,
    ParsedRequest,
    RejectionError,
    RequestBlock,
    as_count,
    as_list,
    as_map,
    as_text,
    spell,
)
from talewright_testkit.fake_provider.wires.vendor_dialects import GEMINI_KEYWORDS, find_strange
from talewright_testkit.fake_provider.wires.wire_form import RoutedRequest

FIELDS = frozenset(
    "contents tools toolConfig safetySettings systemInstruction generationConfig cachedContent serviceTier "
    "labels model store".split()
)
PART_FIELDS = frozenset(
    "text functionCall functionResponse inlineData fileData thought thoughtSignature executableCode "
    "codeExecutionResult videoMetadata".split()
)
PART_DATA = frozenset("text functionCall functionResponse inlineData fileData executableCode".split())
CONFIG_FIELDS = frozenset(
    "stopSequences responseMimeType responseSchema responseJsonSchema responseModalities candidateCount "
    "maxOutputTokens temperature topP topK seed presencePenalty frequencyPenalty responseLogprobs logprobs "
    "thinkingConfig mediaResolution speechConfig".split()
)
TEMPERATURE_MAX = 2
_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}")


def read(body: Json, errand: RoutedRequest) -> ParsedRequest:
    """Parse the request; raise RejectionError where the vendor would reject it."""
    fields = _camel(body)
    _check_known(fields, FIELDS)
    contents = [_camel(as_map(content)) for content in as_list(fields.get("contents"))]
    if not contents:
        _refuse("* GenerateContentRequest.contents: contents is not specified\n")
    _check_contents(contents)
    declared = _read_tools(fields)
    config = _camel(as_map(fields.get("generationConfig")))
    _check_config(config)
    system = _camel(as_map(fields.get("systemInstruction")))
    blocks = [RequestBlock("tool", spell(tool)) for tool in declared]
    blocks += [RequestBlock("system", _read_part(part)) for part in _parts(system)]
    for content in contents:
        role = {"model": "assistant", "function": "result"}.get(as_text(content.get("role")), "user")
        blocks += [
            RequestBlock("result" if "functionResponse" in part else role, _read_part(part))
            for part in _parts(content)
        ]
    return ParsedRequest(
        errand.model,
        tuple(blocks),
        body,
        tuple(as_text(tool.get("name")) for tool in declared),
        errand.stream,
        True,
        as_count(config.get("maxOutputTokens")),
        events=errand.events,
    )


def _refuse(message: str) -> NoReturn:
    raise RejectionError(400, message)


def _camel(fields: Json) -> Json:
    """Convert names to the vendor's camel case; it accepts underscores too."""
    return {
        re.sub(r"_([a-z])", lambda found: found[1].upper(), name): value for name, value in fields.items()
    }


def _check_known(fields: Iterable[str], known: frozenset[str], where: str = "") -> None:
    for name in sorted(set(fields) - known):
        place = f" at '{where}'" if where else ""
        _refuse(f'Invalid JSON payload received. Unknown name "{name}"{place}: Cannot find field.')


def _parts(content: Json) -> list[Json]:
    return [_camel(as_map(part)) for part in as_list(content.get("parts"))]


def _check_contents(contents: list[Json]) -> None:
    waiting = 0
    for number, content in enumerate(contents):
        role = content.get("role", "user")
        if role not in ("user", "model", "function"):
            _refuse("Please use a valid role: user, model.")
        parts = _parts(content)
        if not parts:
            _refuse(f"* GenerateContentRequest.contents[{number}].parts: contents.parts must not be empty.\n")
        for at, part in enumerate(parts):
            _check_known(part, PART_FIELDS, f"contents[{number}].parts[{at}]")
            if not PART_DATA & set(part):
                _refuse(
                    f"* GenerateContentRequest.contents[{number}].parts[{at}].data: required oneof field "
                    "'data' must have one initialized field\n"
                )
        results = sum("functionResponse" in part for part in parts)
        if results != waiting:
            _refuse(
                "Please ensure that the number of function response parts is equal to the number of function "
                "call parts of the function call turn."
            )
        waiting = sum("functionCall" in part for part in parts)
        if waiting and number == 0:
            _refuse(
                "Please ensure that function call turn comes immediately after a user turn or after a "
                "function response turn."
            )
    if waiting:
        _refuse("Please ensure that function response turn comes immediately after a function call turn.")


def _read_tools(fields: Json) -> list[Json]:
    declared: list[Json] = []
    for number, tool in enumerate(as_list(fields.get("tools"))):
        for at, each in enumerate(as_list(_camel(as_map(tool)).get("functionDeclarations"))):
            declaration = _camel(as_map(each))
            where = f"tools[{number}].function_declarations[{at}]"
            if not _NAME.fullmatch(as_text(declaration.get("name"))):
                _refuse(
                    f"* GenerateContentRequest.{where}.name: Invalid function name. Must start with a letter "
                    "or an underscore.\n"
                )
            _check_schema(declaration.get("parameters"), f"{where}.parameters")
            declared.append(declaration)
    if len({as_text(tool.get("name")) for tool in declared}) < len(declared):
        _refuse("Duplicate function declaration found.")
    return declared


def _check_config(config: Json) -> None:
    _check_known(config, CONFIG_FIELDS, "generation_config")
    _check_schema(config.get("responseSchema"), "generation_config.response_schema")
    schema = "responseSchema" in config or "responseJsonSchema" in config
    if schema and config.get("responseMimeType") not in ("application/json", "text/x.enum"):
        _refuse("Response schema is only supported when the response mime type is application/json.")
    temperature = config.get("temperature")
    if temperature is not None and not (
        isinstance(temperature, int | float) and 0 <= temperature <= TEMPERATURE_MAX
    ):
        _refuse(
            f"* GenerateContentRequest.generation_config.temperature: temperature must be in the range "
            f"[0.0, {TEMPERATURE_MAX}.0].\n"
        )


def _check_schema(schema: object, where: str) -> None:
    strange = find_strange(schema, GEMINI_KEYWORDS)
    if strange:
        _check_known([strange], frozenset(), where)


def _read_part(part: Json) -> str:
    return as_text(part["text"]) if "text" in part else spell(part)
