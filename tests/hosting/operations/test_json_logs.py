"""JSON logs: ids and figures are kept, and no text of a player, a model or an error gets into a line."""

import ast
import hashlib
import io
import json
import logging
import sys
import threading
import warnings
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Network
from pathlib import Path
from typing import Any

import pytest
from dbos._logger import dbos_logger, init_logger

from talewright.hosting.operations.json_logs import (
    FIELDS,
    LINES_MAX,
    JsonLineFormatter,
    RepeatFilter,
    log_event,
    write_json_logs,
)

SOURCES = Path(__file__).parents[3] / "src" / "talewright"
CANARY = "The drowned king wakes. sk-canary"
ID = "0f3a5c7e" * 4


def restore_logs(handlers: list[logging.Handler], level: int) -> None:
    """Undo what `write_json_logs` did to this process."""
    root, dbos = logging.getLogger(), logging.getLogger("dbos")
    root.handlers[:] = handlers
    root.setLevel(level)
    dbos.handlers[:] = []
    logging.captureWarnings(False)
    sys.excepthook, threading.excepthook = sys.__excepthook__, threading.__excepthook__


class Lines:
    """What was logged."""

    def __init__(self) -> None:
        self.stream = io.StringIO()

    def read(self) -> list[dict[str, Any]]:
        text = self.stream.getvalue()
        assert "drowned" not in text
        assert "canary" not in text
        return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def lines() -> Iterator[Lines]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    found = Lines()
    handler = write_json_logs(found.stream, logging.DEBUG)
    assert root.handlers == [handler]
    yield found
    restore_logs(handlers, level)


def test_addresses_of_clients_are_kept(lines: Lines) -> None:
    """Only as addresses: a text that looks like one may be a player's."""
    logger = logging.getLogger("talewright.faces.http.some")
    for address in (IPv4Address("203.0.113.7"), IPv6Network("2001:db8::/64"), "203.0.113.7"):
        logger.warning("too many bad tokens from %s", address)
    assert [line["values"] for line in lines.read()] == [["203.0.113.7"], ["2001:db8::/64"], ["-"]]


def test_an_event_has_its_name_ids_and_figures(lines: Lines) -> None:
    logger = logging.getLogger("talewright.hosting.some")
    log_event(logger, "turn_ended", owner=ID, result="committed", seconds=1.5, asks=2, text=CANARY, at="x")
    logger.warning("workflow %s of engine %s is tried again", f"{ID}/{CANARY}/{ID}/op/3", "12")
    first, second = lines.read()
    assert first.pop("at").endswith("+00:00")
    assert first == {
        "level": "info",
        "logger": "talewright.hosting.some",
        "event": "turn_ended",
        "owner": ID,
        "result": "committed",
        "seconds": 1.5,
        "asks": 2,
        "text": "-",
    }
    assert second["event"] == "workflow %s of engine %s is tried again"
    assert second["values"] == [f"{ID}/-/{ID}/-/3", "12"]


def test_an_error_is_named_without_its_message(lines: Lines) -> None:
    try:
        raise ValueError(CANARY)
    except ValueError as error:
        logging.getLogger("talewright.turn").exception("a turn failed: %s", error)
    (line,) = lines.read()
    assert (line["error"], line["values"], line["level"]) == ("ValueError", ["-"], "error")
    assert line["places"][-1].startswith("operations/test_json_logs.py:")


def test_other_libraries_cannot_tell_a_text(lines: Lines) -> None:
    others = logging.getLogger("asyncpg")
    others.warning(CANARY)
    others.warning(ValueError(CANARY))
    others.warning("%(text)s", {"text": CANARY})
    others.warning("%s: %s", "GET", [CANARY])
    logging.getLogger("httpx").info("HTTP Request: %s", "POST https://example.org")
    assert [line["event"] for line in lines.read()] == ["-", "-", "%(text)s", "%s: %s"]


def test_a_hidden_text_is_known_by_its_place(lines: Lines) -> None:
    logging.getLogger("asyncpg").warning(CANARY)
    (line,) = lines.read()
    assert (line["event"], line["place"].partition(":")[0]) == ("-", "operations/test_json_logs.py")


def test_dbos_writes_json_too(lines: Lines, capsys: pytest.CaptureFixture[str]) -> None:
    init_logger()
    dbos_logger.warning(f"Exception encountered in queue thread: {CANARY}")
    (line,) = lines.read()
    assert (line["logger"], line["event"]) == ("dbos", "-")
    assert capsys.readouterr().err == ""


def test_what_python_says_is_json_too(lines: Lines, capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        raise ValueError(CANARY)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn(CANARY, RuntimeWarning, stacklevel=1)
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    try:
        fail()
    except ValueError as error:
        sys.excepthook(ValueError, error, error.__traceback__)
    first, second, third = lines.read()
    assert first["logger"] == "py.warnings"
    assert [(one["event"], one["error"]) for one in (second, third)] == [
        ("process_crashed", "ValueError")
    ] * 2
    assert capsys.readouterr().err == ""


def test_the_same_line_is_written_once_in_a_while() -> None:
    now = 0.0
    repeats = RepeatFilter(lambda: now)

    def log(event: str, **fields: object) -> logging.LogRecord | None:
        record = logging.LogRecord("talewright.some", logging.WARNING, __file__, 1, event, None, None)
        setattr(record, FIELDS, fields)
        return record if repeats.filter(record) else None

    assert log("database_lost", database=1) is not None
    for now in range(29):  # noqa: B007
        assert log("database_lost", database=1) is None
    # Another line is not held back, and every operation has its own.
    assert log("database_lost", database=2) is not None
    for _ in range(3):
        assert log("turn_ended", operation=ID) is not None
    now = 30.0
    again = log("database_lost", database=1)
    assert again is not None
    assert json.loads(JsonLineFormatter().format(again))["repeated"] == 29
    assert log("database_lost", database=1) is None


def test_no_more_lines_are_remembered_than_fit() -> None:
    repeats = RepeatFilter()
    for number in range(LINES_MAX + 5):
        record = logging.LogRecord("talewright.some", logging.INFO, __file__, 1, "%d", (number,), None)
        assert repeats.filter(record)
    assert len(repeats._written) == LINES_MAX


def test_an_operation_id_that_might_be_text_is_hashed(lines: Lines) -> None:
    logger = logging.getLogger("talewright.some")
    ids = (ID, "6f1c2b9e-0d3a-4c58-9b7e-2a1f0c9d8e7b", "drowned-king", "drowned-king")
    for operation in ids:
        log_event(logger, "turn_ended", operation=operation)
    first, second, third, fourth = (line["operation"] for line in lines.read())
    assert (first, second) == ids[:2]
    assert third == fourth == "sha256-" + hashlib.sha256(b"drowned-king").hexdigest()[:16]


@pytest.mark.slow
def test_the_engine_logs_fixed_texts_only() -> None:
    """A text that is put together before it is logged would get past the formatter."""
    wrong = []
    for file in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if _is_log_call(node) and not isinstance(node.args[0], ast.Constant):  # type: ignore[attr-defined]
                wrong.append(f"{file.relative_to(SOURCES)}:{node.lineno}")  # type: ignore[attr-defined]
    assert wrong == []


def _is_log_call(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in ("_LOG", "LOG", "_log")
        and node.func.attr in ("debug", "info", "warning", "error", "exception", "critical")
    )
