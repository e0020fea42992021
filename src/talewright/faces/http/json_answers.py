"""JSON answers: values of the engine as response bodies, in the form of `play.wire.view_codec`.

Nothing is cached by browsers or proxies, unless a route says otherwise.
"""

import json
from collections.abc import Mapping

from starlette.responses import Response

from talewright.play.wire.view_codec import write_value

JSON_TYPE = "application/json"
NO_STORE = {"Cache-Control": "no-store"}


def encode(value: object) -> bytes:
    """A value as JSON. Lone surrogates, which UTF-8 does not have, stay escaped."""
    text = json.dumps(write_value(value), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")


def answer(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A response with a value."""
    return Response(encode(value), status, {**NO_STORE, **(headers or {})}, media_type=JSON_TYPE)


def answer_nothing() -> Response:
    """A response without a body."""
    return Response(None, 204, NO_STORE)


def answer_bytes(data: bytes, media_type: str, file_name: str) -> Response:
    """A response with a file."""
    headers = {**NO_STORE, "Content-Disposition": f'attachment; filename="{file_name}"'}
    return Response(data, 200, headers, media_type=media_type)
