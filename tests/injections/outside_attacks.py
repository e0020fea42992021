"""Attacks by a game master outside: every field it can fill holds something hostile, in every turn.

It knows the game by heart, secrets and all, and has read the corpus. What a player receives is searched, what
has happened is asked of the referee, and whatever is raised must be ours.
"""

import asyncio
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from talewright.chronicle.records import Commit
from talewright.chronicle.store import OpenTurnMovedError
from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.kernel.chance import Chance
from talewright.kernel.game import DecisionRule
from talewright.kernel.judging.moves import Call, Op, Update
from talewright.kernel.judging.rulings import Errand
from talewright.kernel.memory_rules import MemoryRules
from talewright.kernel.system import AuthorFiles, Grant, PastTurn, Sight, SystemAnswer, Tool, Wait
from talewright.llm.requests import ToolCall
from talewright.play.export.campaign_story import tell_story
from talewright.play.export.markdown_story import to_markdown
from talewright.play.history.campaign_history import read_history
from talewright.play.sessions.store_session import StoreSession
from talewright.play.verify.campaign_replay import replay
from talewright.play.verify.campaign_verification import verify
from talewright.turn.game_editions import Edition
from talewright.turn.game_master.held_turns import TurnHandle
from talewright.turn.game_master.master_brief import brief_master, hand_in_answer, hand_in_summary
from talewright.turn.game_master.master_rounds import OutsideRound
from talewright.turn.game_master.master_turn import (
    OpenedTurn,
    begin_outside,
    finish,
    give_up,
    propose,
)
from talewright.turn.inputs.player_inputs import AnswerDecision, Input, Say
from talewright.turn.records.commit_body import OUTSIDE, read_body
from talewright.turn.steps.recalling import recall
from talewright.turn.turn_context import Road
from talewright.turn.turn_outcomes import Committed
from tests.injections.corpus import read_payloads
from tests.injections.disguises import DISGUISES, SEEN_THROUGH
from tests.injections.inn import PROTECTED, compile_inn
from tests.injections.obedience import HARMLESS
from tests.injections.oracle import CANARY, NOTE, NOTHING, RUMOUR, Oracle
from tests.injections.referee import find_offences
from tests.injections.watching import Hidden, Received, hide
from tests.opened import opened
from tests.play.making import make_lobby

TURNS = 4
SMALL = MemoryRules(summary_every_turns=2, keep_turns=1, window_tokens=400, cut_to_tokens=100)
PRIVATE = ("npc.berta.secret", "lore.reeve.text", "variable.plan.description")
SAID = "I ring the bell and wait."

LONE = "\ud800"
"""Half a character."""

BROKEN: tuple[Any, ...] = (
    float("nan"),
    float("inf"),
    10**400,
    LONE,
    {LONE: LONE},
    "\x00\x1b[2J",
    [[]] * 9_000,
)
"""What is no JSON, or none that can be kept."""


class Gossip(Oracle):
    """An oracle that has to be told things, in a turn and after it; both are then in the stone."""

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        return (*super().tools(files, language), Tool("ask", "Ask around in the hall.", NOTHING))

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        if call.tool != "ask":
            return super().judge(call, sight, chance, answers)
        if "heard" not in answers:
            return Wait(Errand("heard", "What is heard in the hall?", {"type": "string"}))
        return Grant((Update(Op.SET, "oracle.stone", answers["heard"]),), {"heard": answers["heard"]})

    def errands(self, sight: Sight, turns: Sequence[PastTurn]) -> Sequence[Errand]:
        return (Errand("rumour", "What do they say downstream?", {"type": "string"}),)

    def take(self, errand: str, answer: Json, sight: Sight) -> Sequence[Update]:
        return (Update(Op.SET, "oracle.stone", answer),)


def make_attacked_inn() -> Edition:
    """The inn of the corpus with a system that has errands, and little memory; only the player decides."""
    game, texts = compile_inn()
    game = replace(game, systems=(Gossip(),), memory=SMALL, decisions=DecisionRule.PLAYER)
    return Edition(game, texts, "d1", "d1")


def list_canaries(edition: Edition) -> list[str]:
    """Every text of the game that no player may read."""
    first, words = edition.game.initial, edition.words("en")
    guest = first["guest"]
    assert isinstance(guest, Mapping)
    return [
        *(str(first[name]) for name in ("truth", "plan", "plot")),
        *(str(guest[name]) for name in ("motive", "alias")),
        *(words.get(key) for key in PRIVATE),
        *words.several("rules.style_notes"),
        *words.several("rules.boundaries"),
        CANARY,
        NOTE,
    ]


