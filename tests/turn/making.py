"""Roads for the tests of `turn`: small games, a book in memory, a scripted storyteller, a watcher."""

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from talewright.chronicle.records import MAIN, Accepted, Attempt, Commit, PointerKind, Pointing, Record
from talewright.chronicle.store import CampaignBook, Store
from talewright.common.json_values import Json
from talewright.contract.dialect import Dialect
from talewright.contract.text.leak_guard import HiddenTexts
from talewright.errors import Fault
from talewright.kernel.game import FateKind, Game
from talewright.kernel.state.documents import find
from talewright.kernel.state.state_paths import parse_path
from talewright.kernel.story.game_texts import Texts
from talewright.llm.provider import Provider
from talewright.llm.reply_chunks import Usage
from talewright.llm.requests import ToolCall
from talewright.providers.scripted import Cut, Script, Scripted, ScriptedReply, by
from talewright.stores.memory_store import MemoryBook, MemoryStore
from talewright.turn.fold_cache import FoldCache
from talewright.turn.game_editions import Edition
from talewright.turn.inputs.player_inputs import Input, Opening, to_json
from talewright.turn.new_campaign import write_first_commit
from talewright.turn.pipeline import take_turn
from talewright.turn.records.commit_body import TurnBody, read_body
from talewright.turn.records.turn_attempts import AttemptLedger
from talewright.turn.steps.asking import AnswerGuard, Asker, AskSetting
from talewright.turn.steps.beginning import Beginning, Turn
from talewright.turn.steps.recalling import Recalled, recall
from talewright.turn.steps.telling import Try
from talewright.turn.turn_context import Road, Teller, TurnKey
from talewright.turn.turn_outcomes import Committed, Outcome
from talewright.turn.turn_signals import NarrationDelta, NarrationReset, Signal
from tests.plays.stage import load_edition

SECRET = b"the campaign's secret: not to be told"
NOW = "2026-01-01T00:00:00Z"
USED = Usage(100, 20)
"""What a scripted reply has cost where nothing else is said."""

SEVEN = by(7)
"""Chunks of seven characters."""


@cache
def play_edition(name: str) -> Edition:
    """A compiled game of the plays, kept by its digest."""
    made = load_edition(name)
    return replace(made, form=made.digest)


def ferry() -> Edition:
    """Cards, scenes, no system."""
    return play_edition("tests/plays/games/ferry")


def bridge() -> Edition:
    """Tools, a system, something hidden and something secret; no scene."""
    return play_edition("tests/plays/games/bridge")


def chapel() -> Edition:
    """Patches with odds, moves first."""
    return play_edition("games/chapel_watch")


def make_edition(
    game: Game,
    entries: Mapping[str, str] | None = None,
    lists: Mapping[str, tuple[str, ...]] | None = None,
    digest: str = "d1",
) -> Edition:
    """An edition of a game made by hand."""
    words = {"title": "A test", **(entries or {})}
    return Edition(game, {"en": Texts("en", words, lists or {})}, digest, digest)


def altered(edition: Edition, digest: str = "altered", **parts: Any) -> Edition:
    """The same edition with parts of its game exchanged."""
    return replace(edition, game=replace(edition.game, **parts), digest=digest, form=digest)


@dataclass
class Library:
    """Editions by their digest, and which one the folder holds today."""

    newest: Edition | None
    known: dict[str, Edition] = field(default_factory=dict)

    def put(self, edition: Edition) -> None:
        self.newest = self.known[edition.digest] = edition

    def unpack(self, form: Json) -> Edition:
        assert isinstance(form, str)
        return self.known[form]

    def latest(self, game: str) -> Edition | None:
        return self.newest

    def find_faults(self, game: str) -> tuple[Fault, ...]:
        return ()


@dataclass
class Bench:
    """A campaign to take turns in, and what was heard of them."""

    road: Road
    library: Library
    signals: list[Signal]

    @property
    def book(self) -> CampaignBook:
        return self.road.book

    @property
    def provider(self) -> Scripted:
        assert self.road.teller is not None
        assert isinstance(self.road.teller.main, Scripted)
        return self.road.teller.main

    def with_road(self, **parts: Any) -> "Bench":
        """The same campaign on another road."""
        return replace(self, road=replace(self.road, **parts))

    def told_by(self, *lines: str | ScriptedReply, cut: Cut = SEVEN) -> "Bench":
        """The same campaign with another script."""
        return self.with_road(teller=Teller(Scripted(lines, cut=cut)))

    async def take(self, given: Input, operation: str, base: str = "", branch: str = MAIN) -> Outcome:
        return await take_turn(self.road, branch, given, operation, base)

    async def commit(self, given: Input, operation: str) -> TurnBody:
        """Take a turn that must stand."""
        outcome = await self.take(given, operation)
        assert isinstance(outcome, Committed), outcome
        return read_body(outcome.commit.body)

    async def recall(self) -> Recalled:
        # As a process does that remembers nothing.
        return await recall(replace(self.road, folds=FoldCache()), MAIN)

    async def head(self) -> Commit:
        return await self.book.read((await self.book.look(MAIN)).head)

    async def standing(self) -> tuple[str, str, int, int]:
        """Everything that a turn which came to nothing must leave as it was."""
        head = await self.head()
        return head.id, (await self.recall()).position.state.digest, head.version, head.sequence

    async def value(self, path: str) -> object:
        return find((await self.recall()).position.state.document, parse_path(path))

    async def attempts(self, operation: str) -> tuple[Attempt, ...]:
        return (await self.book.find(operation)).attempts

    async def records(self) -> list[Record]:
        return [record async for record in self.book.records()]

    async def go_back(self, turns: int = 1) -> str:
        """Undo; the id of the commit that is the head again."""
        head = (await self.book.look(MAIN)).head
        past = await self.book.back(head, turns + 1)
        await self.book.point(Pointing(PointerKind.BRANCH, MAIN, past[-1].id, NOW), expected=head)
        return past[-1].id

    def screen(self) -> str:
        """What a watcher sees of the narration in the end."""
        text = ""
        for signal in self.signals:
            if isinstance(signal, NarrationDelta):
                text += signal.text
            elif isinstance(signal, NarrationReset):
                text = signal.text
        return text


