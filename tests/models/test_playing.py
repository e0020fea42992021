"""A few turns told by a real model: all commit, and nothing happens that may not.

They are short, and so are their games. The long run, with its figures, is `bench/local_model.py`.
"""

import asyncio
from collections.abc import Mapping

import pytest

from talewright.llm.reply_chunks import StopReason
from tests.models.casts import FERRY, FERRY_FREE, LOCKBOX, Cast
from tests.models.games import load_edition
from tests.models.measuring import find_illegal, find_unbounded, keeps_schema, measure_cache
from tests.models.playing import How, Player, Run, play
from tests.models.tellers import make_teller

pytestmark = pytest.mark.timeout(1_800)


def perform(cast: Cast, url: str, turns: int) -> Run:
    """Play turns of a game; the seed is that of the player."""

    async def take() -> Run:
        teller = make_teller(url, cast.profile, cast.spell)
        player = Player(cast.sayings, cast.every, seed=1)
        run = await play(load_edition(cast.game), teller, player, turns, lead=cast.lead)
        await teller.close()
        return run

    run = asyncio.run(take())
    told = [(turn.said, turn.how.value, [ask.usage.output_tokens for ask in turn.asks]) for turn in run.turns]
    print(f"seed 1: {told}")
    assert find_illegal(load_edition(cast.game).game, run) == []
    return run


def test_a_turn_held_to_a_schema_parses_and_commits(model_url: str) -> None:
    run = perform(FERRY, model_url, 1)
    asks = run.asks()
    assert run.count()[How.NOBODY] == 0
    assert [place for ask in asks for place in find_unbounded(ask.request.answer_schema)] == []
    assert [ask.stop for ask in asks] == [StopReason.END] * len(asks)
    assert all(map(keeps_schema, asks))


def test_a_turn_held_to_nothing_commits_all_the_same(model_url: str) -> None:
    run = perform(FERRY_FREE, model_url, 1)
    (turn,) = run.turns
    assert turn.body is not None
    assert turn.how in (How.MODEL, How.REPAIR, How.SCENE)


def test_tools_are_called_and_their_results_told(model_url: str) -> None:
    run = perform(LOCKBOX, model_url, 3)
    exchanges = [one for turn in run.turns for one in turn.exchanges if isinstance(one, Mapping)]
    assert any(one.get("calls") for one in exchanges)
    assert all(turn.body is None or turn.body.narration for turn in run.turns)
    assert measure_cache(run).share > 0.75
