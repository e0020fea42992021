"""Honest campaigns, made at random, are all believed: with the secret every turn of them is proven.

They are told by scenes and by storytellers who fail, misspell and overdo. Turns are taken back, taken again
and forked from; campaigns are saved and brought in again.
"""

import asyncio
import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from talewright.common.json_values import Json
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.requests import Request
from talewright.pack.compiler import compile_folder
from talewright.play.lobby import ExportForm
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.play.verify.campaign_verification import verify
from talewright.play.verify.turn_proof import TurnStanding
from talewright.play.verify.verification_report import VerificationReport
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.stores.memory_store import MemoryStore
from talewright.turn.game_editions import Edition
from talewright.turn.turn_context import Teller
from tests.kept_campaigns.workshop import bundle, calls, cards, data
from tests.opened import opened
from tests.play.making import HandShelf
from tests.plays.stage import list_systems
from tests.sweep.parts import Progress

FULL_COUNT = 1_000
CHUNK = 10

STEPS_MAX = 12
"""What a player does in one campaign."""

ROOT = Path(__file__).parents[2]
GAMES = {
    "mist_harbor": ROOT / "games" / "mist_harbor",
    "lantern_road": ROOT / "games" / "lantern_road",
    "chapel_watch": ROOT / "games" / "chapel_watch",
    "solo": ROOT / "games" / "solo",
    "millrace": ROOT / "tests" / "kept_campaigns" / "games" / "millrace",
}
SECRETS_TO_TELL = ("only the secret can reproduce", "because the dice secret is not available")
"""Ends of the only reasons why a turn may be unproven without the secret."""

SAVED = "it started from a save game, about whose past nothing is proven"
"""The only reason why a turn may be unproven with the secret."""

BROKEN = ScriptedReply("He", error=ProviderError(Trouble.UNREACHABLE, "no route"))
Reply = str | ScriptedReply


def run(count: int, seed: int, progress: Progress | None = None) -> int:
    """Play so many campaigns, and verify each."""
    for number in range(count):
        asyncio.run(_play(f"{seed}:{number}"))
        if progress:
            progress(number + 1)
    return count


@cache
def shelve() -> HandShelf:
    """The games, compiled once."""
    shelf = HandShelf()
    for name, folder in GAMES.items():
        compiled = compile_folder(folder, list_systems())
        assert compiled.game is not None, compiled.faults
        edition = Edition(compiled.game, compiled.texts, f"digest-of-{name}", f"digest-of-{name}")
        shelf.put(edition)
    return shelf


async def _play(seed: str) -> None:
    rng = random.Random(seed)
    game = rng.choice(sorted(GAMES))
    lobby = _make_lobby(rng)
    names = [f"{game}-1"]
    session = await opened(_hire(lobby, rng, game).begin(game, rng.choice(["en", "zh-CN"]), names[0]))
    for _ in range(rng.randrange(3, STEPS_MAX)):
        session = await _step(rng, lobby, session, names)
        await session.seat.afterwards.rest()
    await session.close()
    for name in names:
        book = await lobby.store.open(name)
        report = await verify(book, editions=lobby.shelf, secret=await book.secret())
        unproven = [turn for turn in report.turns if turn.verdict.standing is not TurnStanding.PROVEN]
        if name != names[0]:
            assert unproven.pop(0).verdict.why == SAVED
        assert (report.violations, unproven) == ((), []), f"seed {seed}, {name}: {_tell(report)}"
        blind = await verify(book, editions=lobby.shelf)
        left = [turn for turn in blind.folded if not turn.verdict.why.endswith((*SECRETS_TO_TELL, SAVED))]
        assert (blind.violations, left) == ((), []), f"seed {seed}, {name}, no secret: {_tell(blind)}"


def _tell(report: VerificationReport) -> str:
    turns = [f"{turn.version}: {turn.verdict.why}" for turn in report.turns if turn.verdict.why]
    return "; ".join([*(f"{each.what} at {each.where}" for each in report.violations), *turns])


def _make_lobby(rng: random.Random) -> StoreLobby:
    seconds: Iterator[int] = itertools.count()
    return StoreLobby(
        store=MemoryStore(),
        shelf=shelve(),
        now=lambda: f"2026-11-15T12:{next(seconds) // 60 % 60:02d}:00.000000Z",
        new_id=lambda: f"{rng.getrandbits(128):032x}",
        new_secret=lambda: rng.randbytes(32),
    )


def _hire(lobby: StoreLobby, rng: random.Random, game: str) -> StoreLobby:
    """The lobby with a storyteller, or with none."""
    if rng.random() < 0.35:
        return lobby
    say = _SAY[shelve().edition(game).game.contract]
    ready = iter(_READY if game == "solo" else ())
    teller = Scripted(lambda request: next(ready, None) or _answer(rng, request, say))
    return replace(lobby, teller=Teller(teller))


