"""The serializer for DBOS: plain JSON in ASCII, which every database and every later version can read.

Nothing is pickled, so reading a stored step never runs code.
"""

import json
from typing import Any

from dbos import DBOSPortableJSONSerializer

_ENCODER = json.JSONEncoder(
    ensure_ascii=True, allow_nan=False, check_circular=False, separators=(",", ":"), default=str
)
"""ASCII, because a model may write characters that no database accepts; values that are not JSON become text.
"""


class PlainJsonSerializer(DBOSPortableJSONSerializer):
    """Writes values as JSON; also reads the output of DBOS's own portable serializer."""

    def serialize(self, value: Any) -> str:
        """A value as JSON text."""
        return _ENCODER.encode(value)

    def deserialize(self, text: str | None) -> Any:
        """The value again."""
        return None if text is None else json.loads(text)
