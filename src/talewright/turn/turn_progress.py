"""Turn progress: what one attempt at a turn has brought about so far, its draws included.

It only holds values made by the kernel, and is discarded if the turn fails. The draws of a discarded
judgement are returned: asking again never changes what is drawn.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from itertools import count, islice
from typing import Protocol, TypeVar, cast
from unicodedata import normalize

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.contract.dialect import SuggestedChoice
from talewright.kernel.chance import SIDES_MAX, Chance, Draw, Fate, derive_face
from talewright.kernel.dice.dice_rolls import Roll
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import JudgedStep
from talewright.kernel.judging.moves import ENGINE, Call, Move
from talewright.kernel.judging.rulings import Decision, Refusal, Ruling
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state import Position, canonical
from talewright.kernel.story.scene_rules import TakenChoice
from talewright.kernel.story.scenes import Check, Ladder
from talewright.kernel.story.triggers import Event
from talewright.prompt.past_turns_part import TranscriptWindow
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.records.commit_body import ROLL, TRIAL

T = TypeVar("T")


class OpenedChance(Chance, Protocol):
    """The chance of one judgement."""

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The draws so far, in order."""


class RecordedDraws:
    """The recorded draws of a finished turn, for replays without its secret."""

    def __init__(self, draws: Sequence[Draw]) -> None:
        self.draws = tuple(draws)
        self.exhausted = False
        """Whether more was drawn than is recorded: by a discarded judgement, or in a forgery."""

    def find(self, index: int) -> int:
        """Return the face of a draw; 1 if it is not recorded."""
        if index < len(self.draws):
            return self.draws[index].face
        self.exhausted = True
        return 1


