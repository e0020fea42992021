"""Every route, stream and export for every role: 401 without a token, and one 404 for all that is not theirs.

A route without a row fails the test.
"""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from talewright.common.frozen_values import frozen
from talewright.play.campaign_view import Viewer
from talewright.play.model_choices import ModelChoice, ModelSource, TrialView
from talewright.play.serving.game_workbench import WorkedGame
from talewright.play.serving.owner_quotas import LOCAL_QUOTAS
from talewright.play.session import wait_for_opening
from talewright.play.sessions.store_lobby import StoreLobby
from tests.bootstrap.serving.raw_requests import Received, send_request
from tests.bootstrap.serving.whole_server import TOKEN, WholeServer, whole_server
from tests.play.making import compiled, make_lobby

GAME = "lantern_road"
MANY_401 = replace(LOCAL_QUOTAS, bad_tokens=None)
"""Here every route is asked without a token; how many an address may ask is tested elsewhere."""

C = "/api/campaigns/{campaign}"


@frozen
class Row:
    """A route, what it needs, and a request that whoever may use it can send."""

    route: str
    """Method and path, as the application has it."""

    needs: str = ""
    """Empty for every token of the campaign; otherwise `owner`, `save` or a right of a role."""

    query: str = ""
    json: Any = None
    body: bytes = b""


API_ROWS = (
    Row("GET /api/games"),
    Row("GET /api/games/{game}/tools", "owner"),
    Row("GET /api/games/{game}/rules", "owner"),
    Row("POST /api/games/scenario", "owner", "name=made", body=b"{}"),
    Row("GET /api/campaigns"),
    Row("POST /api/campaigns", "owner", json={"game": GAME, "language": "en"}),
    Row("POST /api/campaigns/import", "owner", body=b"no save"),
    Row("POST /api/campaigns/copies", "owner", "name=copy", body=b"no copy"),
    Row(f"GET {C}/copy", "owner"),
    Row(f"POST {C}/close", "owner"),
    Row("POST /api/tokens", "owner", json={"campaign": "player", "role": "player"}),
    Row("GET /api/models", "owner"),
    Row("GET /api/models/chosen", "owner", "campaign={campaign}"),
    Row("PUT /api/models/chosen", "owner", json={"name": "none"}),
    Row("GET /api/models/local", "owner"),
    Row("GET /api/models/services", "owner"),
    Row("GET /api/models/address", "owner", "base_url=http://127.0.0.1:1/v1"),
    Row("POST /api/models/test", "owner", json={"source": "s", "model": "m"}),
    Row("POST /api/models/keep", "owner", json={"source": "s", "model": "m"}),
    Row("POST /api/models/trials", "owner", json={"source": "s", "model": "m"}),
    Row("GET /api/models/trials/{trial}", "owner"),
    Row("POST /api/models/trials/{trial}/skip", "owner"),
    Row("POST /api/models/trials/{trial}/keep", "owner"),
    Row("DELETE /api/models/trials/{trial}", "owner"),
    Row(f"GET {C}"),
    Row(f"GET {C}/view"),
    Row(f"GET {C}/news", query="after=0"),
    Row(f"GET {C}/operations/{{operation_id}}"),
    Row(f"GET {C}/turns"),
    Row(f"GET {C}/tree", query="every=true"),
    Row(f"GET {C}/tree/page", query="around={head}"),
    Row(f"GET {C}/trends"),
    Row(f"GET {C}/statistics"),
    Row(f"GET {C}/commits/{{commit}}/turn"),
    Row(f"GET {C}/compare", query="one=0&other={head}"),
    Row(f"GET {C}/variables/{{variable}}/why"),
    Row(f"GET {C}/variables/{{variable}}/trail"),
    Row(f"GET {C}/commits/{{commit}}"),
    Row(f"GET {C}/receipts"),
    Row(f"GET {C}/cost", "owner"),
    Row(f"POST {C}/verify", "owner", json={}),
    Row(f"GET {C}/export", query="form=md"),
    Row(f"GET {C}/export", query="form=html"),
    Row(f"GET {C}/export", query="form=epub"),
    Row(f"GET {C}/export", "save", "form=json"),
    Row(f"GET {C}/export", "save", "form=jsonl"),
    Row(f"POST {C}/turns", "play", "wait=20", {"kind": "go_on"}),
    Row(f"POST {C}/cancel"),
    Row(f"POST {C}/skip", "play"),
    Row(f"PUT {C}/marks/{{name}}", "navigate"),
    Row(f"POST {C}/load", "navigate", json={"mark": "here"}),
    Row(f"POST {C}/fork", "navigate", json={}),
    Row(f"POST {C}/switch", "navigate", json={"branch": "main"}),
    Row(f"POST {C}/undo", "navigate", json={"turns": 0}),
    Row(f"GET {C}/master/brief", "tell"),
    Row(f"GET {C}/master/player-view", "tell"),
    Row(f"POST {C}/master/turns", "tell", json={"kind": "say", "text": "I wait.", "operation_id": "one"}),
    Row(f"POST {C}/master/calls", "tell", json={"turn": "x"}),
    Row(f"POST {C}/master/finish", "tell", json={"turn": "x", "narration": "Dark."}),
    Row(f"POST {C}/master/abandon", "tell", json={"turn": "x"}),
    Row(f"POST {C}/master/release", "release", json={"operation_id": "x"}),
    Row(f"POST {C}/master/answers", "tell", json={"system": "odds", "errand": "x", "answer": 1}),
    Row(f"POST {C}/master/summary", "tell", json={"text": "Nothing."}),
    Row("POST /play/{campaign}/remove", "owner", body=b"x=y"),
    Row(f"DELETE {C}", "owner"),
    Row("GET /", "owner"),
    Row("GET /offline", "owner"),
    Row("POST /start", "owner", body=b"game=none"),
    Row("POST /display", "owner", body=b"theme=dark"),
    Row("GET /author", "owner"),
    Row("GET /author/state", "owner"),
    Row("POST /author/start", "owner", body=b"name=own"),
    Row("POST /author/reload", "owner", body=b"campaign="),
)

