"""Troubles: every refusal in words a player can act on, and never a key in them."""

import json

import pytest

from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Usage
from talewright.providers.http_errors import (
    GATEWAY_TIMEOUTS,
    STATUS_ERROR_ROWS,
    STATUS_OF_CODE,
    ProviderErrorReporter,
    find_status_error,
    read_retry_after,
)
from talewright.providers.model_http_client import is_near

KEY = "sk-canary-3f9a1c77"
REPORTER = ProviderErrorReporter("api.example.com", "tale-1", KEY)


def refuse(status: int, said: object = None, **headers: str) -> ProviderError:
    body = b"" if said is None else json.dumps(said).encode()
    return REPORTER.read_status(
        status, {name.replace("_", "-"): value for name, value in headers.items()}, body
    )


def error(message: str, code: object = None, kind: object = None) -> dict[str, object]:
    return {"error": {"message": message, "code": code, "type": kind}}


CREDIT = "Add credit there, or choose another model."
LATER = "Wait a minute and try again."
WORDS = [
    (
        refuse(401, error("Incorrect API key provided: sk-ca***77")),
        Trouble.KEY,
        "api.example.com does not accept the key",
        "Enter the key again with `talewright setup`; it may be incomplete or revoked.",
    ),
    (
        refuse(403, error("not for you")),
        Trouble.KEY,
        "api.example.com does not let this key use tale-1",
        "Check at the provider what the key may be used for, or choose another model.",
    ),
    (refuse(402), Trouble.MONEY, "the account at api.example.com has no money left", CREDIT),
    (
        refuse(429, error("You exceeded your current quota, please check", "insufficient_quota")),
        Trouble.MONEY,
        "the account at api.example.com has no money left: You exceeded your current quota, please check",
        CREDIT,
    ),
    (
        refuse(400, error("Your credit balance is too low")),
        Trouble.MONEY,
        "the account at api.example.com has no money left: Your credit balance is too low",
        CREDIT,
    ),
    (
        refuse(404, error("The model does not exist")),
        Trouble.MISSING,
        "api.example.com has no model tale-1, or the address is not quite right: The model does not exist",
        "List the available models with `talewright models`; the address usually ends in /v1.",
    ),
    (refuse(408), Trouble.SLOW, "api.example.com took too long to answer", "Try again."),
    (refuse(504), Trouble.SLOW, "api.example.com took too long to answer", "Try again."),
    (refuse(409), Trouble.BUSY, "api.example.com is overloaded", LATER),
    (refuse(429), Trouble.BUSY, "api.example.com has had too many requests from this key", LATER),
    (refuse(500), Trouble.BUSY, "api.example.com has a fault of its own (status 500)", LATER),
    (refuse(502), Trouble.BUSY, "api.example.com has a fault of its own (status 502)", LATER),
    (refuse(503), Trouble.BUSY, "api.example.com is overloaded", LATER),
    (refuse(529), Trouble.BUSY, "api.example.com is overloaded", LATER),
    (
        refuse(503, error("Loading model", 503, "unavailable_error")),
        Trouble.BUSY,
        "the model at api.example.com is still being loaded: Loading model",
        "Wait until it is ready and try again.",
    ),
    (
        refuse(400, error("This model's maximum context length is 8192 tokens", "context_length_exceeded")),
        Trouble.REQUEST,
        "the story so far is longer than tale-1 can read at once: "
        "This model's maximum context length is 8192 tokens",
        "Choose a model with a larger context, or start the server with a larger one.",
    ),
    (
        refuse(
            400, error("the request exceeds the available context size", 400, "exceed_context_size_error")
        ),
        Trouble.REQUEST,
        "the story so far is longer than tale-1 can read at once: "
        "the request exceeds the available context size",
        "Choose a model with a larger context, or start the server with a larger one.",
    ),
    (
        refuse(400, error("flagged", "content_filter")),
        Trouble.REQUEST,
        "api.example.com refuses this passage because of its content: flagged",
        "Rephrase it, or choose a model with other rules.",
    ),
    (
        refuse(400, error("Failed to generate JSON", "json_validate_failed")),
        Trouble.GARBLED,
        "tale-1 did not manage the form of the answer: Failed to generate JSON",
        "Try again.",
    ),
    (
        refuse(400, error("Invalid schema for response_format 'answer'")),
        Trouble.REQUEST,
        "api.example.com does not take the form of answer we ask for: "
        "Invalid schema for response_format 'answer'",
        "Choose another model, or a newer version of the server.",
    ),
    (
        refuse(400, {"error": "tale-1 does not support tools"}),
        Trouble.REQUEST,
        "tale-1 at api.example.com cannot call tools: tale-1 does not support tools",
        "Choose a model that can, or a game that needs no tools.",
    ),
    (
        refuse(422, {"detail": [{"msg": "extra"}]}),
        Trouble.REQUEST,
        'api.example.com refuses the request (status 422): [{"msg": "extra"}]',
        "Choose another model. If it should work with this one, please report it.",
    ),
    (
        refuse(307),
        Trouble.REQUEST,
        "api.example.com sends us on to another address, and a key is not taken there",
        "Enter the server's actual address; often https instead of http, or with /v1 at its end.",
    ),
    (
        refuse(204),
        Trouble.GARBLED,
        "api.example.com answered with the strange status 204",
        "Check the address: it may not be a model server.",
    ),
    (
        REPORTER.garbled("bytes that are no UTF-8"),
        Trouble.GARBLED,
        "api.example.com answered with something unreadable: bytes that are no UTF-8",
        "Try again. If it happens again, check the address: it may not be a model server.",
    ),
    (
        REPORTER.broken_off(),
        Trouble.UNREACHABLE,
        "the connection to api.example.com broke off in the middle of the answer",
        "Try again.",
    ),
    (
        REPORTER.unreachable("no route", unpaid=True),
        Trouble.UNREACHABLE,
        "api.example.com cannot be reached: no route",
        "Check that you are online.",
    ),
    (
        ProviderErrorReporter("127.0.0.1:8080", "m", "").unreachable("", unpaid=True),
        Trouble.UNREACHABLE,
        "127.0.0.1:8080 cannot be reached",
        "Start the model server on this machine, or check its port.",
    ),
    (
        REPORTER.slow("no answer began", 60.0),
        Trouble.SLOW,
        "api.example.com: no answer began within 60 seconds",
        "Try again, or choose a faster model.",
    ),
]


