"""Paths: for every ending of a game the numbers that lead there, found with the dice that will fall.

The search plays by the kernel alone; the tests then type what it found.
"""

import random
from collections import Counter
from dataclasses import dataclass, field

from talewright.kernel.chance import Fate
from talewright.kernel.game import Game
from talewright.kernel.state.state import Position, begin
from talewright.kernel.story.scene_rules import is_over
from tests.games.walking import Look, endings_of, look_of, options, take
from tests.kernel.scene_walk import begin_story

KEPT_MAX = 40
"""Places kept of one kind."""

WALKS_MAX = 20_000
SEED = 4


@dataclass(frozen=True)
class Place:
    """Somewhere in a game, and the numbers typed on the way."""

    position: Position
    typed: tuple[int, ...] = ()


@dataclass
class Finder:
    """Walks from wherever least has been seen until every ending is found."""

    game: Game
    secret: bytes
    choose: random.Random = field(default_factory=lambda: random.Random(SEED))
    found: dict[str, tuple[int, ...]] = field(default_factory=dict)
    known: set[Look] = field(default_factory=set)
    tried: Counter[tuple[object, str]] = field(default_factory=Counter)
    shelves: dict[int, dict[object, list[Place]]] = field(default_factory=dict)

    def arrive(self, place: Place) -> None:
        if is_over(place.position):
            ending = str(place.position.state.read(("_engine", "ending")))
            if ending not in self.found or len(place.typed) < len(self.found[ending]):
                self.found[ending] = place.typed
            return
        look = look_of(self.game, place.position)
        if look in self.known:
            return
        self.known.add(look)
        for number, value in enumerate(look):
            kept = self.shelves.setdefault(number, {}).setdefault(value, [])
            if len(kept) < KEPT_MAX:
                kept.append(place)
            else:
                kept[self.choose.randrange(KEPT_MAX)] = place

    def pick(self, position: Position, offered: list[str]) -> int:
        """Half of the time what was tried least often in this scene, otherwise anything."""
        scene = position.state.read(("_engine", "scene"))
        number = self.choose.randrange(len(offered))
        if self.choose.random() < 1 / 2:
            number = min(range(len(offered)), key=lambda one: self.tried[scene, offered[one]])
        self.tried[scene, offered[number]] += 1
        return number

    def walk(self) -> None:
        shelf = self.choose.choice(list(self.shelves.values()))
        place = self.choose.choice(self.choose.choice(list(shelf.values())))
        while offered := options(self.game, place.position):
            number = self.pick(place.position, offered)
            fate = Fate(self.secret, place.position.turn)
            turn = take(self.game, place.position, offered[number], fate)
            place = Place(turn.position, (*place.typed, number + 1))
            self.arrive(place)


def find_paths(game: Game, secret: bytes) -> dict[str, tuple[int, ...]]:
    """The numbers to type for each ending, the shortest way that was found."""
    finder = Finder(game, secret)
    finder.arrive(Place(begin_story(game, begin(game), Fate(secret, 1)).position))
    wanted = endings_of(game)
    walks = 0
    while set(finder.found) < wanted:
        assert walks < WALKS_MAX, f"seed {SEED}: no way to {wanted - set(finder.found)}"
        finder.walk()
        walks += 1
    return finder.found
