"""Sockets that servers listen on, and the token that they share."""

import asyncio
import socket
from pathlib import Path

import pytest

from talewright.bootstrap.mcp_launcher import UnusablePortError, find_token, listen
from talewright.bootstrap.serving.remote_play import find_access
from talewright.config.access_token import TOKEN

HOST = "127.0.0.1"


def test_answers_are_sent_at_once() -> None:
    """Nagle's algorithm would hold back the end of an answer until the client has acknowledged its start."""

    async def main() -> None:
        with listen(HOST, 0) as listening:
            accepted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

            def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                served: socket.socket = writer.get_extra_info("socket")
                accepted.set_result(served.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
                writer.close()

            async with await asyncio.start_server(answer, sock=listening):
                _, writer = await asyncio.open_connection(*listening.getsockname())
                assert await accepted
                writer.close()

    asyncio.run(main())


def test_a_port_is_used_once() -> None:
    with listen(HOST, 0) as listening, pytest.raises(UnusablePortError, match="cannot be used"):
        listen(HOST, listening.getsockname()[1])


def test_a_dotenv_in_the_folder_does_not_set_the_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever wrote the folder would know the token of a server that is started there."""
    (tmp_path / ".env").write_text(f"{TOKEN}=known-to-a-stranger-0123456789\n")
    monkeypatch.chdir(tmp_path)
    home = {"TALEWRIGHT_HOME": str(tmp_path / "home")}
    own = find_token(home)
    assert own.source == str(tmp_path / "home" / "token")
    assert find_token(home, new=True).source == own.source
    # No server gets a token that a folder chose, either.
    assert find_access("https://tales.example", home, lambda _: "typed").token == "typed"
