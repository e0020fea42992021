"""Circumstances of a turn: written, read, and bound to a teller of another process."""

import asyncio

import pytest

from talewright.llm.profiles import AnswerMode, Prices, Profile
from talewright.llm.provider import ProfiledProvider, ProviderError, Trouble
from talewright.llm.requests import Request
from talewright.providers.scripted import Scripted
from talewright.turn.moderation import Objection
from talewright.turn.records.turn_circumstances import (
    TurnCircumstances,
    bind_teller,
    note_circumstances,
    read_circumstances,
    write_circumstances,
)
from talewright.turn.turn_context import Teller
from talewright.turn.turn_limits import TurnLimits

SMALL = Profile("small", AnswerMode.SCHEMA, schema_keywords=frozenset({"type", "enum"}), context_tokens=4_000)
CHEAP = Profile("cheap", prices=Prices(1.0, 2.0))


def test_what_is_as_usual_is_not_written() -> None:
    assert write_circumstances(TurnCircumstances()) == {}
    assert read_circumstances(None) == read_circumstances({}) == TurnCircumstances()
    assert write_circumstances(note_circumstances(TurnLimits(), Teller(Scripted([])))) == {
        "main": {"name": "scripted"}
    }


def test_everything_comes_back_as_it_went() -> None:
    teller = Teller(Scripted([], profile=SMALL), Scripted([], profile=CHEAP))
    one = note_circumstances(TurnLimits(asks_max=3), teller, Objection("mind the tone", grave=False))
    raw = write_circumstances(one)
    assert raw == {
        "limits": {"asks_max": 3},
        "main": {
            "name": "small",
            "answer_mode": "schema",
            "schema_keywords": ["enum", "type"],
            "context_tokens": 4_000,
        },
        "cheap": {"name": "cheap"},
        "heard": {"reason": "mind the tone", "grave": False},
    }
    assert read_circumstances({**raw, "limits": {"asks_max": 3, "later": 1}, "later": 2}) == one


def test_a_teller_is_bound_to_the_profiles_that_a_turn_began_with() -> None:
    one = note_circumstances(TurnLimits(), Teller(Scripted([], profile=SMALL), Scripted([], profile=CHEAP)))
    same = Teller(Scripted([], profile=SMALL), Scripted([], profile=CHEAP))
    assert bind_teller(same, one) == same
    other = Teller(Scripted(["Hm."], profile=Profile("large", prices=Prices(3.0, 4.0))))
    bound = bind_teller(other, one)
    assert bound is not None
    assert (bound.main.profile.name, bound.main.profile.context_tokens) == ("small", 4_000)
    # What it costs is for the process that pays to know.
    assert bound.main.profile.prices == Prices(3.0, 4.0)
    assert bound.cheap is not None
    assert bound.cheap.profile.name == "cheap"
    assert bind_teller(other, TurnCircumstances()) is None
    alone = bind_teller(other, note_circumstances(TurnLimits(), Teller(Scripted([], profile=SMALL))))
    assert alone is not None
    assert alone.cheap is None

    async def run() -> None:
        assert [chunk async for chunk in bound.main.stream(Request(()))] != []
        await bound.main.close()

    asyncio.run(run())


def test_a_model_that_is_not_set_up_here_cannot_be_asked() -> None:
    bound = bind_teller(None, note_circumstances(TurnLimits(), Teller(Scripted([], profile=SMALL))))
    assert bound is not None
    assert isinstance(bound.main, ProfiledProvider)

    async def run() -> None:
        with pytest.raises(ProviderError) as caught:
            [chunk async for chunk in bound.main.stream(Request(()))]
        assert (caught.value.trouble, caught.value.unpaid) == (Trouble.MISSING, True)
        await bound.main.close()

    asyncio.run(run())
