"""Plays on a host end in the same digests and texts as in a folder, background work included."""

from collections.abc import Iterator

import pytest

from talewright_testkit.servers.postgres_server import PostgresServer
from talewright_testkit.servers.redis_server import RedisServer
from tests.hosting.hosted_plays import PlayHost, play_host
from tests.plays.scripts import Play, read_plays

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


@pytest.fixture(scope="module", name="host")
def start_host(
    tmp_path_factory: pytest.TempPathFactory, postgres_server: PostgresServer, redis_server: RedisServer
) -> Iterator[PlayHost]:
    database = postgres_server.create_database()
    folder = tmp_path_factory.mktemp("host")
    with play_host(
        folder, postgres_server.url(database), redis_server.url, pace_seconds=PACE_SECONDS
    ) as host:
        yield host


@pytest.mark.parametrize(
    "play", [play for play in read_plays() if play.name in PLAYS], ids=lambda play: play.name
)
def test_the_same_digest_and_text_on_a_host(play: Play, host: PlayHost) -> None:
    host.perform(play)


def test_a_dump_of_the_steps_holds_no_story(host: PlayHost, postgres_server: PostgresServer) -> None:
    """After the plays above: their workflows are kept for an hour."""
    dump = postgres_server.dump(host.options["database_url"].rpartition("/")[2])
    assert "workflow_status" in dump
    assert '"sealed"' in dump
    assert '"narration"' not in dump
    assert '"reply"' not in dump
