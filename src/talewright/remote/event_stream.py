"""The event stream parser: server-sent events from bytes, as the HTML standard describes them.

It only parses; `remote_news` connects and reconnects.
"""

import codecs
import re

from talewright.common.frozen_values import frozen
from talewright.play.wire.view_codec import WireError

EVENT_LENGTH_MAX = 4 * 1024 * 1024
"""The maximum number of characters in one event; our servers never send more."""

_LINE_END = re.compile("\r\n|\n|\r")
_BOM = "\ufeff"


@frozen
class ServerEvent:
    """One event of a stream."""

    name: str
    """The event type; `message` if the server gave none."""

    data: str
    id: str = ""
    """The last id that the server gave, in this event or before it."""


class EventStreamParser:
    """Parses one stream; the bytes may be split anywhere."""

    def __init__(self, last_id: str = "") -> None:
        self.last_id = last_id
        """The id from which a new connection resumes."""

        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._begun = False
        self._name = ""
        self._id = last_id
        self._data: list[str] = []
        self._length = 0

    def feed(self, data: bytes) -> list[ServerEvent]:
        """Parse the next bytes; returns the events that they complete."""
        text = self._rest + self._decoder.decode(data)
        if text and not self._begun:
            self._begun = True
            text = text.removeprefix(_BOM)
        events: list[ServerEvent] = []
        at = 0
        for end in _LINE_END.finditer(text):
            if end.group() == "\r" and end.end() == len(text):
                # The other half of this line end may come with the next bytes.
                break
            event = self._take_line(text[at : end.start()])
            at = end.end()
            if event is not None:
                events.append(event)
        self._rest = text[at:]
        if self._length + len(self._rest) > EVENT_LENGTH_MAX:
            raise WireError("an event of the server is too long")
        return events

    def _take_line(self, line: str) -> ServerEvent | None:
        if not line:
            return self._complete()
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match field:
            case "data":
                self._data.append(value)
                self._length += len(value) + 1
            case "event":
                self._name = value
            case "id" if "\0" not in value:
                self._id = value
            case _:
                # Comments, which keep the connection alive; the time to wait before connecting again, which
                # is meant for browsers; and fields of later versions.
                pass
        return None

    def _complete(self) -> ServerEvent | None:
        self.last_id = self._id
        event = ServerEvent(self._name or "message", "\n".join(self._data), self._id) if self._data else None
        self._name, self._data, self._length = "", [], 0
        return event
