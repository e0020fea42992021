"""A server on this machine proves that it knows the token before it gets it: nobody else gets it."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from talewright.play.error_codes import code_of
from talewright.play.wire.token_proof import hash_token, identify_token, prove_token
from talewright.remote.remote_lobby import RemoteLobby
from talewright.remote.server_connection import RetryRules, UnreachableServerError
from talewright.remote.token_challenge import UnprovenServerError
from tests.bootstrap.serving.processes import TOKEN, ServeCommand, begin_campaign, serve_command
from tests.faces.http.serving import serve_process

NEAR = re.compile(rb"nonce=([0-9a-f]+)")


class Impostor:
    """Another program on this machine: it answers as it likes, and remembers what it was sent."""

    def __init__(self, answer: Callable[[bytes], Awaitable[bytes]]) -> None:
        self._answer = answer
        self.port = 0
        self.received = b""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                self.received += head
                answer = await self._answer(head)
                if not answer:
                    return
                writer.write(answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def pretend(answer: Callable[[bytes], Awaitable[bytes]]) -> AsyncIterator[Impostor]:
    impostor = Impostor(answer)
    async with await asyncio.start_server(impostor.serve, "127.0.0.1", 0) as listening:
        impostor.port = listening.sockets[0].getsockname()[1]
        yield impostor


def respond(body: object, status: str = "200 OK", **headers: str) -> bytes:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(data)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + data


def prove_with(token: str, host: str, *, change: Callable[[str], str] = lambda proof: proof) -> bytes:
    """The proof of somebody who has this token, for a host."""
    return respond({"proof": change(prove_token(hash_token(token), "0" * 32, host))})


async def visit(url: str, token: str = TOKEN) -> None:
    lobby = RemoteLobby(url, token, retry=RetryRules(0.2))
    try:
        await lobby.games()
    finally:
        await lobby.close()


ANSWERS: dict[str, Callable[[bytes], bytes]] = {
    "a list of games": lambda head: respond([]),
    "nothing here": lambda head: respond({"detail": "Not Found"}, "404 Not Found"),
    "an older server": lambda head: respond({"code": "not_found"}, "404 Not Found"),
    "another token": lambda head: prove_with("another-token-0123456789", "127.0.0.1:1"),
    "an old nonce": lambda head: prove_with(TOKEN, "127.0.0.1:1"),
    "the nonce itself": lambda head: respond({"proof": NEAR.findall(head)[0].decode()}),
    "an empty proof": lambda head: respond({"proof": ""}),
    "half a character": lambda head: respond({"proof": "\ud800"}),
    "a number": lambda head: respond({"proof": 1}),
    "a list": lambda head: respond(["proof"]),
    "no JSON": lambda head: respond(b"\xff\xfe{"),
    "deep JSON": lambda head: respond(b"[" * 3000),
    "a redirect": lambda head: respond({}, "302 Found", Location="http://127.0.0.1:9/"),
    "not HTTP": lambda head: b"SSH-2.0-OpenSSH_9.2\r\n\r\n\r\n",
    "no length": lambda head: b"HTTP/1.1 200 OK\r\n\r\n{}",
    "a wrong length": lambda head: b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}",
    "too much": lambda head: respond(b" " * 100_000),
    "an endless header": lambda head: b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000,
    "two lengths": lambda head: b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}\n",
    "a token needed": lambda head: respond({"code": "token_needed"}, "401 Unauthorized"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_impostor_never_sees_the_token(name: str) -> None:
    async def answer(head: bytes) -> bytes:
        return ANSWERS[name](head)

    async def run() -> None:
        async with pretend(answer) as impostor:
            with pytest.raises(UnprovenServerError) as caught:
                await asyncio.wait_for(visit(impostor.url), 20)
            assert TOKEN.encode() not in impostor.received
            assert b"authorization" not in impostor.received.lower()
            assert hash_token(TOKEN).hex().encode() not in impostor.received
            said = f"{caught.value} {caught.value.hint}"
            assert "was not sent" in said
            assert TOKEN not in said
            assert code_of(caught.value) == "server_unproven"

    asyncio.run(run())


@pytest.mark.parametrize(
    "host",
    ["localhost", "x.localhost", "127.1", "2130706433", "0x7f.0.0.1"],
)
def test_this_machine_is_known_by_none_of_its_names_alone(host: str) -> None:
    """An address that does not look like this machine's own may be, and needs a proof as well."""

    async def answer(head: bytes) -> bytes:
        return respond([])

    async def run() -> None:
        async with pretend(answer) as impostor:
            with pytest.raises((UnprovenServerError, UnreachableServerError)):
                await asyncio.wait_for(visit(impostor.url.replace("127.0.0.1", host)), 20)
            assert b"authorization" not in impostor.received.lower()

    asyncio.run(run())