class RecordedChance:
    """Recorded draws for one judgement."""

    def __init__(self, recorded: RecordedDraws, version: int, start: int) -> None:
        self._recorded = recorded
        self._version = version
        self._start = start
        self._drawn: list[Draw] = []

    def draw(self, sides: int, why: str = "") -> int:
        """Return the next recorded face, limited to the sides of the die."""
        index = self._start + len(self._drawn)
        face = min(max(self._recorded.find(index), 1), sides)
        self._drawn.append(Draw(self._version, index, sides, face, why))
        return face

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The draws so far, in order."""
        return tuple(self._drawn)


NAMED_SINCE_ENGINE = 4
"""The first engine whose draws in the turns of a game master are named by what they are for."""


@frozen
class DrawPurpose:
    """What is drawn for in one judgement."""

    check: str
    """Identifies the check: the tool and the arguments that say who tries what, hashed."""

    terms: str = ""
    """The arguments that say how hard it is, hashed."""

    what: Json = field(default=None, compare=False)
    """The same for people."""


def make_purpose(check: Json, terms: Json = None) -> DrawPurpose:
    """Identify what is drawn for."""
    return DrawPurpose(_hash(check), _hash(terms), {"check": check, "terms": terms})


def purpose_of_call(game: Game, position: Position, call: Call) -> DrawPurpose:
    """Identify the check that a call is; in other words or on other terms, it is the same one."""
    tool = next((one for one in game.tools_in(game.language) if one.name == call.tool), None)
    if tool is None:
        return make_purpose([call.tool, {}], {})
    meant = _find_meanings(game, position, call)
    # Who tries what is never said by a plain no.
    check = {name: value for name, value in _pick(meant, tool.check).items() if value is not False}
    return make_purpose([call.tool, check], _pick(meant, tool.terms))


def purpose_of_moves(game: Game, position: Position, moves: Sequence[Move]) -> DrawPurpose:
    """Identify what is drawn for when moves are judged together."""
    purposes = [purpose_of_call(game, position, move) for move in moves if isinstance(move, Call)]
    if len(purposes) == 1:
        return purposes[0]
    return make_purpose([one.check for one in purposes], [one.terms for one in purposes])


def _find_meanings(game: Game, position: Position, call: Call) -> Mapping[str, Json]:
    """Return the arguments of a call as the system that owns the tool understands them."""
    owner = game.tools[call.tool].name
    for system in (one for one in game.parts.argument_meanings if one.name == owner):
        # If it refuses to say, it will refuse the call, too.
        with suppress(Refusal):
            sight = WorkingState(game, position).sight(system)
            return {**call.arguments, **system.argument_meanings(call, sight)}
    return call.arguments


def _pick(arguments: Mapping[str, Json], names: Sequence[str]) -> dict[str, Json]:
    """Return these arguments in one spelling; empty ones count as absent."""
    spelled = {name: _spell(arguments.get(name)) for name in sorted(names)}
    return {name: value for name, value in spelled.items() if value not in (None, "")}


def _spell(value: Json) -> Json:
    return " ".join(normalize("NFKC", value).casefold().split()) if isinstance(value, str) else value


_HASH_LENGTH = 32
"""Characters of the hash that identifies a check."""


def _hash(value: Json) -> str:
    return "" if value is None else hashlib.sha256(canonical(value)).hexdigest()[:_HASH_LENGTH]


AFTERMATH = DrawPurpose("aftermath")
"""What follows by itself at the end of a turn. Nobody sees these draws before the turn is committed."""


@frozen
class SeenDraws:
    """Draws that a game master has seen in a turn that was then abandoned.

    The check gets them again until a committed turn has used them.
    """

    purpose: DrawPurpose
    stream: str
    """How the names of these draws begin."""


@frozen
class SeenBefore:
    """What game masters saw in abandoned turns before a turn began."""

    waiting: tuple[SeenDraws, ...] = ()
    """What no turn of this line has used yet, oldest first."""

    streams: frozenset[str] = frozenset()
    """All streams that anybody has seen: a new one must not be among them."""


def name_stream(nonce: str, turn: int, check: str, number: int) -> str:
    """Return how the names of draws begin: `number` counts the streams of a check in turns with a number."""
    return f"{nonce}@{turn}:{check}:{number}" if nonce else f"{turn}:{check}:{number}"


def nonce_of_stream(stream: str) -> str:
    """Return the nonce of a stream; empty if the fate of its game is fixed."""
    return stream.rpartition("@")[0]


def number_of_turn(stream: str) -> int:
    """Return the number of the turn that a stream belongs to."""
    return int(stream.rpartition("@")[2].partition(":")[0])


def write_seen(one: SeenDraws) -> dict[str, Json]:
    """Convert seen draws to JSON."""
    purpose = one.purpose
    return {
        "check": purpose.check,
        "terms": purpose.terms,
        "stream": one.stream,
        "for": purpose.what,
    }


def read_seen(raw: Json) -> SeenDraws:
    """Parse stored seen draws."""
    kept = cast(Mapping[str, Json], raw)
    purpose = DrawPurpose(str(kept["check"]), str(kept["terms"]), kept["for"])
    return SeenDraws(purpose, str(kept["stream"]))


class NamedChance:
    """Draws for one judgement in the turn of a game master: all of them are from one stream.

    `j` counts the dice with as many sides: the draw is named `stream:dSIDES:j`.
    """

    def __init__(self, fortune: "NamedDraws", purpose: DrawPurpose, start: int) -> None:
        self._fortune = fortune
        self.purpose = purpose
        self._start = start
        self.stream = ""
        """How the names of its draws begin, once something was drawn."""

        self._counts: Counter[int] = Counter()
        self._drawn: list[Draw] = []

    def draw(self, sides: int, why: str = "") -> int:
        """Return the next face of the stream."""
        self.stream = self.stream or self._fortune.find_stream(self.purpose)
        name = f"{self.stream}:d{sides}:{self._counts[sides]}"
        self._counts[sides] += 1
        drawn = self._fortune.draw(name, self._start + len(self._drawn), sides, why)
        self._drawn.append(drawn)
        return drawn.face

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The draws so far, in order."""
        return tuple(self._drawn)


