"""Campaigns for tests of looking back: scene play written straight into a store, quickly and without a road.

Every commit is what a turn would have written; nothing of it depends on the clock.
"""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from talewright.chronicle.records import (
    MAIN,
    Accepted,
    Attempt,
    AttemptVerdict,
    Commit,
    PointerKind,
    Pointing,
)
from talewright.chronicle.store import BlobKind, CampaignBook, Store
from talewright.common.json_values import Json
from talewright.errors import Fault
from talewright.kernel.chance import Fate
from talewright.kernel.game import Game
from talewright.kernel.state.changes import to_operation
from talewright.kernel.state.state import Position, State, advance, begin, position_of
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.scene_rules import current_scene, enter, is_over, offered, wording
from talewright.pack.compiler import compile_folder
from talewright.play.history.campaign_history import read_changes
from talewright.turn.game_editions import Edition
from talewright.turn.inputs.player_choices import lay_out
from talewright.turn.new_campaign import write_first_commit
from talewright.turn.records.commit_body import (
    GameEnd,
    OfferedChoice,
    TurnBody,
    read_body,
    write_body,
    write_rulings,
)
from talewright.turn.steps.recalling import fold, snapshot_due
from tests.kernel.scene_walk import Played, begin_story, play, routes

GAMES = Path(__file__).parents[3] / "games"
SECRET = bytes(range(32))


@cache
def mist_harbor() -> Edition:
    """The shipped game."""
    compiled = compile_folder(GAMES / "mist_harbor", {})
    assert compiled.game is not None
    return make_edition(compiled.game, compiled.texts)


def make_edition(game: Game, texts: Mapping[str, Texts], digest: str = "") -> Edition:
    """An edition whose form is only its name; `Shelved` knows which one is meant."""
    digest = digest or f"digest-of-{game.id}"
    return Edition(game, texts, digest, {"edition": digest})


@dataclass(frozen=True)
class Shelved:
    """Editions by the names that `make_edition` gives them."""

    editions: tuple[Edition, ...]

    def unpack(self, form: Json) -> Edition:
        assert isinstance(form, Mapping)
        return next(edition for edition in self.editions if edition.digest == form["edition"])

    def unpack_imported(self, form: Json) -> Edition:
        return self.unpack(form)

    def latest(self, game: str) -> Edition | None:
        return None

    def find_faults(self, game: str) -> tuple[Fault, ...]:
        return ()


@dataclass
class Clock:
    """Times and ids in order."""

    count: int = 0
    prefix: str = "c"

    def now(self) -> str:
        return f"2026-01-01T{self.count // 3600 % 24:02d}:{self.count // 60 % 60:02d}:{self.count % 60:02d}Z"

    def new_id(self) -> str:
        self.count += 1
        return f"{random.Random(f'{self.prefix}{self.count}').getrandbits(128):032x}"


