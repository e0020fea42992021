"""Kinds of flaws: every reason for a repair is sorted by what it is about."""

import asyncio

from talewright.contract.dialect import IN_CIRCLES
from talewright.contract.text.leak_guard import LEAK, NAMED
from talewright.turn.inputs.player_inputs import Say
from talewright.turn.records.flaw_kinds import FlawKind, sort_flaws
from tests.turn.making import cards, ferry, lay_bench, plain, update


def test_every_kind_is_told_apart() -> None:
    told = [
        "too long",
        LEAK.message,
        NAMED.message,
        IN_CIRCLES.message,
        "no gore",
        "coinz: there is no coinz",
    ]
    exchange = plain({"flaws": ["too long", IN_CIRCLES.message], "objection": "no gore", "mend": told})
    kinds = [kind for kind, _ in sort_flaws(exchange)]
    hidden = FlawKind.HIDDEN
    assert kinds == [
        *(FlawKind.FORM, hidden, hidden, FlawKind.REPETITION, FlawKind.MODERATION, FlawKind.REFUSED)
    ]
    assert [message for _, message in sort_flaws(exchange)] == told
    assert sort_flaws({"text": "", "stop": None}) == ()


def test_recorded_replies_are_sorted() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        script = ("nonsense", cards("He nods.", update("dec", "coinz", 1)), cards(""))
        body = await bench.told_by(*script).commit(Say("I wave"), "op")
        kinds = [[kind for kind, _ in sort_flaws(one)] for one in plain(body.exchanges)]
        assert kinds == [[FlawKind.FORM], [FlawKind.REFUSED], []]

    asyncio.run(run())
