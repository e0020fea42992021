"""Tests reach nothing but this machine."""

import socket

import pytest

from tests.loopback import OutsideError, fence, is_near


@pytest.mark.parametrize(
    "address", [("127.0.0.1", 80), ("127.9.9.9", 1), ("::1", 80, 0, 0), ("localhost", 80), "/tmp/x"]
)
def test_near(address: object) -> None:
    assert is_near(address)


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("10.0.0.1", 80), ("example.org", 443), ("", 80)])
def test_far(address: object) -> None:
    assert not is_near(address)


def test_the_fence_stands() -> None:
    called: list[object] = []
    fenced = fence(lambda self, address: called.append(address))
    with socket.socket() as plug:
        with pytest.raises(OutsideError, match="tests stay on this machine"):
            fenced(plug, ("192.0.2.1", 80))
        fenced(plug, ("127.0.0.1", 80))
    assert called == [("127.0.0.1", 80)]
    assert socket.socket.connect.__name__ == "connect_near"
    assert socket.socket.connect_ex.__name__ == "connect_near"