async def lay_bench(
    edition: Edition,
    script: Script | None = None,
    *,
    provider: Provider | None = None,
    cut: Cut = SEVEN,
    book: Callable[[MemoryBook], CampaignBook] | None = None,
    opened: bool = False,
    document: Mapping[str, Json] | None = None,
    imported: Json = None,
    newest: Edition | None = None,
    store: Store | None = None,
    **parts: Any,
) -> Bench:
    """A new campaign; without script or provider it has no storyteller; `opened` takes its first turn.

    It is in memory, or in a `store`.
    """
    counter = itertools.count(1)
    library = Library(newest, {edition.digest: edition})
    signals: list[Signal] = []
    founded = await write_first_commit(
        store or MemoryStore(),
        edition,
        campaign="test",
        language=edition.game.language,
        secret=SECRET,
        now=lambda: NOW,
        new_id=lambda: f"{next(counter):032x}",
        document=document,
        imported=imported,
    )
    if script is not None:
        provider = Scripted(script, cut=cut)
    if book is not None:
        assert isinstance(founded, MemoryBook)
        founded = book(founded)
    road = Road(
        book=founded,
        editions=library,
        now=lambda: NOW,
        new_id=lambda: f"{next(counter):032x}",
        teller=None if provider is None else Teller(provider),
        listener=signals.append,
        # What is recorded of a turn must not depend on how busy the machine is.
        **{"seconds": lambda: 0.0, **parts},
    )
    bench = Bench(road, library, signals)
    if opened:
        assert isinstance(await bench.take(Opening(), "opening"), Committed)
        signals.clear()
    return bench


def plain(value: object) -> Any:
    """JSON that a test looks into."""
    return value


def cards(
    text: str, *updates: Mapping[str, Json], choices: Sequence[str] = ("a", "b", "c"), **more: Json
) -> ScriptedReply:
    """A good answer of the cards dialect."""
    answer: dict[str, Json] = {
        "narrative_markdown": text,
        "choices": [{"id": c, "label": c.upper(), "hint": "h", "risk": "low", "tags": []} for c in choices],
        "state_updates": list(updates),
        "new_facts": [],
        "events": [],
        "end": {"is_game_over": False, "ending_id": "", "reason": ""},
        **more,
    }
    return ScriptedReply(json.dumps(answer, ensure_ascii=False), usage=USED)


def update(op: str, path: str, value: Json = None) -> dict[str, Json]:
    """One update as a model writes it."""
    return {"op": op, "path": path, "value": value, "reason": "because"}


def calls(text: str, *named: tuple[str, Mapping[str, Json]]) -> ScriptedReply:
    """An answer of the tools dialect."""
    made = tuple(
        ToolCall(f"call-{number}", name, json.dumps(arguments))
        for number, (name, arguments) in enumerate(named, 1)
    )
    return ScriptedReply(text, made, USED)


def bundle(
    text: str, version: int, *patch: Mapping[str, Json], name: str = "", **more: Json
) -> ScriptedReply:
    """A good answer of the patch dialect."""
    inner: dict[str, Json] = {
        "schema_version": "1.2",
        "operation_id": name or f"bundle-{version}",
        "base_version": version,
        "patch": [
            {"op": "test", "path": "/version", "value": version},
            *patch,
            {"op": "replace", "path": "/version", "value": version + 1},
        ],
        "next_actions": ["Go on"],
        **more,
    }
    return ScriptedReply(f"{text}\n```json\n{json.dumps(inner)}\n```\n", usage=USED)


def make_asker(
    road: Road, dialect: Dialect, veil: HiddenTexts, ledger: AttemptLedger, work: str = "ask"
) -> Asker:
    """An asker of some turn."""
    return Asker(road, AskSetting(TurnKey("test", "op"), work=work), dialect, AnswerGuard(veil), ledger)


def make_try(road: Road, recalled: Recalled, ledger: AttemptLedger | None = None) -> Try:
    """A try at some turn that goes on from what was recalled."""
    beginning = Beginning(
        head=recalled.head.id,
        edition=recalled.edition.digest,
        nonce=road.new_id() if recalled.edition.game.chance.fate is FateKind.FRESH else "",
        commit_id=road.new_id(),
        attempt_id=road.new_id(),
        at=NOW,
    )
    accepted = Accepted("op", MAIN, recalled.head.id, to_json(Opening()), NOW)
    turn = Turn(TurnKey("test", "op"), accepted, beginning)
    return Try(road, turn, recalled, ledger or AttemptLedger(), SECRET)
