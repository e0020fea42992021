"""The remote lobby with a scripted server: openings after a restart, names that are taken, and models."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from talewright.errors import TalewrightError
from talewright.play.campaign_view import View, Viewer
from talewright.play.lobby import SessionOptions
from talewright.play.model_choices import (
    ModelCandidate,
    ModelChoice,
    ModelSource,
    ModelTrialView,
    TrialPhase,
    TrialView,
)
from talewright.play.session import InputResult, ResultKind, wait_for_opening
from talewright.play.wire.view_codec import WireError, to_wire
from talewright.remote.remote_lobby import NAMES_TRIED_MAX, RemoteLobby
from talewright.remote.remote_models import RemoteModels
from talewright.turn.turn_limits import TurnLimits

VIEW = View("test-1", "test", "T", "en", Viewer.PLAYER, "main", "c1", 1, None)
RUNNING = {"operation_id": "op", "state": "running", "result": None}
TAKEN = {"code": "name_taken", "detail": "taken"}
LOST = httpx.Response(404, json={"code": "not_found", "detail": "nothing here"})


class ScriptedServer:
    """Answers each route with its next response, and the last one from then on."""

    def __init__(self, **routes: list[httpx.Response]) -> None:
        self._routes = {name.replace("_", "/"): list(answers) for name, answers in routes.items()}
        self.asked: list[tuple[str, Any]] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        route = request.url.path.removeprefix("/api/")
        self.asked.append((f"{request.method} {route}", json.loads(request.content or b"null")))
        answers = self._routes[next(name for name in self._routes if route.endswith(name))]
        return answers.pop(0) if len(answers) > 1 else answers[0]

    def run(self, work: Callable[[RemoteLobby], Awaitable[None]]) -> None:
        """Do something with a lobby of this server."""

        async def main() -> None:
            lobby = RemoteLobby("http://127.0.0.1:1", "token", httpx.MockTransport(self.answer))
            await work(lobby)
            await lobby.close()

        asyncio.run(main())


def view(opening: str = "") -> httpx.Response:
    return httpx.Response(200, json=to_wire(VIEW), headers={"Talewright-Opening": opening} if opening else {})


def test_an_opening_that_a_restart_has_lost_is_found_again() -> None:
    done = InputResult(ResultKind.COMMITTED, commit="c1", operation_id="later")
    ended = httpx.Response(200, json=to_wire(done))
    server = ScriptedServer(
        view=[view("op"), view("later")],
        operations_op=[httpx.Response(202, json=RUNNING), LOST],
        operations_later=[ended],
    )

    async def work(lobby: RemoteLobby) -> None:
        assert await wait_for_opening(await lobby.open("test-1")) == done

    server.run(work)


def test_an_opening_that_is_over_when_the_server_is_back() -> None:
    server = ScriptedServer(view=[view("op"), view()], operations_op=[LOST])

    async def work(lobby: RemoteLobby) -> None:
        result = await wait_for_opening(await lobby.open("test-1"))
        assert result == InputResult(ResultKind.COMMITTED, commit="c1", repeated=True)
        assert (await lobby.open("test-1")).opening is None

    server.run(work)


def test_closing_ends_the_wait_for_an_opening() -> None:
    server = ScriptedServer(view=[view("op")], operations_op=[httpx.Response(202, json=RUNNING)])

    async def work(lobby: RemoteLobby) -> None:
        session = await lobby.open("test-1")
        await asyncio.sleep(0)
        await session.close()
        assert await wait_for_opening(session) == InputResult(ResultKind.FAILED, "cancelled")

    server.run(work)


def test_a_number_that_somebody_else_has_taken_is_passed_over() -> None:
    listed = {"name": "test-1", "game": "test", "title": "T", "language": "en", "at": "", "damaged": False}
    pages = [httpx.Response(200, json={"items": items}) for items in ([], [listed])]
    taken = httpx.Response(409, json=TAKEN, headers={"content-type": "application/problem+json"})
    answers = [pages[0], taken, pages[1], httpx.Response(201, json=to_wire(VIEW))]
    server = ScriptedServer(campaigns=answers)

    async def work(lobby: RemoteLobby) -> None:
        await lobby.begin("test", "en")
        sent = [body for what, body in server.asked if what == "POST campaigns"]
        assert [body["name"] for body in sent] == ["test-1", "test-2"]
        assert len({body["operation_id"] for body in sent}) == 1

    server.run(work)


def test_the_server_names_a_campaign_if_others_keep_taking_the_numbers() -> None:
    nothing = httpx.Response(200, json={"items": []})
    taken = httpx.Response(409, json=TAKEN, headers={"content-type": "application/problem+json"})
    tried = [nothing, taken] * (NAMES_TRIED_MAX - 1)
    server = ScriptedServer(campaigns=[*tried, httpx.Response(201, json=to_wire(VIEW))])

    async def work(lobby: RemoteLobby) -> None:
        await lobby.begin("test", "en")
        sent = [body["name"] for what, body in server.asked if what == "POST campaigns"]
        assert sent == ["test-1"] * (NAMES_TRIED_MAX - 1) + [""]

    server.run(work)


def test_what_only_a_server_can_set_is_refused() -> None:
    async def work(lobby: RemoteLobby) -> None:
        with pytest.raises(TalewrightError, match="are set by its server"):
            await lobby.open("test-1", options=SessionOptions(limits=TurnLimits()))

    ScriptedServer().run(work)


def test_models_are_those_of_the_server() -> None:
    choice = ModelChoice("fast", "fast-1", "a service")
    source = ModelSource("near", "Near", is_local=True)
    trial = TrialView(good=True, text="Hello.")
    server = ScriptedServer(
        models=[httpx.Response(200, json=[to_wire(choice)])],
        models_chosen=[httpx.Response(200, json={"name": "fast", "campaign": ""})],
        models_local=[httpx.Response(200, json=[to_wire(source)])],
        models_services=[httpx.Response(200, json=[to_wire(source)])],
        models_address=[httpx.Response(200, json=to_wire(source))],
        models_test=[httpx.Response(200, json=to_wire(trial))],
        models_keep=[httpx.Response(200, json={"text": "Kept."}), httpx.Response(200, json={})],
    )

    async def work(lobby: RemoteLobby) -> None:
        models, candidate = lobby.models, ModelCandidate("near", "a", "a-key")
        assert await models.choices() == (choice,)
        assert await models.chosen("test-1", "test") == "fast"
        await models.choose("fast", "test-1")
        assert server.asked[-1] == ("PUT models/chosen", {"name": "fast", "campaign": "test-1"})
        assert await models.local() == await models.services() == (source,)
        assert await models.at_address("http://127.0.0.1:2") == source
        assert await models.test(candidate) == trial
        assert server.asked[-1][1]["key"] == "a-key"
        assert await models.keep(candidate) == "Kept."
        with pytest.raises(WireError, match="has no text"):
            await models.keep(candidate)

    server.run(work)


def test_a_server_is_asked_what_a_model_can_do() -> None:
    asking = ModelTrialView("t1", TrialPhase.PROBING, question="tools", number=1, of=2)
    done = ModelTrialView("t1", TrialPhase.ANSWERED, abilities="It calls tools.")
    server = ScriptedServer(
        models_trials_t1_skip=[httpx.Response(200, json=to_wire(asking))],
        models_trials_t1=[httpx.Response(200, json=to_wire(one)) for one in (asking, done)],
        models_trials=[httpx.Response(201, json=to_wire(asking)), LOST],
    )
    heard: list[tuple[str, int, int]] = []

    async def work(lobby: RemoteLobby) -> None:
        models = RemoteModels(lobby.models.connection, look_seconds=0.0)
        candidate = ModelCandidate("near", "a", "a-key")

        def progress(question: str, number: int, of: int) -> None:
            heard.append((question, number, of))
            if len(heard) == 1:
                models.skip_question()

        assert await models.find_abilities(candidate, progress) == "It calls tools."
        assert heard == [("tools", 1, 2)] * 2
        asked = [what for what, _ in server.asked]
        assert asked == [
            "POST models/trials",
            "POST models/trials/t1/skip",
            "GET models/trials/t1",
            "GET models/trials/t1",
        ]
        # A server that does not know how is not asked further.
        assert await models.find_abilities(candidate, progress) == ""

    server.run(work)


def test_a_search_that_is_cancelled_ends_on_the_server_too() -> None:
    asking = httpx.Response(
        200, json=to_wire(ModelTrialView("t1", TrialPhase.PROBING, "s", "m", None, "q", 1, 2))
    )
    server = ScriptedServer(models_trials_t1=[asking], models_trials=[asking])

    async def work(lobby: RemoteLobby) -> None:
        models, asked = RemoteModels(lobby.models.connection, look_seconds=60.0), asyncio.Event()
        search = asyncio.create_task(
            models.find_abilities(ModelCandidate("near", "a"), lambda *_: asked.set())
        )
        await asked.wait()
        search.cancel()
        with pytest.raises(asyncio.CancelledError):
            await search
        assert server.asked[-1][0] == "DELETE models/trials/t1"

    server.run(work)
