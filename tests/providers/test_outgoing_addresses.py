"""Outgoing addresses: a host connects to listed servers only, at an address that was checked."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx
import pytest

from talewright.llm.profiles import Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.requests import Request, UserMessage
from talewright.providers.openai_wire.openai_provider import OpenAICompatible
from talewright.providers.outgoing_addresses import (
    PIN_SECONDS,
    AddressListError,
    AllowedServer,
    OutgoingAddresses,
    is_public,
    read_allowed_servers,
)
from talewright.providers.pydantic_ai_bridge.bridge import make_bridge

NAME = "models.example.com"
PROFILE = Profile("any", context_tokens=8_000)
PUBLIC = "93.184.215.14"

LOCAL_NAMES = """
localhost LOCALHOST localhost. localhost.localdomain ip6-localhost 127.0.0.1.nip.io
spoofed.burpcollaborator.net metadata metadata.google.internal instance-data 169.254.169.254.xip.io
kubernetes.default.svc postgres redis models.example.com.evil.example evil-models.example.com
models.example.comevil.example xn--models-example.com
""".split()
LOCAL_ADDRESSES = """
127.0.0.1 127.1 127.0.1 127.000.000.001 0177.0.0.1 0x7f.0.0.1 0x7f000001 2130706433 017700000001
127.255.255.254 0.0.0.0 0 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1
192.168.255.255 169.254.169.254 100.64.0.1 198.18.0.1 192.0.0.1 192.0.2.1 198.51.100.1 203.0.113.1
224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 0xa9fea9fe 2852039166 025177524776 169.254.43518
0xa9.0xfe.0xa9.0xfe [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1]
[fe80::1] [fc00::1] [fd00:ec2::254] [64:ff9b::7f00:1] [2002:7f00:1::] [2001:0:7f00:1::] [fec0::1]
[ff02::1] [::ffff:169.254.169.254] [2001:db8::1]
""".split()
SHAPES = (
    "http://{}/v1",
    "https://{}/v1",
    "http://{}:80/v1",
    "https://models.example.com@{}/v1",
)
ODD = """
file:///etc/passwd gopher://127.0.0.1:6379/_FLUSHALL ftp://127.0.0.1/ dict://127.0.0.1:11211/
ldap://127.0.0.1/ http://models.example.com/v1 https://models.example.com:8443/v1
https://models.example.com:22/v1 https://models.example.com#@127.0.0.1/
https://models.example.com?@127.0.0.1/ https://127.0.0.1#models.example.com
https://127.0.0.1?models.example.com https://models.example.com\\@127.0.0.1/
https://127.0.0.1\\@models.example.com/ https://models.example.com%00.evil.example/
https://models.example.com%2f@127.0.0.1/ //127.0.0.1/v1 127.0.0.1/v1 http:127.0.0.1 http:/127.0.0.1
http:///127.0.0.1 https://[::1%25eth0]/ https://①②⑦.0.0.1/ https://127。0。0。1/ https://ⓛocalhost/
https://mοdels.example.com/ https://models.example.com:443@127.0.0.1:80/ unix:///run/redis.sock
""".split()
PAYLOADS = [shape.format(host) for host in LOCAL_NAMES + LOCAL_ADDRESSES for shape in SHAPES] + ODD


@dataclass
class Watcher:
    """A server on this machine that no request may reach, and what it was asked."""

    port: int = 0
    requests: list[bytes] = field(default_factory=list)
    answer: bytes = (
        b'HTTP/1.1 200 OK\r\nContent-Length: 25\r\nConnection: close\r\n\r\n{"data": [{"id": "one"}]}'
    )

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.requests.append(b"connected")
        self.requests[-1] = await reader.readuntil(b"\r\n\r\n")
        writer.write(self.answer)
        writer.close()
        await writer.wait_closed()


@asynccontextmanager
async def watch() -> AsyncIterator[Watcher]:
    watcher = Watcher()
    server = await asyncio.start_server(watcher.take, "127.0.0.1", 0)
    watcher.port = server.sockets[0].getsockname()[1]
    async with server:
        yield watcher


@dataclass
class Resolver:
    """A name server that gives other answers each time it is asked."""

    answers: list[tuple[str, ...]]
    asked: int = 0

    async def __call__(self, host: str, port: int) -> tuple[str, ...]:
        self.asked += 1
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def allow(*answers: tuple[str, ...], text: str = f"https://{NAME}") -> OutgoingAddresses:
    return OutgoingAddresses(read_allowed_servers(text), Resolver([*answers]))


async def ask(base_url: str, outgoing: OutgoingAddresses) -> tuple[str, ...]:
    provider = OpenAICompatible("any", base_url, profile=PROFILE, outgoing=outgoing)
    try:
        return await provider.list_models()
    finally:
        await provider.close()


def test_200_payloads_connect_to_nothing() -> None:
    assert len(set(PAYLOADS)) >= 200

    async def run() -> None:
        async with watch() as watcher:
            outgoing = allow(("127.0.0.1",), text=f"https://{NAME}, http://{NAME}:{watcher.port}")
            for payload in PAYLOADS:
                for text in {payload, payload.replace(":80/", f":{watcher.port}/")}:
                    with pytest.raises(ProviderError) as caught:
                        await ask(text, outgoing)
                    assert caught.value.trouble in (Trouble.REQUEST, Trouble.UNREACHABLE), text
                    assert caught.value.hint
            # The listed name itself, which leads to this machine.
            with pytest.raises(ProviderError, match="not public"):
                await ask(f"http://{NAME}:{watcher.port}/v1", outgoing)
            assert watcher.requests == []

    asyncio.run(run())


def test_an_address_must_be_public() -> None:
    private = [one.strip("[]") for one in LOCAL_ADDRESSES]
    assert [one for one in private if is_public(one)] == []
    assert is_public(PUBLIC)
    assert is_public("2606:2800:21f:cb07:6820:80da:af6b:8b2c")


def test_one_private_address_among_many_is_enough() -> None:
    request = httpx.Request("GET", f"https://{NAME}/v1/models")
    with pytest.raises(ProviderError, match="not public"):
        asyncio.run(allow((PUBLIC, "10.0.0.1")).pin(request))


def test_a_name_that_is_bound_again_stays_at_its_address() -> None:
    now = [100.0]
    resolver = Resolver([(PUBLIC,), ("127.0.0.1",)])
    outgoing = OutgoingAddresses(read_allowed_servers(f"https://{NAME}"), resolver, lambda: now[0])

    async def run() -> None:
        for _ in range(3):
            request = httpx.Request("GET", f"https://{NAME}/v1/models")
            await outgoing.pin(request)
            await outgoing.pin(request)  # A request that is sent again
            assert (request.url.host, request.headers["host"]) == (PUBLIC, NAME)
            assert request.extensions["sni_hostname"] == NAME
        assert resolver.asked == 1
        now[0] += PIN_SECONDS
        with pytest.raises(ProviderError, match="not public"):
            await outgoing.pin(httpx.Request("GET", f"https://{NAME}/v1/models"))

    asyncio.run(run())


def test_an_unknown_name_is_no_crash() -> None:
    async def fail(host: str, port: int) -> tuple[str, ...]:
        raise OSError("no such name")

    outgoing = OutgoingAddresses(read_allowed_servers(f"https://{NAME}"), fail)
    with pytest.raises(ProviderError, match="cannot be resolved"):
        asyncio.run(ask(f"https://{NAME}/v1", outgoing))


def test_the_operator_can_name_an_address_and_redirects_lead_nowhere() -> None:
    async def run() -> None:
        async with watch() as watcher, watch() as other:
            outgoing = allow((), text=f"http://{NAME}:{watcher.port}=127.0.0.1")
            assert await ask(f"http://{NAME}:{watcher.port}/v1", outgoing) == ("one",)
            assert f"host: {NAME}:{watcher.port}".encode() in watcher.requests[0].lower()
            watcher.answer = (
                f"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{other.port}/\r\nContent-Length: 0\r\n"
                "Connection: close\r\n\r\n"
            ).encode()
            with pytest.raises(ProviderError):
                await ask(f"http://{NAME}:{watcher.port}/v1", outgoing)
            assert other.requests == []

    asyncio.run(run())


@pytest.mark.parametrize("wire", ["anthropic", "google"])
def test_the_vendors_libraries_obey_too(wire: str) -> None:
    async def run() -> None:
        async with watch() as watcher:
            near = f"http://127.0.0.1:{watcher.port}"
            with pytest.raises(ProviderError, match="does not connect"):
                make_bridge(wire, "any", "key", profile=PROFILE, base_url=near, outgoing=allow())  # type: ignore[arg-type]
            listed = f"http://{NAME}:{watcher.port}"
            outgoing = allow(("127.0.0.1",), text=listed)
            bridge = make_bridge(wire, "any", "key", profile=PROFILE, base_url=listed, outgoing=outgoing)  # type: ignore[arg-type]
            with pytest.raises(ProviderError):
                await anext(bridge.stream(Request((UserMessage("Hello"),))))
            await bridge.close()
            assert watcher.requests == []

    asyncio.run(run())


def test_the_list_is_read() -> None:
    assert read_allowed_servers(f"https://{NAME}, http://inner:8000=10.0.0.5,http://10.0.0.6:80/,") == (
        AllowedServer("https", NAME, 443),
        AllowedServer("http", "inner", 8000, "10.0.0.5"),
        AllowedServer("http", "10.0.0.6", 80, "10.0.0.6"),
    )


@pytest.mark.parametrize(
    "text",
    [NAME, "ftp://a", "https://", "https://a b", "https://a/v1", "https://a=b", "https://a:x", "https://u@a"],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(AddressListError) as caught:
        read_allowed_servers(text)
    assert caught.value.hint
