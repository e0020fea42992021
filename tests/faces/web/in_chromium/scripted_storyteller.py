"""A scripted storyteller for many campaigns on one server: it knows the replies of some plays by heart.

What is said at the table decides which replies come next. To certain words it tells a story of its own,
quickly or slowly.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator

from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import AssistantMessage, Request, UserMessage
from talewright.providers.scripted import Scripted, ScriptedReply, by
from talewright.turn.inputs.player_inputs import Say
from tests.plays.scripts import PLAYS, Turn, read_play

SOLO = "20_solo_three_days"
TAVERN = "28_dusty_tankard"
WAIT = "I wait, "
SLOWLY = "I wait, and wait, "
STORY = "\n\n".join(
    f"The {count} wave comes in over the stones, *slowly*, and takes back what it had brought."
    for count in ("first", "second", "third", "fourth")
)
PIECE = 6
QUICK_SECONDS = 0.002
SLOW_SECONDS = 0.12


def read_turns(name: str) -> tuple[Turn, ...]:
    """The turns of a play."""
    return read_play(PLAYS / f"{name}.yaml").turns


def list_replies(turns: tuple[Turn, ...]) -> Iterator[tuple[str, list[ScriptedReply]]]:
    """What is said, with the replies until something else is said."""
    said = ""
    replies: list[ScriptedReply] = []
    for turn in turns:
        if isinstance(turn.given, Say):
            yield said, replies
            said, replies = turn.given.text, []
        replies += turn.replies
    yield said, replies


class Storyteller(Scripted):
    """Replies to whoever says something that it knows."""

    def __init__(self) -> None:
        super().__init__(self.reply, profile=Profile("scripted", context_tokens=128_000), cut=by(PIECE))
        self._known = {
            key: replies for name in (SOLO, TAVERN) for key, replies in list_replies(read_turns(name))
        }
        self._left: list[ScriptedReply] = []

    def reply(self, request: Request) -> str | ScriptedReply:
        """The next line."""
        said, is_first = find_said(request)
        if WAIT in said or SLOWLY in said:
            return STORY
        if is_first and said in self._known:
            self._left = list(self._known[said])
        return self._left.pop(0) if self._left else STORY

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Tell it, piece by piece."""
        pause = SLOW_SECONDS if SLOWLY in find_said(request)[0] else QUICK_SECONDS
        async for chunk in super().stream(request):
            await asyncio.sleep(pause)
            yield chunk


def find_said(request: Request) -> tuple[str, bool]:
    """What the player said last, and whether this is the first request since."""
    asked = list(request.messages)
    while asked and not isinstance(asked[-1], UserMessage):
        asked.pop()
    is_first = not any(isinstance(one, AssistantMessage) for one in request.messages[len(asked) :])
    return (asked[-1].text if asked else "").rpartition("[PLAYER]\n")[2].strip(), is_first


def make_models() -> tuple[Provider, Provider]:
    """The storyteller, and a model for errands that has nothing to say."""
    return Storyteller(), Scripted(lambda _: '{"summary": "Nothing much happened."}')
