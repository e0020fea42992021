"""Logins that are over stay over: a used code and an ended session, even for a server that was restarted."""

import signal
from pathlib import Path

import httpx
import pytest

from tests.bootstrap.serving.processes import ServeCommand, serve_command

pytestmark = pytest.mark.process


def log_in(server: ServeCommand, link: str) -> dict[str, str]:
    """The header of a browser that has opened a link; empty if it was refused."""
    with server.browser() as browser:
        answer = browser.get(link)
        found = answer.headers.get("set-cookie", "").partition(";")[0]
        return {"Cookie": found} if found else {}


def is_welcome(server: ServeCommand, cookie: dict[str, str]) -> bool:
    with server.browser(**cookie) as browser:
        return {browser.get(path).status_code for path in ("/", "/api/campaigns")} == {200}


def log_out(server: ServeCommand, cookie: dict[str, str]) -> httpx.Response:
    with server.browser(**cookie, Origin=server.origin) as browser:
        return browser.post("/logout")


def test_codes_and_sessions_stay_ended_over_a_restart(tmp_path: Path) -> None:
    with serve_command(tmp_path) as first:
        used, other = first.link, first.make_link()
        kept = log_in(first, used)
        ended = log_in(first, other)
        assert is_welcome(first, kept)
        assert is_welcome(first, ended)
        assert not log_in(first, used)
        answer = log_out(first, ended)
        assert answer.status_code == 303
        assert "Max-Age=0" in answer.headers["set-cookie"]
        # Someone has copied the cookie before.
        assert not is_welcome(first, ended)
        assert is_welcome(first, kept)
        port, unused = first.port, first.make_link()
        assert first.stop(signal.SIGTERM) == 0
    with serve_command(tmp_path, "--port", str(port)) as second:
        assert not log_in(second, used)
        assert not log_in(second, other)
        assert not is_welcome(second, ended)
        assert is_welcome(second, kept)
        # A link that nobody has opened still works, once.
        assert is_welcome(second, log_in(second, unused))
        assert not log_in(second, unused)
        assert log_out(second, ended).status_code == 303
        assert log_out(second, {}).status_code == 303
        assert is_welcome(second, kept)
