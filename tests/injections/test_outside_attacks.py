"""A game master outside with the worst of intentions: nothing hidden is received, no rule is broken."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from talewright.chronicle.records import MAIN
from talewright.common.json_values import Json
from talewright.llm.requests import ToolCall
from talewright.play.sessions.store_session import StoreSession
from talewright.turn.game_master.held_turns import TurnHandle
from talewright.turn.game_master.master_brief import HandInError, hand_in_answer
from talewright.turn.game_master.master_rounds import OutsideRound
from talewright.turn.game_master.master_turn import (
    OpenedTurn,
    RoundResult,
    begin_outside,
    finish,
    propose,
)
from talewright.turn.game_master.open_turn_lease import LeaseError
from talewright.turn.inputs.player_inputs import Say
from talewright.turn.steps import telling
from talewright.turn.turn_outcomes import Committed
from tests.injections.inn import PROTECTED
from tests.injections.oracle import CANARY
from tests.injections.outside_attacks import BROKEN, TURNS, attack_inn, make_attacked_inn
from tests.injections.test_corpus import blind
from tests.opened import opened
from tests.play.making import make_lobby

CAMPAIGNS = 50
SEED = "outside"
FIELDS = {
    *(
        "narration",
        "fact",
        "tool name",
        "call id",
        "arguments",
        "errand id",
        "errand answer",
        "decision note",
    ),
    *("choice id", "choice label", "choice hint", "path", "value", "reason", "ending", "end reason"),
    *("listen note", "ask note", "engrave words", "whisper words", "wager words", "cast words"),
    *("holder", "operation", "system", "errand", "handed in", "summary"),
}
"""Everything that somebody outside can fill."""


@pytest.mark.slow
def test_nothing_is_broken_or_betrayed_through_any_field() -> None:
    # Two hundred turns in all.
    attacks = [attack_inn(f"{SEED}:{number}") for number in range(CAMPAIGNS)]
    assert [wrong for attack in attacks for wrong in attack.wrong] == []
    assert set().union(*(attack.filled for attack in attacks)) == FIELDS
    # Were no turn narrated, nothing would have been tested; were nothing refused, nobody would have attacked.
    assert sum(attack.told for attack in attacks) > CAMPAIGNS * TURNS * 0.9
    assert sum(attack.refused for attack in attacks) > CAMPAIGNS * TURNS * 5


def test_without_the_guard_it_would_be_received(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling, "gather_hidden_texts", blind)
    assert attack_inn(f"{SEED}:0").leaks


async def begin(session: StoreSession, operation: str = "op") -> TurnHandle:
    started = await begin_outside(session.seat.road, MAIN, Say("I wait."), operation, holder="me")
    assert isinstance(started, OpenedTurn)
    return started.handle


def play(work: Any) -> None:
    """Do something in a campaign of the inn."""

    async def main() -> None:
        session = await opened(make_lobby(make_attacked_inn()).begin("inn", "en"))
        try:
            todo: Coroutine[None, None, None] = work(session)
            await todo
        finally:
            await session.close()

    asyncio.run(main())


@pytest.mark.parametrize("words", [CANARY, CANARY.upper(), " ".join(CANARY), "npc.berta.secret", " world "])
def test_an_errand_is_not_answered_with_what_is_hidden(words: str) -> None:
    async def work(session: StoreSession) -> None:
        road, handle = session.seat.road, await begin(session)
        result = await propose(road, handle, OutsideRound((ToolCall("c", "ask", "{}"),), {"heard": words}))
        assert [one.refused for one in result.results] == [True]
        with pytest.raises(HandInError):
            await hand_in_answer(road, MAIN, "oracle", "rumour", words)
        # The same call stands with other words.
        good = await propose(road, handle, OutsideRound((ToolCall("c", "ask", "{}"),), {"heard": "Rain."}))
        assert [one.refused for one in good.results] == [False]

    play(work)


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_what_is_no_json_is_a_flaw_or_is_cleaned(number: int) -> None:
    broken = BROKEN[number]

    async def work(session: StoreSession) -> None:
        road, handle = session.seat.road, await begin(session)
        handed_in = OutsideRound((ToolCall("c", "ask", "{}"),), {"heard": broken}, facts=("\ud800",))
        assert isinstance(await propose(road, handle, handed_in), RoundResult)
        told = await finish(road, handle, OutsideRound((), {"heard": broken}, "He waits.\ud800"))
        if isinstance(told, RoundResult):
            assert "the answers cannot be read" in told.flaws[0].message
            told = await finish(road, handle, OutsideRound(text="He waits."))
        assert isinstance(told, Committed)
        assert told.commit.body["narration"] == "He waits."

    play(work)


@pytest.mark.parametrize("place", [*PROTECTED, "_engine.ending", "_engine.decisions", "_engine.facts"])
def test_what_is_readonly_secret_or_the_engines_stays_as_it_is(place: str) -> None:
    async def work(session: StoreSession) -> None:
        road, handle = session.seat.road, await begin(session)
        before = await session.view()
        for value in ("9", '"rich"', "{}", "[]"):
            arguments = (
                f'{{"updates": [{{"op": "set", "path": "{place}", "value": {value}, "reason": "x"}}]}}'
            )
            result = await propose(road, handle, OutsideRound((ToolCall("c", "propose_updates", arguments),)))
            assert [one.refused for one in result.results] == [True]
        for ending in ("crowned", "rich", "dead"):
            call = ToolCall("c", "end_game", f'{{"ending": "{ending}", "reason": "x"}}')
            assert (await propose(road, handle, OutsideRound((call,)))).results[0].refused
        done = await finish(road, handle, OutsideRound(text="He waits."))
        assert isinstance(done, Committed)
        after = await session.view()
        assert (after.end, after.status) == (None, before.status)

    play(work)


def test_the_handle_of_another_turn_opens_nothing() -> None:
    async def work(session: StoreSession) -> None:
        road, old = session.seat.road, await begin(session)
        done = await finish(road, old, OutsideRound(text="He waits."))
        new = await begin(session, "op-2")
        for handle in (old, TurnHandle(MAIN, "op-2", ""), TurnHandle(MAIN, "op-2", old.operation_id)):
            with pytest.raises(LeaseError):
                await propose(road, handle, OutsideRound())
        # Told again, the old turn is what it was.
        assert isinstance(done, Committed)
        assert await finish(road, old, OutsideRound(text="Otherwise.")) == Committed(
            done.commit, repeated=True
        )
        assert isinstance(await finish(road, new, OutsideRound(text="He nods.")), Committed)

    play(work)


@pytest.mark.parametrize(
    ("operation", "holder"),
    [("", "me"), ("x" * 40, "me"), ("a\nb", "me"), ("op", "\ud800"), ("op", "x" * 201)],
)
def test_a_name_that_somebody_outside_chooses_is_short_and_plain(operation: str, holder: str) -> None:
    async def work(session: StoreSession) -> None:
        before = (await session.view()).version
        with pytest.raises(LeaseError, match="an operation id has 1 to 39 printable characters"):
            await begin_outside(session.seat.road, MAIN, Say("I wait."), operation, holder=holder)
        assert (await session.view()).version == before
        assert await session.seat.road.book.open_turn(MAIN) is None

    play(work)


@pytest.mark.slow
def test_a_refused_answer_is_not_kept() -> None:
    async def work(session: StoreSession) -> None:
        unfit: Json = ["x"] * 20_000
        with pytest.raises(HandInError, match="cannot be read: it has more than"):
            await hand_in_answer(session.seat.road, MAIN, "oracle", "rumour", unfit)

    play(work)
