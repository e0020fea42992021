"""The solo game under the canary harness: a game master whose every secret is a canary, and who keeps none.

What counts as a leak, and what does not:

- Hidden is whatever stands in a slot that players do not see: the scratchpad, goals, concepts, people not
  met and their clocks, summaries, reviews; what a storyteller is told beside it (`prompt.md`, notes); and
  what goes to and fro between model and engine: arguments, results, refusals, errors, answers of errands.
- Told is what a storyteller says to the player in words of its own: narration, choices, the `context` of a
  check, tags of the player and the scene, names and tags of people who are present. No canary stands there.
- Forty characters in a row of something hidden, or twenty of Chinese, are a leak wherever they stand, in told
  words too.
"""

import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TypeAlias

from talewright.common.json_values import Json
from talewright.contract.text.leak_guard import LEAK, NAMED
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.requests import Request, ToolCall
from talewright.pack.compiler import compile_folder
from talewright.play.session import InputResult
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import ScriptedReply
from talewright.systems.spiral import system
from talewright.turn.game_editions import Edition
from talewright.turn.steps.recalling import recall
from tests.play.making import GAMES
from tests.privacy import MARK, Catch

QUOTED = 56
"""Characters of a hidden text that are quoted: more than a run, and few enough for a tag."""

ASKED_FOR = (
    *("meta", "meta.day", "player", "player.resist.current", "player.glitch_tags", "gm_pc", "scene"),
    *("scene.active_npcs", "check", "check.context", "npcs", "npcs.cnry-unmet", "npcs.cnry-unmet.clock"),
    *("spiral", "spiral.scratchpad", "spiral.summaries", "spiral.prompt", "tale", "tale.start", "_engine"),
)
"""Places that a player asks about."""

ASKED_EVERY = 10
"""Turns after which the player asks."""

COMPARED_EVERY = 15
"""Rows of the tree between two that are held against the newest."""

WHISPER = f"{MARK} 灯是守灯人自己吹灭的，他收了{MARK}三袋盐，{MARK}谁也没有看见。"
"""A hidden text in Chinese, of less than forty characters."""

WHISPERED = 24
"""Characters of it that are a leak."""

Reply: TypeAlias = ScriptedReply | Callable[[Request], ScriptedReply]


def bird(name: str) -> str:
    """A hidden text. Every forty characters of it are marked, and no other bird has them."""
    return " ".join(
        f"{MARK} {name} {word}" for word in ("knows", "keeps", "fears", "wants", "hides", "seeks")
    )


def quote(name: str, length: int = QUOTED) -> str:
    """The beginning of a bird."""
    return bird(name)[:length].rstrip()


@cache
def solo_edition() -> Edition:
    """The game as it is shipped."""
    made = compile_folder(GAMES / "solo", {"spiral": system()})
    assert made.game is not None, made.faults
    return Edition(made.game, made.texts, made.digest, made.digest)


def call(tool: str, /, **arguments: Json) -> ToolCall:
    """A call; `tell` gives it its id."""
    return ToolCall("", tool, json.dumps(arguments, ensure_ascii=False))


def tell(text: str, *calls: ToolCall) -> ScriptedReply:
    """A reply."""
    return ScriptedReply(text, calls=tuple(replace(one, id=f"call-{at}") for at, one in enumerate(calls, 1)))


def write(section: str, content: str) -> ToolCall:
    """Write a section of the scratchpad."""
    return call("scratchpad", operation="write", section=section, content=content)


def create(who: str, /, **more: Json) -> ToolCall:
    """Somebody with secrets."""
    person: dict[str, Json] = {
        "id": f"cnry-{who}",
        "name": f"{MARK} the {who}",
        "concept": bird(f"concept of {who}"),
        "positive_tags": [f"{MARK} strong {who}"],
        "negative_tags": [f"{MARK} weak {who}"],
        "disposition": "hostile",
        "goal": bird(f"goal of {who}"),
        "clock_max": 4,
    }
    return call("create_npc", **{**person, **more})


def check(context: str, *action: str, danger: Iterable[str] = (), glitches: int = 0) -> ToolCall:
    """Propose a roll."""
    against = list(danger)
    dice: dict[str, Json] = {"action_dice": 1 + len(action), "danger_dice": glitches + len(against)}
    return call("roll_check", **dice, context=context, action_tags=list(action), danger_tags=list(against))


def fail(text: str = "") -> ScriptedReply:
    """A reply that breaks off, with secrets in what the provider says about it."""
    return ScriptedReply(text, error=ProviderError(Trouble.BUSY, f"{MARK} in an error", f"{MARK} in a hint"))


