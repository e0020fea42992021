"""Cautions: words that may lead too far are asked about first, and gone on with where the player is sure."""

import asyncio
from dataclasses import dataclass

from talewright.chronicle.records import AttemptVerdict
from talewright.prompt.words.english import ENGLISH
from talewright.turn.inputs.player_inputs import AnswerDecision, Opening, Say
from talewright.turn.moderation import Objection
from talewright.turn.turn_outcomes import OutcomeReason, Unspent
from tests.turn.making import bridge, calls, cards, ferry, lay_bench


@dataclass
class Careful:
    """A moderation that cautions, and one that objects."""

    async def hear(self, text: str) -> Objection | None:
        if "poison" in text:
            return Objection("that is dark", grave=False)
        return Objection("never") if "bomb" in text else None

    async def read(self, text: str) -> Objection | None:
        return None


def test_no_turn_is_spent_on_words_that_are_cautioned() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [cards("Hm.")], opened=True, moderation=Careful())
        before = await bench.standing()
        assert await bench.take(Say("I poison him"), "op-1") == Unspent(OutcomeReason.RISKY, "that is dark")
        assert await bench.standing() == before
        (attempt,) = await bench.attempts("op-1")
        assert (attempt.verdict, attempt.body) == (
            AttemptVerdict.UNSPENT,
            {"reason": "risky", "detail": "that is dark"},
        )
        # Put another way, nothing is said about it.
        await bench.commit(Say("I wait"), "op-2")
        assert "[CARE]" not in bench.provider.requests[-1].messages[-1].text

    asyncio.run(run())


def test_whoever_is_sure_goes_on_and_the_teller_is_reminded() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [cards("Hm."), cards("Hm.")], opened=True, moderation=Careful())
        body = await bench.commit(Say("I poison him", sure=True), "op-1")
        assert (body.said, body.input) == (
            "I poison him",
            {"kind": "say", "text": "I poison him", "sure": True},
        )
        care = ENGLISH.care.format(rating="PG-13")
        assert f"[CARE]\n{care}\n\n[PLAYER]\nI poison him" in bench.provider.requests[-1].messages[-1].text
        # The reminder belongs to that turn alone.
        await bench.commit(Say("I wait"), "op-2")
        assert "[CARE]" not in "".join(m.text for m in bench.provider.requests[-1].messages[1:])
        assert await bench.take(Say("a bomb", sure=True), "op-3") == Unspent(
            OutcomeReason.NOT_ALLOWED, "never"
        )

    asyncio.run(run())


def test_a_note_to_a_decision_is_gone_on_with() -> None:
    async def run() -> None:
        bench = await lay_bench(
            bridge(), ["He waits.", calls("", ("gamble", {})), "It falls."], moderation=Careful()
        )
        await bench.commit(Opening(), "op-0")
        await bench.commit(Say("I gamble"), "op-1")
        await bench.commit(AnswerDecision("gamble", "roll", "for the poison"), "op-2")

    asyncio.run(run())
