"""Playing: campaigns told by a real model, turn by turn, with how each turn came to be told.

The player takes the game's own choices, and now and then speaks in words of their own. What is asserted of it
all is the business of whoever plays.
"""

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from talewright.common.json_values import Json
from talewright.play.verify.campaign_verification import verify
from talewright.providers.scripted import ScriptedReply
from talewright.turn.game_editions import Edition
from talewright.turn.inputs.player_choices import lay_out
from talewright.turn.inputs.player_inputs import Opening, Say
from talewright.turn.records.commit_body import SCENES, TurnBody, read_body
from talewright.turn.turn_limits import TurnLimits
from talewright.turn.turn_outcomes import Committed, Degraded
from tests.models.watching import Ask, Watched
from tests.turn.making import SECRET, Bench, lay_bench

LIMITS = TurnLimits(turn_seconds_max=1_800.0, repairs_max=1)
"""A busy machine is no fault of the turn; and a model of this size that could not mend its answer once
cannot do it the second time."""


TRIES_MAX = 3
"""Tries for every turn that is wanted."""


class How(StrEnum):
    """How a turn came to be told."""

    MODEL = "model"
    """By its first answer."""

    REPAIR = "repair"
    """By an answer that was asked for again."""

    SCENE = "scene"
    """By the author, because no answer could be used."""

    NOBODY = "nobody"
    """Not at all: nothing happened, and the player was offered to try again."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn that was tried."""

    campaign: int
    number: int
    """Within its campaign, counted from the first that the model was asked to tell."""

    said: str
    how: How
    asks: tuple[Ask, ...]
    body: TurnBody | None
    """None where nothing was committed."""

    exchanges: tuple[Json, ...]
    document: Mapping[str, Json]
    """The state after it."""

    @property
    def texts(self) -> list[str]:
        """What the model answered, word for word."""
        return [ask.text for ask in self.asks]


@dataclass(frozen=True, slots=True)
class Run:
    """Turns of one or several campaigns, one after the other."""

    turns: tuple[Turn, ...]
    violations: tuple[str, ...]
    """What is wrong with the records of the campaigns."""

    def count(self) -> Counter[How]:
        """How the turns were told."""
        return Counter(turn.how for turn in self.turns)

    def asks(self) -> list[Ask]:
        """All that was asked."""
        return [ask for turn in self.turns for ask in turn.asks]


@dataclass(slots=True)
class Player:
    """Chooses by lot, always in the same way; every so many turns in words of their own."""

    sayings: Sequence[str]
    every: int = 0
    """Every so many turns words of their own; 0: never."""

    seed: int = 1
    lot: random.Random = field(init=False)
    words: Iterator[str] = field(init=False)
    turns: int = 0

    def __post_init__(self) -> None:
        self.lot = random.Random(self.seed)
        self.words = itertools.cycle(self.sayings)

    def act(self, labels: Sequence[str]) -> str:
        """What is said next."""
        self.turns += 1
        if not labels or (self.every and self.turns % self.every == 0):
            return next(self.words)
        return self.lot.choice(labels)


@dataclass(frozen=True, slots=True)
class Lead:
    """Turns that a script tells before the model does, so that it sees how the game is told."""

    sayings: tuple[str, ...] = ()
    lines: tuple[ScriptedReply, ...] = ()
    """What the script answers, beginning with the opening."""


class Campaign:
    """One campaign under way."""

    def __init__(self, number: int, bench: Bench, edition: Edition, provider: Watched) -> None:
        self._number = number
        self._bench = bench
        self._edition = edition
        self._provider = provider
        self._turn = 0
        self._tries = 0
        self.over = False

    async def open(self, lead: Lead) -> None:
        """The opening, which the author tells, and the turns that go before the model's own."""
        bench = self._bench if not lead.lines else self._bench.told_by(*lead.lines)
        for number, said in enumerate(["", *lead.sayings]):
            await bench.commit(Say(said) if said else Opening(), f"lead-{number}")

    async def list_labels(self) -> list[str]:
        """What the player may choose by the author's will, whatever the model has offered."""
        recalled = await self._bench.recall()
        game, texts = self._edition.game, self._edition.words(self._edition.game.language)
        return [offer.label for offer in lay_out(game, texts, recalled.position, ())]

    async def take(self, said: str) -> Turn:
        """Take a turn, however it ends."""
        self._tries += 1
        operation, before = f"try-{self._tries}", len(self._provider.asks)
        outcome = await self._bench.take(Say(said), operation)
        asks = tuple(self._provider.asks[before:])
        document = (await self._bench.recall()).position.state.document
        if not isinstance(outcome, Committed):
            assert isinstance(outcome, Degraded), outcome
            (attempt,) = await self._bench.attempts(operation)
            kept = attempt.body.get("exchanges", ())
            exchanges = tuple(kept) if isinstance(kept, list) else ()
            return Turn(self._number, self._turn + 1, said, How.NOBODY, asks, None, exchanges, document)
        self._turn += 1
        body = read_body(outcome.commit.body)
        self.over = body.end is not None
        return Turn(self._number, self._turn, said, _tell_how(body), asks, body, body.exchanges, document)

    async def verify(self) -> list[str]:
        """What is wrong with the record of the campaign."""
        report = await verify(self._bench.book, secret=SECRET)
        return [f"campaign {self._number}: {violation}" for violation in report.violations]


async def play(
    edition: Edition,
    provider: Watched,
    player: Player,
    turns_wanted: int,
    *,
    lead: Lead = Lead(),  # noqa: B008 - a frozen value
    tell: Callable[[Turn], None] = lambda turn: None,
) -> Run:
    """Take turns until so many are committed; a campaign that has ended is followed by another one."""
    turns: list[Turn] = []
    violations: list[str] = []
    numbers = itertools.count(1)
    left = turns_wanted
    while left:
        bench = await lay_bench(edition, provider=provider, limits=LIMITS)
        campaign = Campaign(next(numbers), bench, edition, provider)
        await campaign.open(lead)
        while left and not campaign.over:
            turn = await campaign.take(player.act(await campaign.list_labels()))
            turns.append(turn)
            tell(turn)
            left -= turn.body is not None
            assert len(turns) <= TRIES_MAX * turns_wanted, "hardly a turn gets told"
        violations += await campaign.verify()
    return Run(tuple(turns), tuple(violations))


def _tell_how(body: TurnBody) -> How:
    if body.told == SCENES:
        return How.SCENE
    mended = any("mend" in exchange for exchange in body.exchanges if isinstance(exchange, Mapping))
    return How.REPAIR if mended else How.MODEL
