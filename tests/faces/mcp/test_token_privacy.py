"""The access token is in no output of a server: neither at its start, nor with any request."""

import subprocess
from pathlib import Path

import httpx2
import pytest

from talewright.config.access_token import find_token_file, get_token
from tests.faces.mcp.serving import command, environment

pytestmark = pytest.mark.process

MESSAGE = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
ACCEPTED = "application/json, text/event-stream"


def test_a_server_prints_where_the_token_is_and_not_the_token(tmp_path: Path) -> None:
    variables = environment(tmp_path)
    del variables["TALEWRIGHT_TOKEN"]
    options = ("--game", "mist_harbor", "--http", "--port", "0", "--saves", str(tmp_path / "saves"))
    started = command(*options)
    server = subprocess.Popen(
        started, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert server.stdout is not None
    printed = server.stdout.readline()
    try:
        file = find_token_file(variables, tmp_path)
        token = get_token({}, file).key.reveal()
        address = printed.split()[0]
        statuses = []
        for sent in (token, f"{token}x", "none"):
            headers = {"Accept": ACCEPTED, "Authorization": f"Bearer {sent}"}
            statuses.append(httpx2.post(address, json=MESSAGE, headers=headers, timeout=30).status_code)
        httpx2.post(f"{address}?token={token}", content=b"{", headers={"Accept": ACCEPTED}, timeout=30)
        assert statuses[1:] == [401, 401]
        assert statuses[0] != 401
    finally:
        server.terminate()
        printed += server.communicate(timeout=30)[0]
    assert str(file) in printed
    assert token not in printed
    assert not any(token in word for word in started)
