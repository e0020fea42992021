"""Examining: a scripted model with good and bad days, and a lobby with a clock of its own."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace

from talewright.llm.profiles import Prices, Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import StopReason, Usage
from talewright.llm.requests import Request
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.turn.turn_context import Teller
from talewright.workshop.examination import ExamPlan, ExamResult, examine
from tests.play.making import make_lobby
from tests.turn.making import cards, ferry, update

PROFILE = Profile("scripted", prices=Prices(1.0, 2.0, 0.1))
USED = Usage(1_000, 100, 800)
CIRCLE = '{"narrative_markdown": "He waits. ' + "The boat will not come today, and not tomorrow either. " * 50
CUT = ScriptedReply('{"narrative_markdown": "He nods. He takes the oar. The bo', stop=StopReason.LENGTH)
GOOD = cards("He nods and looks at the water.")
LINES = (
    (GOOD,),
    ("nonsense", GOOD),
    (CIRCLE, GOOD),
    (cards("He nods.", update("dec", "coinz", 1)), cards("")),
    (CUT, cards("")),
    ("nonsense", "nonsense", "nonsense"),
    (cards("你看着水面，船夫点了点头，什么也没说。"),),
)
"""The replies to the first turn, the second, and so on, and again from the beginning."""


def write_script() -> Callable[[Request], ScriptedReply]:
    """What the model says, request by request."""
    lines: Iterator[str | ScriptedReply] = itertools.chain.from_iterable(itertools.cycle(LINES))

    def answer(request: Request) -> ScriptedReply:
        line = next(lines)
        reply = ScriptedReply(line) if isinstance(line, str) else line
        return replace(reply, usage=USED)

    return answer


def fail(request: Request) -> ScriptedReply:
    """A server that is not there."""
    return ScriptedReply(error=ProviderError(Trouble.UNREACHABLE, "nobody is there", unpaid=True))


def make_exam_lobby(script: Callable[[Request], ScriptedReply] | None = None) -> StoreLobby:
    """A lobby in memory; every look at its clock takes half a second."""
    ticks = itertools.count()
    teller = Teller(Scripted(script or write_script(), profile=PROFILE))
    lobby = make_lobby(ferry(), teller=teller)
    return replace(lobby, seconds=lambda: next(ticks) / 2, lookup=lambda name: PROFILE)


async def hold(
    turns: int = 14, seed: int = 1, lobby: StoreLobby | None = None
) -> tuple[ExamResult, StoreLobby]:
    """Hold an examination."""
    lobby = lobby or make_exam_lobby()
    heard: list[tuple[int, int]] = []
    plan = ExamPlan("small", "ferry", turns, seed)
    result = await examine(lobby, plan, lambda done, of: heard.append((done, of)))
    assert heard == sorted(heard)
    assert heard[-1][1] == turns
    return result, lobby
