"""Requests on the Gemini wire: what is taken, what is refused and in which words."""

from typing import Any

import pytest

from talewright_testkit.fake_provider.parsed_request import RejectionError, RequestBlock
from talewright_testkit.fake_provider.wires.gemini_request_checks import read
from talewright_testkit.fake_provider.wires.wire_form import RequestedAct, RoutedRequest

ERRAND = RoutedRequest(RequestedAct.ASK, "m", True)
USER = {"role": "user", "parts": [{"text": "Go on."}]}
CALLED = {"role": "model", "parts": [{"functionCall": {"name": "roll", "args": {}}}]}
RESULT = {"role": "user", "parts": [{"functionResponse": {"name": "roll", "response": {"result": "20"}}}]}


def body(*contents: object, **more: Any) -> dict[str, Any]:
    """A request with these contents."""
    return {"contents": list(contents) or [USER], **more}


def declared(**declaration: Any) -> list[Any]:
    """Tools with one function."""
    return [{"functionDeclarations": [declaration]}]


def test_a_whole_conversation_becomes_blocks() -> None:
    tools = declared(name="roll", parametersJsonSchema={"type": "object", "additionalProperties": False})
    system = {"parts": [{"text": "Tell."}]}
    asked = read(body(USER, CALLED, RESULT, systemInstruction=system, tools=tools), ERRAND)
    assert [block.kind for block in asked.blocks] == "tool system user assistant result".split()
    assert asked.blocks[1:3] == (RequestBlock("system", "Tell."), RequestBlock("user", "Go on."))
    assert (asked.model, asked.stream, asked.tools) == ("m", True, ("roll",))


def test_names_with_underscores_are_taken_too() -> None:
    asked = read(
        body(system_instruction={"parts": [{"text": "s"}]}, generation_config={"max_output_tokens": 5}),
        ERRAND,
    )
    assert asked.blocks[0] == RequestBlock("system", "s")
    assert asked.output_tokens_max == 5


@pytest.mark.parametrize(
    ("request_body", "message"),
    [
        ({}, "contents is not specified"),
        (body(colour="red"), 'Unknown name "colour": Cannot find field.'),
        (body({"role": "system", "parts": [{"text": "x"}]}), "Please use a valid role: user, model."),
        (body({"role": "user", "parts": []}), "contents[0].parts: contents.parts must not be empty"),
        (body({"role": "user", "parts": [{"song": "x"}]}), "Unknown name \"song\" at 'contents[0].parts[0]'"),
        (body({"role": "user", "parts": [{"thought": True}]}), "required oneof field 'data' must have one"),
        (body(RESULT), "number of function response parts is equal to the number of function call parts"),
        (
            body(USER, CALLED, USER),
            "number of function response parts is equal to the number of function call parts",
        ),
        (body(CALLED, RESULT), "function call turn comes immediately after a user turn"),
        (body(USER, CALLED), "function response turn comes immediately after a function call turn"),
        (body(tools=declared(name="1 a")), "tools[0].function_declarations[0].name: Invalid function name"),
        (
            body(tools=declared(name="a", parameters={"type": "object", "additionalProperties": False})),
            "Unknown name \"additionalProperties\" at 'tools[0].function_declarations[0].parameters'",
        ),
        (body(tools=declared(name="a") * 2), "Duplicate function declaration found."),
        (body(generationConfig={"colour": 1}), "Unknown name \"colour\" at 'generation_config'"),
        (body(generationConfig={"temperature": 3}), "temperature must be in the range [0.0, 2.0]"),
        (
            body(generationConfig={"responseSchema": {"type": "object"}}),
            "only supported when the response mime type",
        ),
        (
            body(generationConfig={"responseMimeType": "application/json", "responseSchema": {"$ref": "#"}}),
            "Unknown name \"$ref\" at 'generation_config.response_schema'",
        ),
    ],
)
def test_refusals(request_body: dict[str, Any], message: str) -> None:
    with pytest.raises(RejectionError) as caught:
        read(request_body, ERRAND)
    assert caught.value.status == 400
    assert message in caught.value.message


def test_a_schema_with_its_mime_type_is_taken() -> None:
    config = {"responseMimeType": "application/json", "responseJsonSchema": {"$ref": "#"}, "temperature": 2}
    assert read(body(generationConfig=config), ERRAND).text == "Go on."