PAGES = (
    Row("GET /play/{campaign}", "owner"),
    Row("GET /play/{campaign}/cards/{variable:path}", "owner"),
    Row("POST /play/{campaign}", "owner", body=b"kind=go_on"),
    Row("POST /play/{campaign}/undo", "owner", body=b"base=x"),
    Row("GET /play/{campaign}/reading", "owner"),
    Row("GET /play/{campaign}/history", "owner"),
    Row("GET /play/{campaign}/compare", "owner"),
    Row("GET /play/{campaign}/book", "owner"),
    Row("GET /play/{campaign}/ending", "owner"),
    Row("GET /play/{campaign}/receipts", "owner"),
    Row("GET /play/{campaign}/receipts/download", "owner"),
    Row("POST /play/{campaign}/receipts", "owner", body=b"receipt="),
    Row("POST /play/{campaign}/fork", "owner", body=b"base=x"),
    Row("POST /play/{campaign}/switch", "owner", body=b"base=x"),
    Row("POST /play/{campaign}/back", "owner", body=b"base=x"),
    Row("POST /play/{campaign}/mark", "owner", body=b"base=x"),
    Row("GET /play/{campaign}/cost", "owner"),
    Row("GET /play/{campaign}/remove", "owner"),
    Row("GET /models", "owner", "campaign={campaign}"),
    Row("GET /models/new", "owner", "source=s"),
    Row("POST /models/choose", "owner", body=b"name=none"),
    Row("POST /models/address", "owner", body=b"base_url=http://127.0.0.1:1/v1"),
    Row("POST /models/try", "owner", body=b"source=s&model=m"),
    *(Row(f"GET /models/trials/{{trial}}{end}", "owner") for end in ("", "/state")),
    *(
        Row(f"POST /models/trials/{{trial}}/{end}", "owner", body=b"x=y")
        for end in ("skip", "stop", "again", "keep")
    ),
    Row("POST /import", "owner", body=b"no upload"),
    Row("GET /play/{campaign}/author", "owner"),
    Row("GET /play/{campaign}/inspect", "owner"),
    Row("GET /play/{campaign}/inspect/{turn}", "owner"),
    Row("GET /play/{campaign}/inspect/values/{variable:path}", "owner"),
)
"""The pages of campaigns."""

ROWS = (*PAGES, *API_ROWS)