class Master:
    """A game master who says what lies ready, and answers errands with secrets."""

    def __init__(self) -> None:
        self.ready: deque[Reply] = deque()
        self.requests: list[Request] = []
        """What was asked."""

        self.told = 0
        self.summary: Callable[[str], str] = bird
        """Sums up a day."""

    def __call__(self, request: Request) -> ScriptedReply:
        """The next reply."""
        schema = request.answer_schema
        if isinstance(schema, Mapping):
            return ScriptedReply(json.dumps(self._sum_up(schema)))
        if not request.tools and "[RESULTS]" not in request.messages[-1].text:
            return ScriptedReply(bird("summary by the engine"))
        if self.ready:
            reply = self.ready.popleft()
            return reply if isinstance(reply, ScriptedReply) else reply(request)
        self.told += 1
        return ScriptedReply(f"The fog moves on along the quay, for the {self.told}. time.")

    def _sum_up(self, schema: Mapping[str, object]) -> Json:
        """A day in summary, with a review of the notes."""
        text = json.dumps(schema)
        days = re.findall(r"day_\d+", text)
        review: dict[str, Json] = {
            "stale": [{"section": "Ledger", "entry": bird("stale entry"), "reason": bird("stale reason")}],
            "consolidate": [{"entries": [bird("entry one")], "suggested": bird("suggested entry")}],
            "contradictions": [{"a": bird("one side"), "b": bird("other side"), "note": bird("both sides")}],
            "missing": [bird("missing entry")],
        }
        answer: dict[str, Json] = {
            "summaries": {day: self.summary(day) for day in days},
            "logbook_review": review,
        }
        if "story_so_far" in text:
            answer["story_so_far"] = bird("story so far")
        return answer


def settle(request: Request) -> ScriptedReply:
    """Tell a roll, with whatever its dice demand."""
    found = re.findall(r'"effects":\[([^\]]*)\]', request.messages[-1].text)
    owed = re.findall(r"\w+", found[-1]) if found else []
    glitches = re.findall(r'"glitch_tags":\["([^"]*)"', request.messages[-1].text)
    brought = {
        "add_glitch": call("add_glitch", tag=f"rope end {len(request.messages)} comes loose"),
        "flush": call("flush_glitches"),
        "condition": call("update_player", add_condition=[f"sore hand {len(request.messages)}"]),
        "remove_glitch": call("update_player", remove_glitch=glitches[0] if glitches else "none"),
    }
    return tell(
        "The rope takes your weight, and the dice have spoken.", *(brought[effect] for effect in owed)
    )


@dataclass
class Sitting:
    """A player at the table, and everything that reaches them."""

    session: StoreSession
    master: Master
    catch: Catch
    folder: Path
    slipped: list[str] = field(default_factory=list)
    """Leaks that nobody noticed."""

    async def say(self, text: str, *replies: Reply) -> InputResult:
        """Take a turn."""
        self.master.ready.extend(replies)
        return await self._finish(await self.session.say(text))

    async def answer(self, option: str, *replies: Reply, note: str = "") -> InputResult:
        """Answer the card."""
        self.master.ready.extend(replies)
        return await self._finish(await self.session.answer("check", option, note))

    async def tempt(self, name: str, *replies: Reply) -> None:
        """Have a leak told: it must be noticed and asked for again, and another answer must be taken."""
        if (await self.session.view()).decisions:
            await self.answer("withdraw")
        await self.say(f"I look about ({name}).", *replies, tell(f"Nothing of note ({name})."))
        recorded = await self.read_head()
        if not self.master.ready and (LEAK.message in recorded or NAMED.message in recorded):
            return
        self.slipped.append(name)
        self.master.ready.clear()

    async def read_head(self) -> str:
        """The newest turn as it is recorded."""
        commit = await self.session.seat.road.book.read(await self.session.seat.head())
        return json.dumps(commit.body, ensure_ascii=False)

    async def count_glitches(self) -> int:
        """How many dice they take from the next roll."""
        seat = self.session.seat
        player = (await recall(seat.road, seat.branch)).position.state.document["player"]
        assert isinstance(player, Mapping)
        glitches = player["glitch_tags"]
        assert isinstance(glitches, list)
        return len(glitches)

    def edit(self, page: str, text: str, *, append: bool = False) -> None:
        """Change a page by hand."""
        path = self.folder / page
        path.write_text((path.read_text() if append else "") + text)

    async def look(self) -> None:
        """Take every view a player can ask for."""
        session, catch = self.session, self.catch
        view = await session.view()
        catch.add("view", view)
        if view.version % ASKED_EVERY:
            return
        catch.add("history", *await session.past.turns(ASKED_EVERY))
        for name in ASKED_FOR:
            catch.add("why", *await session.past.why(name))

    async def look_back(self) -> None:
        """Take what is made from the whole past."""
        past, head = self.session.past, (await self.session.view()).head
        for name in ASKED_FOR:
            trail = await past.trail(name)
            self.catch.add("trail", *(() if trail is None else (trail,)))
        self.catch.add("tree", *await past.tree(every=True), *await past.tree())
        for row in (await past.tree(every=True))[::COMPARED_EVERY]:
            self.catch.add("compare", await past.compare(row.commit or "0", head))

    async def _finish(self, result: InputResult) -> InputResult:
        self.catch.add("result", result)
        await self.session.seat.afterwards.rest()
        await self.look()
        return result
