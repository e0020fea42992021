"""Plays on a host end in the same digests and texts as in a folder, background work included."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from talewright_testkit.servers.postgres_server import PostgresServer
from talewright_testkit.servers.redis_server import RedisServer
from tests.hosting.hosted_plays import PlayHost, play_host
from tests.plays.scripts import read_plays

PLAYS = {
    "01_harbor_first_turn",
    "08_tool_loop",
    "10_outside",
    "12_errand_and_aside",
    "15_storyteller_lost",
    "16_undo_and_otherwise",
}
"""A long text, several asks, a game master outside, background work, a failure, and going back."""

PACE_SECONDS = 0.002


@pytest.fixture(name="host")
def start_host(
    tmp_path: Path, postgres_server: PostgresServer, redis_server: RedisServer
) -> Iterator[PlayHost]:
    database = postgres_server.create_database()
    with play_host(
        tmp_path, postgres_server.url(database), redis_server.url, pace_seconds=PACE_SECONDS
    ) as host:
        yield host


@pytest.mark.timeout(300)
def test_the_same_digest_and_text_on_a_host(host: PlayHost, postgres_server: PostgresServer) -> None:
    plays = [play for play in read_plays() if play.name in PLAYS]
    assert len(plays) == len(PLAYS)
    for play in plays:
        host.perform(play)
    # Their workflows are kept for an hour. A dump of them holds no story.
    dump = postgres_server.dump(host.options["database_url"].rpartition("/")[2])
    assert "workflow_status" in dump
    assert '"sealed"' in dump
    assert '"narration"' not in dump
    assert '"reply"' not in dump
