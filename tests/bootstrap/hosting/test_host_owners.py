"""Owners at a node: a token that was replaced or removed ends soon, and browsers log in with one."""

import asyncio
import re

from talewright.faces.http.guards.lasting_requests import CHECK_SECONDS
from talewright.hosting.owners.owner_directory import KNOWN_SECONDS
from talewright.play.serving.owner_lookup import SingleOwner
from talewright.play.wire.token_proof import hash_token, identify_token, prove_token
from tests.bootstrap.hosting.host_app import GAME, PUBLIC, HostApp, host_app
from tests.opened import opened


async def read_status(host: HostApp, token: str) -> int:
    async with host.client(token) as client:
        return (await client.get("/api/campaigns")).status_code


def test_a_replaced_or_removed_token_loses_access_soon(database_url: str) -> None:
    async def run() -> None:
        async with host_app(database_url) as host:
            ann = await host.add_owner("Ann")
            old = host.tokens[ann]
            assert await read_status(host, old) == 200
            assert await read_status(host, old + "x") == 401
            assert await read_status(host, "tw_unknown") == 401
            async with host.client(old) as client:
                body = {"game": GAME, "language": "en", "name": "road"}
                assert (await client.post("/api/campaigns?role=master", json=body)).status_code == 201
                made = await client.post("/api/tokens", json={"campaign": "road", "role": "player"})
            new = await host.accounts.renew_token(ann)
            host.clock.now += KNOWN_SECONDS + 1
            assert await read_status(host, old) == 401
            # What the old token has signed is void too.
            assert await read_status(host, made.json()["token"]) == 401
            assert await read_status(host, new) == 200
            await host.accounts.remove(ann)
            assert await read_status(host, new) == 200, "remembered for some seconds"
            host.clock.now += KNOWN_SECONDS + 1
            assert await read_status(host, new) == 401

    asyncio.run(run())


def test_an_open_stream_ends_when_its_owner_is_removed(database_url: str) -> None:
    async def run() -> None:
        async with host_app(database_url) as host:
            ann = await host.add_owner("Ann")
            session = await opened(host.lobby_of(ann).begin(GAME, "en", "road"))
            await session.close()
            stream = asyncio.create_task(listen(host, host.tokens[ann]))
            while not host.heard:
                await asyncio.sleep(0.01)
            await host.accounts.remove(ann)
            host.clock.now += CHECK_SECONDS + 1
            # The next event finds out.
            async with host.client(token="") as client:
                assert (await client.get("/api/health")).status_code == 200
            lobby = host.lobby_of(ann)
            playing = await lobby.open("road")
            await playing.choose((await playing.view()).choices[0].id)
            await playing.close()
            assert await asyncio.wait_for(stream, 30) == [200, "ended"]

    asyncio.run(run())


def test_logging_out_ends_the_session_on_every_node(database_url: str) -> None:
    async def run() -> None:
        async with host_app(database_url, PUBLIC) as host, host_app(database_url, PUBLIC) as other:
            ann, bob = await host.add_owner("Ann"), await host.add_owner("Bob")
            stolen, kept = [await log_in(host, host.tokens[owner]) for owner in (ann, bob)]
            for node in (host, other):
                assert await visit(node, stolen) == await visit(node, kept) == 200
            async with host.client(origin=PUBLIC.origin, Cookie=stolen) as client:
                away = await client.post("/logout", headers=own())
                assert (away.status_code, "Max-Age=0" in away.headers["set-cookie"]) == (303, True)
            assert await visit(host, stolen) == 401
            # The other node has remembered the session for some seconds.
            other.clock.now += KNOWN_SECONDS + 1
            assert await visit(other, stolen) == 401
            async with other.client(origin=PUBLIC.origin, Cookie=stolen) as client:
                assert (await client.get("/api/campaigns")).status_code == 401
                assert (await client.post("/logout", headers=own())).status_code == 303
            assert await visit(host, kept) == await visit(other, kept) == 200
            # A node that starts now knows it too.
            async with host_app(database_url, PUBLIC) as third:
                assert await visit(third, stolen) == 401

    asyncio.run(run())


def test_a_host_proves_that_it_knows_a_token(database_url: str) -> None:
    """`play --server` asks for it before it sends a token to a host on the same machine."""
    nonce = "0123456789abcdef"

    async def prove(host: HostApp, token_id: str) -> str:
        async with host.client() as client:
            answer = await client.get("/api/proof", params={"token": token_id, "nonce": nonce})
            return str(answer.json()["proof"]) if answer.status_code == 200 else str(answer.status_code)

    async def run() -> None:
        async with host_app(database_url) as host:
            ann, bob = await host.add_owner("Ann"), await host.add_owner("Bob")
            session = await opened(host.lobby_of(ann).begin(GAME, "en", "road"))
            await session.close()
            async with host.client(host.tokens[ann]) as client:
                made = await client.post("/api/tokens", json={"campaign": "road", "role": "player"})
            narrow = made.json()["token"]
            for token in (host.tokens[ann], host.tokens[bob], narrow):
                expected = prove_token(hash_token(token), nonce, "127.0.0.1:8734")
                assert await prove(host, identify_token(token)) == expected
            # Whoever does not know a token learns nothing by asking with its hash, or with half of it.
            wrong = [
                identify_token("tw_unknown"),
                hash_token(host.tokens[ann]).hex(),
                host.tokens[ann],
                identify_token(narrow)[:-2],
                narrow,
                "tw1.",
                "tw1.e30",
                "",
                "zz",
                "00",
                "\u0663",
            ]
            assert [await prove(host, one) for one in wrong] == ["404"] * len(wrong)
            old = identify_token(host.tokens[ann])
            await host.accounts.renew_token(ann)
            assert await prove(host, old) == "404"

    asyncio.run(run())


