"""A storm of cancelled requests: nothing of one owner reaches another, and nothing is left open."""

import asyncio
from pathlib import Path

import pytest

from tests.hosting.cancel_storm import find_wrong, rage
from tests.hosting.storm_host import DICE_SECRET, storm_host

SEED = 20_260_101
REQUESTS = 240
OWNERS = 6


@pytest.mark.timeout(400)
def test_cancelled_requests_mix_nothing_up_and_leave_nothing_open(
    tmp_path: Path, database_url: str, redis_url: str
) -> None:
    with storm_host(tmp_path, database_url, redis_url) as host:
        findings = asyncio.run(rage(host, REQUESTS, SEED, owners=OWNERS))
    print(findings)
    assert findings.requests == REQUESTS
    assert findings.bytes > 100_000


def test_the_search_finds_what_it_looks_for() -> None:
    mine, other = b"own0123456789abcdef", b"own00000000000000aa"
    assert find_wrong(b"I carry " + mine, mine) == []
    assert find_wrong(b"I carry " + other, mine)
    assert find_wrong(mine)
    for hidden in (DICE_SECRET, DICE_SECRET.hex().encode(), b"A" * 43, b"tw_" + b"x" * 30, b"CNRY", b"cnry"):
        assert find_wrong(b"..." + hidden + b"...", mine), hidden
