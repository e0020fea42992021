"""A tiny game with something hidden and something secret, and turns in it written by hand."""

import asyncio
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from talewright.chronicle.records import Commit
from talewright.common.json_values import Json
from talewright.kernel.chance import Fate
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import judge
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.slots.slot_types import Slot, SlotKind
from talewright.kernel.state.state import advance
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.triggers import Event
from talewright.stores.memory_store import MemoryStore
from talewright.turn.game_editions import Edition
from talewright.turn.records.commit_body import GameEnd, OfferedChoice, TurnBody, write_rulings
from tests.kernel.making import integer, listing, make_layout, record, string
from tests.play.history.campaigns import SECRET, Scribe, Shelved, begin_campaign, make_edition

T = TypeVar("T")

HIDDEN = "CANARY-HIDDEN"
DEEP = "CANARY-SECRET"


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def tiny_edition(version: str = "1.2.0") -> Edition:
    """A purse, a bag, a clock; a plot the narrator knows, a truth nobody does."""
    layout = make_layout(
        {
            "gold": integer(10, 0, 100),
            "bag": listing(string(), "rope"),
            "time": record(hour=integer(8, 0, 30), minute=integer(0, 0, 59)),
            "plot": Slot(kind=SlotKind.STRING, default=HIDDEN, hidden=True),
            "truth": Slot(kind=SlotKind.STRING, default=DEEP, secret=True),
        }
    )
    game = Game(
        id="tiny",
        version=version,
        language="en",
        languages=("en", "zh-CN"),
        layout=layout,
        initial=layout.defaults(),
    )
    english = Texts(
        "en",
        {
            "title": "The Tiny <Game>",
            "variable.gold": "Gold",
            "variable.bag": "Bag",
            "variable.time": "Time",
            "value.bag.rope": "a rope",
            "why.paid": "the toll",
            "event.bell": "A bell rings.",
        },
    )
    chinese = Texts("zh-CN", {**english.entries, "title": "小游戏", "variable.gold": "金币"})
    return make_edition(game, {"en": english, "zh-CN": chinese})


TINY = tiny_edition()
EDITIONS = Shelved((TINY,))


async def begin_tiny(language: str = "en", campaign: str = "first") -> Scribe:
    return await begin_campaign(MemoryStore(), TINY, language=language, campaign=campaign)


async def take(
    scribe: Scribe,
    said: str,
    *updates: Update,
    cause: str = "model",
    narration: str = "",
    roll: bool = False,
    end: GameEnd | None = None,
    more: Mapping[str, Any] | None = None,
) -> Commit:
    """One turn of the tiny game."""
    fate = Fate(SECRET, scribe.position.turn)
    rolls: tuple[Json, ...] = ()
    if roll:
        face = fate.draw(6, "d6")
        rolls = ({"kind": "roll", "text": f"d6 ({face}) = {face}", "total": face},)
    step = judge(scribe.game, scribe.position, updates, cause, fate)
    assert not step.mends, step.mends
    body = TurnBody(
        input={"kind": "say", "text": said},
        said=said,
        told="model",
        language=scribe.language,
        narration=narration or f"You {said}.",
        choices=(OfferedChoice("on", "Go on", "East", "low", "model"),),
        changes=step.changes,
        events=(Event("info", "event.bell", "trigger:bell"),) if end is None else (),
        end=end,
        draws=fate.draws,
        rolls=rolls,
        rulings=write_rulings(step.rulings, step.changes),
    )
    return await scribe.write(replace(body, **(more or {})), advance(step.position))


def gain(amount: int, reason: str = "") -> Update:
    return Update(Op.INC, "gold", amount, reason)


def pay(amount: int, reason: str = "why.paid") -> Update:
    return Update(Op.DEC, "gold", amount, reason)


def pack(thing: str) -> Update:
    return Update(Op.PUSH, "bag", thing)


def drop(thing: str) -> Update:
    return Update(Op.REMOVE, "bag", thing)