@dataclass
class Scribe:
    """Plays a game from its scenes and writes every turn down."""

    book: CampaignBook
    edition: Edition
    position: Position
    head: Commit
    branch: str = MAIN
    language: str = "en"
    clock: Clock = field(default_factory=Clock)
    secret: bytes = SECRET
    snapshots: bool = True

    @property
    def game(self) -> Game:
        return self.edition.game

    def options(self) -> list[str]:
        """Ids of everything the player could do now."""
        if is_over(self.position):
            return []
        finale = routes(self.game, self.position)
        if finale:
            return [route.id for route in finale]
        scene = current_scene(self.game, self.position)
        return [] if scene is None else [choice.id for choice in offered(scene, self.position)]

    async def open(self) -> Commit:
        """The first turn."""
        fate = Fate(self.secret, self.position.turn)
        return await self._write(begin_story(self.game, self.position, fate), fate, "")

    async def choose(self, choice: str) -> Commit:
        """A turn."""
        fate = Fate(self.secret, self.position.turn)
        texts = self.edition.words(self.language)
        offers = lay_out(self.game, texts, self.position, ())
        said = next(offer.label for offer in offers if offer.id == choice)
        return await self._write(play(self.game, self.position, choice, fate), fate, said)

    async def wander(self, scene: str) -> Commit:
        """A turn that goes to a scene, wherever it is."""
        place = self.game.scenes[scene]
        step = enter(self.game, self.position, place)
        told = (wording(place, step.position),)
        played = Played(advance(step.position), told, place, None, step.rulings, step.changes, step.events)
        return await self._write(played, Fate(self.secret, self.position.turn), "")

    async def fail(self, verdict: AttemptVerdict = AttemptVerdict.DEGRADED) -> None:
        """A try that comes to nothing."""
        operation, now = self.clock.new_id(), self.clock.now()
        await self.book.accept(Accepted(operation, self.branch, self.head.id, {"kind": "go_on"}, now))
        attempt = Attempt(self.clock.new_id(), operation, self.branch, self.head.id, now, verdict)
        await self.book.add(attempt)

    async def fork(self, commit: Commit, name: str, document: Mapping[str, Json]) -> None:
        """Go on from an old turn on a branch of its own."""
        await self.book.point(Pointing(PointerKind.BRANCH, name, commit.id, self.clock.now()))
        self.branch, self.head = name, commit
        self.position = position_of(self.game, State(document, commit.version))

    async def catch_up(self, head: Commit) -> None:
        """Take over from somebody else who has written on."""
        state, _ = await fold(self.book, head.id)
        self.head, self.position = head, position_of(self.game, state)

    async def mark(self, name: str) -> None:
        await self.book.point(Pointing(PointerKind.MARK, name, self.head.id, self.clock.now()))

    async def write(self, body: TurnBody, position: Position) -> Commit:
        """Append a turn."""
        made = Commit(
            id=self.clock.new_id(),
            parent=self.head.id,
            branch=self.branch,
            version=position.state.version,
            operation_id=self.clock.new_id(),
            at=self.clock.now(),
            game_digest=self.edition.digest,
            state_digest=position.state.digest,
            body=write_body(body),
        )
        tried = Attempt(
            self.clock.new_id(),
            made.operation_id,
            made.branch,
            made.parent,
            made.at,
            AttemptVerdict.COMMITTED,
        )
        self.head = await self.book.commit(made, tried)
        self.position = position
        if self.snapshots and snapshot_due(self.head):
            await self.book.keep(BlobKind.SNAPSHOT, self.head.id, position.state.document)
        return self.head

    async def _write(self, played: Played, fate: Fate, said: str) -> Commit:
        texts = self.edition.words(self.language)
        memory = played.position.state.document["_engine"]
        assert isinstance(memory, Mapping)
        rolls: tuple[Json, ...] = ()
        if played.roll is not None:
            rolls = ({"kind": "roll", "text": str(played.roll), "total": played.roll.total},)
        body = TurnBody(
            input={"kind": "choose", "choice": said} if said else {"kind": "opening"},
            said=said,
            told="scenes",
            language=self.language,
            narration="\n\n".join(texts.get(text) for text in played.texts),
            choices=lay_out(self.game, texts, played.position, ()),
            changes=played.changes,
            events=played.events,
            end=GameEnd(str(memory["ending"]), str(memory["outcome"])) if memory["ending"] else None,
            draws=fate.draws,
            rolls=rolls,
            rulings=write_rulings(played.rulings, played.changes),
        )
        return await self.write(body, played.position)


async def begin_campaign(
    store: Store, edition: Edition, *, campaign: str = "first", language: str = "en", prefix: str = "c"
) -> Scribe:
    """Found a campaign, and a scribe to play it."""
    clock = Clock(prefix=prefix)
    book = await write_first_commit(
        store,
        edition,
        campaign=campaign,
        language=language,
        secret=SECRET,
        now=clock.now,
        new_id=clock.new_id,
    )
    root = (await book.look(MAIN)).head
    head = await book.read(root)
    assert read_body(head.body).root is not None
    return Scribe(book, edition, begin(edition.game), head, language=language, clock=clock)


async def walk(scribe: Scribe, turns: int, seed: int) -> None:
    """Take turns at random until there are so many; a walk that ends goes on in some other scene."""
    choose = random.Random(seed)
    scenes = sorted(scribe.game.scenes)
    if scribe.head.version == 0:
        await scribe.open()
    while scribe.head.version < turns:
        options = scribe.options()
        if options:
            await scribe.choose(choose.choice(options))
        else:
            await scribe.wander(choose.choice(scenes))


def endless(edition: Edition) -> Edition:
    """The same game with no way to end it."""
    return replace(edition, game=replace(edition.game, endings=()), digest=edition.digest + "-endless")


def offers_of(commit: Commit) -> tuple[OfferedChoice, ...]:
    return read_body(commit.body).choices


def to_patch(turns: Iterable[Commit]) -> list[dict[str, Json]]:
    """The changes of turns, oldest first, as one RFC 6902 patch."""
    return [to_operation(change) for turn in turns for change in read_changes(turn)]
