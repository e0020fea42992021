"""Beginning: whether a turn can begin, and the step that takes everything it needs from outside, at once.

A Beginning is enough to take the same turn again in another process: everything after it is a pure function
of it and of the replies.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from typing import cast

from talewright.chronicle.records import Accepted
from talewright.chronicle.store import BlobKind
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.work_meter import UNLIMITED
from talewright.kernel.game import FateKind
from talewright.turn.background.page_contents import read_edits
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.inputs.player_inputs import Input, Say, from_json
from talewright.turn.moderation import hear_input, refuse_input
from talewright.turn.records.turn_circumstances import (
    TurnCircumstances,
    bind_teller,
    note_circumstances,
    read_circumstances,
    write_circumstances,
)
from talewright.turn.spending import SpendingSum
from talewright.turn.steps.recalling import (
    PageEdit,
    Recalled,
    recall_at,
    recall_edition,
    recall_seen,
    refuse_newer,
)
from talewright.turn.turn_context import BEGIN, Road, TurnKey
from talewright.turn.turn_outcomes import OutcomeReason, Unspent
from talewright.turn.turn_progress import RecordedDraws


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """What one attempt at a turn took from outside."""

    head: str
    """The commit it continues."""

    edition: str = ""
    """The digest of the game that is played; empty if the input was refused before that was known."""

    language: str = ""
    asides: tuple[str, ...] = ()
    """Ids of the finished background results it uses."""

    edits: tuple[PageEdit, ...] = ()
    nonce: str = ""
    """Hexadecimal; only if fate is fresh."""

    seen: int = 0
    """How many asides about abandoned turns it knows; only if a game master narrates it."""

    commit_id: str
    attempt_id: str
    at: str
    spent: SpendingSum = field(default_factory=SpendingSum)
    """What the campaign had spent before."""

    circumstances: TurnCircumstances = field(default_factory=TurnCircumstances)


@frozen
class Turn:
    """One attempt at a turn: its address, its input and its beginning."""

    key: TurnKey
    accepted: Accepted
    beginning: Beginning
    recorded: RecordedDraws | None = None
    """The draws of a turn that is replayed without the campaign's secret."""

    engine: int = ENGINE_NUMBER
    """The engine number its record carries; a turn in progress gets the current one."""

    @property
    def refusal(self) -> Unspent | None:
        """The outcome if the moderation refuses the input, else None."""
        return refuse_input(self.beginning.circumstances.heard, from_json(self.accepted.input))


def write_beginning(one: Beginning) -> dict[str, Json]:
    """Convert a beginning to JSON, as runners store it."""
    return {
        "head": one.head,
        "edition": one.edition,
        "language": one.language,
        "asides": list(one.asides),
        "edits": [[edit.path, edit.text] for edit in one.edits],
        "nonce": one.nonce,
        **({"seen": one.seen} if one.seen else {}),
        "commit_id": one.commit_id,
        "attempt_id": one.attempt_id,
        "at": one.at,
        "spent": [one.spent.tokens, one.spent.dollars],
        "circumstances": write_circumstances(one.circumstances),
    }


def read_beginning(raw: Json) -> Beginning:
    """Parse a stored beginning."""
    kept = cast(Mapping[str, Json], raw)
    text = {name: value for name, value in kept.items() if isinstance(value, str)}
    tokens, dollars = cast(Sequence[float], kept["spent"])
    return Beginning(
        head=text["head"],
        edition=text["edition"],
        language=text["language"],
        asides=tuple(cast(Sequence[str], kept["asides"])),
        edits=tuple(PageEdit(*edit) for edit in cast(Sequence[Sequence[str]], kept["edits"])),
        nonce=text["nonce"],
        seen=int(cast(int, kept.get("seen", 0))),
        commit_id=text["commit_id"],
        attempt_id=text["attempt_id"],
        at=text["at"],
        spent=SpendingSum(int(tokens), dollars),
        circumstances=read_circumstances(kept["circumstances"]),
    )


