"""Generated forgeries: any place of any record changed, removed, swapped or added to, every hash recomputed.

The forger has the secret and the engine, and no receipt. Some forgeries are left as they are; for others the
engine plays the turn and everything after it again, so that all that follows from the forgery follows.
"""

import asyncio
import copy
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import count
from typing import Any

from talewright.chronicle.record_codec import RecordCodecError, dump
from talewright.chronicle.records import Accepted, Commit, Record
from talewright.chronicle.save_format import SaveFormat, format_of
from talewright.chronicle.store import BlobKind, CampaignBook, ChronicleError, Founding
from talewright.common.json_values import Json
from talewright.errors import Fault, TalewrightError
from talewright.kernel.state.state import State
from talewright.play.verify.campaign_verification import verify
from talewright.play.verify.uncovered_parts import UNCOVERED, WHOLE
from talewright.play.verify.verification_report import VerificationReport
from talewright.stores.memory_store import MemoryBook, MemoryCampaign
from talewright.turn.game_editions import Edition, Editions
from talewright.turn.records.turn_replay import replay_turn
from talewright.turn.turn_context import Road
from tests.play.verify.forging import refold

Form = dict[str, Any]
Path_ = tuple[str | int, ...]
"""The way to a place in a record's form."""

ANY = "*"
"""In a pattern: any names and numbers below."""

OPAQUE = (
    *("commit.body.root.document", "commit.body.root.imported", "commit.body.circumstances"),
    *("commit.body.changes[].value", "commit.body.changes[].was", "commit.body.input", "accepted.input"),
    *("commit.body.rulings[].move.arguments", "commit.body.rulings[].move.value"),
    *("commit.body.rulings[].result", "commit.body.rolls[].result", "commit.body.exchanges[].answers"),
    *("commit.body.exchanges[].results", "attempt.body.exchanges[].results", "aside.body.answer"),
)
"""Places below which the names depend on the game or on a model; they count as one place."""

RECORDS_AFTER_MAX = 12
"""Records after a forged one that are verified too."""

KNOWN_SHARE = 0.8
"""How often something is added that could stand there, and not just anything."""


class Deed(StrEnum):
    """What is done to a place."""

    CHANGE = "change"
    ADD = "add"
    REMOVE = "remove"
    SWAP = "swap"


def name_place(form: Form, path: Path_) -> str:
    """The pattern of a place: its record's kind and members, with `[]` for any element of a list."""
    return name_object(form, path) if path else f"{form['kind']} {WHOLE}"


def name_object(form: Form, path: Path_) -> str:
    """The same, but a whole record is named by its kind alone."""
    name = str(form["kind"])
    for step in path:
        if name in OPAQUE:
            return f"{name}.{ANY}"
        name = f"{name}[]" if isinstance(step, int) else f"{name}.{step}"
    return name