async def log_in(host: HostApp, token: str) -> str:
    """The cookie of a browser that has logged in."""
    async with host.client(origin=PUBLIC.origin) as client:
        answer = await client.post("/login", data={"token": token}, headers=own())
        return answer.headers["set-cookie"].partition(";")[0]


async def visit(host: HostApp, cookie: str) -> int:
    async with host.client(origin=PUBLIC.origin, Cookie=cookie) as client:
        return (await client.get("/")).status_code


async def listen(host: HostApp, token: str) -> list[object]:
    """Read the news until they end."""
    found: list[object] = []
    path = "/api/campaigns/road/news"
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"after=0",
        "root_path": "",
        "headers": [(b"host", b"127.0.0.1:8734"), (b"authorization", f"Bearer {token}".encode())],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8734),
        "state": {},
    }
    never = asyncio.Event()

    async def receive() -> dict[str, object]:
        if not host.heard:
            host.heard = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await never.wait()
        raise AssertionError

    async def send(message: dict[str, object]) -> None:
        if message["type"] == "http.response.start":
            found.append(message["status"])
        elif not message.get("more_body"):
            found.append("ended")

    await host.app(scope, receive, send)
    return found


def test_a_browser_logs_in_with_the_token_of_its_owner(database_url: str) -> None:
    async def run() -> None:
        async with host_app(database_url, PUBLIC) as host:
            ann, bob = await host.add_owner("Ann"), await host.add_owner("Bob")
            for owner, campaign in ((ann, "harbor"), (bob, "meadow")):
                session = await opened(host.lobby_of(owner).begin(GAME, "en", campaign))
                await session.close()
            async with host.client(origin=PUBLIC.origin) as client:
                page = await client.get("/")
                assert page.status_code == 401
                assert 'name="token"' in page.text
                assert "form-action 'self'" in page.headers["content-security-policy"]
                assert page.headers["referrer-policy"] == "same-origin"
                wrong = await client.post("/login", data={"token": "tw_wrong"}, headers=own())
                assert wrong.status_code == 401
                assert "set-cookie" not in wrong.headers
                foreign = {"Origin": "https://elsewhere.example.org"}
                refused = await client.post("/login", data={"token": host.tokens[ann]}, headers=foreign)
                assert refused.status_code == 403
                inside = await client.post("/login", data={"token": host.tokens[ann]}, headers=own())
                assert inside.status_code == 303
                cookie = inside.headers["set-cookie"]
                assert cookie.startswith("__Host-talewright=")
                for part in ("; Secure", "; HttpOnly", "; SameSite=Strict", "; Path=/"):
                    assert part in cookie
                assert host.tokens[ann] not in cookie
                home = await client.get("/")
                assert "/play/harbor" in home.text
                assert "/play/meadow" not in home.text
                assert (await client.get("/play/meadow")).status_code == 404
                display = await client.post("/display", data={"theme": "dark"}, headers=own())
                assert "; Secure" in display.headers["set-cookie"]
                # A cookie that names another owner is not signed by that owner.
                value = re.match("__Host-talewright=([^;]+)", cookie)
                assert value is not None
                away = await client.post("/logout", headers=own())
                assert "Max-Age=0" in away.headers["set-cookie"]
            async with host.client(origin=PUBLIC.origin) as client:
                await host.accounts.renew_token(ann)
                host.clock.now += KNOWN_SECONDS + 1
                old = {"Cookie": f"__Host-talewright={value[1]}"}
                assert (await client.get("/", headers=old)).status_code == 401

    asyncio.run(run())


def own() -> dict[str, str]:
    """The header that a form of our own pages has."""
    return {"Origin": PUBLIC.origin}


def test_one_owner_can_have_a_token_of_the_operator() -> None:
    async def run() -> None:
        lookup = SingleOwner("ada", "a-token-for-tests-0123456789")
        found = await lookup.find_by_token("a-token-for-tests-0123456789")
        assert found is not None
        assert found == await lookup.find_by_id("ada")
        assert await lookup.find_by_token("another") is None
        assert await lookup.find_by_id("bob") is None
        assert "a-token" not in repr(found)

    asyncio.run(run())