async def _step(
    rng: random.Random, lobby: StoreLobby, session: StoreSession, names: list[str]
) -> StoreSession:
    """One thing that a player does, and the session to go on with."""
    view = await session.view()
    deed = rng.random()
    if view.decisions and deed < 0.9:
        card = view.decisions[0]
        await session.answer(card.id, rng.choice(card.options)[0], rng.choice(["", "I am quick"]))
    elif deed < 0.5 and view.choices:
        await session.choose(rng.choice(view.choices).id)
    elif deed < 0.65:
        await session.say(rng.choice([*(one.label for one in view.choices), "I wait", "我看看四周"]))
    elif deed < 0.7:
        await session.go_on()
    elif deed < 0.8:
        await session.retry(rng.choice(["", "", "I look again"]))
    elif deed < 0.86 and view.version > 1:
        await session.undo(rng.randrange(1, min(view.version, 4)))
    elif deed < 0.9:
        await session.fork(name=f"fork-{rng.getrandbits(32):x}")
    else:
        return await _come_back(rng, lobby, session, names)
    return session


async def _come_back(
    rng: random.Random, lobby: StoreLobby, session: StoreSession, names: list[str]
) -> StoreSession:
    """Leave, and go on with another storyteller: in the same campaign, or in one that is brought in."""
    name, game = names[-1], (await session.view()).game
    await session.close()
    if rng.random() < 0.4:
        saved = await lobby.write_out(name, ExportForm.SAVE)
        names.append(await lobby.bring_in(saved, f"{name}-again"))
        name = names[-1]
    return await opened(_hire(lobby, rng, game).open(name))


def _answer(rng: random.Random, request: Request, say: Callable[[random.Random], Reply]) -> Reply:
    """What a storyteller says: mostly something that can be used."""
    kind = rng.random()
    if kind < 0.1:
        return BROKEN
    if kind < 0.18:
        return rng.choice(["", "nonsense", "{", '{"narrative_markdown": 7}', "```json\n{]\n```"])
    return say(rng)


_PATHS = (
    "gold",
    "hp",
    "oil",
    "time.minute",
    "coins",
    "planks",
    "suspicion",
    "clues",
    "nowhere",
    "_engine.scene",
)


def _say_cards(rng: random.Random) -> ScriptedReply:
    updates: list[Json] = [
        {
            "op": rng.choice(["inc", "dec", "set", "push"]),
            "path": rng.choice(_PATHS),
            "value": rng.choice([1, 3, 500, "x"]),
            "reason": "so it goes",
        }
        for _ in range(rng.choice([0, 0, 1, 1, 2]))
    ]
    if rng.random() < 0.15:
        return data({"state_updates": updates})
    return cards(f"Fog, {rng.randrange(99)}.", *updates, facts=rng.choice([(), ("It is late.",)]))


def _say_bundle(rng: random.Random) -> ScriptedReply:
    version = rng.randrange(1, 6)
    skill = rng.choice(["perception", "stealth", "perseption"])
    mechanics: Json = {"skill_used": skill, "difficulty": rng.choice([0.2, 0.6, 0.9])}
    if rng.random() < 0.5:
        return bundle("", {"mechanics": rng.choice([mechanics, None])})
    patch: list[Json] = [{"op": "replace", "path": "/player/xp", "value": rng.choice([2, -5])}]
    content: dict[str, Json] = {
        "schema_version": "1.2",
        "operation_id": f"turn-{rng.randrange(9)}",
        "base_version": version,
        "patch": patch[: rng.randrange(2)],
        "next_actions": ["Wait"],
    }
    return bundle("Rain.", content)


def _check(dice: int) -> tuple[str, dict[str, Json]]:
    """A check whose dice are as many as its tags give, where there are two."""
    numbers: dict[str, Json] = {"action_dice": dice, "danger_dice": 0}
    return "roll_check", {**numbers, "action_tags": ["Quick"], "danger_tags": [], "context": "Over"}


_CALLS: tuple[tuple[str, dict[str, Json]], ...] = (
    ("set_genre", {"genre": "noir"}),
    ("set_character", {"name": "Ann", "concept": "a spy", "inherent_tags": ["Quick", "Quiet", "Kind"]}),
    ("set_companion", {"none": True}),
    ("finish_setup", {}),
    ("update_scene", {"location": "The roofs", "set_negative": ["Wet tiles"]}),
    ("advance_time", {"reason": "The day goes by"}),
    _check(2),
    _check(4),
    ("no_such_tool", {}),
)
_WORLD = [
    ("scratchpad", {"operation": "write", "section": section, "content": "- Who sent the letter?"})
    for section in ("Principles", "Active Threads", "Opening Scene")
]
_PEOPLE: list[tuple[str, dict[str, Json]]] = [
    (
        "create_npc",
        {
            "id": name,
            "name": name.title(),
            "concept": "a fence",
            "goal": "The letter",
            "positive_tags": ["Big"],
            "negative_tags": ["Slow"],
            "disposition": "neutral",
            "clock_max": 6,
        },
    )
    for name in ("gorm", "mira")
]
_READY = (
    calls("Here is your sheet.", *_CALLS[:3]),
    calls("", *_WORLD, *_PEOPLE),
    calls("All is set.", ("finish_setup", {})),
    calls("It is far.", _check(2)),
)
"""What makes a campaign of tools ready to play, and the first check in it."""


def _say_calls(rng: random.Random) -> ScriptedReply:
    named = rng.sample(_CALLS, rng.choice([0, 0, 1, 2, 3]))
    return calls(rng.choice(["", "The street is wet.", "Rain."]), *named)


_SAY: dict[str, Callable[[random.Random], Reply]] = {
    "cards": _say_cards,
    "patch": _say_bundle,
    "tools": _say_calls,
}
