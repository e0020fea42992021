"""Storytellers for tests: one that answers in the cards' form, and one that waits to be let on."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence

from talewright.common.json_values import Json
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request
from talewright.providers.scripted import Cut, Scripted, ScriptedReply, whole
from talewright.turn.turn_context import Teller

BROKEN = ScriptedReply("He", error=ProviderError(Trouble.UNREACHABLE, "CNRY: no route to the oracle"))
"""A reply that breaks off."""


def cards(narration: str, *updates: Json) -> str:
    """An answer in the cards' form."""
    choices = [{"id": f"m{at}", "label": f"Do {at}", "hint": "", "risk": "low"} for at in range(3)]
    return json.dumps(
        {
            "narrative_markdown": narration,
            "choices": choices,
            "state_updates": list(updates),
            "new_facts": [],
            "events": [],
            "end": {"is_game_over": False, "ending_id": "", "reason": ""},
        }
    )


def teller(*lines: str | ScriptedReply, cut: Cut = whole) -> Teller:
    """A storyteller with a script."""
    return Teller(Scripted(lines, cut=cut))


class Hesitant(Scripted):
    """A scripted provider that waits in mid-stream until it is let on; its first replies may be prompt."""

    def __init__(
        self, lines: Sequence[str | ScriptedReply], prompt_replies: int = 0, *, cut: Cut = whole
    ) -> None:
        super().__init__(lines, cut=cut)
        self.reached = asyncio.Event()
        self.let_on = asyncio.Event()
        self._prompt = prompt_replies

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Say the next line, with a pause after its first piece."""
        async for chunk in super().stream(request):
            yield chunk
            if len(self.requests) > self._prompt and not self.let_on.is_set():
                self.reached.set()
                await self.let_on.wait()
