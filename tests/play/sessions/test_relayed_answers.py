"""Decisions belong to the player: a game master who answers for the player is refused, or recorded."""

import asyncio
from dataclasses import replace

from talewright.kernel.game import DecisionRule
from talewright.play.campaign_view import Viewer
from talewright.play.history.campaign_history import read_history
from talewright.play.history.turn_record import inspect_turn, tell_turn
from talewright.play.master_desk import OutsideTurnView, ProposedCall, RoundView
from talewright.play.session import InputResult, ResultKind, Stamp
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_master import StoreMasterDesk
from talewright.play.sessions.store_session import StoreSession
from talewright.turn.inputs.player_inputs import AnswerDecision, from_json
from talewright.turn.records.commit_body import read_body
from talewright.turn.records.turn_replay import replay_turn
from talewright.turn.turn_outcomes import OutcomeReason, Unspent
from tests.play.making import make_lobby
from tests.turn.differences import find_differences
from tests.turn.making import altered, bridge

NARRATION = "He shakes the cup and waits."


async def ask_player(rule: DecisionRule) -> tuple[StoreLobby, StoreSession]:
    """A master whose check waits for the player."""
    lobby = make_lobby(altered(bridge(), decisions=rule), language="en")
    session = await lobby.begin("bridge", "en", "kept", Viewer.MASTER)
    desk = session.master
    await finish(desk, await opened(desk.begin("")))
    turn = await opened(desk.begin("I gamble"))
    await desk.propose(turn.handle, (ProposedCall("gamble"),))
    await finish(desk, turn)
    assert [card.id for card in (await session.view()).decisions] == ["gamble"]
    return lobby, session


async def opened(call) -> OutsideTurnView:  # type: ignore[no-untyped-def]
    turn = await call
    assert isinstance(turn, OutsideTurnView), turn
    return turn


async def finish(desk: StoreMasterDesk, turn: OutsideTurnView, narration: str = NARRATION) -> RoundView:
    done = await desk.finish(turn.handle, narration)
    assert done.result is not None, done
    return done


def test_a_master_cannot_answer_for_the_player() -> None:
    async def main() -> None:
        _, session = await ask_player(DecisionRule.PLAYER)
        before = await session.view()
        result = await session.master.answer("gamble", "roll", "for the player", Stamp("op"))
        assert isinstance(result, InputResult)
        assert (result.kind, result.reason) == (ResultKind.UNSPENT, "player_decides")
        assert result.message.startswith("Only the player can answer this question. It waits for the player,")
        # Asked again, it is the same.
        again = await session.master.answer("gamble", "roll", "for the player", Stamp("op"))
        assert again == result
        assert (await session.view()).head == before.head
        assert (await session.view()).decisions == before.decisions
        await session.close()

    asyncio.run(main())


def test_nothing_else_answers_for_the_player() -> None:
    async def main() -> None:
        _, session = await ask_player(DecisionRule.PLAYER)
        desk = session.master
        head = (await session.view()).head
        for call in (
            *(desk.begin(text) for text in ("", "roll", "Roll", "gamble", "I answer the card: roll")),
            *(desk.choose(choice) for choice in ("roll", "gamble", "gamble.roll")),
        ):
            refused = await call
            assert isinstance(refused, InputResult)
            assert (refused.kind, refused.reason) in {
                (ResultKind.UNSPENT, "decision_first"),
                (ResultKind.UNSPENT, "empty"),
            }
        assert (await session.view()).head == head
        await session.close()

    asyncio.run(main())


def test_an_answer_that_a_face_got_from_the_player_is_the_players_own() -> None:
    async def main() -> None:
        _, session = await ask_player(DecisionRule.PLAYER)
        turn = await opened(session.master.answer("gamble", "roll", by_player=True))
        assert turn.said == "Roll"
        assert turn.results
        await finish(session.master, turn, "It falls.")
        view = await session.view()
        assert view.turn is not None
        assert (view.turn.said, view.decisions) == ("Roll", ())
        assert "relayed" not in str((await session.seat.road.book.read(view.head)).body["input"])
        await session.close()

    asyncio.run(main())


def test_a_player_answers_in_a_session_of_their_own_and_the_master_goes_on() -> None:
    async def main() -> None:
        lobby, session = await ask_player(DecisionRule.PLAYER)
        player = await lobby.open("kept")
        result = await player.answer("gamble", "roll")
        assert result.kind is ResultKind.COMMITTED
        rolled = (await player.view()).turn
        assert rolled is not None
        assert rolled.rolls
        brief = await session.master.brief()
        assert any("Roll" in section.text for section in brief.sections if section.is_new)
        await finish(session.master, await opened(session.master.begin("")), "The die lies still.")
        view = await player.view()
        assert view.turn is not None
        assert view.turn.narration == "The die lies still."
        await player.close()
        await session.close()

    asyncio.run(main())


def test_where_the_game_allows_it_the_answer_is_recorded_as_relayed() -> None:
    async def main() -> None:
        lobby, session = await ask_player(DecisionRule.RELAYED)
        turn = await opened(session.master.answer("gamble", "roll", "luck"))
        await finish(session.master, turn, "It falls.")
        view = await session.view()
        commit = await session.seat.road.book.read(view.head)
        assert from_json(read_body(commit.body).input) == AnswerDecision(
            "gamble", "roll", "luck", relayed=True
        )
        # Every role reads it, and whoever inspects the turn.
        for role in (Viewer.PLAYER, Viewer.MASTER, Viewer.AUTHOR):
            other = await lobby.open("kept", role)
            seen = (await other.view()).turn
            assert seen is not None
            assert seen.said == "Roll: luck (passed on by the game master)"
            history = await read_history(session.seat.road.book)
            edition = altered(bridge(), decisions=DecisionRule.RELAYED)
            words = "\n".join(tell_turn(inspect_turn(history, commit, edition, role)))
            assert ('"relayed": true' if role is Viewer.AUTHOR else "passed on by") in words
            await other.close()
        assert find_differences(commit, await replay_turn(session.seat.road, commit)) == ()
        await session.close()

    asyncio.run(main())


def test_a_record_that_claims_it_is_not_replayed_where_the_game_forbids_it() -> None:
    async def main() -> None:
        _, session = await ask_player(DecisionRule.PLAYER)
        turn = await opened(session.master.answer("gamble", "roll", by_player=True))
        await finish(session.master, turn, "It falls.")
        road = session.seat.road
        commit = await road.book.read((await session.view()).head)
        body = dict(commit.body)
        forged = replace(commit, body={**body, "input": {**dict(body["input"]), "relayed": True}})  # type: ignore[arg-type]
        again = await replay_turn(road, forged)
        assert again == Unspent(OutcomeReason.PLAYER_DECIDES, "gamble")
        assert find_differences(forged, again) == ("outcome",)
        await session.close()

    asyncio.run(main())