def find_unfit(road: Road, given: Input) -> Unspent | None:
    """Return why an input cannot be accepted; None if it can."""
    words = [word for word in astuple(given) if isinstance(word, str)]
    if isinstance(given, Say) and not given.text.strip():
        return Unspent(OutcomeReason.EMPTY)
    if any(len(word) > road.limits.input_length_max for word in words):
        return Unspent(OutcomeReason.TOO_LONG, str(road.limits.input_length_max))
    try:
        "".join(words).encode()
    except UnicodeEncodeError:
        # Lone surrogates mean nothing and cannot be stored.
        return Unspent(OutcomeReason.EMPTY)
    return None


async def begin_turn(
    road: Road, key: TurnKey, accepted: Accepted, spent: SpendingSum
) -> tuple[Turn, Recalled | None]:
    """Take everything from outside in one step; also return what was recalled if the step was run here."""
    here: list[Recalled] = []

    async def step() -> Json:
        heard = await hear_input(road.moderation, given)
        circumstances = note_circumstances(road.limits, road.teller, heard)
        beginning = Beginning(
            head=accepted.base,
            nonce="",
            commit_id="",
            attempt_id="",
            at=road.now(),
            spent=spent,
            circumstances=circumstances,
        )
        if refuse_input(heard, given) is None:
            recalled = await recall_for_turn(road, accepted.base)
            here.append(recalled)
            beginning = _complete(road, beginning, recalled)
        return write_beginning(replace(beginning, commit_id=road.new_id(), attempt_id=road.new_id()))

    given = from_json(accepted.input)
    beginning = read_beginning(await road.runner.run(key, BEGIN, step))
    return Turn(key, accepted, beginning), here[0] if here else None


def _complete(road: Road, beginning: Beginning, recalled: Recalled) -> Beginning:
    fresh = recalled.edition.game.chance.fate is FateKind.FRESH
    return replace(
        beginning,
        edition=recalled.edition.digest,
        language=road.language or recalled.body.language,
        asides=tuple(aside.id for aside in recalled.asides),
        edits=recalled.edits,
        nonce=road.new_id() if fresh else "",
    )


async def recall_for_turn(road: Road, commit: str) -> Recalled:
    """Recall the head of the branch, and the edits people have made in its pages."""
    recalled = await recall_at(road, commit)
    refuse_newer(recalled.body.engine)
    if recalled.adoption is not None and recalled.adoption.edition is not None:
        # Resuming this turn must find the same game, whatever the folder holds by then.
        await road.book.keep(BlobKind.GAME, recalled.edition.digest, recalled.edition.form)
    edits = await read_edits(road.book, recalled.edition.game, recalled.position)
    return replace(recalled, edits=edits) if edits else recalled


async def recall_turn(road: Road, turn: Turn) -> Recalled:
    """Recall the same data that the turn started with, from its beginning."""
    beginning = turn.beginning
    recalled = await recall_edition(road, beginning.head, beginning.edition)
    refuse_newer(recalled.body.engine)
    by_id = {aside.id: aside for aside in recalled.asides}
    asides = tuple(by_id[name] for name in beginning.asides if name in by_id)
    recalled = replace(recalled, asides=asides, edits=beginning.edits)
    if not beginning.seen:
        return recalled
    return replace(recalled, seen=await recall_seen(road.book, recalled, beginning.seen))


LIMITED_SINCE_ENGINE = 4
"""The first engine number that limits the work of a turn; only the replay of older turns is limited."""


def bind_road(road: Road, turn: Turn) -> Road:
    """Return the road with the language, limits and models that a turn started with."""
    circumstances = turn.beginning.circumstances
    limits = circumstances.limits
    return replace(
        road,
        language=turn.beginning.language or road.language,
        limits=limits if turn.engine >= LIMITED_SINCE_ENGINE else replace(limits, work_max=UNLIMITED),
        teller=bind_teller(road.teller, circumstances),
    )
