"""Random games for the tests of meaning, and random plays of them.

The games are well written and mostly senseless, so that there is much to be found in them.
"""

import random
from collections.abc import Iterator

from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import judge, settle
from talewright.kernel.judging.moves import MODEL, Op, Update
from talewright.kernel.state.state import Position, advance, begin
from talewright.kernel.state.state_paths import dotted
from talewright.kernel.story.scene_rules import current_scene, is_over, offered
from tests.kernel.scene_walk import Played, begin_story, play, routes

NUMBERS = ("a", "b", "t.hour", "t.minute", "t.day", "d")
FLAGS = ("f", "g", "o.h")
TURNS = 25


class Dice:
    """A chance of the test's own."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def draw(self, sides: int, why: str = "") -> int:
        return self._random.randint(1, sides)


def write_game(seed: int) -> dict[str, str]:
    """The files of one random game."""
    writer = _Writer(random.Random(seed))
    return {
        "game.yaml": writer.game(),
        "triggers.yaml": "".join(writer.trigger(number) for number in range(6)),
        "scenes/a.yaml": "".join(writer.scene(number) for number in range(6)),
        "world.md": "w\n",
        "endings.md": "## win_1\nw\n## lose_1\nl\n",
    }


class _Writer:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def _any(self, *options: str) -> str:
        return self._chance.choice(options)

    def _rules(self) -> str:
        return self._any(
            "",
            "secret: true, ",
            "rules: {readonly: true}, ",
            "rules: {readonly: true, clamp: false}, ",
            "rules: {clamp: false}, ",
        )

    def game(self) -> str:
        low, span = self._chance.randint(-3, 3), self._chance.randint(1, 6)
        carry = self._any("", ", carry: {into: day, at: 3}")
        lists = self._any("[]", "[x]", "[x, y]")
        derived = self._any("a + 1", "b * 2", "a / b", "len(l)", "t.hour - a")
        return f"""\
game_id: random
title: Random
variables:
- {{id: a, {self._rules()}type: integer, min: {low}, max: {low + span}, default: {low + 1}}}
- {{id: b, {self._rules()}type: integer, min: 0, max: 9{self._any("", ", max_step: 2")}}}
- {{id: f, {self._rules()}type: boolean}}
- {{id: g, {self._rules()}type: boolean, default: true}}
- {{id: e, {self._rules()}type: enum, enum_values: [p, q, r]}}
- {{id: l, {self._rules()}type: list, max_items: 2, default: {lists}}}
- id: t
  type: object
  {self._rules().removesuffix(", ") or "tags: []"}
  fields: {{day: {{type: integer}}, hour: {{type: integer{carry}}}, minute: {{type: integer}}}}
