"""Hidden things of a tabletop stay hidden: hidden rolls, NPCs who are not in a fight, notes and flags."""

import asyncio
import json
from dataclasses import replace

from talewright.common.json_values import Json
from talewright.llm.requests import ToolCall
from talewright.pack.compiler import compile_folder
from talewright.play.campaign_view import Viewer
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import Scripted, ScriptedReply, by
from talewright.systems.tabletop import system
from talewright.turn.game_editions import Edition
from talewright.turn.turn_context import Teller
from tests.opened import opened
from tests.play.making import make_lobby
from tests.plays.stage import ROOT
from tests.privacy import MARK, Catch, listen, read_exports, sit_down

ASKED = (
    *("tabletop", "tabletop.npcs", "tabletop.flags", "tabletop.rolls", "tabletop.hidden_rolls"),
    *("tabletop.hidden_roll_count", "tabletop.character.hp.current", "tabletop.combat"),
)
"""Places that a player asks about."""


def tell(text: str, *calls: tuple[str, dict[str, Json]]) -> ScriptedReply:
    made = (ToolCall(f"call-{at}", tool, json.dumps(said)) for at, (tool, said) in enumerate(calls, 1))
    return ScriptedReply(text, calls=tuple(made))


REPLIES = (
    tell(
        "",
        ("roll_dice", {"expression": "1d20", "context": f"{MARK} ambush", "visible": False}),
        ("create_npc", {"name": f"{MARK} lurker", "templateName": "Goblin", "notes": f"{MARK} waits below"}),
        ("create_npc", {"name": "Gruk", "templateName": "Goblin", "reward": {"storyFlag": f"{MARK}_chest"}}),
        ("skill_check", {"skill": "Stealth", "difficulty": 9, "npcName": f"{MARK} lurker", "visible": False}),
        ("apply_damage", {"target": "npc", "npcName": f"{MARK} lurker", "amount": 2}),
        ("award", {"storyFlag": f"{MARK}_road"}),
    ),
    tell("It is quiet under the bridge."),
    tell(
        "",
        ("manage_combat", {"action": "start", "combatants": [{"name": "Rowan"}, {"name": "Gruk"}]}),
        ("roll_dice", {"expression": "1d6", "context": "Rain"}),
    ),
    tell("Gruk comes up the bank."),
    tell(
        "",
        ("manage_combat", {"action": "end"}),
        ("update_npc", {"name": "Gruk", "updates": {"notes": f"{MARK} ran"}}),
    ),
    tell("He thinks better of it."),
)


async def play(catch: Catch) -> StoreSession:
    made = compile_folder(ROOT / "tests/plays/games/goblins", {"tabletop": system()})
    assert made.game is not None, made.faults
    edition = Edition(made.game, made.texts, made.digest, made.digest)
    lobby = make_lobby(edition, teller=Teller(Scripted(list(REPLIES), cut=by(7))))
    session = await opened(lobby.begin("goblins", "en"))
    late = session.watch(after=0)
    listening = asyncio.create_task(listen(session.watch(), "news", catch))
    for words in ("I listen", "I wait", "I shout"):
        catch.add("result", await session.say(words))
        await session.seat.afterwards.rest()
        catch.add("view", await session.view())
    catch.add("history", *await session.past.turns(9))
    for name in ASKED:
        catch.add("why", *await session.past.why(name))
        trail = await session.past.trail(name)
        catch.add("trail", *(() if trail is None else (trail,)))
    catch.add("tree", *await session.past.tree(every=True))
    session.seat.broadcast.close()
    await listening
    await listen(late, "late news", catch)
    await read_exports(session.seat.road.book, session.seat.games, catch)
    await sit_down(lobby, (await session.view()).campaign, "/cards\n/why tabletop\n/quit\n", catch)
    return session


def test_nothing_hidden_reaches_the_player() -> None:
    catch = Catch()

    async def main() -> None:
        session = await play(catch)
        view = await session.view()
        assert view.version == len(REPLIES) // 2 + 1
        author = Catch()
        author.add("view", await replace(session, role=Viewer.AUTHOR).view())
        assert author.hits(), "whoever may see everything sees it"
        await session.close()

    asyncio.run(main())
    assert not catch.hits()[:5]
    whole = catch.stream()
    assert "Rain" in whole, "visible rolls are shown"
    assert "Gruk" in whole, "and so is everybody in a fight"
