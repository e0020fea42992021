"""Standing in: two models, of which one is down in one way or another, and turns that are all told.

The models are wrapped as the program wraps several; the one that is down is asked first in every turn.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass

from talewright.bootstrap.provider_factory import TOGETHER
from talewright.llm.cost_meter import Metered
from talewright.llm.fallback import Fallback
from talewright.llm.provider import Provider
from talewright.llm.rate_limit import RateLimitedProvider
from talewright.llm.retry import RetryingProvider
from talewright.play.verify.campaign_verification import verify
from talewright.turn.inputs.player_inputs import Say
from talewright.turn.spending import CampaignSpendingTracker
from talewright.turn.turn_context import Teller
from talewright.turn.turn_outcomes import Committed
from talewright_testkit.fake_provider.fault_plan import STATUSES, FaultPlace, PlacedFault, ProviderFault
from talewright_testkit.fake_provider.parsed_request import ParsedRequest
from talewright_testkit.fake_provider.reply_script import FakeAnswer
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.provider_faults.stage import MODELS, Campaign, open_warm, shorten
from tests.provider_faults.tales import CARD, LOOKING, Tale

TURNS = 20
"""Turns of one campaign; the next one has another kind of trouble."""

BREAKS = (
    ProviderFault.RESET,
    ProviderFault.TRUNCATED_JSON,
    ProviderFault.INVALID_UTF8,
    ProviderFault.LONG_LINE,
)
WAYS = (
    *(
        (fault, FaultPlace.START)
        for fault in (
            *STATUSES,
            ProviderFault.REFUSED,
            ProviderFault.EMPTY,
            ProviderFault.WRONG_TYPE,
            *BREAKS,
        )
    ),
    *((fault, FaultPlace.TEXT) for fault in BREAKS),
)
"""How a provider is down. Those that hang only cost time, and are in the grid."""

PAIRS = tuple((down, up) for down in Wire for up in Wire if down is not up)


def idle(asked: ParsedRequest) -> FakeAnswer:
    """A card that changes nothing, so that the story can go on for ever."""
    return FakeAnswer(json.dumps(CARD | {"state_updates": []}))


IDLE = Tale("idle", "tests/plays/games/ferry", "", Say("I wait"), idle, LOOKING)


@dataclass(frozen=True, slots=True)
class Told:
    """What came of a campaign with two models."""

    turns: int
    models: frozenset[str]
    """Who has told them."""


async def play_on(fault: ProviderFault, place: FaultPlace, down: Wire, up: Wire, turns: int) -> Told:
    """Take turns while one model is down; each of them must be told whole."""
    campaign = Campaign(IDLE)
    await campaign.begin()
    lasting = PlacedFault(fault, place, times=None, retry_after="0.01")
    tellers: set[str] = set()
    async with open_warm(IDLE, down, [lasting]) as (_, first), open_warm(IDLE, up) as (_, second):
        spending_tracker = CampaignSpendingTracker()
        several: Sequence[Provider] = [
            RetryingProvider(Metered(RateLimitedProvider(model, 1), spending_tracker.take), shorten(TOGETHER))
            for model in (first, second)
        ]
        # It takes no rest, so that every turn meets the fault.
        teller = Teller(Fallback(several, rest_seconds=0.0), spending_tracker=spending_tracker)
        for number in range(turns):
            outcome = await campaign.take(teller, f"turn-{number}")
            assert isinstance(outcome, Committed), (number, outcome)
            assert await campaign.read_narration() == LOOKING
            assert campaign.screen.text == LOOKING
            tellers.add(await campaign.read_teller())
    assert (await verify(campaign.book)).good
    return Told(turns, frozenset(tellers))


def check_turns(count: int, start: int = 0) -> int:
    """Take so many turns, in campaigns of a few, each with the next kind of trouble."""
    done = 0
    while done < count:
        number = start + done // TURNS
        fault, place = WAYS[number % len(WAYS)]
        down, up = PAIRS[number % len(PAIRS)]
        turns = min(TURNS, count - done)
        told = asyncio.run(play_on(fault, place, down, up, turns))
        assert told.models == {MODELS[up]}, (fault, place, down, told.models)
        done += turns
    return done
