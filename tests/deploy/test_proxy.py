"""The proxy's configuration, in a real Caddy: two nodes, of which one dies.

Docker's DNS is played by a small server here. Without `caddy`, these tests are skipped.
"""

import os
import re
import shutil
import socket
import struct
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from socketserver import (
    BaseRequestHandler,
    BaseServer,
    StreamRequestHandler,
    ThreadingTCPServer,
    ThreadingUDPServer,
)

import httpx
import pytest

from talewright_testkit.servers.server_process import find_port

CADDYFILE = Path(__file__).parents[2] / "deploy" / "Caddyfile"
CADDY = shutil.which("caddy")
REPEATS_BODIES = (2, 11, 2)
"""The first version that sends a request with a body to a second node if the first one cannot be reached."""

NODES = ("127.0.0.1", "127.0.0.2")

pytestmark = [pytest.mark.process, pytest.mark.skipif(CADDY is None, reason="caddy is not installed")]


def read_version() -> tuple[int, ...]:
    """The version of Caddy."""
    assert CADDY is not None
    found = re.match(r"v?(\d+)\.(\d+)\.(\d+)", subprocess.check_output([CADDY, "version"], text=True))
    assert found is not None
    return tuple(map(int, found.groups()))


def answer_dns(query: bytes) -> bytes:
    """Answer a question about any name with the addresses of the nodes."""
    question = query[12 : query.index(b"\0", 12) + 5]
    found = NODES if question[-4:-2] == b"\0\1" else ()
    answers = b"".join(
        b"\xc0\x0c\0\1\0\1" + struct.pack("!IH", 1, 4) + socket.inet_aton(address) for address in found
    )
    return query[:2] + struct.pack("!5H", 0x8580, 1, len(found), 0, 0) + question + answers


class DatagramNames(BaseRequestHandler):
    """DNS over UDP."""

    def handle(self) -> None:
        """Answer one question."""
        data, answering = self.request
        answering.sendto(answer_dns(data), self.client_address)


class StreamNames(StreamRequestHandler):
    """DNS over TCP, which some resolvers prefer."""

    def handle(self) -> None:
        """Answer questions until the connection closes."""
        while head := self.rfile.read(2):
            answer = answer_dns(self.rfile.read(struct.unpack("!H", head)[0]))
            self.wfile.write(struct.pack("!H", len(answer)) + answer)


class NodeHandler(BaseHTTPRequestHandler):
    """A node that says which one it is."""

    def do_GET(self) -> None:
        """Answer any request."""
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.connection.getsockname()[0].encode())

    def do_POST(self) -> None:
        """Answer any request with a body."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving(*servers: BaseServer) -> Iterator[None]:
    """Serve in threads."""
    for server in servers:
        threading.Thread(target=server.serve_forever, args=(0.02,)).start()
    try:
        yield
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()


@contextmanager
def running_caddy(folder: Path, node_port: int, names_port: int) -> Iterator[str]:
    """Caddy with the file of the repository, whose host, nodes and names are on this machine."""
    assert CADDY is not None
    port = find_port()
    text = CADDYFILE.read_text("utf-8")
    assert text.count("port 8734") == 1
    text = text.replace("port 8734", f"port {node_port}\n resolvers 127.0.0.1:{names_port}")
    environment = os.environ | {"PUBLIC_HOST": f"http://127.0.0.1:{port}", "HOME": str(folder)}
    command = [CADDY, "run", "--config", "-", "--adapter", "caddyfile"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, env=environment, stdin=pipe, stderr=pipe, text=True)
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write("{\n admin off\n}\n" + text)
    process.stdin.close()
    # Caddy must never wait for a full pipe.
    reading = threading.Thread(target=process.stderr.read)
    try:
        said = [line := process.stderr.readline()]
        while line and "serving initial configuration" not in line:
            said.append(line := process.stderr.readline())
        assert line, "".join(said)
        reading.start()
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()
        if reading.ident is not None:
            reading.join()
        process.stderr.close()


@contextmanager
def running_host(folder: Path) -> Iterator[tuple[str, dict[str, HTTPServer]]]:
    """The address of the proxy, and the nodes behind it."""
    node_port, names_port = find_port(), find_port()
    nodes = {host: HTTPServer((host, node_port), NodeHandler) for host in NODES}
    here = ("127.0.0.1", names_port)
    names = (ThreadingUDPServer(here, DatagramNames), ThreadingTCPServer(here, StreamNames))
    with serving(*names, *nodes.values()), running_caddy(folder, node_port, names_port) as url:
        yield url, nodes


def test_the_configuration_is_valid(tmp_path: Path) -> None:
    assert CADDY is not None
    environment = os.environ | {"PUBLIC_HOST": "play.example.org", "HOME": str(tmp_path)}
    command = [CADDY, "validate", "--config", str(CADDYFILE), "--adapter", "caddyfile"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    # Caddy warns if its formatter would change the file.
    assert '"level":"warn"' not in done.stderr, done.stderr


def test_no_request_fails_when_a_node_dies(tmp_path: Path) -> None:
    with running_host(tmp_path) as (url, nodes), httpx.Client(base_url=url, timeout=20) as client:
        assert {client.get("/").text for _ in range(10)} == set(NODES)
        nodes[NODES[1]].shutdown()
        nodes[NODES[1]].server_close()
        repeats_bodies = read_version() >= REPEATS_BODIES
        for _ in range(10):
            read = client.get("/")
            assert (read.status_code, read.text) == (200, NODES[0])
            if repeats_bodies:
                written = client.post("/", content=b"an input")
                assert (written.status_code, written.text) == (200, NODES[0])
