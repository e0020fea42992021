"""JSON logs: one line per event, with ids and numbers but never with what players or models wrote.

An event is named by the text of its log call, before values are filled in. Only numbers, ids and network
addresses among the values are kept; anything else might be player text. For an error, its type and location
are kept, but not its message, which may quote text. A line that repeats another is written once in a while.
"""

import hashlib
import json
import logging
import re
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from ipaddress import IPv4Address, IPv6Network
from time import monotonic
from types import TracebackType
from typing import Any, Final, TextIO

FIELDS: Final = "talewright_fields"
"""The attribute of a log record that holds the fields of `log_event`."""

HIDDEN: Final = "-"
"""Replaces a value that might be player text."""

FRAMES_MAX: Final = 12
"""How many frames of a traceback are kept, the innermost last."""

REPEAT_SECONDS: Final = 30.0
"""How long a line is not written again; the next one says how often it would have been."""

LINES_MAX: Final = 1_000
"""How many different lines are remembered."""

OPERATION: Final = "operation"
"""The field with the operation id of a turn or an action; lines that have it are all written."""

_ID = re.compile(r"(?:worker-)?[0-9a-f]{8,64}|[0-9]{1,20}|after|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""Ids that the engine generates; names that players choose do not look like this, or reveal nothing."""

_WORD = re.compile(r"[a-z][a-z0-9_]{0,40}")
"""The engine's own words, such as reasons and kinds; only fields of `log_event` may contain them."""

_EVENT_LENGTH_MAX = 200

_LOG = logging.getLogger(__name__)


class JsonLineFormatter(logging.Formatter):
    """Writes log records as JSON, one per line."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as a line."""
        return _write_line(record, describe_record(record))


def describe_record(record: logging.LogRecord) -> dict[str, Any]:
    """What a line says, without the time."""
    line: dict[str, Any] = {
        "level": record.levelname.lower(),
        "logger": record.name,
        "event": _name_event(record),
    }
    if line["event"] == HIDDEN:
        # Where the program logs it says as much as the text would.
        line["place"] = f"{_module(record.pathname)}:{record.lineno}"
    values = record.args if isinstance(record.args, tuple) else ()
    if values:
        line["values"] = [clean_value(value) for value in values]
    fields: dict[str, Any] = getattr(record, FIELDS, {})
    line |= {name: clean_field(value) for name, value in fields.items() if name not in (*line, "at")}
    if OPERATION in fields:
        line[OPERATION] = clean_operation(str(fields[OPERATION]))
    if record.exc_info and record.exc_info[0] is not None:
        line["error"] = record.exc_info[0].__name__
        frames = traceback.extract_tb(record.exc_info[2])[-FRAMES_MAX:]
        line["places"] = [f"{_module(frame.filename)}:{frame.lineno}" for frame in frames]
    return line


def _write_line(record: logging.LogRecord, line: dict[str, Any]) -> str:
    at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    return json.dumps({"at": at, **line})


class RepeatFilter(logging.Filter):
    """Drops lines that say the same as one a moment ago, such as every second while a database is away.

    The next such line has the number of those that were dropped. A handler calls this under its lock.
    """

    def __init__(self, seconds: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._seconds = seconds
        self._written: dict[str, tuple[float, int]] = {}
        """When each line was last written, and how often it was dropped since."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is to be written."""
        if OPERATION in getattr(record, FIELDS, {}):
            return True
        line, now = json.dumps(describe_record(record)), self._seconds()
        written, dropped = self._written.pop(line, (float("-inf"), 0))
        is_new = now - written >= REPEAT_SECONDS
        self._written[line] = (now, 0) if is_new else (written, dropped + 1)
        if is_new and dropped:
            setattr(record, FIELDS, {**getattr(record, FIELDS, {}), "repeated": dropped})
        while len(self._written) > LINES_MAX:
            self._written.pop(next(iter(self._written)))
        return is_new


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


def clean_operation(value: str) -> str:
    """An operation id. Clients choose it: if it might be text, the start of its SHA-256 stands for it."""
    if _ID.fullmatch(value):
        return value
    return "sha256-" + hashlib.sha256(value.encode(errors="surrogatepass")).hexdigest()[:16]


def write_json_logs(stream: TextIO | None = None, level: int = logging.INFO) -> logging.Handler:
    """Write all logs of this process as JSON lines, by default to standard error; returns the handler."""
    handler = _make_handler(stream)
    root = logging.getLogger()
    for other in tuple(root.handlers):
        root.removeHandler(other)
    root.addHandler(handler)
    root.setLevel(level)
    # At this level these loggers show requests with their addresses, or texts that would be removed entirely.
    for name in ("httpx", "httpcore", "uvicorn.access", "dbos"):
        logging.getLogger(name).setLevel(max(level, logging.WARNING))
    # DBOS would write lines of its own format, but not if its logger has a handler.
    dbos = logging.getLogger("dbos")
    dbos.handlers[:] = [logging.NullHandler()]
    dbos.propagate = True
    logging.captureWarnings(True)
    sys.excepthook = _log_crash
    threading.excepthook = lambda crash: _log_crash(crash.exc_type, crash.exc_value, crash.exc_traceback)
    return handler


@contextmanager
def writing_engine_logs(stream: TextIO | None = None) -> Iterator[None]:
    """Write what the engine logs during one command as JSON lines, by default to standard error."""
    handler, logger = _make_handler(stream), logging.getLogger("talewright")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def _make_handler(stream: TextIO | None) -> logging.Handler:
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLineFormatter())
    handler.addFilter(RepeatFilter())
    return handler


def _log_crash(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    """Log what would end the process, or a thread, with a traceback on standard error."""
    if not issubclass(kind, KeyboardInterrupt):
        _LOG.critical("process_crashed", exc_info=(kind, error or kind(), trace))


def _name_event(record: logging.LogRecord) -> str:
    """The fixed text of the log call. Without values, it may have been built from player text."""
    event = record.msg if isinstance(record.msg, str) else type(record.msg).__name__
    if record.args or hasattr(record, FIELDS) or record.name.startswith("talewright."):
        return event[:_EVENT_LENGTH_MAX]
    return HIDDEN


def _module(file: str) -> str:
    """The last parts of a path; the installation folder is private."""
    return "/".join(file.replace("\\", "/").rsplit("/", 2)[-2:])