@dataclass
class Attack:
    """What came of one attack."""

    seed: str
    errors: list[str] = field(default_factory=list)
    """Whatever was raised that is not ours."""

    leaks: list[str] = field(default_factory=list)
    offences: list[str] = field(default_factory=list)
    told: int = 0
    """Turns that were told in the end."""

    refused: int = 0
    """Rounds with flaws, and errors that are ours."""

    filled: set[str] = field(default_factory=set)

    @property
    def wrong(self) -> list[str]:
        """Everything that should not be."""
        found = [f"raised: {one}" for one in self.errors] + [f"received: {one}" for one in self.leaks[:3]]
        return [f"{self.seed}: {one}" for one in (*found, *self.offences)]


class Poisoner:
    """Thinks of hostile words and puts them into every field there is."""

    def __init__(self, rng: random.Random, edition: Edition, attack: Attack) -> None:
        self._rng = rng
        self._attack = attack
        self._canaries = list_canaries(edition)
        self.own: list[str] = []
        """Words of the corpus that were used: a player may read those."""

    def words(self, where: str) -> str:
        """Something hostile for one field."""
        self._attack.filled.add(where)
        rng = self._rng
        match rng.randrange(4):
            case 0:
                return rng.choice(self._canaries)
            case 1:
                return DISGUISES[rng.choice(sorted(SEEN_THROUGH))](rng.choice(self._canaries))
            case 2:
                payload = rng.choice(read_payloads()).text
                self.own.append(payload)
                return payload
            case _:
                return rng.choice((*PRIVATE, "world", LONE, "\x1b[2J", "", "x" * 30_000, "__proto__"))

    def value(self, where: str) -> Any:
        """Something hostile that need not be text."""
        return self.words(where) if self._rng.random() < 0.7 else self._rng.choice(BROKEN)

    def call(self) -> ToolCall:
        """A call of some tool with hostile arguments."""
        rng = self._rng
        tools = ("listen", "engrave", "whisper", "wager", "cast", "ask", "offer_choices", "propose_updates")
        tool = rng.choice((*tools, "propose_updates", "end_game"))
        arguments = self.arguments(tool)
        name = self.words("tool name") if rng.random() < 0.1 else tool
        call_id = self.words("call id") if rng.random() < 0.5 else f"c{rng.randrange(3)}"
        raw = self.words("arguments") if rng.random() < 0.1 else json.dumps(arguments)
        return ToolCall(call_id, name, raw)

    def arguments(self, tool: str) -> Json:
        """Hostile arguments for one of the tools."""
        rng = self._rng
        match tool:
            case "listen" | "ask":
                return {"note": self.words(f"{tool} note")} if rng.random() < 0.5 else {}
            case "offer_choices":
                offers: list[Json] = [
                    {name: self.words(f"choice {name}")[:90] for name in ("id", "label", "hint")}
                    if rng.random() < 0.5
                    else {"label": f"Wait {number}"}
                    for number in range(3)
                ]
                return {"choices": offers}
            case "propose_updates":
                return {"updates": [self._update() for _ in range(rng.randrange(1, 4))]}
            case "end_game":
                ending = rng.choice(("rich", "dead", "crowned", self.words("ending")))
                return {"ending": ending, "reason": self.words("end reason")[:200]}
            case _:
                return {"words": self.words(f"{tool} words")[:1_900]}

    def _update(self) -> Json:
        rng = self._rng
        engine = ("_engine.ending", "_engine.decisions", "_engine.facts", "_engine.summary", "_engine.scene")
        opened = ("mood", "gold", "hp", "bag", "guest.face", f"/journal/{self.words('path')[:60]}")
        path = rng.choice((*PROTECTED, *engine, *opened, self.words("path")[:90]))
        value: Json = rng.choice((9, 100, 1_000_000, self.words("value")[:380], [], {"a": 1}, True))
        op = rng.choice(("set", "set", "inc", "dec", "push", "toggle", "remove", "drop"))
        return {"op": op, "path": path, "value": value, "reason": self.words("reason")[:190]}

    def hand_in(self, *, tells: bool) -> OutsideRound:
        """A round, or the words that end a turn."""
        rng = self._rng
        calls = tuple(self.call() for _ in range(rng.choice((0, 1, 2, 3, 20))))
        # Whatever the player has to decide is answered in his name.
        answers: dict[str, Any] = {"wager": "yes", "wager.note": self.words("decision note")}
        if rng.random() < 0.8:
            answers["heard"] = self.value("errand answer")
        if rng.random() < 0.2:
            answers[self.words("errand id")] = self.value("errand answer")
        text = self.words("narration") if tells or rng.random() < 0.1 else ""
        facts = tuple(self.words("fact")[:290] for _ in range(rng.choice((0, 1, 3, 30))))
        return OutsideRound(calls, answers, text, facts)