OPEN = {
    "GET /api/health": 200,
    "GET /api/openapi.json": 200,
    "GET /api/proof": 422,
    "GET /login": 401,
    "POST /logout": 303,
    "GET /static/{digest}/{name}": 404,
    "GET /manifest.webmanifest": 200,
    "GET /worker.js": 200,
    "GET /offline/{name}": 404,
}
"""Routes without a token, with their answers: they tell nothing of any campaign."""

CALLERS = {
    "none": "",
    "wrong": "",
    "foreign": "player",
    "player": "player",
    "master": "master",
    "author": "author",
    "owner as player": "player",
    "owner as master": "master",
    "owner as author": "author",
}
"""Everybody, with their role; `foreign` is the player of another campaign."""

SPARE = "-spare"
"""The end of the name of a campaign that a row removes."""

RIGHTS = {"play": ("player", "author"), "navigate": ("player", "master", "author"), "tell": ("master",)}


class Chooser:
    """A model chooser with nothing to choose."""

    def in_language(self, language: str) -> "Chooser":
        return self

    async def choices(self) -> tuple[ModelChoice, ...]:
        return ()

    async def chosen(self, campaign: str = "", game: str = "") -> str:
        return "none"

    async def choose(self, name: str, campaign: str = "") -> None:
        pass

    async def local(self) -> tuple[ModelSource, ...]:
        return (ModelSource("s", "S", is_local=True),)

    services = local

    async def at_address(self, base_url: str) -> ModelSource:
        return ModelSource("s", "S", is_local=True)

    async def test(self, candidate: Any) -> TrialView:
        return TrialView(True, "well")

    async def find_abilities(self, candidate: Any, progress: Any) -> str:
        return ""

    def skip_question(self) -> None:
        pass

    async def keep(self, candidate: Any) -> str:
        return "done"


class Workbench:
    """A workbench with one game."""

    async def games(self, *, at_once: bool = False) -> tuple[WorkedGame, ...]:
        return (WorkedGame("own", GAME, "m", "2026-01-01T00:00:00Z", True),)


def may(caller: str, row: Row) -> bool:
    """Whether a caller may use a route; written down once more, apart from the code."""
    owner = caller.startswith("owner")
    if caller == "foreign" and C in row.route:
        return False
    if row.needs == "owner":
        return owner
    if row.needs == "release":
        return caller == "owner as master"
    if row.needs == "save":
        return owner or caller == "author"
    return CALLERS[caller] in RIGHTS.get(row.needs, CALLERS.values())


def find_routes(server: Any) -> set[str]:
    """Every route of the application, but MCP, which has tests of its own."""
    app = server.app
    while not hasattr(app, "routes"):
        app = app._app
    described = {
        f"{method.upper()} {path}" for path, known in app.openapi()["paths"].items() for method in known
    }
    plain = {
        f"{method} {route.path}"
        for route in app.routes
        if hasattr(route, "path")
        for method in route.methods - {"HEAD"}
    }
    return described | {route for route in plain if " /api/" not in route or "openapi" in route}


class Matrix:
    """A server with a campaign for each caller."""

    def __init__(self, server: WholeServer, heads: dict[str, tuple[str, str]]) -> None:
        self.server = server
        self.heads = heads

    async def ask(self, caller: str, row: Row) -> Received:
        """Send the request of a row; a foreign token asks for the campaign of the player."""
        campaign = "player" if caller in ("none", "wrong", "foreign") else caller.replace(" ", "-")
        head, opening = self.heads[campaign]
        words = {"campaign": campaign, "head": head, "commit": head, "operation_id": opening, "game": GAME}
        words |= {"variable": "oil", "name": "here", "turn": head}
        method, path = row.route.replace(":path", "").split()
        if "{trial}" in path:
            words["trial"] = await self.start_trial()
        if method == "POST" and path.endswith("/remove"):
            # The campaign itself is needed for the last row.
            words["campaign"] = f"{campaign}{SPARE}"
        query = row.query.format(**words)
        if caller.startswith("owner"):
            query += f"&role={CALLERS[caller]}"
        target = path.format(**words) + (f"?{query}" if query else "")
        return await send_request(
            self.server.app, method, target, await self.headers(caller), json=row.json, body=row.body
        )

    async def start_trial(self) -> str:
        """A trial of a model."""
        given = {"authorization": f"Bearer {TOKEN}"}
        started = await send_request(
            self.server.app, "POST", "/api/models/trials", given, json={"model": "m"}
        )
        return str(json.loads(started.body)["id"])

    async def headers(self, caller: str) -> dict[str, str]:
        """What a caller brings."""
        if caller == "none":
            return {}
        if caller.startswith("owner"):
            return {"authorization": f"Bearer {TOKEN}"}
        role, campaign = Viewer(CALLERS[caller] or "player"), "player" if caller == "wrong" else caller
        token = await self.server.token(campaign, role)
        return {"authorization": f"Bearer {token}{'x' if caller == 'wrong' else ''}"}


