"""Costs: what a campaign has cost by turn and model, with failed tries and errands, and broken prefixes."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from talewright.chronicle.records import Aside, Attempt, AttemptVerdict, Commit
from talewright.common.json_values import Json
from talewright.llm.cost_meter import Metered
from talewright.llm.profiles import CacheKind, CacheRules, Prices, Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Usage
from talewright.play.history.campaign_cost import Cost, PromptCacheBreak, add_up, count_costs, find_breaks
from talewright.play.history.campaign_history import CampaignHistory, read_history
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.turn.inputs.player_inputs import Say
from talewright.turn.spending import CampaignSpendingTracker, Spending
from talewright.turn.turn_context import Teller
from tests.turn.making import NOW, cards, ferry, lay_bench

PRICED = Profile(
    "mini", prices=Prices(1.0, 10.0, 0.1), cache=CacheRules(CacheKind.AUTOMATIC, lifetime_seconds=300)
)
UNPRICED = Profile("unknown")


def look_up(model: str) -> Profile:
    return {"mini": PRICED}.get(model, replace(UNPRICED, name=model))


def rounded(cost: Cost) -> Cost:
    return replace(cost, dollars=None if cost.dollars is None else round(cost.dollars, 9))


def test_a_campaign_that_was_played() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        broken = ScriptedReply("He", error=ProviderError(Trouble.BUSY, "later", usage=Usage(50, 5)))
        told = replace(cards("He nods."), usage=Usage(1000, 20, 400))
        spending_tracker = CampaignSpendingTracker()
        provider = Metered(Scripted([told, broken, told], profile=PRICED), spending_tracker.take)
        bench = bench.with_road(teller=Teller(provider, spending_tracker=spending_tracker))
        for number in range(3):
            await bench.take(Say("I untie the boat myself"), f"op-{number}")
        await bench.with_road(teller=None).commit(Say("Haggle"), "scene")
        head = (await bench.head()).id
        await bench.book.add(
            Aside(
                "a", head, NOW,
                {"asks": 1, "usage": {"input_tokens": 9, "output_tokens": 1, "cached_tokens": 0}},
            )
        )  # fmt: skip
        costs = count_costs(await read_history(bench.book), look_up)
        one = Cost(600, 400, 20, 0.00084)
        assert [(turn.version, turn.asks, turn.models) for turn in costs.turns] == [
            (2, 1, ("mini",)),
            (3, 1, ("mini",)),
        ]
        assert all(turn.cost == one for turn in costs.turns)
        assert (costs.campaign, costs.scenes) == ("test", 2)
        assert rounded(costs.told) == Cost(1200, 800, 40, 0.00168)
        assert rounded(costs.failed) == Cost(50, 0, 5, 0.0001)
        assert costs.aside == Cost(9, 0, 1, None)
        assert costs.total == Cost(1259, 800, 46, None)
        # Two turns and the one that broke off; the scene asked nobody, and the opening is no action.
        assert (costs.asks, costs.background_asks, costs.actions) == (4, 1, 3)
        assert {model: rounded(cost) for model, cost in costs.models.items()} == {
            "mini": Cost(1250, 800, 45, 0.00178),
            "": Cost(9, 0, 1, None),
        }

    asyncio.run(run())


def test_a_campaign_of_scenes_costs_nothing() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        costs = count_costs(await read_history(bench.book), look_up)
        assert (costs.turns, costs.scenes, costs.total, costs.models) == ((), 1, Cost(), {})

    asyncio.run(run())


def test_adding_up() -> None:
    assert add_up([]) == Cost(0, 0, 0, 0.0, False)
    # A provider that says it had kept more than it was sent is not believed.
    strange = Spending("a", Usage(10, 1, 99, True), 0.5)
    assert add_up([strange]) == Cost(0, 10, 1, 0.5, True)
    assert Cost(1, 2, 3, 0.1234567891).to_json() == {
        "uncached_tokens": 1,
        "cached_tokens": 2,
        "output_tokens": 3,
        "dollars": 0.123456789,
        "estimated": False,
    }
    assert Cost(dollars=None).to_json()["dollars"] is None


def exchange(given: int, cached: int, model: str = "mini", purpose: str = "tell") -> Json:
    usage: Json = {"input_tokens": given, "output_tokens": 9, "cached_tokens": cached}
    return {"purpose": purpose, "model": model, "usage": usage}


def history(*bodies: dict[str, Json], at: Sequence[str] = (), games: Sequence[str] = ()) -> CampaignHistory:
    commits = {}
    for number, body in enumerate(bodies):
        when = at[number] if at else f"2026-01-01T00:0{number}:00Z"
        game = games[number] if games else "g"
        parent = str(number - 1) if number else ""
        commits[str(number)] = Commit(
            str(number), parent, "main", number, f"op{number}", when, game, "", body
        )
    attempts = {
        f"op{number}": (Attempt(f"a{number}", f"op{number}", "main", "", NOW, AttemptVerdict.COMMITTED),)
        for number in range(len(bodies))
    }
    return CampaignHistory("c", {"main": str(len(bodies) - 1)}, {}, commits, {}, attempts)


ROOT: dict[str, Json] = {"root": {}}


def told(*exchanges: Json, **more: Json) -> dict[str, Json]:
    return {"exchanges": list(exchanges), "language": "en", **more}


GOOD = told(exchange(5000, 4000))
WINDOW: Json = [{"cut": "tail", "tokens": 9}, {"cut": "window", "from": 1, "first": 7}]
LOST = PromptCacheBreak("the provider did not cache it", 4000, 0.0036)

CASES: dict[str, tuple[CampaignHistory, dict[str, PromptCacheBreak]]] = {
    "kept": (history(ROOT, GOOD, told(exchange(5200, 4500))), {}),
    "half is kept": (history(ROOT, GOOD, told(exchange(5200, 2000))), {}),
    "less than half": (
        history(ROOT, GOOD, told(exchange(5200, 1999))),
        {"2": PromptCacheBreak("the provider did not cache it", 2001, 2001 * 0.9 / 1_000_000)},
    ),
    "nothing is ever kept": (history(ROOT, told(exchange(9, 0)), told(exchange(9, 0))), {}),
    "nothing before": (history(ROOT, told(exchange(5000, 0)), GOOD), {}),
    "scenes between": (history(ROOT, GOOD, {}, told(exchange(5000, 0))), {"3": LOST}),
    "an errand first": (
        history(ROOT, GOOD, told(exchange(50, 0, purpose="errand rumour"), exchange(5000, 4000))),
        {},
    ),
    "nothing but errands": (history(ROOT, GOOD, told(exchange(50, 0, purpose="errand rumour"))), {}),
    "no usage": (history(ROOT, GOOD, told({"purpose": "tell", "model": "mini"})), {}),
    "shorter now": (
        history(ROOT, GOOD, told(exchange(3000, 0), cuts=WINDOW)),
        {
            "2": PromptCacheBreak(
                "the oldest turns were condensed; the transcript now begins with turn 7", 3000, 0.0027
            )
        },
    ),
    "other cuts": (history(ROOT, GOOD, told(exchange(5000, 0), cuts=[{"cut": "tail"}])), {"2": LOST}),
    "another model": (
        history(ROOT, GOOD, told(exchange(5000, 0, "large"))),
        {"2": PromptCacheBreak("another model: mini, then large", 4000, None)},
    ),
    "another game": (
        history(ROOT, GOOD, told(exchange(5000, 0)), games=["g", "g", "h"]),
        {"2": PromptCacheBreak("the game has changed", 4000, 0.0036)},
    ),
    "another language": (
        history(ROOT, GOOD, told(exchange(5000, 0), language="zh-CN")),
        {"2": PromptCacheBreak("the language has changed", 4000, 0.0036)},
    ),
    "a long pause": (
        history(
            ROOT, GOOD, told(exchange(5000, 0)), at=[NOW, "2026-01-01T00:00:00Z", "2026-01-01T01:00:00.5Z"]
        ),
        {"2": PromptCacheBreak("60 minutes passed; the provider caches it for 5", 4000, 0.0036)},
    ),
    "no clock": (history(ROOT, GOOD, told(exchange(5000, 0)), at=[NOW, "long ago", "now"]), {"2": LOST}),
}


@pytest.mark.parametrize(("past", "breaks"), CASES.values(), ids=CASES)
def test_what_broke_the_prefix(past: CampaignHistory, breaks: dict[str, PromptCacheBreak]) -> None:
    assert find_breaks(past, look_up) == breaks


def test_keeping_has_its_price_too() -> None:
    kept = replace(PRICED, prices=Prices(1.0, 10.0, None, 1.25))
    past = history(ROOT, GOOD, told(exchange(5000, 0)))
    assert find_breaks(past, lambda model: kept)["2"].dollars == pytest.approx(4000 * 0.25 / 1e6)