def walk(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every place in a value, with what stands there."""
    yield path, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in inner:
        yield from walk(part, (*path, step))


@dataclass(frozen=True)
class Honest:
    """A campaign as it was played."""

    name: str
    lines: tuple[bytes, ...]
    secret: bytes
    games: Mapping[str, Json]
    editions: Editions
    unproven: frozenset[str] = frozenset()
    """Turns that cannot be proven in the honest campaign either."""

    forms: list[Form] = field(default_factory=list)
    places: Mapping[str, list[tuple[int, Path_]]] = field(default_factory=dict)
    """By pattern: record numbers and ways."""

    @property
    def format(self) -> SaveFormat:
        """How its records are read."""
        return format_of(self.lines[0])


def prepare(honest: Honest) -> Honest:
    """Verify a campaign, and list its places."""
    forms = [json.loads(line) for line in honest.lines]
    places: dict[str, list[tuple[int, Path_]]] = defaultdict(list)
    for number, form in enumerate(forms):
        for path, _ in walk(form):
            if path != ("kind",):
                places[name_place(form, path)].append((number, path))
    report = asyncio.run(examine(honest, honest.lines))
    assert report.good, (honest.name, report.violations[:3])
    unproven = frozenset(turn.commit for turn in report.folded)
    return replace(honest, forms=forms, places=dict(places), unproven=unproven)


async def examine(honest: Honest, lines: Sequence[bytes]) -> VerificationReport:
    """Verify records with the secret."""
    return await verify(await _shelve(honest, lines), editions=honest.editions, secret=honest.secret)


class ForgedBook(MemoryBook):
    """A book in memory that shares its games with all others, since reading them takes longest."""

    def __init__(self, volume: MemoryCampaign, games: Mapping[str, Json]) -> None:
        super().__init__(volume)
        self._games = games

    async def kept(self, shelf: BlobKind, name: str) -> Json:
        """A game; there are no snapshots."""
        return self._games.get(name) if shelf is BlobKind.GAME else None


async def _shelve(honest: Honest, lines: Sequence[bytes]) -> CampaignBook:
    root = format_of(lines[0]).read(lines[0])
    if not isinstance(root, Commit):
        raise RecordCodecError("the first record is not a commit")
    volume = MemoryCampaign(Founding("forged", root, honest.secret), count(1))
    volume.append_lines(*lines)
    return ForgedBook(volume, honest.games)


class SharedEditions:
    """Editions that are unpacked once; a game is known by its object."""

    def __init__(self, editions: Editions) -> None:
        self._editions = editions
        self._unpacked: dict[int, Edition] = {}

    def unpack(self, form: Json) -> Edition:
        """The edition of a form."""
        if id(form) not in self._unpacked:
            self._unpacked[id(form)] = self._editions.unpack(form)
        return self._unpacked[id(form)]

    def latest(self, game: str) -> Edition | None:
        """What is installed does not matter."""
        return None

    def find_faults(self, game: str) -> tuple[Fault, ...]:
        """Nothing is compiled."""
        return ()


@dataclass(frozen=True)
class Forged:
    """A forgery, and what came of it."""

    campaign: str
    place: str
    deed: Deed
    record: int
    path: Path_
    consequences: bool
    """Whether the engine has played the turns again."""

    finding: str
    """`damaged`, `wrong` or `unproven`; empty if nothing is found."""

    @property
    def where(self) -> str:
        """The place, for a message."""
        how = " with consequences" if self.consequences else ""
        return f"{self.campaign}: {self.deed} {self.place}{how}, record {self.record}, {self.path}"


class NotForgedError(Exception):
    """Nothing came of it: the records are as they were, or the engine refuses to play them."""


class Workshop:
    """Makes forgeries in some campaigns."""

    def __init__(self, campaigns: Sequence[Honest]) -> None:
        self.campaigns = list(campaigns)
        self.by_place: dict[str, list[Honest]] = defaultdict(list)
        self._members: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
        """By the pattern of an object: its members, and some of their values."""

        for one in self.campaigns:
            for place in one.places:
                self.by_place[place].append(one)
            for form in one.forms:
                for path, value in walk(form):
                    if isinstance(value, dict):
                        for name, part in value.items():
                            kept = self._members[name_object(form, path)][name]
                            if len(kept) < 20 and part not in kept:
                                kept.append(part)
        self.orders = [(place, deed) for place in sorted(self.by_place) for deed in Deed]

    def forge(self, order: tuple[str, Deed], rng: random.Random, *, consequences: bool) -> Forged:
        """Make one forgery; raises NotForgedError if nothing comes of it."""
        place, deed = order
        # The shorter of two, since the whole campaign is verified.
        chosen = [rng.choice(self.by_place[place]) for _ in range(2)]
        honest = min(chosen, key=lambda one: len(one.lines))
        found = honest.places[place]
        number, path = found[min(rng.randrange(len(found)) for _ in range(2))]
        # A turn that is played again is the last one, since all later ones would have to be as well.
        after = 2 if consequences else rng.randrange(1, RECORDS_AFTER_MAX)
        cut = _cut(honest, number + after)
        forms = copy.deepcopy(cut.forms)
        if deed is Deed.ADD:
            place = self._add(forms, number, path, rng)
        elif not path:
            _move_record(forms, number, deed, rng)
        else:
            _alter_place(cut, forms, (number, path), deed, rng)
        return asyncio.run(_judge(cut, forms, (place, deed, number, path), consequences))

    def _add(self, forms: list[Form], number: int, path: Path_, rng: random.Random) -> str:
        """Add a member or an element, and return the name of its place; nothing else can be added to."""
        held, last = _reach(forms[number], path) if path else ({"": forms[number]}, "")
        value = held[last]
        if isinstance(value, list):
            added: Any = "forged"
            if value and rng.random() < KNOWN_SHARE:
                added = copy.deepcopy(rng.choice(value))
            value.insert(rng.randrange(len(value) + 1), added)
            return name_place(forms[number], (*path, 0))
        if not isinstance(value, dict):
            raise NotForgedError
        holder = name_object(forms[number], path)
        known = [name for name in self._members[holder] if name not in value]
        name = rng.choice(known) if known and rng.random() < KNOWN_SHARE else "forged"
        value[name] = copy.deepcopy(rng.choice(self._members[holder].get(name) or ["forged"]))
        return name_place(forms[number], (*path, name))


def _cut(honest: Honest, length: int) -> Honest:
    """The campaign as it was when it had so many records: that is honest too, and sooner verified."""
    if "earlier" in honest.forms[0]["body"]["root"]:
        return honest
    places = {place: [one for one in found if one[0] < length] for place, found in honest.places.items()}
    return replace(honest, lines=honest.lines[:length], forms=honest.forms[:length], places=places)


def _alter_place(
    honest: Honest, forms: list[Form], at: tuple[int, Path_], deed: Deed, rng: random.Random
) -> None:
    """Change or remove what stands in a place, or exchange it with what stands in another such place."""
    number, path = at
    held, last = _reach(forms[number], path)
    if deed is Deed.CHANGE:
        held[last] = _alter(held[last], rng)
    elif deed is Deed.REMOVE:
        del held[last]
    else:
        others = [one for one in honest.places[name_place(forms[number], path)] if not _overlap(at, one)]
        rng.shuffle(others)
        for there, way in others:
            other, end = _reach(forms[there], way)
            if other[end] != held[last]:
                other[end], held[last] = held[last], other[end]
                return
        raise NotForgedError


def _move_record(forms: list[Form], number: int, deed: Deed, rng: random.Random) -> None:
    """Remove a whole record, exchange it with its neighbour, or write another of its kind in its place."""
    if deed is Deed.REMOVE:
        del forms[number]
    elif deed is Deed.SWAP and number + 1 < len(forms):
        forms[number], forms[number + 1] = forms[number + 1], forms[number]
    else:
        others = [form for form in forms if form["kind"] == forms[number]["kind"]]
        forms[number] = copy.deepcopy(rng.choice(others))
    sequence = 0
    for form in forms:
        if form["kind"] == "commit":
            form["sequence"] = sequence
            sequence += 1


async def _judge(
    honest: Honest, forms: list[Form], what: tuple[str, Deed, int, Path_], consequences: bool
) -> Forged:
    place, deed, number, path = what
    commit = str(honest.forms[number].get("id", "")) if honest.forms[number]["kind"] == "commit" else ""

    def end(finding: str) -> Forged:
        return Forged(honest.name, place, deed, number, path, consequences, finding)

    true = [honest.format.read(line) for line in honest.lines]
    try:
        lines = [dump(form) for form in forms]
        form = format_of(lines[0])
        records = _recompute([form.read(line) for line in lines])
        if consequences:
            records = await _follow(honest, records, number)
        if records == true:
            raise NotForgedError
        report = await examine(honest, [form.write(record) for record in records])
    except (ChronicleError, ValueError, LookupError):
        # A store cannot even read it.
        return end("damaged")
    if not report.good:
        return end("wrong")
    folded = {turn.commit for turn in report.folded}
    return end("unproven" if folded - honest.unproven or commit in folded else "")


def _reach(form: Form, path: Path_) -> tuple[Any, Any]:
    """The object or list that holds a place, and its name or number there."""
    if not path:
        raise NotForgedError
    held: Any = form
    for step in path[:-1]:
        held = held[step]
    return held, path[-1]


def _overlap(one: tuple[int, Path_], other: tuple[int, Path_]) -> bool:
    length = min(len(one[1]), len(other[1]))
    return one[0] == other[0] and one[1][:length] == other[1][:length]


def _alter(value: Any, rng: random.Random) -> Any:
    """Something else of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + rng.choice([1, -1, 7])
    if isinstance(value, str):
        return rng.choice([f"{value}x", value[1:] or "x", "forged", value.swapcase() + " "])
    if isinstance(value, list):
        return rng.choice([value[1:], value[::-1], [*value, *value[:1]], []])
    if isinstance(value, dict):
        return {} if value and rng.random() < 0.5 else {**value, **dict.fromkeys(list(value)[:1])}
    return "forged"


def _recompute(records: Sequence[Record]) -> list[Record]:
    """The records with what stood before each change, states and digests made right, as far as that goes."""
    documents: dict[str, Mapping[str, Json]] = {}
    made: list[Record] = []
    for one in records:
        if isinstance(one, Commit):
            try:
                document, changes = refold(documents.get(one.parent), one)
                digest = State(document, one.version).digest
            except (TalewrightError, ValueError, LookupError, TypeError, AttributeError, AssertionError):
                made.append(one)
                continue
            documents[one.id] = document
            body = {**one.body, **({"changes": changes} if "changes" in one.body else {})}
            one = replace(one, body=body, state_digest=digest)
        made.append(one)
    return made


async def _follow(honest: Honest, records: list[Record], number: int) -> list[Record]:
    """Play a forged turn and all later ones again; inputs stand in what was accepted, too."""
    for place in range(number, len(records)):
        one = records[place]
        if not isinstance(one, Commit) or not one.parent:
            continue
        number_of_engine = one.body.get("engine")
        if one.id in honest.unproven or number_of_engine is None:
            # The engine of today does not make such a turn as it was, forged or not.
            raise NotForgedError
        book = await _shelve(honest, [honest.format.write(record) for record in records])
        road = Road(book=book, editions=honest.editions, now=str, new_id=str)
        try:
            again = await replay_turn(road, one)
        except Exception as error:
            raise NotForgedError from error
        if not isinstance(again, Commit):
            raise NotForgedError
        again = replace(again, body={**again.body, "engine": number_of_engine})
        records[place] = again
        for there, accepted in enumerate(records):
            if isinstance(accepted, Accepted) and accepted.operation_id == again.operation_id:
                records[there] = replace(accepted, input=again.body.get("input"))
    return records


def is_uncovered(place: str) -> bool:
    """Whether a place is one of those that the page lists, or inside one."""
    listed = (one for parts in UNCOVERED for one in parts.places)
    return any(place == one or place.startswith((f"{one}.", f"{one}[")) for one in listed)


def find_gap(forged: Forged) -> str:
    """A forgery that is neither detected nor listed as not covered; empty if it is one of these."""
    return "" if forged.finding or is_uncovered(forged.place) else forged.where
