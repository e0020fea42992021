"""What must hold of every turn that came to nothing."""

from collections.abc import Awaitable, Callable
from typing import Any

from talewright.chronicle.records import MAIN, Attempt, AttemptVerdict
from talewright.common.json_values import Json
from talewright.llm.reply_chunks import Usage
from talewright.turn.inputs.player_inputs import Choose
from talewright.turn.turn_outcomes import Degraded, Outcome, OutcomeReason
from talewright.turn.turn_signals import TurnDegraded, TurnFailed
from tests.turn.making import Bench, ferry, lay_bench


def cost(*exchanges: Usage) -> dict[str, Json]:
    """What an attempt must say of asks that used these."""
    total = sum(exchanges, Usage())
    usage: dict[str, Json] = {
        "input_tokens": total.input_tokens,
        "output_tokens": total.output_tokens,
        "cached_tokens": total.cached_tokens,
    }
    if total.estimated:
        usage["estimated"] = True
    return {"usage": usage, "asks": len(exchanges)}


def spent(attempt: Attempt) -> dict[str, Json]:
    return {name: attempt.body[name] for name in ("usage", "asks") if name in attempt.body}


def texts(attempt: Attempt) -> list[object]:
    exchanges: Any = attempt.body.get("exchanges", [])
    return [exchange["text"] for exchange in exchanges]


async def expect_unchanged(
    bench: Bench, do: Callable[[], Awaitable[Outcome]], expected: Outcome, verdict: AttemptVerdict
) -> Attempt:
    """Do something that comes to nothing; the one attempt that was written about it."""
    before = await bench.standing()
    count = len(await bench.records())
    outcome = await do()
    assert outcome == expected
    assert await bench.standing() == before
    added = [record for record in (await bench.records())[count:] if isinstance(record, Attempt)]
    assert len(added) == 1
    attempt = added[0]
    assert (attempt.verdict, attempt.branch, attempt.base) == (verdict, MAIN, before[0])
    reason = getattr(expected, "reason", None)
    assert isinstance(reason, OutcomeReason)
    assert attempt.body["reason"] == reason.value
    detail = getattr(expected, "detail", "")
    assert attempt.body.get("detail", "") == detail
    last = bench.signals[-1]
    if isinstance(expected, Degraded):
        assert last == TurnDegraded(reason.value, expected.trouble)
    else:
        assert last == TurnFailed(reason.value)
    await expect_same_dice(bench)
    return attempt


async def expect_same_dice(bench: Bench) -> None:
    """The draw counter is where it was: the next roll falls as in a campaign where nothing went wrong."""
    if not all(edition.game.scenes for edition in bench.library.known.values()):
        return
    rolled = await bench.with_road(teller=None).commit(Choose("haggle"), "rolled")
    clean = await lay_bench(ferry(), opened=True)
    expected = await clean.commit(Choose("haggle"), "rolled")
    assert [draw.index for draw in rolled.draws] == [0, 1]
    assert rolled.draws == expected.draws
    assert (await bench.head()).state_digest == (await clean.head()).state_digest
