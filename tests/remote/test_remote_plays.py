"""Plays through a real server: the same digests and text, with the news cut after every event.

`make sweep PART=remote_plays` performs all of them.
"""

import random
from collections.abc import Iterator

import pytest

from tests.plays.scripts import Play, read_plays
from tests.remote.play_performances import PlayServer, serve_plays

pytestmark = pytest.mark.process

SEED = 20
PLAYS_COUNT = 7
PACE_SECONDS = 0.002

SHORT = [play for play in read_plays() if not play.is_long]
ALWAYS = {"01_harbor_first_turn", "10_outside", "12_errand_and_aside"}
"""A long text told by a model, a game master outside, and background work."""


def choose_plays() -> list[Play]:
    """Some of the short plays, always the same."""
    rest = [play for play in SHORT if play.name not in ALWAYS]
    chosen = {play.name for play in random.Random(SEED).sample(rest, PLAYS_COUNT - len(ALWAYS))} | ALWAYS
    return [play for play in SHORT if play.name in chosen]


@pytest.fixture(scope="module", name="server")
def start_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayServer]:
    with serve_plays(tmp_path_factory.mktemp("plays"), PACE_SECONDS) as server:
        yield server


@pytest.mark.parametrize("play", choose_plays(), ids=lambda play: play.name)
def test_the_same_digest_and_text_through_a_server(play: Play, server: PlayServer) -> None:
    print(f"seed {SEED}")
    server.perform(play)
