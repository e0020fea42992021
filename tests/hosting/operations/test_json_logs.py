"""JSON logs: ids and figures are kept, and no text of a player, a model or an error gets into a line."""

import ast
import io
import json
import logging
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Network
from pathlib import Path
from typing import Any

import pytest

from talewright.hosting.operations.json_logs import log_event, write_json_logs

SOURCES = Path(__file__).parents[3] / "src" / "talewright"
CANARY = "The drowned king wakes. sk-canary"
ID = "0f3a5c7e" * 4


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
    root.handlers[:] = handlers
    root.setLevel(level)


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
