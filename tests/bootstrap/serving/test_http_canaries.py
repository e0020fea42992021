"""Canaries in every private thing: no byte of one reaches a player, headers and errors included."""

import asyncio
import json
import random
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest

from talewright.play.campaign_view import Viewer
from talewright.providers.scripted import Scripted, by
from talewright.turn.turn_context import Teller
from tests.bootstrap.serving.raw_requests import Received, send_request
from tests.bootstrap.serving.test_route_matrix import ROWS, Chooser
from tests.bootstrap.serving.whole_server import WholeServer, whole_server
from tests.play.making import make_lobby
from tests.privacy import MARK, Catch, Narrator, canary_edition

pytestmark = pytest.mark.slow

SEED = 20260
TURNS = 25
VARIABLES = ("hp", "guest", "crew", "CNRY_plot", "guest.motive", "vault", "_engine", "dossier", "Health")
CAMPAIGN = "nest"


class Client:
    """A client with one token, and everything it has received."""

    def __init__(self, server: WholeServer, token: str) -> None:
        self.catch = Catch()
        self._server = server
        self._headers = {"authorization": f"Bearer {token}"}

    async def ask(self, method: str, path: str, json: Any = None, body: bytes = b"") -> Received:
        """Send a request, and keep whatever comes."""
        target = path if path.startswith("/api") else f"/api/campaigns/{CAMPAIGN}{path}"
        got = await send_request(self._server.app, method, target, self._headers, json=json, body=body)
        text = got.everything().decode("utf-8", "backslashreplace")
        asked = f"{method} {target}"
        # What the client itself has sent may come back.
        self.catch.add(asked, text.replace(target, "") if MARK in target else text)
        if got.body.startswith(b"PK"):
            with ZipFile(BytesIO(got.body)) as epub:
                self.catch.add(asked, *(epub.read(name).decode() for name in epub.namelist()))
        return got

    async def act(self, rng: random.Random) -> None:
        """Do what a player might do next."""
        view = json.loads((await self.ask("GET", "/view")).body)
        pick = rng.random()
        if view.get("decisions"):
            decision = view["decisions"][0]
            option = rng.choice(decision["options"])[0]
            turn: Any = {"kind": "answer", "decision": decision["id"], "option": option}
        elif view["version"] > 2 and pick < 0.05:
            await self.ask("POST", "/undo", {"turns": 1})
            return
        elif view["version"] > 2 and pick < 0.1:
            turn = {"kind": "retry"}
        elif pick < 0.15:
            turn = {"kind": "choose", "choice": "no_such_choice"}
        else:
            turn = {"kind": "say", "text": f"I walk on, {rng.randrange(100)}."}
        await self.ask("POST", "/turns?wait=30", turn)


async def look_at_everything(client: Client) -> None:
    """Every way out that a token of this campaign has, and every refusal."""
    head = json.loads((await client.ask("GET", "/view")).body)["head"]
    for path in ("", "/turns?count=100", "/tree?every=true", f"/compare?one=0&other={head}", "/receipts"):
        await client.ask("GET", path)
    for form in ("md", "html", "epub", "json", "jsonl", f"{MARK}"[:2]):
        await client.ask("GET", f"/export?form={form}")
    for query in ("after=0", "after=0&chunks=all", "after=-1", "after=x"):
        await client.ask("GET", f"/news?{query}")
    for name in VARIABLES:
        await client.ask("GET", f"/variables/{name}/why")
        await client.ask("GET", f"/variables/{name}/trail")
    for commit in (head, "0", "1", "5", "main", "nothing", "%00", "x" * 300):
        await client.ask("GET", f"/commits/{commit}")
    for row in ROWS:
        method, path = row.route.replace(":path", "").split()
        if method != "DELETE":
            words = {"campaign": CAMPAIGN, "name": "here", "game": "test", "operation_id": "none"}
            words |= {"variable": "guest", "commit": head, "head": head, "turn": head, "trial": "none"}
            await client.ask(method, path.format(**words), row.json, row.body)
            await client.ask(method, path.format(**words), body=b'{"kind": 1, "turn": []')


def test_no_canary_in_any_byte_that_a_player_receives() -> None:
    async def run() -> None:
        lobby = make_lobby(
            canary_edition(), teller=Teller(Scripted(Narrator(SEED), cut=by(7))), language="en", seed=SEED
        )
        await (await lobby.begin("test", "en", CAMPAIGN)).close()
        rng = random.Random(SEED)
        async with whole_server(lobby, Chooser()) as server:
            player = Client(server, await server.token(CAMPAIGN, Viewer.PLAYER))
            for turn in range(TURNS):
                watching = asyncio.ensure_future(player.ask("GET", "/news?chunks=all"))
                await player.act(rng)
                await watching
                if turn % 10 == 0:
                    await player.ask("GET", "/turns?count=3")
            await look_at_everything(player)
            assert not player.catch.hits()[:5], f"seed {SEED}"
            heard = player.catch.stream()
            assert "along the quay" in heard
            assert "narration.delta" in heard
            # There was something to be found.
            author = Client(server, await server.token(CAMPAIGN, Viewer.AUTHOR))
            await look_at_everything(author)
            assert len(author.catch.hits()) > 20

    asyncio.run(run())
