"""Verdicts: what a status and a server's words mean, as a table read from the top.

Words for a player stand here and nowhere else of this adapter's statuses; nothing is sent or raised.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from talewright.llm.errors import Trouble

STATUS_OF_CODE: Mapping[str, int] = {
    "invalid_api_key": 401,
    "authentication_error": 401,
    "permission_error": 403,
    "insufficient_quota": 402,
    "model_not_found": 404,
    "not_found_error": 404,
    "request_timeout": 408,
    "timeout": 408,
    "conflict": 409,
    "invalid_request_error": 400,
    "context_length_exceeded": 400,
    "exceed_context_size_error": 400,
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "requests": 429,
    "overloaded_error": 529,
    "unavailable_error": 503,
    "server_error": 500,
}
"""The status a code or type of an error stands for, where an error comes in mid-stream and has none."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One row: for these statuses, where the words fit."""

    statuses: frozenset[int]
    trouble: Trouble
    message: str
    """With `{host}` and `{model}`."""

    hint: str
    words: re.Pattern[str] | None = None


def _row(statuses: str, trouble: Trouble, message: str, hint: str, words: str | None = None) -> Verdict:
    numbers: set[int] = set()
    for part in statuses.split():
        first, _, last = part.partition("-")
        numbers.update(range(int(first), int(last or first) + 1))
    return Verdict(
        frozenset(numbers), trouble, message, hint, re.compile(words, re.IGNORECASE) if words else None
    )


_LATER = "Wait a minute and try again."

VERDICTS = (
    _row(
        "401",
        Trouble.KEY,
        "{host} does not accept the key",
        "Enter the key again with `talewright setup`; it may have been cut off or withdrawn.",
    ),
    _row(
        "400-499",
        Trouble.MONEY,
        "the account at {host} has no money left",
        "Add credit there, or choose another model.",
        r"insufficient.?(quota|balance|funds|credit)|exceeded your current quota|credit balance is too low",
    ),
    _row(
        "402",
        Trouble.MONEY,
        "the account at {host} has no money left",
        "Add credit there, or choose another model.",
    ),
    _row(
        "400 403",
        Trouble.REQUEST,
        "{host} refuses this passage because of its content",
        "Say it in other words, or choose a model with other rules.",
        r"content.?(filter|policy|management)|moderation|safety system",
    ),
    _row(
        "403",
        Trouble.KEY,
        "{host} does not let this key use {model}",
        "Check at the provider what the key may be used for, or choose another model.",
    ),
    _row(
        "404 405 410",
        Trouble.MISSING,
        "{host} has no model {model}, or the address is not quite right",
        "See what there is with `talewright models`; the address usually ends in /v1.",
    ),
    _row(
        "400 413 422 500",
        Trouble.REQUEST,
        "the story so far is longer than {model} can read at once",
        "Choose a model with a larger context, or start the server with a larger one.",
        r"context.?(length|size|window)|maximum context|too many (input )?tokens|prompt is too long",
    ),
    _row(
        "400-499",
        Trouble.GARBLED,
        "{model} did not manage the form of the answer",
        "Try again.",
        r"json_validate_failed|tool_use_failed",
    ),
    _row(
        "400 422 500 501",
        Trouble.REQUEST,
        "{host} does not take the form of answer we ask for",
        "Choose another model, or a newer version of the server.",
        r"response_format|json_schema|grammar",
    ),
    _row(
        "400 422 500 501",
        Trouble.REQUEST,
        "{model} at {host} cannot call tools",
        "Choose a model that can, or a game that needs no tools.",
        r"not support tools|tool.?choice|tool.?use|--jinja",
    ),
    _row("408 504 524", Trouble.SLOW, "{host} took too long to answer", "Try again."),
    _row("429", Trouble.BUSY, "{host} has had too many requests from this key", _LATER),
    _row(
        "503",
        Trouble.BUSY,
        "the model at {host} is still being loaded",
        "Wait until it is ready and try again.",
        r"loading model|is loading|being loaded",
    ),
    _row("409 425 498 503 529", Trouble.BUSY, "{host} is overloaded", _LATER),
    _row("500-599", Trouble.BUSY, "{host} has a fault of its own (status {status})", _LATER),
    _row(
        "400-499",
        Trouble.REQUEST,
        "{host} refuses the request (status {status})",
        "Choose another model. If it should work with this one, please report it.",
    ),
)
"""The first row that fits counts."""

STRANGE = Verdict(
    frozenset(),
    Trouble.GARBLED,
    "{host} answered with the strange status {status}",
    "Check the address: it may not be that of a model server.",
)


def judge(status: int, said: str) -> Verdict:
    """The verdict on a status and the words that came with it."""
    fitting = (
        row
        for row in VERDICTS
        if status in row.statuses and (row.words is None or row.words.search(said) is not None)
    )
    return next(fitting, STRANGE)
