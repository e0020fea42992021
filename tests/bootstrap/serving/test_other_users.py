"""Other users of the machine: they see which programs run, listen on ports, and get no login of ours."""

import asyncio
import errno
import html
import os
import re
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from talewright.bootstrap.mcp_launcher import UnusablePortError, listen_here
from talewright.bootstrap.serving import login_file
from talewright.bootstrap.serving.login_file import FILE, PREFIX, LoginFile
from tests.bootstrap.serving.processes import ROOT, TOKEN, serve_command
from tests.faces.web.chromium import launch_browser, needs_chromium
from tests.warm_homes import warm

SECONDS_MAX = 60.0
TELL = """\
#!{python}
import os, pathlib, sys
folder = pathlib.Path({told!r})
(folder / "argv.new").write_text("\\n".join(sys.argv))
os.replace(folder / "argv.new", folder / "argv")
"""
"""A browser that notes how it was called."""


class Eavesdropper(BaseHTTPRequestHandler):
    """A program of another user: notes every header it is sent."""

    heard: list[str]

    def do_GET(self) -> None:
        self.heard.append(f"{self.headers.get('host')} {self.headers.get('cookie', '-')} {self.headers}")
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<title>theirs</title><img src='/picture'>")

    def log_message(self, *args: Any) -> None:
        pass


@contextmanager
def eavesdrop() -> Iterator[tuple[int, list[str]]]:
    heard: list[str] = []
    handler = type("Handler", (Eavesdropper,), {"heard": heard})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port, heard
        finally:
            server.shutdown()
            thread.join()


@needs_chromium
@pytest.mark.browser
@pytest.mark.process
def test_a_program_on_another_port_receives_no_cookie(tmp_path: Path) -> None:
    """Browsers send a cookie to every port of its host, so the host of the login is one that nobody knows."""
    with serve_command(tmp_path) as server, eavesdrop() as (port, heard), launch_browser() as browser:
        for scripts in (True, False):
            heard.clear()
            page = browser.new_context(java_script_enabled=scripts).new_page()
            page.goto(server.make_link())
            page.get_by_role("heading", name="Start a story").wait_for()
            assert re.fullmatch(rf"http://talewright-[a-z2-7]{{16}}\.localhost:{server.port}/", page.url)
            # A link in the story, a bookmark, another program's own pages.
            for host in ("127.0.0.1", "localhost", "talewright.localhost", "x.localhost"):
                page.goto(f"http://{host}:{port}/")
                page.goto(f"http://{host}:{port}/again")
            assert len(heard) >= 8
            assert [one for one in heard if f"talewright_{server.port}" in one] == []
            # Nor does anyone who asks the server learn the name.
            name = server.name
            with httpx.Client(base_url=server.url) as stranger:
                for path in (
                    *("/", "/login", "/login?code=x"),
                    *("/api/openapi.json", "/manifest.webmanifest", "/x"),
                ):
                    answer = stranger.get(path)
                    assert name not in answer.text + str(answer.headers), path
            page.goto(f"http://{name}:{server.port}/")
            page.get_by_role("heading", name="Start a story").wait_for()
            page.context.close()


@needs_chromium
@pytest.mark.browser
@pytest.mark.process
def test_the_file_logs_a_browser_in(tmp_path: Path) -> None:
    """It comes from elsewhere, so the browser keeps a strict cookie back until our own page asks for it."""
    with serve_command(tmp_path) as server, launch_browser() as browser:
        for scripts in (True, False):
            with LoginFile(server.make_link(), tmp_path) as file:
                page = browser.new_context(java_script_enabled=scripts).new_page()
                referrers: list[str | None] = []
                page.on(
                    "request", lambda request, seen=referrers: seen.append(request.headers.get("referer"))
                )
                page.goto(file.as_uri())
                page.get_by_role("heading", name="Start a story").wait_for()
                assert referrers
                assert not any("code" in (one or "") for one in referrers)
                page.context.close()
            assert not file.parent.exists()