class Attacker:
    """Tells turns of a campaign with the worst of intentions."""

    def __init__(self, road: Road, rng: random.Random, edition: Edition, attack: Attack) -> None:
        self._road = road
        self._rng = rng
        self._attack = attack
        self.poisoner = Poisoner(rng, edition, attack)
        self._old: list[TurnHandle] = []

    async def tell(self, number: int, given: Input) -> None:
        """Get a turn told somehow; in the end with harmless words."""
        road, poison = self._road, self.poisoner
        for holder, operation in (
            (poison.words("holder"), f"evil-{number}"),
            ("me", poison.words("operation")),
        ):
            started = await self._try(begin_outside(road, "main", given, operation, holder=holder))
            if isinstance(started, OpenedTurn):
                await self._try(give_up(road, started.handle))
        started = await self._try(begin_outside(road, "main", given, f"op-{number}", holder="me"))
        if not isinstance(started, OpenedTurn):
            return
        handle = started.handle
        for old in self._old:
            await self._try(propose(road, old, poison.hand_in(tells=False)))
            await self._try(propose(road, replace(handle, holder=old.holder + "?"), OutsideRound()))
            await self._try(propose(road, replace(handle, operation_id=old.operation_id), OutsideRound()))
        for _ in range(3):
            await self._try(propose(road, handle, poison.hand_in(tells=False)))
        done = await self._try(finish(road, handle, poison.hand_in(tells=True)))
        if not isinstance(done, Committed):
            done = await self._try(finish(road, handle, OutsideRound(text=HARMLESS)))
        self._attack.told += isinstance(done, Committed)
        self._old.append(handle)

    async def hand_in(self) -> None:
        """What may be handed in between turns, and what may not."""
        road, poison = self._road, self.poisoner
        for system, errand in (("oracle", "rumour"), (poison.words("system"), poison.words("errand"))):
            await self._try(hand_in_answer(road, "main", system, errand, poison.value("handed in")))
        if (await brief_master(road, "main")).summary:
            await self._try(hand_in_summary(road, "main", poison.words("summary")))

    async def _try(self, work: Any) -> object:
        try:
            result = await work
        except (TalewrightError, OpenTurnMovedError):
            self._attack.refused += 1
            return None
        except Exception as error:
            self._attack.errors.append(f"{type(error).__name__}: {str(error)[:200]}")
            return None
        self._attack.refused += bool(getattr(result, "flaws", ()))
        return result


def attack_inn(seed: str) -> Attack:
    """One campaign under attack."""
    return asyncio.run(_attack(seed))


async def _attack(seed: str) -> Attack:
    rng, edition, attack = random.Random(seed), make_attacked_inn(), Attack(seed)
    lobby = make_lobby(edition, seed=rng.randrange(10**6))
    session = await opened(lobby.begin("inn", "en"))
    received = Received()
    live = session.watch(after=0)
    attacker = Attacker(session.seat.road, rng, edition, attack)
    for number in range(TURNS):
        view = await session.view()
        if view.end is not None:
            break
        given: Input = Say(SAID)
        if view.decisions and rng.random() < 0.7:
            given = AnswerDecision(view.decisions[0].id, view.decisions[0].options[-1][0])
        await attacker.tell(number, given)
        await attacker.hand_in()
        await _look(session, received)
    book = session.seat.road.book
    commits = [record async for record in book.records() if isinstance(record, Commit)]
    position = (await recall(session.seat.road, "main")).position
    attack.offences += find_offences(edition.game.initial, position.state.document, commits)
    attack.offences += find_decided(commits)
    report, again = await verify(book, secret=b"s" * 32), await replay(book)
    attack.offences += [*map(str, report.violations), *map(str, again.mismatches)]
    received.add(to_markdown(await tell_story(session.seat.games, await read_history(book))))
    await session.close()
    received.add(*[news async for news in live])
    own = "\n".join(attacker.poisoner.own)
    attack.leaks += [leak for leak in hide_inn(edition).find(received.texts) if leak not in own]
    return attack


async def _look(session: StoreSession, received: Received) -> None:
    """Everything a player can look at."""
    received.add(await session.view())
    past = session.past
    received.add(*await past.turns(5), *await past.tree(every=True))
    for name in ("gold", "mood", "journal", "bag", "guest", "oracle", "plan", "plot", "_engine"):
        received.add(*await past.why(name))


def find_decided(commits: Sequence[Commit]) -> list[str]:
    """Decisions that were granted in a turn in which the player has not answered them, and ends by wish."""
    found = []
    for commit in commits:
        body = read_body(commit.body)
        if body.told != OUTSIDE:
            continue
        answered = "answer" in json.dumps(body.input)
        for ruling in body.rulings:
            assert isinstance(ruling, Mapping)
            if "wagered" in json.dumps(ruling.get("result")) and not answered:
                found.append(f"the wager was answered by nobody in {commit.version}")
        if body.end is not None and body.end.ending not in ("rich", "dead"):
            found.append(f"the story has ended as {body.end.ending}")
    return found


def hide_inn(edition: Edition) -> Hidden:
    """What no player of the inn may receive."""
    words = edition.words("en")
    public = [text for key, text in words.entries.items() if key not in PRIVATE]
    return hide(list_canaries(edition), [RUMOUR, HARMLESS, SAID, *public])
