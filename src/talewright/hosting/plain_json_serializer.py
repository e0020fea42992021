"""The serializer of DBOS: plain JSON text in ASCII, which every database and every later version can read.

Nothing is pickled, so that reading a stored step never runs code.
"""

import json
from typing import Any

from dbos import DBOSPortableJSONSerializer

_ENCODER = json.JSONEncoder(
    ensure_ascii=True, allow_nan=False, check_circular=False, separators=(",", ":"), default=str
)
"""ASCII, because a model may write characters that no database takes; whatever is no JSON becomes a text."""


class PlainJsonSerializer(DBOSPortableJSONSerializer):
    """Writes values as JSON; reads what DBOS's own portable serializer has written as well."""

    def serialize(self, value: Any) -> str:
        """A value as JSON text."""
        return _ENCODER.encode(value)

    def deserialize(self, text: str | None) -> Any:
        """The value again."""
        return None if text is None else json.loads(text)
