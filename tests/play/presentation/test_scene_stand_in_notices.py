"""Stand-ins: the line under a turn that a scene told, and the offer after three of them."""

import asyncio
from collections.abc import Sequence

import pytest

from talewright.common.json_values import Json
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import StopReason
from talewright.play.presentation.scene_stand_in_notices import tell_stand_in
from talewright.play.session import ResultKind, Stamp
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import ScriptedReply
from talewright.turn.records.commit_body import MODEL, SCENES, TurnBody
from talewright.turn.turn_context import Teller
from tests.play.hearing import drain
from tests.play.making import make_lobby
from tests.play.scenes import room
from tests.play.tellers import Hesitant, cards, teller

TOLD = "A written scene was used for this turn."
HELP = "Written scenes were used for the last 3 turns"


def body(*exchanges: Json, told: str = SCENES, circumstances: Json = None) -> TurnBody:
    return TurnBody(told=told, exchanges=exchanges, circumstances=circumstances)


FORM: Json = {"text": "x", "stop": "end"}


@pytest.mark.parametrize(
    ("turn", "english", "chinese"),
    [
        (body({"trouble": "broken off"}), "The storyteller took too long.", "讲述者太久没有回答。"),
        (body({"trouble": "slow"}), "The storyteller took too long.", "讲述者太久没有回答。"),
        (body({"trouble": "unreachable"}), "The storyteller could not be reached.", "联系不上讲述者。"),
        (body({"trouble": "skipped"}), "You did not wait for the storyteller.", "你没有等讲述者。"),
        (body(FORM, FORM), "The storyteller gave no valid reply.", "讲述者没有给出有效的回答。"),
        (
            body({"stop": StopReason.REFUSAL.value}),
            "The storyteller refused to write it.",
            "讲述者拒绝讲这一段。",
        ),
        (
            body(circumstances={"refused": {"1": "CNRY"}}),
            "The budget does not cover another reply from the storyteller.",
            "预算不够讲述者再回答一次。",
        ),
    ],
)
def test_the_line_says_why(turn: TurnBody, english: str, chinese: str) -> None:
    assert tell_stand_in(turn, "en") == f"{TOLD} {english}"
    assert tell_stand_in(turn, "zh-CN") == f"这一回合用的是写好的场景。{chinese}"


@pytest.mark.parametrize("turn", [body(), body(FORM, told=MODEL), body(circumstances={"limits": {}})])
def test_other_turns_have_no_such_line(turn: TurnBody) -> None:
    assert tell_stand_in(turn, "en") == ""


def play(lines: Sequence[str | ScriptedReply], choices: Sequence[str]) -> list[tuple[str, bool]]:
    """The line of each turn, and whether help is offered with it."""
    seen: list[tuple[str, bool]] = []

    async def main() -> None:
        session = await make_lobby(room(), teller=teller(*lines)).begin("test")
        for choice in choices:
            assert (await session.choose(choice)).kind is ResultKind.COMMITTED
            view = await session.view()
            assert view.turn is not None
            assert view.turn == (await session.past.turns(1))[-1]
            seen.append((view.turn.stand_in, any(HELP in notice for notice in view.notices)))
        await session.close()

    asyncio.run(main())
    return seen


def test_help_is_offered_after_three_in_a_row() -> None:
    gone = ScriptedReply("", error=ProviderError(Trouble.UNREACHABLE, "CNRY: no route"))
    line = f"{TOLD} The storyteller could not be reached."
    seen = play([gone] * 4, ["wait"] * 4)
    assert seen == [(line, False), (line, False), (line, True), (line, True)]
    told = play([gone, cards("You wait well.")], ["wait"] * 2)
    assert told == [(line, False), ("", False)]


async def wait_and_skip(session: StoreSession, slow: Hesitant) -> None:
    """Take the choice that a scene can tell, and do not wait for the model."""
    watch = session.watch()
    choosing = asyncio.create_task(session.choose("wait"))
    await slow.reached.wait()
    heard = await drain(watch)
    assert any(getattr(news.event, "can_skip", False) for news in heard)
    await session.skip()
    assert (await choosing).kind is ResultKind.COMMITTED


def test_a_session_goes_on_without_the_model() -> None:
    async def main() -> None:
        slow = Hesitant([cards("Never told."), cards("Never told either.")])
        session = await make_lobby(room(), teller=Teller(slow)).begin("test")
        await session.skip()
        await wait_and_skip(session, slow)
        view = await session.view()
        assert view.turn is not None
        assert view.turn.narration.startswith("You wait.")
        assert view.turn.stand_in == f"{TOLD} You did not wait for the storyteller."
        slow.reached.clear()
        # The next turn waits for the model again; what no scene can tell is kept.
        saying = asyncio.create_task(session.say("I sing.", Stamp("op-1")))
        await slow.reached.wait()
        await session.skip()
        result = await saying
        assert (result.kind, result.reason) == (ResultKind.FAILED, "skipped")
        assert result.message.startswith("Only the storyteller can narrate this turn")
        after = await session.view()
        assert (after.unfinished, after.head) == ("I sing.", view.head)
        await session.close()

    asyncio.run(main())
