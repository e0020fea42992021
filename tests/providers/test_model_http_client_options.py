"""The options of a client: the same for both libraries, whatever server they are for."""

import asyncio
from collections.abc import Callable

import httpx
import httpx2
import pytest

from talewright.llm.provider import ProviderError
from talewright.providers.http_errors import ProviderErrorReporter
from talewright.providers.model_http_client import (
    ClientOptions,
    ServerUrl,
    choose_options,
    make_httpx_client,
    name_host,
    read_server_address,
)
from talewright.providers.pydantic_ai_bridge.guarded_client import make_client
from talewright.providers.reply_timeouts import ProviderTimeouts

TIMES = ProviderTimeouts(connect_seconds=3.0)
EXAMPLE = "https://api.example.com"


def read_httpx(address: str) -> ServerUrl:
    return read_server_address(address, httpx.URL, httpx.InvalidURL, EXAMPLE)


def read_httpx2(address: str) -> ServerUrl:
    return read_server_address(address, httpx2.URL, httpx2.InvalidURL, EXAMPLE)


both = pytest.mark.parametrize("read", [read_httpx, read_httpx2])


@both
@pytest.mark.parametrize(
    ("address", "verify", "trust_env"),
    [
        ("https://api.example.com/v1", True, True),
        ("http://api.example.com", False, True),
        ("http://127.0.0.1:8080/v1/", False, False),
        ("HTTPS://localhost", True, False),
        ("http://[::1]:1234", False, False),
    ],
)
def test_options_follow_the_address(
    read: Callable[[str], ServerUrl], address: str, verify: bool, trust_env: bool
) -> None:
    assert choose_options(read(address), TIMES) == ClientOptions(verify, trust_env, 3.0)


@both
@pytest.mark.parametrize(
    "address",
    [
        *("", "api.example.com", "ftp://a", "https://me:word@a", "https://a?key=b", "https://a#b"),
        *("http://a:0", "http://a:65536", "http://a:b", "http://a b", "https://", "http://\ud800"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused(read: Callable[[str], ServerUrl], address: str) -> None:
    with pytest.raises(ProviderError, match="the address of the model server cannot be used") as raised:
        read(address)
    assert raised.value.hint == f"Write it like {EXAMPLE}, without a user name, key or question mark."


@both
def test_a_sound_address_loses_its_last_slash(read: Callable[[str], ServerUrl]) -> None:
    url = read(" http://Example.com:8080/v1/ ")
    assert (str(url), name_host(url)) == ("http://example.com:8080/v1", "example.com:8080")


async def _check_clients() -> None:
    options = choose_options(read_httpx("http://127.0.0.1:8080"), TIMES)
    reporter = ProviderErrorReporter("127.0.0.1:8080", "m", "")
    async with make_httpx_client(options) as ours, make_client(options, reporter) as theirs:
        assert ours.follow_redirects is theirs.follow_redirects is False
        assert ours.trust_env is theirs.trust_env is False
        assert ours.timeout.as_dict() == theirs.timeout.as_dict() == options.timeouts
        assert theirs.headers["accept-encoding"] == "identity"


def test_both_libraries_are_set_up_alike() -> None:
    asyncio.run(_check_clients())