class TurnDraws:
    """The draws of one turn."""

    def __init__(
        self, secret: bytes, version: int, nonce: bytes = b"", recorded: RecordedDraws | None = None
    ) -> None:
        """If `recorded` is given, it replaces the draws derived from the secret."""
        self._secret = secret
        self._version = version
        self.nonce = nonce
        self._recorded = recorded
        self._kept: list[Draw] = []

    def open(self, find_purpose: Callable[[], DrawPurpose] = lambda: AFTERMATH) -> OpenedChance:
        """Return a chance for one judgement, starting after the draws that were kept."""
        if self._recorded is not None:
            return RecordedChance(self._recorded, self._version, len(self._kept))
        return Fate(self._secret, self._version, self.nonce, start=len(self._kept))

    def keep(self, fate: OpenedChance) -> None:
        """Keep the draws of a judgement."""
        self._kept += fate.draws

    def restart_point(self) -> Callable[[], None]:
        """Return a function that takes back the draws that are kept from now on."""
        drawn = len(self._kept)

        def restart() -> None:
            del self._kept[drawn:]

        return restart

    def discard(self, fate: OpenedChance) -> None:
        """Forget a judgement that nobody has seen anything of."""

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The draws that were kept, in order."""
        return tuple(self._kept)

    def find_conflict(self, fate: OpenedChance) -> str:
        """Return why a game master may not have these draws; empty if it may."""
        return ""

    def named(self, seen: SeenBefore) -> "NamedDraws":
        """Return the draws of the same turn if a game master narrates it; `seen` was seen before."""
        return NamedDraws(self._secret, self._version, self.nonce, self._recorded, seen)

    @property
    def judgements_that_drew(self) -> int:
        """How many judgements of this turn a game master could read dice from."""
        return 0

    @property
    def looks(self) -> tuple[SeenDraws, ...]:
        """What would stay seen if the turn were abandoned."""
        return ()

    @property
    def waiting(self) -> tuple[SeenDraws, ...]:
        """What was seen before and has not been used yet."""
        return ()


ROLLED_BEFORE = (
    "this was rolled before, in a turn that was abandoned or a call that was refused, and that roll still "
    "counts: call it with the same terms, which were {terms}, or not at all"
)
"""Why a game master may not repeat a check on other terms."""


class NamedDraws(TurnDraws):
    """The draws of a game master's turn: what a draw is for decides what is drawn, not when it is drawn.

    So a draw cannot be used up by another check, and abandoning the turn does not change it.
    """

    def __init__(
        self,
        secret: bytes,
        version: int,
        nonce: bytes = b"",
        recorded: RecordedDraws | None = None,
        seen: SeenBefore | None = None,
    ) -> None:
        super().__init__(secret, version, nonce, recorded)
        seen = seen or SeenBefore()
        self._waiting = list(seen.waiting)
        self._opened: list[NamedChance] = []
        """All judgements, also those that were discarded: a refusal may say what was drawn."""

        self._known = seen.streams
        self._own: Counter[str] = Counter()
        """How many new streams each check has had in this turn."""

    def open(self, find_purpose: Callable[[], DrawPurpose] = lambda: AFTERMATH) -> OpenedChance:
        chance = NamedChance(self, find_purpose(), len(self._kept))
        self._opened.append(chance)
        return chance

    def find_stream(self, purpose: DrawPurpose) -> str:
        """Return the stream that a check draws from: the oldest that was seen before, or a new one."""
        seen = next((one.stream for one in self._waiting if one.purpose.check == purpose.check), "")
        if seen:
            return seen
        nonce = self.nonce.hex()
        names = (name_stream(nonce, self._version, purpose.check, number) for number in count())
        return next(
            islice((name for name in names if name not in self._known), self._own[purpose.check], None)
        )

    def draw(self, name: str, index: int, sides: int, why: str) -> Draw:
        """Make a draw."""
        if not 1 <= sides <= SIDES_MAX:
            raise ValueError(f"a draw has 1 to {SIDES_MAX} sides, not {sides}")
        if self._recorded is not None:
            face = min(max(self._recorded.find(index), 1), sides)
        else:
            face = derive_face(self._secret, name, sides)
        return Draw(self._version, index, sides, face, why, name)

    def find_conflict(self, fate: OpenedChance) -> str:
        """Return why a game master may not have these draws: it has seen them on other terms.

        On harder terms it would know that it fails, on easier ones it would use up a bad draw. These draws
        are not shown, so they do not count as seen.
        """
        assert isinstance(fate, NamedChance), "it was opened here"
        purposes = [one.purpose for one in self._waiting if one.stream == fate.stream]
        # A refused call of this turn may have told what was drawn.
        others = (one for one in self._opened if one is not fate)
        purposes += [one.purpose for one in others if fate.stream and one.stream == fate.stream]
        if not purposes or fate.purpose in purposes:
            return ""
        self.discard(fate)
        what = cast(Mapping[str, Json], purposes[0].what)
        return ROLLED_BEFORE.format(terms=json.dumps(what["terms"], ensure_ascii=False, sort_keys=True))

    def keep(self, fate: OpenedChance) -> None:
        assert isinstance(fate, NamedChance), "it was opened here"
        super().keep(fate)
        if fate.stream and fate.stream not in self._known:
            self._own[fate.purpose.check] += 1
        self._waiting = [one for one in self._waiting if one.stream != fate.stream]

    def restart_point(self) -> Callable[[], None]:
        restart, own = super().restart_point(), Counter(self._own)
        opened, waiting = tuple(self._opened), tuple(self._waiting)

        def restart_named() -> None:
            restart()
            self._own = Counter(own)
            self._opened, self._waiting = list(opened), list(waiting)

        return restart_named

    def discard(self, fate: OpenedChance) -> None:
        assert isinstance(fate, NamedChance), "it was opened here"
        self._opened.remove(fate)

    @property
    def judgements_that_drew(self) -> int:
        return sum(bool(one.stream) for one in self._opened)

    @property
    def looks(self) -> tuple[SeenDraws, ...]:
        drawn = (one for one in self._opened if one.stream and one.purpose != AFTERMATH)
        return tuple(dict.fromkeys(SeenDraws(one.purpose, one.stream) for one in drawn))

    @property
    def waiting(self) -> tuple[SeenDraws, ...]:
        return tuple(self._waiting)


PASSAGE_BREAK = "\n\n"
"""The text between two passages."""


class TurnProgress:
    """The state of a turn in progress."""

    def __init__(
        self, game: Game, position: Position, fortune: TurnDraws, engine: int = ENGINE_NUMBER
    ) -> None:
        self.engine = engine
        """The engine number of the turn: older ones are judged, and their prompts written, as they were."""

        self.game = game
        self.game_digest = ""
        """The digest of the game's edition, for interfaces that show the rolls."""

        self.position = replace(position, engine=engine)
        self.fortune = fortune
        self.changes: list[Change] = []
        self.rulings: list[Ruling] = []
        self.events: list[Event] = []
        self.rolls: list[Json] = []
        self.reported_rolls = 0
        """How many rolls the listener has received."""

        self.decisions: list[Decision] = []
        self.offers: tuple[SuggestedChoice, ...] = ()
        self.facts: tuple[str, ...] = ()
        self.asides: list[str] = []
        self.edits: list[Json] = []
        self.narration: list[str] = []
        """Passages, in order."""

        self.events_at: int | None = None
        """How many characters of the narration come before the events; None: all of them."""

        self.bundle = ""
        self.window = TranscriptWindow()
        self.lore: tuple[Json, ...] = ()
        self.cuts: list[Json] = []
        self.care = False
        """Whether the storyteller is reminded of the rating."""

        self.settled = False
        """Whether the player has taken a choice whose effects the author wrote."""

    def restart_point(self) -> Callable[[], None]:
        """Return a function that takes back everything that happens from now on."""
        kept = {name: _copy(value) for name, value in vars(self).items()}
        take_back = self.fortune.restart_point()

        def restart() -> None:
            take_back()
            vars(self).update((name, _copy(value)) for name, value in kept.items())

        return restart

    def take(self, step: JudgedStep) -> None:
        """Apply a judgement."""
        self.position = step.position
        self.rulings += step.rulings
        self.changes += step.changes
        self.events += step.events

    def place_events(self, passages: int) -> None:
        """Place the events after this many passages: later passages already know of them."""
        told = any(event.cause != ENGINE for event in self.events)
        if told and len(self.narration) > passages:
            self.events_at = len(PASSAGE_BREAK.join(self.narration[:passages]))

    def take_act(self, act: TakenChoice, check: object) -> None:
        """Apply a choice that was carried out."""
        self.take(act.step)
        self.note_roll(act.roll, act.trial, check)

    def note_roll(self, roll: Roll | None, trial: Json, check: object) -> None:
        """Record a roll as it is shown to the player."""
        if roll is not None:
            fell: dict[str, Json] = {"kind": ROLL, "text": str(roll), "total": roll.total}
            self.rolls.append({**fell, **_judge_roll(roll.total, check)})
        if isinstance(trial, Mapping):
            self.rolls.append({"kind": TRIAL, **trial})


def _copy(value: T) -> T:
    """A copy of a list; all other values of a turn in progress are replaced, never altered."""
    return cast(T, list(value)) if isinstance(value, list) else value


def _judge_roll(total: int, check: object) -> dict[str, Json]:
    """Return the result of a total."""
    if isinstance(check, Ladder):
        rung = check.reached(total)
        return {"success": rung.success, **({"word": rung.word} if rung.word else {})}
    assert isinstance(check, Check), "nothing else rolls"
    return {"needed": check.at_least, "success": total >= check.at_least}