@pytest.mark.parametrize(("found", "trouble", "message", "hint"), WORDS)
def test_words(found: ProviderError, trouble: Trouble, message: str, hint: str) -> None:
    assert (found.trouble, found.message, found.hint) == (trouble, message, hint)


def test_every_row_is_reached_by_some_words() -> None:
    told = {(found.trouble, found.hint) for found, _, _, _ in WORDS}
    assert {(row.trouble, row.hint) for row in STATUS_ERROR_ROWS} <= told


@pytest.mark.parametrize(
    ("status", "unpaid"), [(408, True), (500, True), (503, True), (504, False), (524, False)]
)
def test_behind_a_gateway_that_waited_in_vain_a_model_may_have_worked(status: int, unpaid: bool) -> None:
    assert refuse(status).unpaid is unpaid


def test_every_status_has_a_verdict() -> None:
    for status in (*range(100, 601), 999):
        found = refuse(status, error(f"it said {KEY}"))
        assert found.message, status
        assert found.hint.endswith("."), status
        assert KEY not in found.message, status
        assert found.unpaid is (status not in GATEWAY_TIMEOUTS), status


@pytest.mark.parametrize(
    "body", [b"", b"<html>oops</html>", b"\xff\xfe", b"[" * 9_999, b"7", b"[]", b'{"error": null}']
)
def test_bodies_that_are_none(body: bytes) -> None:
    found = REPORTER.read_status(500, {}, body)
    assert found.trouble is Trouble.BUSY
    assert "html" not in found.message


EVENTS = [
    ({"code": 429, "message": "slow down"}, Trouble.BUSY),
    ({"code": "invalid_api_key"}, Trouble.KEY),
    ({"code": "strange", "type": "overloaded_error"}, Trouble.BUSY),
    ({"type": "not_found_error"}, Trouble.MISSING),
    ({"code": 7, "message": "boom"}, Trouble.BUSY),
    ({"code": True}, Trouble.BUSY),
    ("maximum context length is 7", Trouble.REQUEST),
    (None, Trouble.BUSY),
    ([], Trouble.BUSY),
]


@pytest.mark.parametrize(("raw", "trouble"), EVENTS)
def test_an_error_in_mid_stream(raw: object, trouble: Trouble) -> None:
    found = REPORTER.read_event(raw, Usage(5))
    assert (found.trouble, found.usage, found.unpaid) == (trouble, Usage(5), False)


def test_codes_lead_to_rows() -> None:
    assert {find_status_error(status, code).trouble for code, status in STATUS_OF_CODE.items()} == {
        Trouble.KEY,
        Trouble.MONEY,
        Trouble.MISSING,
        Trouble.SLOW,
        Trouble.BUSY,
        Trouble.REQUEST,
    }


DATE = "Sun, 15 Nov 2026 06:00:00 GMT"
WISHES = [
    ({}, None),
    ({"retry-after": "7"}, 7.0),
    ({"retry-after": "0.5"}, 0.5),
    ({"retry-after": "-3"}, 0.0),
    ({"retry-after": "1e12"}, 86_400.0),
    ({"retry-after": "nan"}, None),
    ({"retry-after": "inf"}, None),
    ({"retry-after": "soon"}, None),
    ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
    ({"retry-after-ms": "x", "retry-after": "1"}, 1.0),
    ({"retry-after": "Sun, 15 Nov 2026 06:00:30 GMT", "date": DATE}, 30.0),
    ({"retry-after": "Sun, 15 Nov 2026 05:00:30 GMT", "date": DATE}, 0.0),
    ({"retry-after": "Sun, 15 Nov 2037 06:00:30 GMT", "date": DATE}, 86_400.0),
    ({"retry-after": "Sun, 15 Nov 2026 06:00:30 GMT"}, None),
    ({"retry-after": "Sun, 15 Nov 2026 06:00:30 -0000", "date": DATE}, None),
]


@pytest.mark.parametrize(("headers", "seconds"), WISHES)
def test_how_long_to_leave_it_alone(headers: dict[str, str], seconds: float | None) -> None:
    assert read_retry_after(headers) == seconds
    assert REPORTER.read_status(429, headers, b"").retry_after_seconds == seconds


def test_quotes_are_short_and_clean() -> None:
    assert REPORTER.quote("a\x1b[31m\n\u202eb  c\x00") == "a [31m b c"
    assert REPORTER.quote(f"key {KEY}{KEY}.") == "key [key][key]."
    assert REPORTER.quote("x" * 300) == "x" * 300
    assert REPORTER.quote("x" * 301) == "x" * 300 + "..."
    assert ProviderErrorReporter("h", "m", "").quote("abc") == "abc"


@pytest.mark.parametrize(
    ("host", "near"),
    [
        ("localhost", True),
        ("localhost:80", True),
        ("127.0.0.1:8080", True),
        ("127.9.9.9", True),
        ("[::1]", True),
        ("[::1]:80", True),
        ("api.example.com:443", False),
        ("localhost.example.com", False),
    ],
)
def test_this_machine(host: str, near: bool) -> None:
    assert is_near(host) is near
