"""Walking through games: every scene and ending sought out, and many walks at random.

Nothing here knows a game; it plays whatever has scenes.
"""

import random
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import TypeAlias

from talewright.kernel.chance import Chance, Fate
from talewright.kernel.game import Game
from talewright.kernel.slots.slot_types import NUMERIC, SlotKind
from talewright.kernel.state.state import Position, begin
from talewright.kernel.story.scene_rules import current_scene, is_over, offered
from talewright.turn.inputs.player_choices import find_system_choices
from tests.kernel.scene_walk import Played, begin_story, play, routes, start_move

STEPS = 5
"""Into how many steps the range of a meter is divided."""

KEPT_MAX = 40
"""Positions kept of one kind."""

WALK_TURNS_MAX = 300
"""A walk longer than this does not end."""

Look: TypeAlias = tuple[object, ...]


class Rigged:
    """A chance that always shows the face at the same height: 0 is the lowest, 1 the highest."""

    def __init__(self, height: float) -> None:
        self.height = height

    def draw(self, sides: int, why: str = "") -> int:
        return max(1, ceil(self.height * sides))


@dataclass
class Survey:
    """What a search has come across."""

    scenes: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    states: int = 0
    dead_ends: list[str] = field(default_factory=list)
    repeats: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)


def options(game: Game, position: Position) -> list[str]:
    """Ids of everything a player could do now."""
    if is_over(position):
        return []
    finale = routes(game, position)
    if finale:
        return [route.id for route in finale]
    scene = current_scene(game, position)
    of_scene = [] if scene is None else [choice.id for choice in offered(scene, position)]
    return [*of_scene, *find_system_choices(game, position)]


def take(game: Game, position: Position, option: str, chance: Chance) -> Played:
    """Do one of the options: of the scene or the finale, or a move of a system."""
    # Only ids of systems have a dot.
    move = find_system_choices(game, position).get(option) if "." in option else None
    if move is not None and not routes(game, position):
        return start_move(game, position, move.call, chance)
    return play(game, position, option, chance)


def look_of(game: Game, position: Position) -> Look:
    """What of a position matters to the search: scene, places, flags, meters in steps."""
    seen: list[object] = [
        position.state.read(("_engine", "scene")),
        position.state.read(("_engine", "finale")),
        position.state.read(("_engine", "ending")),
    ]
    for path, slot in game.layout.walk():
        if path[0] == "_engine" or slot.kind in (SlotKind.LIST, SlotKind.OBJECT, SlotKind.STRING):
            continue
        value = position.state.read(path)
        ranged = slot.kind in NUMERIC and value is not None
        if ranged and slot.lowest is not None and slot.highest is not None:
            assert isinstance(value, int | float)
            value = int((value - slot.lowest) * STEPS / (slot.highest - slot.lowest + 1))
        seen.append(value)
    computed = game.layout.computed.values()
    seen += [one.compute(position.state.document) for one in computed if one.slot.kind in NUMERIC]
    return tuple(seen)


class Archive:
    """Positions worth starting from again, kept by each thing that can be seen of them."""

    def __init__(self, choose: random.Random) -> None:
        self._choose = choose
        self._shelves: dict[int, dict[object, list[Position]]] = {}

    def keep(self, look: Look, position: Position) -> None:
        for number, value in enumerate(look):
            kept = self._shelves.setdefault(number, {}).setdefault(value, [])
            if len(kept) < KEPT_MAX:
                kept.append(position)
            else:
                kept[self._choose.randrange(KEPT_MAX)] = position

    def pick(self) -> Position:
        """A rare sight is as likely as a common one, so that the search goes on from the far end."""
        shelf = self._choose.choice(list(self._shelves.values()))
        return self._choose.choice(self._choose.choice(list(shelf.values())))


