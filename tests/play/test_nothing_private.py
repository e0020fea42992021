"""Nothing private leaves: canaries in a long campaign, and pairs of states that differ only in secrets."""

import asyncio
import random
from dataclasses import replace

import pytest

from talewright.play.campaign_view import Viewer
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import Scripted, by
from talewright.turn.turn_context import Teller
from tests.play.making import make_lobby
from tests.privacy import (
    MARK,
    Catch,
    Narrator,
    act,
    canary_edition,
    find_canaries,
    listen,
    look_around,
    look_at_the_whole,
    read_exports,
    sit_down,
)
from tests.sweep.privacy import FULL_COUNT, run

TURNS = 200
TYPED = "\n".join(
    "/cards;/history 20;/why Health;/why guest;/why dossier;I look about.;1;/undo;/retry;/help;/quit".split(
        ";"
    )
)
"""What a player types at the end, at the plain face."""

SEED = 20260


async def play(turns: int, seed: int, catch: Catch) -> tuple[StoreSession, Scripted]:
    """A campaign with everything that reaches its player."""
    rng = random.Random(seed)
    scripted = Scripted(Narrator(seed), cut=by(7))
    lobby = make_lobby(canary_edition(), teller=Teller(scripted), seed=seed)
    session = await lobby.begin("test", "en")
    late = session.watch(after=0)
    listening = asyncio.create_task(listen(session.watch(), "news", catch))
    for turn in range(turns):
        await act(session, rng, catch)
        if turn % 10 == 0:
            await look_around(session, catch)
    await look_at_the_whole(session, catch)
    await session.seat.afterwards.rest()
    session.seat.broadcast.close()
    await listening
    await listen(late, "late news", catch)
    listed = await lobby.campaigns()
    catch.add("campaigns", *listed)
    catch.add("details", *[await lobby.details(one.name) for one in listed])
    await read_exports(session.seat.road.book, session.seat.games, catch)
    await sit_down(lobby, (await session.view()).campaign, TYPED, catch)
    return session, scripted


@pytest.mark.slow
def test_no_canary_reaches_the_player_of_a_long_campaign() -> None:
    catch = Catch()

    async def main() -> None:
        session, scripted = await play(TURNS, SEED, catch)
        # The birds are alive: whoever may see everything sees them, and the record is full of them.
        author = Catch()
        author.add("view", await replace(session, role=Viewer.AUTHOR).view())
        assert author.hits()
        assert (await session.view()).version > TURNS // 2
        told = [message.text for request in scripted.requests for message in request.messages]
        assert not [text for text in told if f"{MARK} plot" in text or f"{MARK} under the cellar" in text]
        await session.close()

    asyncio.run(main())
    assert len(catch.taken["news"]) > TURNS
    ways_out = {"plain face", "markdown", "html", "epub", "trail", "tree", "compare", "details"}
    assert ways_out <= set(catch.taken)
    assert "along the quay" in catch.taken["plain face"][0]
    assert not catch.hits()[:5]


def test_the_search_finds_every_form_of_a_canary() -> None:
    assert find_canaries(f'{{"text": "a {MARK}"}}')
    assert find_canaries("cnry_key")
    assert find_canaries("73519204861 coins")
    assert find_canaries("73,519,204,861 coins")
    assert not find_canaries("a canary sings 735")


def test_states_that_differ_only_in_secrets_sound_and_look_the_same() -> None:
    count = FULL_COUNT // 100
    assert run(count, seed=7) == count
