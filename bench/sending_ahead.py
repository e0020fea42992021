"""Sending ahead: the time to a real model's first token, with and without, when the player reads for 20 s.

One campaign on llama.cpp with one thread. Turns with and without it alternate, so that both find the same
server and prompts of the same length. `python -m bench.sending_ahead ferry 2` plays two pairs of the smallest
game. The load of the machine is printed, for it decides how much is read in 20 seconds.
"""

import asyncio
import os
import statistics
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from bench.figures import Figure, at_least, at_most, report
from talewright.llm.measured_abilities import apply_abilities
from talewright.llm.model_fit import fit_to_speed
from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider
from talewright.llm.rate_limit import RateLimitedProvider
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request
from talewright.play.session import ResultKind
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.openai_wire.probe_connection import ProbeConnection
from talewright.providers.openai_wire.server_probe import AbilityProbe
from talewright.turn.turn_context import Teller
from talewright.turn.turn_limits import TurnLimits
from tests.models.casts import FERRY, LANTERN, Cast
from tests.models.games import load_edition
from tests.models.server_process import MODEL
from tests.models.serving import MISSING, find_weights, serve_model
from tests.models.tellers import PATIENT, make_adapter
from tests.models.watching import Ask, Watched
from tests.play.making import make_lobby

GAMES: Mapping[str, Cast] = {"lantern_road": LANTERN, "ferry": FERRY}
PAIRS = 4
READING_SECONDS = 20.0
"""How long the player reads before every input."""

RATIO_MAX = 1 / 3
"""Time to the first token with sending ahead, to that without."""


@dataclass(slots=True)
class Switched:
    """A model that is sent to ahead only while it is switched on: otherwise its price is unknown."""

    inner: Provider
    on: bool = False

    @property
    def profile(self) -> Profile:
        """That of the model within, without a price while it is off."""
        profile = self.inner.profile
        return profile if self.on else replace(profile, prices=None)

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask the model within."""
        async with aclosing(self.inner.stream(request)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def close(self) -> None:
        """Whoever tells the story closes it."""


@dataclass(slots=True)
class Timings:
    """First asks of the turns that were told, with and without sending ahead."""

    ahead: list[Ask] = field(default_factory=list)
    plain: list[Ask] = field(default_factory=list)


async def take_turn(session: StoreSession, told: Watched, words: str) -> Ask | None:
    """Let the player read and say something; the first ask of the turn, if a model told it."""
    await asyncio.sleep(READING_SECONDS)
    before = len(told.asks)
    result = await session.say(words)
    await session.seat.afterwards.rest()
    asks = told.asks[before:]
    return asks[0] if asks and result.kind is ResultKind.COMMITTED else None


async def fit_profile(url: str, profile: Profile) -> Profile:
    """The profile as `talewright setup` would have it: measured, and fitted to the speed of the server."""
    connection = ProbeConnection(url)
    found = await AbilityProbe(connection, MODEL, "bench", date="2026-01-01").run()
    await connection.close()
    read, write = found.read_tokens_per_second, found.write_tokens_per_second
    print(f"  reads {read} and writes {write} tokens a second")
    return fit_to_speed(apply_abilities(profile, found))


async def measure(url: str, cast: Cast, pairs: int) -> int:
    door = RateLimitedProvider(make_adapter(url, await fit_profile(url, cast.profile)), 1)
    told, read = Watched(door), Watched(door)
    switch = Switched(read)
    # On a busy machine a turn may take longer than any player would wait.
    patient = TurnLimits(turn_seconds_max=PATIENT.total_seconds)
    lobby = replace(make_lobby(load_edition(cast.game), teller=Teller(told, ahead=switch)), limits=patient)
    session = await lobby.begin(load_edition(cast.game).game.id, "en")
    timings = Timings()
    for number in range(2 * pairs + 1):
        # What follows the last turn is sent in the background, while the player reads.
        switch.on, before = number % 2 == 0, len(read.asks)
        ask = await take_turn(session, told, f"{cast.sayings[number % len(cast.sayings)]} ({number})")
        # The first turn reads everything.
        if ask is not None and number:
            (timings.ahead if len(read.asks) > before else timings.plain).append(ask)
            print(f"  turn {number} of {2 * pairs}", flush=True)
    await session.close()
    await door.close()
    return report(judge(timings, read))


def judge(timings: Timings, read: Watched) -> list[Figure]:
    """The figures, and what they were made of."""
    for name, asks in (("with", timings.ahead), ("without", timings.plain)):
        for ask in asks:
            new = ask.usage.input_tokens - ask.usage.cached_tokens
            print(f"  {name} sending ahead: {ask.first_seconds:.2f} s to the first token, {new} tokens new")
    whole = sum(ask.stop is not None for ask in read.asks)
    print(f"  {len(read.asks)} sent ahead, {whole} of them read to the end; load {os.getloadavg()[0]:.1f}")
    ahead, plain = (
        statistics.median(ask.first_seconds for ask in asks) for asks in (timings.ahead, timings.plain)
    )
    return [
        at_least("sent_ahead", len(read.asks), 1),
        at_most("first_token_ahead_vs_plain", ahead / plain, RATIO_MAX),
    ]


def main() -> int:
    weights = find_weights()
    if weights is None:
        print(f"nothing is measured: {MISSING}")
        return 0
    name, pairs = [*sys.argv[1:], "", ""][:2]
    cast = GAMES.get(name or "lantern_road")
    if cast is None:
        print(f"no game is called {name}; there are: {', '.join(GAMES)}", file=sys.stderr)
        return 2
    with serve_model(weights, threads=1) as served:
        return asyncio.run(measure(served.url, cast, int(pairs or PAIRS)))


if __name__ == "__main__":
    raise SystemExit(main())
