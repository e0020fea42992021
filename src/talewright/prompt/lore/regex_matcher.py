"""The regular expression matcher: an automaton that takes time linear in the text, whatever the pattern.

It follows all paths through a pattern at once, and computes every reachable state before reading the first
text; a pattern with too many states is refused. Nothing is captured: a key occurs or does not.
"""

import sys
from collections.abc import Callable
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple, TypeAlias, assert_never

from talewright.prompt.lore.regex_parser import (
    Node,
    PatternError,
    RegexAlternatives,
    RegexAnchor,
    RegexChars,
    RegexRepeat,
    RegexSequence,
    parse,
)

PROGRAM_MAX = 3_000
"""Instructions of one pattern, with its repetitions expanded."""

STATES_MAX = 2_000
"""States of a pattern, over all texts."""

WORK_MAX = 40_000
"""Steps allowed for computing them: about 20 ms."""

REMEMBERED_MAX = 20_000
"""Cached transitions by character."""

TOO_MANY_WAYS = (
    "its counts leave too many ways open at once, which would hold up a turn; use smaller counts, or sets of "
    "characters that do not fit everything before them too"
)
"""Why a pattern that cannot be matched fast is refused."""


SHARED_MAX = 512
"""Cached automata."""


class _Kind(IntEnum):
    """The kind of character next to a position."""

    EDGE = 0
    WORD = 1
    OTHER = 2


_Test: TypeAlias = Callable[[str], bool]


class _Wanted(NamedTuple):
    """A character that must come next."""

    test: int
    then: int


_Step: TypeAlias = _Wanted | tuple[str, int] | tuple[int, int] | None
"""A character that must come next, an anchor that must hold, two alternatives, or the end."""


class _State(dict[str, "_State"]):
    """A set of positions in a pattern, with its transitions by character."""

    __slots__ = ("before", "begun", "closed", "moves")

    def __init__(self, begun: frozenset[int], before: _Kind) -> None:
        super().__init__()
        self.begun = begun
        self.before = before
        """The kind of the preceding character."""

        self.closed: dict[_Kind, tuple[frozenset[int], bool]] = {}
        self.moves: dict[tuple[bool, ...], _State] = {}


_SAMPLES = "a0_ \n\t.中é٣²\u00a0~"
"""Characters of every kind that a set may name."""

_SETS: dict[str, _Test] = {
    "d": str.isdecimal,
    "s": str.isspace,
    "w": lambda sign: sign.isalnum() or sign == "_",
}


