"""The canary harness: a game full of things no player may learn, played long, and everything a player gets.

Whoever adds something private to the engine adds a canary here; whoever adds a way out adds it to `Catch`.
Every canary carries `MARK`, or is one of the `NUMBERS`, so that one search finds them all.
"""

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO, StringIO
from zipfile import ZipFile

from talewright.chronicle.store import CampaignBook
from talewright.common.json_values import Json
from talewright.faces.plain.app import PlainStartRequest, run_plain_face
from talewright.faces.plain.console import Keyboard, PlainConsole
from talewright.faces.plain.plain_output import PlainOutput
from talewright.faces.plain.plain_words import words_for
from talewright.kernel.chance import Chance
from talewright.kernel.conditions.conditions import parse_condition
from talewright.kernel.game import Game
from talewright.kernel.judging.moves import Call, Op, Update
from talewright.kernel.judging.rulings import Decision, Errand, Option
from talewright.kernel.panel_parts import Lines, Panel
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.story.cards import Card, CardFormat, StatusItem
from talewright.kernel.story.cast import Lore, Person
from talewright.kernel.story.triggers import Event, Trigger
from talewright.kernel.system import AuthorFiles, Grant, Note, PastTurn, Sight, SystemAnswer, Tick, Tool, Wait
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.requests import Request, ToolCall, ToolResult
from talewright.play.export.campaign_story import tell_story
from talewright.play.export.epub_story import to_epub
from talewright.play.export.html_story import to_html
from talewright.play.export.markdown_story import to_markdown
from talewright.play.history.campaign_history import read_history
from talewright.play.playable_games import PinnedGames
from talewright.play.sessions.news_watch import NewsWatch
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.play.wire.view_codec import Sendable, to_wire
from talewright.providers.scripted import ScriptedReply
from talewright.turn.game_editions import Edition
from tests.kernel.making import integer, listing, make_game, make_layout, opened, record, string
from tests.play.making import make_edition

MARK = "CNRY"
NUMBERS = (73519204861, 48160275939)
"""Numbers far from all others."""

LONG = f"{MARK} the keeper of the lamp is the one who put it out, and nobody knows but the gull"
"""Hidden text that is long enough for the guard of narrations."""


def hidden(slot: Slot) -> Slot:
    """A slot for the narrator and not for players."""
    return replace(slot, hidden=True)


def secret(slot: Slot) -> Slot:
    """A slot for nobody."""
    return replace(slot, secret=True)


class Vault:
    """A system that keeps secrets in every part a system has."""

    name = "vault"

    def slots(self, files: AuthorFiles) -> Mapping[str, Slot]:
        words = string(f"{MARK} of the vault")
        box = record(doors=integer(3), code=secret(words), guard=hidden(words), log=hidden(listing(words)))
        return {"vault": box}

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        anything: Json = {"type": "object"}
        return (Tool("open_vault", "Open it.", anything), Tool("listen", "Listen in secret.", anything))

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        if call.tool == "listen":
            face = chance.draw(20, f"{MARK} in secret")
            updates = (Update(Op.SET, "vault.guard", f"{MARK} heard {face}"),)
            return Grant(updates, {"hidden": True, "text": f"{MARK} {face}", "note": f"{MARK} note"})
        if "vault" not in answers:
            return Wait(Decision("vault", "Open the vault?", (Option("yes", "Yes"), Option("no", "No"))))
        return Grant((Update(Op.SET, "vault.code", f"{MARK} code"),), {"opened": f"{MARK} inside"})

    def tick(self, sight: Sight, chance: Chance) -> Tick:
        return Tick((Update(Op.SET, "vault.log", [f"{MARK} turn {sight.turn}"], f"{MARK} ticking"),))

    def notes(self, sight: Sight) -> Sequence[Note]:
        return (Note(f"{MARK} for the narrator"),)

    def panels(self, sight: Sight) -> Sequence[Panel]:
        return (Panel("vault", "The vault", (Lines("Doors", ("three",)),)),)

    def errands(self, sight: Sight, turns: Sequence[PastTurn]) -> Sequence[Errand]:
        return (Errand("rumour", f"{MARK} what do they say?", {"type": "string"}),)

    def take(self, errand: str, answer: Json, sight: Sight) -> Sequence[Update]:
        return (Update(Op.SET, "vault.guard", f"{MARK} {answer}"),)


