"""JSON logs: one line per event, with ids and numbers but never with what players or models wrote.

An event is named by the text of its log call, before values are filled in. Only numbers, ids and network
addresses among the values are kept; anything else might be player text. For an error, its type and location
are kept, but not its message, which may quote text.
"""

import json
import logging
import re
import sys
import traceback
from datetime import UTC, datetime
from ipaddress import IPv4Address, IPv6Network
from typing import Any, Final, TextIO

FIELDS: Final = "talewright_fields"
"""The attribute of a log record that holds the fields of `log_event`."""

HIDDEN: Final = "-"
"""Replaces a value that might be player text."""

FRAMES_MAX: Final = 12
"""How many frames of a traceback are kept, the innermost last."""

_ID = re.compile(r"(?:worker-)?[0-9a-f]{8,64}|[0-9]{1,20}|after")
"""Ids that the engine generates; names that players choose do not look like this, or reveal nothing."""

_WORD = re.compile(r"[a-z][a-z0-9_]{0,40}")
"""The engine's own words, such as reasons and kinds; only fields of `log_event` may contain them."""

_EVENT_LENGTH_MAX = 200


class JsonLineFormatter(logging.Formatter):
    """Writes log records as JSON, one per line."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as a line."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": _name_event(record),
        }
        values = record.args if isinstance(record.args, tuple) else ()
        if values:
            line["values"] = [clean_value(value) for value in values]
        fields: dict[str, Any] = getattr(record, FIELDS, {})
        line |= {name: clean_field(value) for name, value in fields.items() if name not in line}
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            frames = traceback.extract_tb(record.exc_info[2])[-FRAMES_MAX:]
            line["places"] = [f"{_module(frame.filename)}:{frame.lineno}" for frame in frames]
        return json.dumps(line)


def log_event(logger: logging.Logger, event: str, level: int = logging.INFO, **fields: object) -> None:
    """Log an engine event by its fixed name, with ids, numbers and the engine's own words."""
    logger.log(level, event, extra={FIELDS: fields})


def clean_value(value: object) -> int | float | bool | str | None:
    """The value, if it is a number, an id or an address; the parts of a path are checked one by one."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, IPv4Address | IPv6Network):
        return str(value)
    if isinstance(value, str):
        return "/".join(part if _ID.fullmatch(part) else HIDDEN for part in value.split("/"))
    return HIDDEN


def clean_field(value: object) -> int | float | bool | str | None:
    """The same, for a field that may also contain one of the engine's own words."""
    if isinstance(value, str) and _WORD.fullmatch(value):
        return value
    return clean_value(value)


def write_json_logs(stream: TextIO | None = None, level: int = logging.INFO) -> logging.Handler:
    """Write all logs of this process as JSON lines, by default to standard error; returns the handler."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLineFormatter())
    root = logging.getLogger()
    for other in tuple(root.handlers):
        root.removeHandler(other)
    root.addHandler(handler)
    root.setLevel(level)
    # At this level these loggers show requests with their addresses, or texts that would be removed entirely.
    for name in ("httpx", "httpcore", "uvicorn.access", "dbos"):
        logging.getLogger(name).setLevel(max(level, logging.WARNING))
    return handler


def _name_event(record: logging.LogRecord) -> str:
    """The fixed text of the log call. Without values, it may have been built from player text."""
    event = record.msg if isinstance(record.msg, str) else type(record.msg).__name__
    if record.args or hasattr(record, FIELDS) or record.name.startswith("talewright."):
        return event[:_EVENT_LENGTH_MAX]
    return HIDDEN


def _module(file: str) -> str:
    """The last parts of a path; the installation folder is private."""
    return "/".join(file.replace("\\", "/").rsplit("/", 2)[-2:])
