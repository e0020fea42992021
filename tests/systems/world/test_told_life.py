"""Life off-screen in sessions: nothing of it reaches the player directly, it repeats, and it stays cheap."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass

from talewright.llm.profiles import Profile
from talewright.llm.requests import Request, ToolCall
from talewright.play.history.campaign_cost import CampaignCost, count_costs
from talewright.play.history.campaign_history import CampaignHistory, read_history
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.turn.turn_context import Teller
from tests.play.making import make_lobby
from tests.plays.performances import perform_straight
from tests.privacy import MARK, Catch, find_canaries, read_exports
from tests.turn.making import play_edition

CROSSING = "tests/plays/games/crossing"
WAIT, MILL, INN = (
    ("advanceTime", {"narrativeTime": "", "ticks": 30}),
    ("moveToLocation", {"destination": "Old Mill", "narrativeTime": "", "accompaniedBy": []}),
    ("moveToLocation", {"destination": "the pub", "narrativeTime": "", "accompaniedBy": []}),
)
AWAY = (MILL, None, None, WAIT, None, None)
"""What the storyteller calls in each turn: the player goes where nobody is, and waits."""


@dataclass
class Played:
    """A campaign that was played."""

    catch: Catch
    main: Scripted
    cheap: Scripted
    history: CampaignHistory
    digests: list[str]


class Storyteller:
    """Calls one tool in a turn, or none, and then tells something."""

    def __init__(self, calls: Sequence[tuple[str, object] | None]) -> None:
        self._calls = [None, *calls]

    def __call__(self, request: Request) -> ScriptedReply:
        if self._calls and self._calls[0] is not None:
            name, arguments = self._calls[0]
            self._calls[0] = None
            return ScriptedReply(calls=(ToolCall("1", name, json.dumps(arguments)),))
        self._calls = self._calls[1:]
        return ScriptedReply("Nothing much happens.")


def make_up(request: Request) -> ScriptedReply:
    """A model that writes a canary into everything it tells."""
    event = {"description": f"They spoke of {MARK}.", "witnesses": []}
    moved = {"characterName": "Sera", "destination": "Market Square"}
    rows = {"events": [event], "movements": [moved], "told": [], "relationships": []}
    is_full = "dialogue" in request.messages[1].text
    return ScriptedReply(
        json.dumps(
            {"dialogue": [f"Grim: {MARK}"], "reportSimulation": rows}
            if is_full
            else {"summary": f"They sang {MARK}."}
        )
    )


async def play(calls: Sequence[tuple[str, object] | None], *, model: bool = True) -> Played:
    main, cheap, catch = Scripted(Storyteller(calls)), Scripted(make_up, profile=Profile("cheap")), Catch()
    lobby = make_lobby(play_edition(CROSSING), teller=Teller(main, cheap) if model else None, seed=4)
    session = await lobby.begin("crossing", "en")
    for number in range(len(calls)):
        if model:
            catch.add("result", await session.say(f"Do {number}."))
        else:
            catch.add("result", await session.choose((await session.view()).choices[-1].id))
        await session.seat.afterwards.rest()
        catch.add("view", await session.view())
        catch.add("history", *await session.past.turns(3))
        catch.add("why", *await session.past.why("world"))
    catch.add("tree", *await session.past.tree(every=True))
    await read_exports(session.seat.road.book, session.seat.games, catch)
    history = await read_history(session.seat.road.book)
    digests = [commit.state_digest for commit in history.commits.values()]
    await session.close()
    return Played(catch, main, cheap, history, digests)


def read(requests: Sequence[Request]) -> str:
    return "\n".join(message.text for request in requests for message in request.messages)


def count(history: CampaignHistory) -> CampaignCost:
    return count_costs(history, Profile)


def test_neither_player_nor_storyteller_reads_it_before_they_meet_somebody_who_knows() -> None:
    played = asyncio.run(play(AWAY))
    assert len(played.cheap.requests) == 2
    assert sum(MARK in json.dumps(aside.body) for aside in played.history.asides) == 2
    assert played.catch.hits() == []
    assert find_canaries(read(played.main.requests)) == []
    met = asyncio.run(play((*AWAY, INN, None)))
    assert find_canaries(read(met.main.requests)) != []
    assert met.catch.hits() == []


def test_the_same_replies_give_the_same_history() -> None:
    one, other = asyncio.run(play(AWAY)), asyncio.run(play(AWAY))
    assert one.digests == other.digests
    assert read(one.cheap.requests) == read(other.cheap.requests)


def test_without_a_model_life_goes_on_and_nothing_is_asked() -> None:
    played = asyncio.run(play((None,) * 8, model=False))
    assert played.cheap.requests == []
    assert played.history.asides == ()
    assert len(played.digests) == 10
    assert count(played.history).asks == 0


def test_it_is_asked_at_most_once_in_three_turns_and_counted() -> None:
    calls = (MILL, INN, WAIT) * 6
    played = asyncio.run(play(calls))
    costs = count(played.history)
    assert costs.actions == len(calls)
    assert costs.background_asks == len(played.cheap.requests) <= len(calls) / 3
    assert costs.asks == len(played.main.requests) + len(played.cheap.requests)
    told = asyncio.run(read_history(perform_straight("29_life_off_screen").book))
    costs = count(told)
    assert (costs.asks, costs.background_asks, costs.actions) == (12, 2, 5)