def test_no_proxy_reads_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    async def answer(head: bytes) -> bytes:
        return respond([])

    async def run() -> None:
        async with pretend(answer) as proxy:
            for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
                monkeypatch.setenv(name, proxy.url)
            with pytest.raises(UnreachableServerError):
                await asyncio.wait_for(visit("http://tales.invalid:9"), 20)
            assert proxy.received == b""

    asyncio.run(run())


@pytest.mark.parametrize("status", ["", "503 Service Unavailable", "502 Bad Gateway", "429 Too Many"])
def test_a_server_that_is_not_ready_is_asked_again_and_gets_nothing(status: str) -> None:
    async def answer(head: bytes) -> bytes:
        return respond({}, status) if status else b""

    async def run() -> None:
        async with pretend(answer) as impostor:
            with pytest.raises(UnreachableServerError):
                await visit(impostor.url)
            assert impostor.received.count(b"GET /api/proof") > 1
            assert TOKEN.encode() not in impostor.received

    asyncio.run(run())


@pytest.fixture(scope="module", name="server")
def start_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeCommand]:
    with serve_command(tmp_path_factory.mktemp("home")) as server:
        yield server


async def relay(server: ServeCommand, head: bytes, host: str) -> bytes:
    """Ask the real server, under another name."""
    path = head.split()[1].decode()
    async with httpx.AsyncClient() as client:
        answer = await client.get(f"{server.url}{path}", headers={"Host": host})
    return respond(answer.content, f"{answer.status_code} OK")


@pytest.mark.process
def test_the_real_server_proves_it(server: ServeCommand) -> None:
    for host in ("127.0.0.1", "localhost", "any-name.localhost"):
        asyncio.run(visit(server.url.replace("127.0.0.1", host)))
    with server.client() as owner:
        campaign = begin_campaign(owner)
        made = owner.post("/api/tokens", json={"campaign": campaign, "role": "player"}).json()["token"]
    asyncio.run(visit(server.url, made))
    head, body, signature = made.split(".")
    for forged in (f"{head}.{body}.{signature[:-2]}xx", f"{head}.{body}x.{signature}"):
        with pytest.raises(UnprovenServerError):
            asyncio.run(visit(server.url, forged))
    with pytest.raises(UnprovenServerError):
        asyncio.run(visit(server.url, "another-token-0123456789"))


@pytest.mark.process
@pytest.mark.parametrize("named", ["its own", "the server's"])
def test_a_program_on_another_port_cannot_borrow_a_proof(server: ServeCommand, named: str) -> None:
    """It asks the real server, which says for which address its proof is."""

    async def run() -> None:
        real = f"127.0.0.1:{server.port}"

        async def answer(head: bytes) -> bytes:
            return await relay(server, head, real if named == "the server's" else impostor.url[7:])

        async with pretend(answer) as impostor:
            with pytest.raises(UnprovenServerError):
                await visit(impostor.url)
            assert TOKEN.encode() not in impostor.received

    asyncio.run(run())


@pytest.mark.process
def test_every_connection_is_proven(tmp_path: Path) -> None:
    """The server stops, and another program takes its port."""

    async def run() -> None:
        with serve_process(saves=str(tmp_path)) as server:
            lobby = RemoteLobby(server.url, TOKEN, retry=RetryRules(0.2))
            assert await lobby.games()
            assert server.process is not None
            server.process.kill()
            server.process.wait()

            async def answer(head: bytes) -> bytes:
                return respond([])

            impostor = Impostor(answer)
            async with await asyncio.start_server(impostor.serve, "127.0.0.1", server.port):
                with pytest.raises(UnprovenServerError):
                    await lobby.games()
                await lobby.close()
            assert TOKEN.encode() not in impostor.received

    asyncio.run(run())


def test_the_id_of_a_token_says_nothing_of_its_secret() -> None:
    assert identify_token(TOKEN) != identify_token(f"{TOKEN}x")
    assert re.fullmatch("[0-9a-f]{64}", identify_token(TOKEN))
    assert hash_token(TOKEN).hex() not in identify_token(TOKEN)
    # A narrower token is named by what it says, without its signature.
    assert identify_token("tw1.body.signature") == "tw1.body"
    known = prove_token(hash_token(TOKEN), "aa", "127.0.0.1:1")
    for other in (
        prove_token(hash_token(f"{TOKEN}x"), "aa", "127.0.0.1:1"),
        prove_token(hash_token(TOKEN), "ab", "127.0.0.1:1"),
        prove_token(hash_token(TOKEN), "aa", "127.0.0.1:2"),
        prove_token(hash_token(TOKEN), "a", "a127.0.0.1:1"),
    ):
        assert other != known