@pytest.mark.process
@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no terminals to pretend")
def test_no_program_is_called_with_the_link(tmp_path: Path) -> None:
    """Every user can list the programs that run, with their arguments."""
    home, told = tmp_path / "home", tmp_path / "told"
    told.mkdir()
    fake = tmp_path / "browser"
    fake.write_text(TELL.format(python=sys.executable, told=str(told)))
    fake.chmod(0o700)
    variables = {
        **os.environ,
        "TALEWRIGHT_HOME": str(warm(home)),
        "TALEWRIGHT_TOKEN": TOKEN,
        "HOME": str(tmp_path),
        "DISPLAY": ":0",
        "BROWSER": f"{fake} %s",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
    }
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "talewright", "serve", "--port", "0", "--no-git"]
    process = subprocess.Popen(command, env=variables, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    try:
        began = time.monotonic()
        while not (told / "argv").exists():
            assert time.monotonic() - began < SECONDS_MAX
            time.sleep(0.05)
        _, address = (told / "argv").read_text().split("\n")
        assert address.startswith("file:///")
        assert "code" not in address
        file = Path(address.removeprefix("file://"))
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        assert not any(part.startswith(".") for part in file.relative_to(tmp_path).parts)
        link = html.unescape(re.findall(r"url=([^\"]+)\"", file.read_text())[0])
        printed = os.read(ours, 65536).decode()
        # The link that is printed is another one: each works once.
        assert link.partition("?")[0] in printed
        assert link not in printed
        with httpx.Client(headers={"User-Agent": "Firefox/1"}) as browser:
            assert browser.get(link).status_code == 303
            assert browser.get(link).status_code == 401
        while file.parent.exists():
            assert time.monotonic() - began < SECONDS_MAX
            time.sleep(0.05)
    finally:
        process.terminate()
        process.wait()
        os.close(ours)
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(PREFIX)] == []


def test_the_file_is_private_and_loads_nothing(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with LoginFile('http://127.0.0.1:1/login?code=a"b&c', tmp_path) as file:
            text = file.read_text()
            if os.name != "nt":
                assert stat.S_IMODE(file.stat().st_mode) == 0o600
                assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    finally:
        os.umask(before)
    assert text.count("http") == text.count("http-equiv") + 2
    assert 'url=http://127.0.0.1:1/login?code=a&quot;b&amp;c"' in text
    assert '<meta name="referrer" content="no-referrer">' in text
    assert not re.findall("<script|<img|<link|src=", text)
    assert list(tmp_path.iterdir()) == []


def test_files_of_servers_that_were_killed_are_removed_later(tmp_path: Path) -> None:
    old, new, other, full = (
        tmp_path / name for name in (f"{PREFIX}old", f"{PREFIX}new", "mine", f"{PREFIX}x")
    )
    for folder in (old, new, other, full):
        folder.mkdir()
        (folder / FILE).write_text("")
    (full / "notes").write_text("mine")
    # Somebody else may have put a link there.
    os.utime(other, (1, 1))
    (tmp_path / f"{PREFIX}link").symlink_to(other)
    for folder in (old, full, other):
        os.utime(folder, (1, 1))
    with LoginFile("http://127.0.0.1:1/", tmp_path):
        assert not old.exists()
        assert (new / FILE).exists()
        assert (other / FILE).exists()
        assert (full / "notes").read_text() == "mine"


def test_a_home_that_cannot_be_written_to_is_not_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with LoginFile("http://127.0.0.1:1/", tmp_path / "nowhere") as file:
        assert file.parent.parent == tmp_path


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as tried:
            tried.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.skipif(not has_ipv6(), reason="this machine has one loopback address")
def test_nobody_else_listens_on_the_other_loopback_address() -> None:
    """Chromium asks `[::1]` first when it is given a name of this machine."""
    with listen_here(0) as (first, second):
        assert first.getsockname()[:2] == ("127.0.0.1", first.getsockname()[1])
        assert second.getsockname()[:2] == ("::1", first.getsockname()[1])
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with pytest.raises(OSError, match="in use") as caught:
                other.bind(("::1", first.getsockname()[1]))
            assert caught.value.errno == errno.EADDRINUSE
    with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as other:
        other.bind(("::1", 0))
        other.listen()
        with pytest.raises(UnusablePortError, match="cannot be used"), listen_here(other.getsockname()[1]):
            pass


def test_a_machine_without_ipv6_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    made = socket.socket

    def make(family: int = -1, *more: Any) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError(errno.EAFNOSUPPORT, "no such family")
        return made(family, *more)

    monkeypatch.setattr("talewright.bootstrap.mcp_launcher.socket.socket", make)
    with listen_here(0) as sockets:
        assert len(sockets) == 1


def test_the_file_is_deleted_even_if_nothing_comes_of_it(tmp_path: Path) -> None:
    async def run() -> None:
        opened: list[str] = []
        used = asyncio.Event()
        await login_file.open_login(
            lambda: "http://127.0.0.1:1/", used, tmp_path, open_address=opened.append, seconds=0.01
        )
        assert len(opened) == 1
        assert list(tmp_path.iterdir()) == []

    asyncio.run(run())