def canary_game() -> Game:
    """A game with a canary in every kind of private place."""
    system = Vault()
    layout = make_layout(
        {
            "hp": integer(50, 0, 100),
            "mood": string("calm"),
            "bag": listing(string(), "rope"),
            "CNRY_plot": secret(string(f"{MARK} plot")),
            "CNRY_culprit": hidden(string(f"{MARK} culprit")),
            "CNRY_truth": hidden(replace(string(LONG), readonly=True)),
            "CNRY_fate": secret(integer(NUMBERS[0])),
            "CNRY_omen": hidden(integer(NUMBERS[1])),
            "CNRY_rumours": hidden(listing(string(), f"{MARK} rumour")),
            "CNRY_ledger": hidden(opened(integer(), {f"{MARK}_key": 1})),
            "CNRY_crypt": secret(record(a=string(f"{MARK} a"), b=opened(integer(), {f"{MARK}_b": 2}))),
            "guest": record(
                face=string("a stranger"), motive=hidden(string(f"{MARK} motive")), alias=secret(string(MARK))
            ),
            "crew": listing(
                record(rank=integer(1), tie=hidden(string(f"{MARK} tie"))), {"rank": 2, "tie": f"{MARK} t"}
            ),
            "dossier": opened(hidden(integer()), {f"{MARK}_open": 3}),
            **system.slots({}),
        }
    )
    watch = Trigger(
        "CNRY_watch",
        parse_condition("hp < 50 and CNRY_omen > 0", layout),
        (
            Update(Op.INC, "CNRY_omen", 0, f"{MARK} because"),
            Update(Op.PUSH, "CNRY_rumours", f"{MARK} again", f"{MARK} because"),
            Update(Op.SET, "CNRY_rumours", [f"{MARK} one"], f"{MARK} because"),
            Update(Op.SET, "no_such_place", f"{MARK} value"),
        ),
        (Event("info", "The wind turns.", "trigger:CNRY_watch"),),
    )
    never = parse_condition("hp > 100", layout)
    return replace(
        make_game(layout, systems=(system,)),
        contract="tools",
        plan="tool_loop",
        triggers=(watch,),
        people=(Person("lian"),),
        lore=(Lore("cellar", constant=True, reveal_when=never),),
        cards=tuple(Card(name, True, at, CardFormat.PLAIN) for at, name in enumerate(layout.roots)),
        status_bar=tuple(StatusItem(name) for name in ("hp", "CNRY_fate", "CNRY_omen", "guest.motive")),
    )


def canary_edition() -> Edition:
    """The game with its words."""
    words = {
        "world": f"A harbour. {MARK} it is a painted one.",
        "intro": "It is night.",
        "npc.lian.name": "Lian",
        "npc.lian.secret": f"{MARK} Lian is the gull, and has been since the first night of the fog.",
        "lore.cellar.text": f"{MARK} under the cellar lies what the whole harbour has been paying for.",
        "variable.hp": "Health",
        "variable.CNRY_plot": f"{MARK} label",
        "variable.guest.motive": f"{MARK} label",
        "value.CNRY_culprit.x": f"{MARK} value",
    }
    return make_edition(canary_game(), words)


class Narrator:
    """A storyteller that handles private things in every way it can and tells none of them.

    But once in a while it quotes a hidden text, in its narration, a choice or a reason.
    """

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._asked = 0

    def __call__(self, request: Request) -> str | ScriptedReply:
        """The next reply."""
        if "what do they say?" in request.messages[-1].text:
            return f'"{MARK} whisper"'
        if not request.tools or isinstance(request.messages[-1], ToolResult):
            return "The fog closes behind you."
        self._asked += 1
        pick = self._rng.random()
        if pick < 0.03:
            return ScriptedReply(
                "The lamp", error=ProviderError(Trouble.BUSY, f"{MARK} in an error", f"{MARK} hint")
            )
        if pick < 0.1:
            return f"He says: {LONG}. That is all."
        if pick < 0.13:
            return ScriptedReply("You look about.", calls=(_quote_in_a_choice(),))
        if pick < 0.16:
            updates: Json = [{"op": "dec", "path": "hp", "value": 1, "reason": f"he saw that {LONG}"}]
            return ScriptedReply("You shiver.", calls=(_call("propose_updates", {"updates": updates}),))
        return ScriptedReply(f"Step {self._asked} along the quay.", calls=tuple(self._calls(pick)))

    def _calls(self, pick: float) -> list[ToolCall]:
        updates: list[Json] = [{"op": "dec", "path": "hp", "value": self._rng.randrange(3), "reason": "cold"}]
        if pick < 0.6:
            updates += [
                {"op": "set", "path": "CNRY_culprit", "value": f"{MARK} {pick}", "reason": f"{MARK} why"},
                {"op": "push", "path": "crew", "value": {"rank": 3, "tie": f"{MARK} tie"}, "reason": "hired"},
                {"op": "set", "path": "guest", "value": {"face": f"mask {self._asked}", "motive": MARK}},
                {"op": "set", "path": "CNRY_plot", "value": f"{MARK} mine", "reason": f"{MARK} why"},
                {"op": "inc", "path": "hp", "value": 2, "reason": "a blanket"},
            ]
        calls = [_call("propose_updates", {"updates": updates})]
        if pick < 0.4:
            calls.append(_call("listen", {"at": f"{MARK} door"}))
        if 0.3 < pick < 0.5:
            calls.append(_call("open_vault", {"code": f"{MARK} code", "note": f"{MARK} argument"}))
        return calls


