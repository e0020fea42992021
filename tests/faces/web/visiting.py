"""Visits to the pages of a whole server in this process, as a browser that is logged in, without scripts."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx

from talewright.llm.profiles import Profile
from talewright.llm.requests import Request, ToolCall
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.providers.scripted import Scripted, ScriptedReply, by
from talewright.turn.turn_context import Teller
from tests.bootstrap.serving.whole_server import ORIGIN, whole_server
from tests.faces.http.serving import make_lobby

Visit = Callable[["PageVisitor"], Coroutine[Any, Any, None]]

VOID = frozenset("input link meta".split())


class PageTree(HTMLParser):
    """What a page consists of: its tags with attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self._forms: list[dict[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def find(self, tag: str, **wanted: str) -> list[dict[str, str]]:
        """The attributes of every such tag."""
        return [
            given
            for name, given in self.tags
            if name == tag and all(given.get(key) == value for key, value in wanted.items())
        ]

    def form_of(self, kind: str) -> dict[str, str]:
        """The hidden fields of the form of an input."""
        at = self.tags.index(("input", {"type": "hidden", "name": "kind", "value": kind}))
        found = {}
        for tag, given in self.tags[at:]:
            if tag == "form":
                break
            if tag == "input" and given.get("type") == "hidden":
                found[given["name"]] = given["value"]
        return found

    @property
    def text(self) -> str:
        """All text."""
        return " ".join(" ".join(self.texts).split())


class PageVisitor:
    """A browser without scripts."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.answer = httpx.Response(200)

    async def get(self, path: str) -> PageTree:
        """A page."""
        self.answer = await self.client.get(path, follow_redirects=True)
        return PageTree(self.answer.text)

    async def post(self, path: str, **fields: str) -> PageTree:
        """The page that follows a form."""
        headers = {"Origin": ORIGIN}
        self.answer = await self.client.post(path, data=fields, headers=headers, follow_redirects=True)
        return PageTree(self.answer.text)

    async def upload(self, path: str, name: str, data: bytes) -> PageTree:
        """The page that follows a form with a file."""
        self.answer = await self.client.post(
            path, files={"file": (name, data)}, headers={"Origin": ORIGIN}, follow_redirects=True
        )
        return PageTree(self.answer.text)

    async def start(self, game: str, language: str = "en") -> PageTree:
        """The table of a new campaign, when its opening has been told."""
        page = await self.post(
            "/start", game=game, language=language, operation_id=f"start-{game}-{language}"
        )
        while not page.find("article"):
            page = await self.get(self.path)
        return page

    @property
    def path(self) -> str:
        """Where it is."""
        return self.answer.url.path


def make_checking_lobby(saves: Path) -> StoreLobby:
    """A lobby whose model asks for a check when a rope is thrown."""
    check = {
        "action_dice": 1,
        "danger_dice": 1,
        "context": "Haul the ferry in before the ice has it",
        "action_tags": [],
        "danger_tags": ["flooded margin"],
    }
    call = ToolCall("call-1", "roll_check", json.dumps(check))
    pending = [call]

    def reply(request: Request) -> ScriptedReply:
        thrown = any("the rope" in message.text for message in request.messages)
        return ScriptedReply("She catches it.", (pending.pop(),) if thrown and pending else ())

    profile = Profile("scripted", context_tokens=128_000)
    return replace(make_lobby(str(saves)), teller=Teller(Scripted(reply, profile=profile, cut=by(4))))


def visit(
    saves: Path,
    look: Visit,
    lobby: StoreLobby | None = None,
    language: str = "en",
    models: Any = None,
    import_scenario: Any = None,
) -> None:
    """Log in and look around."""

    async def run() -> None:
        async with (
            whole_server(lobby or make_lobby(str(saves)), models, import_scenario) as server,
            server.client(**{"Accept-Language": language}) as client,
        ):
            assert (await client.get(server.login.make_link(ORIGIN))).status_code == 303
            await look(PageVisitor(client))

    asyncio.run(run())
