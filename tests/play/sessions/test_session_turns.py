"""Phases that open: the turn that begins one is taken by itself, once, and later where it failed."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from talewright.chronicle.records import MAIN, Accepted
from talewright.chronicle.store import ChronicleDamage, DamagedError
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.story.scenes import Choice
from talewright.kernel.system import Phase, Sight
from talewright.play.news import NewsKind
from talewright.play.session import ResultKind, Stamp
from talewright.play.sessions.session_turns import OPENS, find_opening
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import ScriptedReply
from talewright.turn.game_editions import Edition
from talewright.turn.inputs.player_inputs import Say, to_json
from talewright.turn.turn_outcomes import Committed, OutcomeReason, Unspent
from tests.kernel.making import enum, make_game, make_layout, make_scene
from tests.play.hooked import HookedStore
from tests.play.making import make_edition, make_lobby
from tests.play.tellers import BROKEN, cards, teller

READY = cards("Ready, then.", {"op": "set", "path": "stage", "value": "ready", "reason": ""})
SCENE = cards("A cold morning.", {"op": "set", "path": "stage", "value": "play", "reason": ""})


class Stages:
    """Making ready, then play, which opens with a turn of its own."""

    name = "stages"

    def phase(self, sight: Sight) -> Phase | None:
        return Phase(str(sight.document["stage"]), opens=sight.document["stage"] == "ready")


def staged(*systems: Stages) -> Edition:
    """A game that is made ready in its first turns."""
    layout = make_layout({"stage": enum("setup", "ready", "play")})
    scene = make_scene(
        layout,
        "start",
        "stage != 'play'",
        Choice("ready", text="done", updates=(Update(Op.SET, "stage", "ready"),), next="start"),
    )
    game = make_game(layout, scenes=[scene], systems=systems or (Stages(),))
    words = {"scene.start.ready.label": "Ready", "scene.start.text.1": "Who are you?", "done": "So be it."}
    return make_edition(game, words)


async def begin(*lines: str | ScriptedReply) -> tuple[StoreLobby, StoreSession]:
    lobby = make_lobby(staged(), teller=teller(*lines) if lines else None)
    return lobby, await lobby.begin("test", "en")


async def inputs(session: StoreSession) -> list[object]:
    """What was put in, turn by turn."""
    book = session.seat.road.book
    line = await book.back(await session.seat.head(), 20)
    return [raw.get("kind") for turn in reversed(line) if isinstance(raw := turn.body.get("input"), Mapping)]


def test_the_turn_that_opens_follows_in_the_same_call() -> None:
    async def main() -> None:
        _, session = await begin(READY, SCENE, cards("On."))
        watch = session.watch()
        result = await session.say("I am Ann", Stamp("op-1"))
        view = await session.view()
        assert (result.kind, result.commit, view.version) == (ResultKind.COMMITTED, view.head, 3)
        assert view.turn is not None
        assert view.turn.narration == "A cold morning."
        opened = await session.seat.road.book.find("op-1" + OPENS)
        assert opened.commit is not None
        assert opened.commit.id == result.commit
        # Nothing opens any more.
        await session.say("I look about", Stamp("op-2"))
        assert await inputs(session) == ["opening", "say", "go_on", "say"]
        # The same words handed in again are answered with the same turn.
        again = await session.say("I am Ann", Stamp("op-1"))
        assert (again.kind, again.commit, again.repeated) == (ResultKind.COMMITTED, result.commit, True)
        await session.close()
        heard = [news.kind async for news in watch]
        assert heard.count(NewsKind.TURN_COMMITTED) == 3
        assert heard.count(NewsKind.TURN_ACCEPTED) == 3

    asyncio.run(main())


def test_a_choice_of_the_author_leads_on_too_but_not_without_a_storyteller() -> None:
    async def main() -> None:
        _, session = await begin(cards("So be it."), SCENE)
        await session.choose("ready")
        assert await inputs(session) == ["opening", "choose", "go_on"]
        await session.close()
        _, session = await begin()
        result = await session.choose("ready")
        assert result.kind is ResultKind.COMMITTED
        assert await inputs(session) == ["opening", "choose"]
        await session.close()

    asyncio.run(main())


def test_an_opening_that_fails_leaves_the_campaign_and_can_be_taken_later() -> None:
    async def main() -> None:
        lobby, session = await begin(READY, BROKEN, SCENE)
        result = await session.say("I am Ann", Stamp("op-1"))
        assert (result.kind, result.reason) == (ResultKind.DEGRADED, "untold")
        view = await session.view()
        assert (view.version, [choice.id for choice in view.choices]) == (2, ["retry", "rollback", "quit"])
        assert (await session.choose("retry")).kind is ResultKind.COMMITTED
        assert await inputs(session) == ["opening", "say", "go_on"]
        await session.close()

        lobby, session = await begin(READY, BROKEN, SCENE)
        await session.say("I am Ann", Stamp("op-1"))
        await session.close()
        session = await lobby.open("test-1")
        assert (await session.view()).version == 3
        assert (await session.seat.road.book.find("op-1" + OPENS)).commit is not None
        await session.close()
        # It is told; nothing is taken when the campaign is opened once more.
        session = await lobby.open("test-1")
        assert (await session.view()).version == 3
        await session.undo()
        await session.close()
        # Whoever went back before it finds the campaign there.
        session = await lobby.open("test-1")
        assert (await session.view()).version == 2
        await session.close()

        lobby, session = await begin(READY, BROKEN, SCENE)
        await session.say("I am Ann")
        assert (await session.go_on()).kind is ResultKind.COMMITTED
        assert await inputs(session) == ["opening", "say", "go_on"]
        await session.close()

    asyncio.run(main())


def test_what_the_player_has_said_there_comes_before_the_opening() -> None:
    async def main() -> None:
        lobby, session = await begin(READY, BROKEN, SCENE)
        await session.say("I am Ann")
        book = session.seat.road.book
        head = await session.seat.head()
        await book.accept(Accepted("mine", MAIN, head, to_json(Say("I run")), "now"))
        await session.close()
        session = await lobby.open("test-1")
        assert (await session.view()).version == 2
        assert (await session.view()).unfinished == "I run"
        await session.go_on()
        assert await inputs(session) == ["opening", "say", "say"]
        await session.close()

    asyncio.run(main())


def test_a_turn_taken_again_is_opened_again() -> None:
    async def main() -> None:
        _, session = await begin(READY, SCENE, SCENE, READY, SCENE)
        await session.say("I am Ann")
        await session.retry()
        assert await inputs(session) == ["opening", "say", "go_on"]
        await session.undo()
        assert (await session.retry("I am Bea")).kind is ResultKind.COMMITTED
        assert await inputs(session) == ["opening", "say", "go_on"]
        view = await session.view()
        assert view.version == 3
        await session.close()

    asyncio.run(main())


class Endless(Stages):
    """A phase that wants to be opened for ever."""

    def phase(self, sight: Sight) -> Phase | None:
        return Phase("play", opens=True)


def test_one_opening_does_not_lead_to_another() -> None:
    async def main() -> None:
        lobby = make_lobby(staged(Endless()), teller=teller(*[cards("Hm.")] * 5))
        session = await lobby.begin("test", "en")
        assert await inputs(session) == ["opening", "go_on"]
        await session.say("Well?")
        assert await inputs(session) == ["opening", "go_on", "say", "go_on"]
        await session.close()
        session = await lobby.open("test-1")
        assert len(await inputs(session)) == 4
        await session.close()

    asyncio.run(main())


def test_where_nothing_is_to_be_opened() -> None:
    async def main() -> None:
        _, session = await begin(READY, BROKEN)
        await session.say("I am Ann")
        road = session.seat.road
        head = await road.book.read(await session.seat.head())
        assert await find_opening(road, MAIN, Committed(head)) == Stamp(head.operation_id + OPENS, head.id)
        assert await find_opening(road, MAIN, Unspent(OutcomeReason.EMPTY)) is None
        assert await find_opening(replace(road, teller=None), MAIN, Committed(head)) is None
        assert await find_opening(road, "elsewhere", Committed(head)) is None
        parent = await road.book.read(head.parent)
        assert await find_opening(road, MAIN, Committed(parent)) is None
        # What cannot be read does not make a turn fail that is safe.
        lost = replace(head, id="lost")
        assert await find_opening(road, MAIN, Committed(lost, repeated=True)) is None
        await session.close()

    asyncio.run(main())


def test_a_damaged_campaign_is_only_looked_at() -> None:
    async def main() -> None:
        lobby, session = await begin(READY, BROKEN, SCENE)
        await session.say("I am Ann")
        await session.close()
        hurt = HookedStore(lobby.store, ChronicleDamage("chronicle.jsonl", "torn", "c"))
        session = await replace(lobby, store=hurt).open("test-1")
        assert (await session.view()).version == 2
        await session.close()

    asyncio.run(main())


def test_a_store_that_cannot_say_where_it_stands_opens_nothing() -> None:
    async def main() -> None:
        store = HookedStore(make_lobby().store)
        lobby = replace(make_lobby(staged(), teller=teller(READY, BROKEN)), store=store)
        session = await lobby.begin("test", "en")
        await session.say("I am Ann")
        road = session.seat.road
        head = await road.book.read(await session.seat.head())

        async def fail(name: str) -> None:
            raise DamagedError("torn")

        assert store.opened is not None
        store.opened.hook = fail
        assert await find_opening(road, MAIN, Committed(head)) is None

    asyncio.run(main())