def _quote_in_a_choice() -> ToolCall:
    labels = ["Wait", "Leave", f"Ask him whether {LONG}"]
    return _call("offer_choices", {"choices": [{"label": label} for label in labels]})


def _call(name: str, arguments: Mapping[str, Json]) -> ToolCall:
    return ToolCall(f"call-{name}", name, json.dumps(arguments))


@dataclass
class Catch:
    """Everything that reached a player, by the way it took."""

    taken: dict[str, list[str]] = field(default_factory=dict)

    def add(self, way: str, *values: Sendable | str) -> None:
        """Take something that left the engine."""
        texts = (value if isinstance(value, str) else json.dumps(to_wire(value)) for value in values)
        self.taken.setdefault(way, []).extend(texts)

    def hits(self) -> list[str]:
        """Whatever should not have left, each with some of what stands around it."""
        found = []
        for way, texts in self.taken.items():
            for text in texts:
                found += [f"{way}: ...{text[max(0, at - 60) : at + 60]}..." for at in find_canaries(text)]
        return found

    def stream(self) -> str:
        """All of it as one text, to compare."""
        return json.dumps(self.taken)


def find_canaries(text: str) -> list[int]:
    """Where canaries stand in a text, whatever its case; numbers also with separators in them."""
    bare = text.replace(",", "").replace("_", "")
    places = [found.start() for found in re.finditer(f"{MARK}|{MARK.lower()}", text)]
    return places + [bare.index(str(number)) for number in NUMBERS if str(number) in bare]


async def listen(watch: NewsWatch, way: str, catch: Catch) -> None:
    """Take all news of one watcher as they come."""
    async for news in watch:
        catch.add(way, news)


async def look_around(session: StoreSession, catch: Catch) -> None:
    """Take every view a player can ask for."""
    view = await session.view()
    catch.add("view", view)
    catch.add("history", *await session.past.turns(3))
    for name in ("hp", "guest", "crew", "CNRY_plot", "guest.motive", "vault", "_engine", "dossier", "Health"):
        catch.add("why", *await session.past.why(name))


async def look_at_the_whole(session: StoreSession, catch: Catch) -> None:
    """Take what is made from the whole past."""
    for name in ("hp", "guest", "crew", "CNRY_plot", "guest.motive", "vault", "_engine", "dossier", "Health"):
        trail = await session.past.trail(name)
        catch.add("trail", *(() if trail is None else (trail,)))
    catch.add("tree", *await session.past.tree(every=True))
    catch.add("compare", await session.past.compare("0", (await session.view()).head))


async def read_exports(book: CampaignBook, games: PinnedGames, catch: Catch) -> None:
    """Take the story in every form it can be written in."""
    story = await tell_story(games, await read_history(book))
    catch.add("markdown", to_markdown(story))
    catch.add("html", to_html(story))
    with ZipFile(BytesIO(to_epub(story))) as epub:
        catch.add("epub", *(epub.read(name).decode() for name in epub.namelist()))


async def sit_down(lobby: StoreLobby, campaign: str, typed: str, catch: Catch) -> None:
    """Take everything the plain face writes while a player types these lines."""
    paper = StringIO()
    desk = PlainConsole(PlainOutput(paper, columns=None), Keyboard(StringIO(typed)), words_for("en"))
    await run_plain_face(lobby, PlainStartRequest(campaign=campaign, place="here"), desk)
    catch.add("plain face", paper.getvalue())


async def act(session: StoreSession, rng: random.Random, catch: Catch) -> None:
    """Do what a player might do next."""
    view = await session.view()
    if view.decisions:
        option = rng.choice(view.decisions[0].options)[0]
        catch.add("result", await session.answer(view.decisions[0].id, option))
    elif view.version > 2 and rng.random() < 0.05:
        catch.add("view", await session.undo())
    elif view.version > 2 and rng.random() < 0.05:
        catch.add("result", await session.retry())
    elif rng.random() < 0.05:
        catch.add("result", await session.choose("no_such_choice"))
    else:
        catch.add("result", await session.say(f"I walk on, {rng.randrange(100)}."))
