"""Roles of a session: every method of a session and its past, in every role, with canaries."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

import pytest

from talewright.play.campaign_past import CampaignPast
from talewright.play.campaign_view import Viewer
from talewright.play.error_codes import code_of
from talewright.play.presentation.privacy import SEES_SECRET
from talewright.play.session import Session
from talewright.play.session_roles import (
    OPENS_BY_ITSELF,
    ROLE_RIGHTS,
    RoleError,
    SessionRight,
    check_right,
    may,
)
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import Scripted
from talewright.turn.turn_context import Teller
from tests.play.hearing import drain
from tests.play.making import make_lobby
from tests.privacy import Narrator, canary_edition, find_canaries

TURNS = 12
NAMES = ("hp", "guest", "crew", "CNRY_plot", "CNRY_culprit", "guest.motive", "vault", "dossier", "Health")

Asked = Callable[[StoreSession], Awaitable[object]]


async def keep(value: object) -> object:
    return value


async def ask_why(session: StoreSession) -> object:
    return [await session.past.why(name) for name in NAMES]


async def ask_trail(session: StoreSession) -> object:
    return [await session.past.trail(name) for name in NAMES]


async def inspect_all(session: StoreSession) -> object:
    turns = await session.past.turns(99)
    return [await session.past.inspect(turn.commit) for turn in turns]


async def watch(session: StoreSession) -> object:
    return await drain(session.watch(after=0))


async def play_on(session: StoreSession) -> object:
    return [news async for news in session.play("I walk on.")]


async def past(session: StoreSession) -> object:
    return await session.past.turns(99)


async def turn_by_turn(session: Session) -> object:
    return [await session.past.turn(row.commit) for row in await session.past.tree(every=True)]


ASKED: dict[str, tuple[SessionRight | None, Asked]] = {
    "view": (None, lambda session: session.view()),
    "watch": (None, watch),
    "past": (None, past),
    "opening": (None, lambda session: keep(session.opening)),
    "role": (None, lambda session: keep(session.role.value)),
    "cancel": (None, lambda session: session.cancel()),
    "say": (SessionRight.PLAY, lambda session: session.say("I walk on.")),
    "play": (SessionRight.PLAY, play_on),
    "skip": (SessionRight.PLAY, lambda session: session.skip()),
    "choose": (SessionRight.PLAY, lambda session: session.choose("nothing")),
    "answer": (SessionRight.PLAY, lambda session: session.answer("vault", "yes")),
    "go_on": (SessionRight.PLAY, lambda session: session.go_on()),
    "retry": (SessionRight.PLAY, lambda session: session.retry()),
    "mark": (SessionRight.NAVIGATE, lambda session: session.mark("here")),
    "undo": (SessionRight.NAVIGATE, lambda session: session.undo()),
    "fork": (SessionRight.NAVIGATE, lambda session: session.fork(name="other")),
    "switch": (SessionRight.NAVIGATE, lambda session: session.switch("main")),
    "load": (SessionRight.NAVIGATE, lambda session: session.load("here")),
    "master": (SessionRight.TELL, lambda session: session.master.brief()),
    "close": (None, lambda session: session.close()),
}
"""How each part of a session is asked, and which right it needs; in this order."""

LOOKED_BACK: dict[str, Asked] = {
    "turns": lambda session: session.past.turns(99),
    "why": ask_why,
    "trail": ask_trail,
    "turn": turn_by_turn,
    "tree": lambda session: session.past.tree(every=True),
    "tree_page": lambda session: session.past.tree_page(99, every=True),
    "trends": lambda session: session.past.trends(99),
    "statistics": lambda session: session.past.statistics(),
    "compare": lambda session: session.past.compare("1", "main"),
    "inspect": inspect_all,
}


def list_members(port: type) -> set[str]:
    ports = [each for each in port.__mro__ if each not in (Protocol, object)]
    return {name for each in ports for name in vars(each) if not name.startswith("_")}


async def canary_lobby() -> StoreLobby:
    """A lobby with a campaign of some turns, full of canaries."""
    lobby = make_lobby(canary_edition(), teller=Teller(Scripted(Narrator(3))), language="en")
    session = await lobby.begin("test", campaign="kept")
    for turn in range(TURNS):
        decisions = (await session.view()).decisions
        await (session.answer(decisions[0].id, "yes") if decisions else session.say(f"I walk on, {turn}."))
    assert (await session.view()).version > TURNS // 2
    await session.close()
    return lobby


def test_the_table_and_the_matrix_are_whole() -> None:
    assert set(ROLE_RIGHTS) == set(Viewer)
    assert set().union(*ROLE_RIGHTS.values()) == set(SessionRight)
    assert {role for role in Viewer if may(role, SessionRight.INSPECT)} == SEES_SECRET
    assert all(may(role, SessionRight.PLAY) for role in OPENS_BY_ITSELF)
    assert list_members(Session) == set(ASKED)
    assert list_members(CampaignPast) == set(LOOKED_BACK)


@pytest.mark.parametrize("role", list(Viewer))
def test_everything_a_session_gives_out_is_made_for_its_role(role: Viewer) -> None:
    async def main() -> dict[str, str]:
        session = await (await canary_lobby()).open("kept", role)
        given = {name: repr(await ask(session)) for name, ask in LOOKED_BACK.items()}
        for name, (right, ask) in ASKED.items():
            if right is None or may(role, right):
                given[f"session {name}"] = repr(await ask(session))
                continue
            with pytest.raises(RoleError) as caught:
                await ask(session)
            assert code_of(caught.value) == "role_refused"
            assert not find_canaries(f"{caught.value.message} {caught.value.hint}")
        return given

    given = asyncio.run(main())
    hits = {name for name, text in given.items() if find_canaries(text)}
    assert len(given["turns"]) > 1_000
    if role is Viewer.PLAYER:
        assert hits == set()
        for name in ("exchanges", "sections", "state_digest", "arguments"):
            assert f"'{name}'" not in given["inspect"]
    else:
        # The birds are alive: each of the others sees some of what is hidden.
        assert {"session view", "why", "inspect"} <= hits
    if role in SEES_SECRET:
        assert "CNRY plot" in given["session view"]
        assert "'sections'" in given["inspect"]
    else:
        assert "CNRY plot" not in "".join(text for name, text in given.items())


def test_only_a_player_is_given_an_opening_and_each_session_keeps_its_role() -> None:
    async def main() -> None:
        for role in Viewer:
            lobby = make_lobby(canary_edition(), teller=Teller(Scripted(Narrator(3))), language="en")
            session = await lobby.begin("test", role=role)
            assert (session.opening is not None) == (role in OPENS_BY_ITSELF)
            view = await session.view()
            assert (view.viewer, session.role, view.version) == (role, role, int(role is Viewer.PLAYER))
            await session.close()

    asyncio.run(main())


def test_whoever_may_do_something_is_named() -> None:
    check_right(Viewer.MASTER, SessionRight.TELL)
    with pytest.raises(RoleError, match="a session opened as player may not inspect") as caught:
        check_right(Viewer.PLAYER, SessionRight.INSPECT)
    assert caught.value.hint == "Open the campaign as author or operator to do this."