class Search:
    """A walker that remembers what it has seen and goes where least has been tried."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.survey = Survey()
        self._choose = random.Random(seed)
        self._known: set[Look] = set()
        self._archive = Archive(self._choose)
        self._tried: Counter[tuple[str, str]] = Counter()

    @property
    def complete(self) -> bool:
        wanted = endings_of(self.game), set(self.game.scenes)
        return set(self.survey.endings) >= wanted[0] and set(self.survey.scenes) >= wanted[1]

    def arrive(self, turn: Played) -> None:
        """Write down where a turn has led."""
        look = look_of(self.game, turn.position)
        if look in self._known:
            return
        self._known.add(look)
        self.survey.states += 1
        ending = turn.position.state.read(("_engine", "ending"))
        if ending:
            self.survey.endings[str(ending)] += 1
            return
        name = "the finale" if turn.scene is None else turn.scene.id
        self.survey.scenes[name] += 1
        if not options(self.game, turn.position):
            self.survey.dead_ends.append(name)
        self._archive.keep(look, turn.position)

    def begin(self) -> None:
        self.arrive(begin_story(self.game, begin(self.game), Rigged(True)))

    def go(self) -> None:
        """From some position seen before, on to the end of the game."""
        position = self._archive.pick()
        while open_options := options(self.game, position):
            scene = current_scene(self.game, position)
            name = scene.id if scene and not routes(self.game, position) else ""
            option = self._choose.choice(open_options)
            if self._choose.random() < 0.5:
                option = min(open_options, key=lambda option: self._tried[name, option])
            self._tried[name, option] += 1
            height = self._choose.choice((0, self._choose.random(), 1))
            turn = take(self.game, position, option, Rigged(height))
            note_turn(self.survey, name, turn)
            self.arrive(turn)
            position = turn.position


def search(game: Game, walks_min: int, seconds_max: float, seed: int = 1) -> Survey:
    """Take at least so many walks, until every scene and ending is found or the processor time is up."""
    seeker = Search(game, seed)
    seeker.begin()
    deadline = time.process_time() + seconds_max
    walks = 0
    while (walks < walks_min or not seeker.complete) and time.process_time() < deadline:
        seeker.go()
        walks += 1
    return seeker.survey


def note_turn(survey: Survey, before: str, turn: Played) -> None:
    """Write down what should not happen."""
    if turn.scene is not None and turn.scene.id == before and turn.texts:
        survey.repeats.append(before)
    for event in turn.events:
        if event.type == "rejected_update":
            survey.refused[f"{before}: {event.text}"] += 1


def endings_of(game: Game) -> set[str]:
    """Every ending that a game declares."""
    plain = {ending.id for ending in game.endings if not ending.finale}
    return plain | {route.ending for ending in game.endings for route in ending.finale}


@dataclass(frozen=True)
class Walk:
    """One walk at random."""

    turns: int
    ending: str
    scenes: tuple[str, ...]
    told: tuple[str, ...] = ()
    """The scenes whose words were told, in order."""


def walk(game: Game, seed: int) -> Walk:
    """Choose at random until the game ends."""
    choose = random.Random(seed)
    secret = seed.to_bytes(16, "big")
    turn = begin_story(game, begin(game), Fate(secret, 1))
    scenes = [turn.scene.id if turn.scene else ""]
    told = list(scenes)
    for number in range(1, WALK_TURNS_MAX):
        open_options = options(game, turn.position)
        assert open_options, f"walk {seed} has nowhere to go in {scenes[-1]!r} after {number} turns"
        turn = take(game, turn.position, choose.choice(open_options), Fate(secret, turn.position.turn))
        if is_over(turn.position):
            memory = turn.position.state.document["_engine"]
            assert isinstance(memory, Mapping)
            return Walk(number, str(memory["ending"]), tuple(scenes), tuple(told))
        scenes.append(turn.scene.id if turn.scene else "")
        told += [turn.scene.id] if turn.scene and turn.texts else []
    raise AssertionError(f"walk {seed} does not end: {scenes[-10:]}")