async def make_matrix(lobby: StoreLobby, server: WholeServer) -> Matrix:
    """Begin a campaign for everybody."""
    heads = {}
    names = [caller.replace(" ", "-") for caller in list(CALLERS)[2:]]
    for campaign in (*names, *(f"{name}{SPARE}" for name in names if name.startswith("owner"))):
        session = await lobby.begin(GAME, "en", campaign)
        opened = await wait_for_opening(session)
        assert opened is not None
        heads[campaign] = ((await session.view()).head, opened.operation_id)
        await session.close()
    return Matrix(server, heads)


async def take_stock(lobby: StoreLobby) -> list[str]:
    """Every campaign with all its turns, branches and marks."""
    found = []
    for campaign in sorted(one.name for one in await lobby.campaigns()):
        session = await lobby.open(campaign, Viewer.AUTHOR)
        found.append(f"{campaign}: {await session.past.tree(every=True)} {(await session.view()).head}")
        await session.close()
    return found


def strip(answer: Received) -> tuple[int, bytes, list[tuple[bytes, bytes]]]:
    return answer.status, answer.body, sorted(answer.headers)


async def check_denied(matrix: Matrix) -> Iterator[str]:
    """Whatever is not theirs."""
    app = matrix.server.app
    nothing = await send_request(app, "GET", "/api/nothing", {"authorization": f"Bearer {TOKEN}"})
    assert nothing.status == 404
    assert json.loads(nothing.body)["code"] == "not_found"
    wrong = []
    for caller in CALLERS:
        for row in ROWS:
            if may(caller, row) and caller not in ("none", "wrong"):
                continue
            answer = await matrix.ask(caller, row)
            if caller in ("none", "wrong"):
                fine = answer.status == 401 and answer.header("www-authenticate") == "Bearer"
            else:
                fine = strip(answer) == strip(nothing)
            if not fine:
                wrong.append(f"{caller}: {row.route}?{row.query}: {answer.status} {answer.body[:200]!r}")
    return iter(wrong)


async def check_granted(matrix: Matrix) -> Iterator[str]:
    """What is theirs; they may still be told that it makes no sense now."""
    wrong = []
    for caller in list(CALLERS)[2:]:
        for row in ROWS:
            if not may(caller, row):
                continue
            answer = await matrix.ask(caller, row)
            if answer.status in (401, 403, 404) or answer.status >= 500:
                wrong.append(f"{caller}: {row.route}?{row.query}: {answer.status} {answer.body[:200]!r}")
    return iter(wrong)


@pytest.mark.slow
def test_every_route_for_every_role() -> None:
    async def make_game(data: bytes, name: str) -> str:
        return name

    async def run() -> None:
        lobby = make_lobby(compiled(GAME), language="en")
        async with whole_server(lobby, Chooser(), make_game, Workbench(), quotas=MANY_401) as server:
            assert find_routes(server) == {row.route for row in ROWS} | set(OPEN), "every route needs a row"
            matrix = await make_matrix(lobby, server)
            before = await take_stock(lobby)
            assert len(before) == len(matrix.heads)
            assert list(await check_denied(matrix)) == []
            assert await take_stock(lobby) == before
            assert list(await check_granted(matrix)) == []
            for route, status in OPEN.items():
                method, path = route.split()
                answer = await send_request(server.app, method, path)
                assert answer.status == status, route
                assert not any(name.encode() in answer.body for name in ("foreign", "owner-as-player"))

    asyncio.run(run())
