"""A budget that would not hold: no turn is spent, the player is told what to do, and the scenes go on."""

import asyncio
from dataclasses import replace

import pytest

from talewright.chronicle.store import CampaignListing, UnknownCampaignError
from talewright.errors import TalewrightError
from talewright.llm.cost_meter import Metered
from talewright.play.session import ResultKind
from talewright.providers.scripted import Scripted
from talewright.stores.memory_store import MemoryStore
from talewright.turn.spending import CampaignSpendingTracker, SpendingBudget
from talewright.turn.turn_context import Teller
from tests.play.making import make_lobby
from tests.play.scenes import room
from tests.play.tellers import cards, teller


def poor(*lines: str, tokens: int = 1) -> Teller:
    """A storyteller that may spend next to nothing."""
    spending_tracker = CampaignSpendingTracker(SpendingBudget(turn_tokens=tokens))
    return Teller(Metered(Scripted(lines), spending_tracker.take), spending_tracker=spending_tracker)


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "The budget does not cover another reply"), ("zh-CN", "预算不够讲述者再回答一次")],
)
def test_the_player_is_told_what_to_do(language: str, words: str) -> None:
    async def run() -> None:
        session = await make_lobby(room(), teller=poor("never said"), language=language).begin("test")
        before = await session.view()
        result = await session.say("I sing of the sea and of nothing else")
        assert (result.kind, result.reason) == (ResultKind.DEGRADED, "budget")
        assert result.message.startswith(words)
        assert "talewright play --model" in result.message
        assert "talewright cost limit" in result.message
        view = await session.view()
        assert view.head == before.head
        # What the author wrote costs nothing: it can still be chosen, before the three fixed ways.
        offered = [choice.id for choice in view.choices]
        assert offered == [*(choice.id for choice in before.choices), "retry", "rollback", "quit"]
        taken = await session.choose(offered[0])
        assert taken.kind is ResultKind.COMMITTED
        await session.close()

    asyncio.run(run())


def test_choices_of_a_model_are_not_offered_without_money() -> None:
    async def run() -> None:
        lobby = make_lobby(room(), teller=teller(cards("He nods.")))
        session = await lobby.begin("test", "en")
        assert (await session.say("I wave at the man by the fire")).kind is ResultKind.COMMITTED
        made = {choice.id for choice in (await session.view()).choices}
        assert {"m0", "m1", "m2"} <= made
        await session.close()
        again = await replace(lobby, teller=poor("never said")).open("test-1")
        assert (await again.say("I wave once more, and wink")).reason == "budget"
        assert not {"m0", "m1", "m2"} & {choice.id for choice in (await again.view()).choices}
        await again.close()

    asyncio.run(run())


def test_a_teller_is_hired_for_a_game_and_a_campaign() -> None:
    async def run() -> None:
        asked: list[tuple[str, str]] = []

        def hire(game: str, campaign: str) -> Teller | None:
            asked.append((game, campaign))
            return teller(cards("He nods.")) if campaign == "told" else None

        lobby = replace(make_lobby(room()), hire=hire)
        first = await lobby.begin("test", "en")
        assert not (await first.view()).free_text
        await first.close()
        second = await lobby.begin("test", "en", "told")
        assert (await second.view()).free_text
        assert (await second.say("I wave at the man by the fire")).kind is ResultKind.COMMITTED
        await second.close()
        third = await lobby.open("told")
        assert (await third.view()).free_text
        await third.close()
        assert asked == [("test", "test-1"), ("test", "told"), ("test", "told")]

    asyncio.run(run())


class Unlisted(MemoryStore):
    """A store with so many campaigns that nobody should list them."""

    async def campaigns(
        self, owner: str = "", after: str = "", limit: int = 256
    ) -> tuple[CampaignListing, ...]:
        raise AssertionError("all campaigns are listed")


def test_opening_a_campaign_lists_no_others() -> None:
    async def run() -> None:
        lobby = replace(make_lobby(room()), store=Unlisted(), hire=lambda game, campaign: None)
        lobby = replace(lobby, tell_who=lambda game, campaign: f"{game} of {campaign}")
        await (await lobby.begin("test", "en", "mine")).close()
        await (await lobby.open("mine")).close()
        assert (await lobby.details("mine")).model == "test of mine"
        with pytest.raises(UnknownCampaignError):
            await lobby.open("other")

    asyncio.run(run())


def test_a_teller_that_cannot_be_had_leaves_the_campaign_alone() -> None:
    async def run() -> None:
        def refuse(game: str, campaign: str) -> Teller | None:
            raise TalewrightError("no key")

        lobby = make_lobby(room())
        await (await lobby.begin("test", "en")).close()
        with pytest.raises(TalewrightError, match="no key"):
            await replace(lobby, hire=refuse).open("test-1")
        with pytest.raises(TalewrightError, match="no key"):
            await replace(lobby, hire=refuse).begin("test", "en")
        assert [one.name for one in await lobby.campaigns()] == ["test-1"]

    asyncio.run(run())
