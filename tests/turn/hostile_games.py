"""Hostile games: valid games and saves, made from a seed, whose rules take as much work as they can.

Whatever is made here fits the limits for authors. A kind is one way to be hostile; its sizes are drawn.
"""

import gc
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import process_time
from typing import Any

from talewright.common.json_values import Json
from talewright.kernel.conditions.conditions import Condition, parse_condition
from talewright.kernel.game import Game, GameLimits
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.slots.slot_types import Carry, Layout, Slot
from talewright.kernel.story.cast import Lore
from talewright.kernel.story.endings import Ending, Outcome
from talewright.kernel.story.scenes import Choice, Scene, Variant
from talewright.kernel.story.triggers import Trigger
from talewright.systems.world.authored.world_files import FACTS, PEOPLE, PLACES, RULES
from talewright.turn.game_editions import Edition
from talewright.turn.inputs.player_inputs import Choose, Opening, Say
from talewright.turn.turn_outcomes import Failed, OutcomeReason
from talewright.turn.turn_outcomes import Outcome as TurnOutcome
from tests.kernel.making import integer, listing, make_game, make_layout, opened, record, string
from tests.systems.world.making import WORLD
from tests.systems.world.random_worlds import make_world_game
from tests.turn.making import Bench, cards, lay_bench, make_edition

CONDITIONS_MAX = 8
"""Different conditions of one game: parsing them is not what is measured."""

PARTS_MAX = 40
"""Parts of one condition; it has at most 250 nodes, and 2,000 characters."""

SCRIPTED_REPLIES = 9
"""Replies of the model of a campaign, more than its turns ask for."""


@dataclass(frozen=True, slots=True)
class HostileGame:
    """A game, and the state of a save to start from."""

    kind: str
    edition: Edition
    document: Mapping[str, Json] | None = None
    told: bool = False
    """Whether a model must narrate it: scenes alone never read its lore."""

    said: str = "go on"


