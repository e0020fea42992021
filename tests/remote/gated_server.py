"""A server whose model stops in the middle of every reply until a file is there, for restarts in mid-turn."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

from talewright.llm.reply_chunks import Chunk, Text
from talewright.llm.requests import Request
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.providers.scripted import Scripted, by
from talewright.turn.turn_context import Teller
from tests.faces.http.serving import make_lobby as make_shipped_lobby
from tests.play.tellers import cards

LOBBY = "tests.remote.gated_server:make_lobby"
HEARD = "The lamp goes out."
"""The words that players hear before the gate; of what is told last, some is held back at first."""

BEFORE = HEARD + "".join(
    f" {who} {what}"
    for who, what in {
        "The water": "goes on as if nothing had happened.",
        "A rope": "complains somewhere behind the sheds.",
        "Two gulls": "quarrel over the roof of the customs house.",
        "Your hands": "smell of coal, fish and old paper.",
        "The clock": "on the tower has stopped at ten to eleven.",
        "Nobody": "comes to light the lantern again.",
    }.items()
)
AFTER = " Somebody whistles twice, and the harbor answers."
LOOK_SECONDS = 0.01


class GatedTeller(Scripted):
    """Tells the same every time; once the gate is wanted, it waits for it in the middle."""

    def __init__(self, gate: Path) -> None:
        super().__init__(lambda request: cards(BEFORE + AFTER), cut=by(8))
        self._gate = gate

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Yield the reply."""
        told = ""
        async for chunk in super().stream(request):
            while BEFORE in told and not self._gate.exists():
                await asyncio.sleep(LOOK_SECONDS)
            if isinstance(chunk, Text):
                told += chunk.text
            yield chunk


def make_lobby(saves: str, gate: str) -> StoreLobby:
    """The shipped games, told by that model."""
    return replace(make_shipped_lobby(saves), teller=Teller(GatedTeller(Path(gate))))
