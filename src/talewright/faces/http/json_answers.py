"""JSON answers: values of the engine as response bodies, in the form of `play.wire.view_codec`.

Nothing is cached by browsers or proxies, unless a route says otherwise.
"""

import hashlib
import json
from collections.abc import Mapping

from starlette.responses import Response

from talewright.common.json_values import Json
from talewright.play.campaign_view import View
from talewright.play.wire.view_codec import write_value

JSON_TYPE = "application/json"
ETAG_DIGITS = 16
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
NO_STORE = {"Cache-Control": "no-store"}


def encode(value: object) -> bytes:
    """A value as JSON. Lone surrogates, which UTF-8 does not have, stay escaped."""
    return dump(write_value(value))


def dump(form: Json) -> bytes:
    """The same for what is JSON already."""
    return _ENCODER.encode(form).encode("utf-8", "backslashreplace")


def answer(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A response with a value."""
    return Response(encode(value), status, {**NO_STORE, **(headers or {})}, media_type=JSON_TYPE)


def answer_view(view: View, headers: Mapping[str, str] | None = None, known: str = "") -> Response:
    """A view with its ETag, or no body if the client already has it (If-None-Match).

    The ETag begins with the head. A digest follows, because marks and cards can change without a turn.
    """
    data = encode(view)
    etag = f'"{view.head}.{hashlib.sha256(data).hexdigest()[:ETAG_DIGITS]}"'
    # A browser may keep it, but asks each time whether it has changed.
    sent = {"ETag": etag, "Cache-Control": "no-cache", **(headers or {})}
    if etag in [one.strip().removeprefix("W/") for one in known.split(",")]:
        return Response(None, 304, sent)
    return Response(data, 200, sent, media_type=JSON_TYPE)


def answer_nothing() -> Response:
    """A response without a body."""
    return Response(None, 204, NO_STORE)


def answer_bytes(data: bytes, media_type: str, file_name: str) -> Response:
    """A response with a file."""
    headers = {**NO_STORE, "Content-Disposition": f'attachment; filename="{file_name}"'}
    return Response(data, 200, headers, media_type=media_type)