@dataclass(slots=True)
class _Parts:
    """What a game is made of, besides its slots."""

    layout: Layout
    chance: random.Random
    conditions: dict[str, Condition] = field(default_factory=dict)

    def when(self, texts: Sequence[str]) -> Condition:
        """One of a few long conditions, made of these comparisons; it holds if they all do."""
        number = self.chance.randrange(CONDITIONS_MAX)
        if str(number) not in self.conditions:
            count = self.chance.randint(PARTS_MAX // 2, PARTS_MAX)
            text = " and ".join(self.chance.choice(texts) for _ in range(count))
            self.conditions[str(number)] = parse_condition(text, self.layout)
        return self.conditions[str(number)]

    def scene(self) -> Scene:
        """A scene that is always open, with one choice that changes a number."""
        choice = Choice("go", updates=(Update(Op.INC, "a", 1),))
        return Scene("here", (Variant("scene.here.text"),), (choice,), parse_condition("a >= 0", self.layout))


def make_hostile(seed: int) -> HostileGame:
    """The hostile game of a seed; the kinds take turns."""
    kinds = list(KINDS)
    kind = kinds[seed % len(kinds)]
    return replace(KINDS[kind](random.Random(seed)), kind=kind)


def _finish(parts: _Parts, *, limits: GameLimits | None = None, **more: object) -> HostileGame:
    game = make_game(parts.layout, scenes=(parts.scene(),), limits=limits)
    return _publish(replace(game, **more))  # type: ignore[arg-type]


def _publish(
    game: Game,
    entries: Mapping[str, str] | None = None,
    lists: Mapping[str, tuple[str, ...]] | None = None,
) -> HostileGame:
    words = {"scene.here.text": "You are here.", "scene.here.go.label": "Go on", **(entries or {})}
    return HostileGame("", make_edition(game, words, lists))


def make_quadratic(chance: random.Random, triggers: int = 0) -> HostileGame:
    """Every trigger changes what every trigger reads."""
    parts = _Parts(make_layout({"a": integer(), "b": integer()}), chance)
    count = triggers or chance.randint(50, 2_000)
    made = [
        Trigger(f"t{number}", parts.when(("a >= 0", "a + b >= b", "not (a < 0)")), (Update(Op.INC, "a", 1),))
        for number in range(count)
    ]
    return _finish(parts, triggers=tuple(made))


def _make_self_feeding(chance: random.Random) -> HostileGame:
    """Triggers make each other true and false, in chains as long as the author allows."""
    count = chance.randint(20, 1_000)
    parts = _Parts(make_layout({"a": integer(), "b": integer()}), chance)
    made = []
    for number in range(count):
        condition = parse_condition(f"b == {number} and a >= 0", parts.layout)
        effects = (Update(Op.SET, "b", number + 1), *[Update(Op.INC, "a", 1)] * chance.randint(1, 64))
        made.append(Trigger(f"t{number}", condition, effects))
    return _finish(parts, triggers=tuple(made), limits=GameLimits(cascade_max=count))


def _make_wide(chance: random.Random) -> HostileGame:
    """As many triggers, endings, scenes and choices as possible, all of them with conditions."""
    parts = _Parts(make_layout({"a": integer(), "b": integer()}), chance)
    never = [parse_condition(f"{' and '.join(['a >= 0'] * n)} and b > 0", parts.layout) for n in (20, 40, 60)]
    triggers = [
        Trigger(f"t{number}", chance.choice(never)) for number in range(chance.randint(1_000, 20_000))
    ]
    endings = [
        Ending(f"e{number}", chance.choice(never), Outcome.LOSE) for number in range(chance.randint(1, 500))
    ]
    scenes = {"here": parts.scene()}
    for number in range(chance.randint(10, 5_000)):
        choices = tuple(Choice(f"c{at}", chance.choice(never)) for at in range(12))
        variants = (Variant("x", chance.choice(never)), Variant("scene.here.text"))
        scenes[f"s{number}"] = Scene(f"s{number}", variants, choices, chance.choice(never))
    return _finish(parts, triggers=tuple(triggers), endings=tuple(endings), scenes=scenes)


def _make_deep(chance: random.Random) -> HostileGame:
    """Derived slots that each read the one before, and conditions as deep as they may be."""
    count = chance.randint(100, 3_000)
    slots = {f"d{number}": replace(integer(), derived="x") for number in range(count)}
    parts = _Parts(make_layout({"a": integer(), **slots}), chance)
    # One text for each, as short as possible: parsing them all is not what is measured.
    derived = [("d0", "a + 1"), *((f"d{number}", f"d{number - 1} + a") for number in range(1, count))]
    last = f"d{count - 1}"
    texts = ("not " * 44 + f"({last} >= 0)", f"{'-(' * 22}a + {last}{')' * 22} >= 0 or a >= 0")
    deep = [parse_condition(text, parts.layout) for text in texts]
    triggers = [
        Trigger(f"t{number}", chance.choice(deep), (Update(Op.INC, "a", 1),))
        for number in range(chance.randint(1, 200))
    ]
    game = make_game(parts.layout, scenes=(parts.scene(),), derived=derived)
    return _publish(replace(game, triggers=tuple(triggers)))


def _make_searching(chance: random.Random) -> HostileGame:
    """Conditions that search and compare long lists and large objects."""
    size = chance.randint(100, 2_000)
    numbers = listing(integer(), *range(size), max_items=5_000)
    large = opened(integer(), {f"k{number}": number for number in range(size)}, max_items=5_000)
    parts = _Parts(
        make_layout({"a": integer(), "one": numbers, "two": numbers, "three": large, "four": large}), chance
    )
    texts = ("not (a - 1 in one)", "one == two", "three == four", "count(one, a) < 2", "a >= 0")
    triggers = [
        Trigger(
            f"t{number}",
            parts.when(texts),
            (Update(Op.INC, "a", 1), Update(Op.PUSH, "one", number), Update(Op.PUSH, "two", number)),
        )
        for number in range(chance.randint(20, 400))
    ]
    return _finish(parts, triggers=tuple(triggers))


def _make_carrying(chance: random.Random) -> HostileGame:
    """A number that carries into the next, through as many members as an object may have."""
    count = chance.randint(50, 2_000)
    fields = {f"m{number}": replace(integer(9), carry=Carry(f"m{number + 1}", 10)) for number in range(count)}
    parts = _Parts(
        make_layout({"a": integer(), "clock": record(**fields, **{f"m{count}": integer()})}), chance
    )
    effects = [Update(Op.INC, "clock.m0", 1)] * chance.randint(1, 64)
    triggers = [
        Trigger(f"t{number}", parts.when(("a >= 0",)), tuple(effects))
        for number in range(chance.randint(1, 50))
    ]
    return _finish(parts, triggers=tuple(triggers))


def _make_copying(chance: random.Random) -> HostileGame:
    """Updates that write whole lists and objects into a large state."""
    slots: dict[str, Slot] = {f"v{number}": integer() for number in range(chance.randint(100, 5_000))}
    row: list[Json] = list(range(chance.randint(10, 500)))
    large = opened(listing(integer()), {}, max_items=5_000)
    parts = _Parts(make_layout({"a": integer(), "rows": large, "list": listing(integer()), **slots}), chance)
    triggers = []
    for number in range(chance.randint(50, 2_000)):
        effects = (
            Update(Op.INSERT, f"rows.k{number}", row),
            Update(Op.SET, "list", [*row, number]),
            Update(Op.REMOVE, "list", -1),
            Update(Op.SET, f"v{number % 100}", number),
        )
        triggers.append(Trigger(f"t{number}", parts.when(("a >= 0",)), effects, once=True))
    return _finish(parts, triggers=tuple(triggers))


_SYLLABLES = ("ba", "de", "fi", "go", "ku", "la", "me", "ni", "po", "ru")


def _word(chance: random.Random, length: int = 3) -> str:
    return "".join(chance.choices(_SYLLABLES, k=length))


def _make_lore(chance: random.Random) -> HostileGame:
    """Entries with as many keys and patterns as possible, which mention each other."""
    layout = make_layout({"a": integer()})
    parts = _Parts(layout, chance)
    patterns = [
        f"({_word(chance)}|{_word(chance)}){{1,{n}}}[a-z]{{1,{n}}}{_word(chance, 1)}" for n in (3, 9, 15)
    ]
    entries, keys, lore = dict[str, str](), dict[str, tuple[str, ...]](), []
    for number in range(chance.randint(20, 2_000)):
        regex = chance.random() < 0.5
        entries[f"lore.l{number}.text"] = " ".join(_word(chance) for _ in range(20))
        several = [chance.choice(patterns) + str(n) if regex else _word(chance) for n in range(20)]
        keys[f"lore.l{number}.keys"] = tuple(several)
        when = parts.when(("a >= 0",)) if chance.random() < 0.5 else None
        lore.append(Lore(f"l{number}", regex=regex, when=when, recurse=True, whole_words=not regex))
    game = replace(make_game(layout, scenes=(parts.scene(),)), lore=tuple(lore))
    said = " ".join(_word(chance) for _ in range(400))
    return replace(_publish(game, entries, keys), told=True, said=said)


def _make_hiding(chance: random.Random) -> HostileGame:
    """Long hidden texts, in the state and in the lore."""
    count = chance.randint(5, 150)
    texts: list[Json] = [" ".join(_word(chance) for _ in range(280)) for _ in range(count)]
    hidden = replace(listing(string(), *texts), hidden=True)
    layout = make_layout({"a": integer(), "hidden": hidden})
    parts = _Parts(layout, chance)
    entries = {f"lore.l{number}.text": str(chance.choice(texts)) for number in range(count)}
    lore = [Lore(f"l{number}", reveal_when=parse_condition("a < 0", layout)) for number in range(count)]
    game = replace(make_game(layout, scenes=(parts.scene(),)), lore=tuple(lore))
    return replace(_publish(game, entries), told=True)


def _make_busy_world(chance: random.Random) -> HostileGame:
    """A world in which everyone knows, wants and visits as much as possible."""
    people = [f"c{number}" for number in range(chance.randint(50, 2_000))]
    places = [f"p{number}" for number in range(chance.randint(2, 20))]
    facts = [f"f{number}" for number in range(chance.randint(10, 200))]
    rows = [
        {
            "id": name,
            "name": f"Person {name}",
            "at": chance.choice(places),
            "knows": chance.sample(facts, len(facts) // 2),
            "schedule": [
                {"from": hour * 60, "to": hour * 60 + 60, "at": chance.choice(places)} for hour in range(24)
            ],
            "agendas": [
                {
                    "id": f"agenda_{name}",
                    "segments": 12,
                    "every_hours": 1,
                    "chance": chance.choice((0.01, 0.5)),
                    "outcome": {"event": f"{name} did it.", "moves": {chance.choice(people): places[0]}},
                    **({"knows": [chance.choice(facts)]} if chance.random() < 0.5 else {}),
                }
            ],
        }
        for name in people
    ]
    files: dict[str, Any] = {
        PLACES: [{"id": name, "name": name, "exits": [{"to": to} for to in places]} for name in places],
        PEOPLE: rows,
        FACTS: [{"id": name, "topic": name, "text": f"Fact {name}.", "trust": -100} for name in facts],
        RULES: {
            "start": {"at": places[0], "time": 480},
            "gossip": {"chance": 1.0, "delay_hours": 0, "loss": 0.0, "distortion": 0.0},
            "offscreen": {"every_turns": 1},
        },
    }
    game = make_world_game(files)
    assert game.systems == (WORLD,)
    return replace(HostileGame("", make_edition(game)), told=True)


KINDS: Mapping[str, Callable[[random.Random], HostileGame]] = {
    "quadratic": make_quadratic,
    "self-feeding": _make_self_feeding,
    "wide": _make_wide,
    "deep": _make_deep,
    "searching": _make_searching,
    "carrying": _make_carrying,
    "copying": _make_copying,
    "lore": _make_lore,
    "hiding": _make_hiding,
    "busy world": _make_busy_world,
}
"""The ways to be hostile."""


@dataclass(frozen=True, slots=True)
class HostileTurn:
    """What one turn of a hostile game came to."""

    outcome: TurnOutcome
    cpu_seconds: float
    """What it took of the processor, with everything else that this process did in the meantime."""


async def open_hostile(hostile: HostileGame) -> Bench:
    """A campaign of a hostile game, before its first turn."""
    script = [cards("It goes on.")] * SCRIPTED_REPLIES if hostile.told else None
    return await lay_bench(hostile.edition, script, document=hostile.document)


async def play_hostile(hostile: HostileGame, *, alone: bool = True) -> list[HostileTurn]:
    """Take the first turns of a hostile game; one that is stopped must leave everything as it was.

    Up to 64 earlier games stay cached. Unless others play at the same time, collecting the garbage among so
    many large objects is not counted as work of a turn.
    """
    bench = await open_hostile(hostile)
    turns = []
    for number, given in enumerate((Opening(), Say(hostile.said) if hostile.told else Choose("go"))):
        if alone:
            gc.disable()
        before, started = (await bench.head()).id, process_time()
        outcome = await bench.take(given, f"turn {number}")
        turns.append(HostileTurn(outcome, process_time() - started))
        gc.enable()
        if isinstance(outcome, Failed):
            assert outcome.reason is OutcomeReason.TOO_MUCH_WORK, outcome
            assert (await bench.head()).id == before
    return turns