- {{id: o, {self._rules()}type: object, default: {{h: false, n: 1}}}}
- {{id: d, type: integer, derived: {derived}}}
win_conditions: ['{self.ending()}']
lose_conditions: ['{self.ending()}']
"""

    def _atom(self) -> str:
        sign, number = self._any("<", "<=", ">", ">=", "==", "!="), self._chance.randint(-4, 9)
        match self._chance.randint(0, 7):
            case 0 | 1 | 2:
                return f"{self._any(*NUMBERS)} {sign} {number}"
            case 3:
                return self._any(*FLAGS, "not f", "not g")
            case 4:
                return f'e {self._any("==", "!=")} "{self._any("p", "q", "r")}"'
            case 5:
                return f'"{self._any("x", "y", "z")}" {self._any("in", "not in")} l'
            case 6:
                return (
                    f"{self._any('a + b', 'len(l)', 'a - b', 'min(a, b)', 'b / a', 'turn')} {sign} {number}"
                )
            case _:
                return f"{self._any(*NUMBERS)} {sign} {self._any(*NUMBERS)}"

    def condition(self) -> str:
        atoms = [self._atom() for _ in range(self._chance.randint(1, 3))]
        word = self._any(" and ", " or ")
        joined = word.join(atoms)
        if self._chance.random() < 0.2:
            return f"not ({joined}) and {self._atom()}"
        return joined

    def ending(self) -> str:
        """A condition that seldom ends a game at once."""
        return self._any(self.condition(), f"turn > 9 and ({self.condition()})", f"b > 6 and {self._atom()}")

    def update(self) -> str:
        number = self._chance.randint(0, 4)
        match self._chance.randint(0, 6):
            case 0 | 1:
                path = self._any("a", "b", "t.hour", "t.minute", "t.day", "o.n")
                return f"{{op: {self._any('inc', 'dec')}, path: {path}, value: {min(number, 2)}}}"
            case 2:
                return f"{{op: set, path: {self._any('b', 't.hour', 't.minute', 'o.n')}, value: {number}}}"
            case 3:
                return f"{{op: toggle, path: {self._any(*FLAGS)}}}"
            case 4:
                return f"{{op: set, path: {self._any(*FLAGS)}, value: {self._any('true', 'false')}}}"
            case 5:
                return f"{{op: {self._any('push', 'remove')}, path: l, value: {self._any('x', 'y', 'z')}}}"
            case _:
                whole = self._any(
                    "path: e, value: q", "path: t, value: {minute: 70}", "path: o, value: {h: true}"
                )
                return f"{{op: set, {whole}}}"

    def updates(self) -> str:
        return ", ".join(self.update() for _ in range(self._chance.randint(0, 2)))

    def trigger(self, number: int) -> str:
        return (
            f"- id: t{number}\n  when: '{self.condition()}'\n  once: {self._any('true', 'false')}\n"
            f"  effects: [{self.updates()}]\n  events: [{{type: a, message: m}}]\n"
        )

    def scene(self, number: int) -> str:
        when = f"  when: '{self.condition()}'\n" if number == 0 or self._chance.random() < 0.6 else ""
        text = (
            f"[{{when: '{self.condition()}', text: x}}, {{when: '{self.condition()}', text: y}}, {{text: z}}]"
        )
        choices = [f"  - {{id: c{place}, label: a, {self._choice()}}}\n" for place in range(3)]
        return f"- id: s{number}\n{when}  text: {text}\n  choices:\n{''.join(choices)}"

    def _choice(self) -> str:
        parts = [f"updates: [{self.updates()}]"]
        if self._chance.random() < 0.5:
            parts.append(f"when: '{self.condition()}'")
        if self._chance.random() < 0.3:
            parts.append(f"next: s{self._chance.randint(0, 5)}")
        if self._chance.random() < 0.2:
            success = f"{{updates: [{self.updates()}]}}"
            parts.append(f"check: {{roll: 1d6, at_least: 4, success: {success}, failure: {{next: s1}}}}")
        return ", ".join(parts)


def walk(game: Game, seed: int) -> Iterator[tuple[Position, Played | None]]:
    """One play, position by position: scenes, and between them moves that a storyteller might propose."""
    dice, chance = Dice(seed), random.Random(seed)
    leaves = [path for path, slot in game.layout.walk() if path[0] != "_engine"]
    played = begin_story(game, begin(game), dice)
    position = played.position
    yield position, played
    for _ in range(TURNS):
        if is_over(position):
            return
        scene = current_scene(game, position)
        choices = [route.id for route in routes(game, position)]
        choices = choices or [choice.id for choice in (offered(scene, position) if scene else ())]
        if choices and chance.random() < 0.6:
            played = play(game, position, chance.choice(choices), dice)
            position = played.position
            yield position, played
        else:
            moves = [_propose(chance, dotted(chance.choice(leaves))) for _ in range(2)]
            judged = judge(game, position, moves, MODEL, dice)
            position = advance(settle(game, judged.position, dice).position)
            yield position, None


def _propose(chance: random.Random, path: str) -> Update:
    values: list[Json] = [True, False, 0, 1, 3, 700, -4, "q", "x", ["y"], {"minute": 90}, {"h": True}]
    op = chance.choice([Op.SET, Op.SET, Op.INC, Op.DEC, Op.PUSH, Op.REMOVE, Op.TOGGLE])
    return Update(op, path, chance.choice(values))