class Automaton:
    """One compiled pattern."""

    def __init__(self, pattern: str, *, case_sensitive: bool) -> None:
        self._steps: list[_Step] = []
        self._tests: list[_Test] = []
        self._samples = {*_SAMPLES}
        self._chains: list[list[int]] = []
        """For optional repetitions, the positions where one more may come, in order."""

        self._written = 0
        self._case_sensitive = case_sensitive
        self._write(parse(pattern))
        self._steps.append(None)
        self._found = _State(frozenset(), _Kind.EDGE)
        """The accepting state: the pattern has occurred."""

        self._forget()
        self._explore()
        self.steps = self._work
        """Steps of work to prepare the pattern."""

    def find(self, text: str) -> bool:
        """Whether the pattern occurs anywhere in a text."""
        state, signs, sign = self._first, iter(text), ""
        while True:
            try:
                for sign in signs:
                    state = state[sign]
                break
            except KeyError:
                if state is self._found:
                    return True
                state = self._learn(state, sign)
        return state is self._found or self._close(state, _Kind.EDGE)[1]

    def _forget(self) -> None:
        self._states: dict[tuple[frozenset[int], _Kind], _State] = {}
        self._signatures: dict[str, tuple[bool, ...]] = {}
        self._work = 0
        self._first = self._find_state(frozenset(), _Kind.EDGE)

    def _find_state(self, begun: frozenset[int], before: _Kind) -> "_State":
        place = (begun, before)
        if place not in self._states:
            self._states[place] = _State(begun, before)
        return self._states[place]

    def _explore(self) -> None:
        """Compute every reachable state; raises PatternError if there are too many."""
        signs = list({self._sign(sign): sign for sign in sorted(self._samples)}.values())
        left = [self._first]
        while left:
            state = left.pop()
            for sign in signs:
                known = len(self._states)
                after = state[sign] = self._move_on(state, sign)
                left += [after] if len(self._states) > known else []
            if self._work > WORK_MAX or len(self._states) > STATES_MAX:
                raise PatternError(TOO_MANY_WAYS)

    def _learn(self, state: "_State", sign: str) -> "_State":
        """Compute the transition of a state for a new character."""
        if len(self._signatures) > REMEMBERED_MAX:
            self._forget()
            state = self._find_state(state.begun, state.before)
        after = state[sign] = self._move_on(state, sign)
        return after

    def _sign(self, sign: str) -> tuple[bool, ...]:
        """What the pattern can distinguish about a character; equal results mean equivalent characters."""
        found = self._signatures.get(sign)
        if found is None:
            kind = _kind_of(sign)
            found = (*(test(sign) for test in self._tests), kind is _Kind.EDGE, kind is _Kind.WORD)
            self._signatures[sign] = found
        return found

    def _move_on(self, state: "_State", sign: str) -> "_State":
        """The state after one more character."""
        signature, kind = self._sign(sign), _kind_of(sign)
        after = state.moves.get(signature)
        if after is None:
            here, found = self._close(state, kind)
            after = self._found if found else self._find_state(self._move(here, signature), kind)
            state.moves[signature] = after
        return after

    def _prune(self, begun: frozenset[int]) -> frozenset[int]:
        """Remove positions that add nothing: one with fewer repetitions so far allows all the others do."""
        for chain in self._chains:
            gone = [at for at in chain if at in begun][1:]
            if gone:
                begun = begun.difference(gone)
        return begun

    def _close(self, state: "_State", after: _Kind) -> tuple[frozenset[int], bool]:
        """All positions reachable without another character, and whether the end is among them."""
        if after in state.closed:
            return state.closed[after]
        seen: set[int] = set()
        left = [0, *state.begun]
        while left:
            at = left.pop()
            if at in seen:
                continue
            seen.add(at)
            match self._steps[at]:
                case _Wanted():
                    pass
                case (int() as one, other):
                    left += [one, other]
                case (str() as sign, then) if _holds(sign, state.before, after):
                    left.append(then)
                case _:
                    pass
        self._work += len(seen)
        # Only positions that wait for a character matter from here on.
        waiting = frozenset(at for at in seen if isinstance(self._steps[at], _Wanted))
        state.closed[after] = waiting, len(self._steps) - 1 in seen
        return state.closed[after]

    def _move(self, here: frozenset[int], signature: tuple[bool, ...]) -> frozenset[int]:
        self._work += len(here)
        steps = (self._steps[at] for at in here)
        return self._prune(
            frozenset(step.then for step in steps if isinstance(step, _Wanted) and signature[step.test])
        )

    def _write(self, node: Node) -> None:
        """Append the instructions of a node; they continue with the next instruction."""
        self._written += 1
        if self._written > PROGRAM_MAX:
            raise PatternError("its counts make the pattern too long")
        match node:
            case RegexChars():
                self._steps.append(_Wanted(self._find_test(node), len(self._steps) + 1))
            case RegexAnchor(sign):
                self._steps.append((sign, len(self._steps) + 1))
            case RegexSequence(parts):
                for part in parts:
                    self._write(part)
            case RegexAlternatives(ways):
                self._write_either(ways)
            case RegexRepeat(part, least, most):
                self._write_repeat(part, least, most)
            case _:
                assert_never(node)

    def _write_either(self, ways: tuple[Node, ...]) -> None:
        ends = []
        for way in ways[:-1]:
            fork = len(self._steps)
            self._steps.append(None)
            self._write(way)
            ends.append(len(self._steps))
            self._steps.append(None)
            self._steps[fork] = (fork + 1, len(self._steps))
        self._write(ways[-1])
        for end in ends:
            self._steps[end] = (len(self._steps), len(self._steps))

    def _write_repeat(self, part: Node, least: int, most: int | None) -> None:
        for _ in range(least):
            self._write(part)
        forks = []
        for _ in range(1 if most is None else most - least):
            forks.append(len(self._steps))
            self._steps.append(None)
            self._write(part)
            if most is None:
                self._steps.append((forks[0], forks[0]))
        for fork in forks:
            self._steps[fork] = (fork + 1, len(self._steps))
        if len(forks) > 1:
            self._chains.append(forks)

    def _find_test(self, chars: RegexChars) -> int:
        """The index of the test for a set of characters; the characters at its boundaries become samples."""
        test = _make_test(chars, self._case_sensitive)
        if test not in self._tests:
            self._tests.append(test)
            for first, last in chars.spans:
                codes = (ord(first) - 1, ord(first), ord(last), ord(last) + 1)
                signs = [chr(code) for code in codes if 0 <= code <= sys.maxunicode]
                spellings = (form for sign in signs for form in (sign, sign.lower(), sign.upper()))
                self._samples.update(form for form in spellings if len(form) == 1)
        return self._tests.index(test)


@lru_cache(SHARED_MAX)
def make_automaton(pattern: str, *, case_sensitive: bool) -> Automaton:
    """Compile a pattern; raises PatternError if it is invalid."""
    return Automaton(pattern, case_sensitive=case_sensitive)


def find_mistake(pattern: str) -> str:
    """Why a pattern is not valid for lore; empty if it is, with and without case."""
    try:
        make_automaton(pattern, case_sensitive=True)
        make_automaton(pattern, case_sensitive=False)
    except PatternError as error:
        return str(error)
    return ""


@lru_cache(SHARED_MAX)
def _make_test(chars: RegexChars, case_sensitive: bool) -> _Test:
    def is_member(sign: str) -> bool:
        return any(first <= sign <= last for first, last in chars.spans) or any(
            _SETS[kind.lower()](sign) is kind.islower() for kind in chars.kinds
        )

    def fits(sign: str) -> bool:
        spellings = {sign} if case_sensitive else {sign, sign.lower(), sign.upper()}
        return any(map(is_member, spellings)) is not chars.negated

    return fits


def _kind_of(sign: str) -> _Kind:
    if sign == "\n":
        return _Kind.EDGE
    return _Kind.WORD if _SETS["w"](sign) else _Kind.OTHER


def _holds(sign: str, before: _Kind, after: _Kind) -> bool:
    match sign:
        case "^":
            return before is _Kind.EDGE
        case "$":
            return after is _Kind.EDGE
        case _:
            at_bound = (before is _Kind.WORD) is not (after is _Kind.WORD)
            return at_bound is (sign == "b")
