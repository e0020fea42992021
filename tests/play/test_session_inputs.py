"""Session inputs: each value calls its own method of the session, with all it holds."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import cast, get_args

import pytest

from talewright.play.session import Session, Stamp
from talewright.play.session_inputs import (
    AnswerDecision,
    Choose,
    Fork,
    GoOn,
    Load,
    Navigation,
    PlayerInput,
    Retry,
    Say,
    Switch,
    Undo,
    navigate,
    submit_input,
)

STAMP = Stamp("op-1", "c1")

INPUTS: list[tuple[PlayerInput, tuple[object, ...]]] = [
    (Say("I wait"), ("say", "I wait")),
    (Choose("in"), ("choose", "in")),
    (AnswerDecision("check", "yes", "gently"), ("answer", "check", "yes", "gently")),
    (GoOn(), ("go_on",)),
    (Retry(), ("retry", "")),
    (Retry("be kind"), ("retry", "be kind")),
]
PLACES: list[tuple[Navigation, tuple[object, ...]]] = [
    (Undo(), ("undo", 1)),
    (Undo(3), ("undo", 3)),
    (Fork("c1"), ("fork", "c1", "")),
    (Fork("c1", "way"), ("fork", "c1", "way")),
    (Switch("main"), ("switch", "main")),
    (Load("pier"), ("load", "pier")),
]


class CalledSession:
    """Hands back what it was called with, whatever that is."""

    def __getattr__(self, name: str) -> Callable[..., Coroutine[None, None, tuple[object, ...]]]:
        async def call(*given: object) -> tuple[object, ...]:
            return (name, *given)

        return call


SESSION = cast(Session, CalledSession())


@pytest.mark.parametrize("stamp", [None, STAMP])
@pytest.mark.parametrize(("given", "call"), INPUTS)
def test_an_input_takes_its_turn(given: PlayerInput, call: tuple[object, ...], stamp: Stamp | None) -> None:
    assert cast(object, asyncio.run(submit_input(SESSION, given, stamp))) == (*call, stamp)


@pytest.mark.parametrize(("where", "call"), PLACES)
def test_a_place_is_gone_to(where: Navigation, call: tuple[object, ...]) -> None:
    assert cast(object, asyncio.run(navigate(SESSION, where))) == call


def test_every_value_is_tried() -> None:
    assert {type(given) for given, _ in INPUTS} == set(get_args(PlayerInput))
    assert {type(where) for where, _ in PLACES} == set(get_args(Navigation))
