"""Lint of work: rules that may take so many steps that a turn is stopped.

It counts as judging does, but assumes that all triggers fire in the same turn. A list counts with the length
it starts with. The effects themselves are not counted: they take no more than the author wrote.
"""

from collections.abc import Iterable, Iterator, Mapping

from talewright.common.work_meter import WORK_MAX
from talewright.errors import SourcePlace
from talewright.kernel.conditions.conditions import Condition, Formula
from talewright.kernel.conditions.expression_tree import FunctionCall, Node, PathReading, nodes_of
from talewright.kernel.game import Game
from talewright.kernel.judging.working_state import CHANGE_STEPS, DERIVED_STEPS
from talewright.kernel.state.documents import find
from talewright.kernel.state.state_paths import Path, parse_path
from talewright.kernel.story.triggers import Readers, Trigger
from talewright.pack.faults import FaultCode
from talewright.pack.lint.lint_context import LintContext
from talewright.prompt.lore.lore_selection import PREPARING_STEPS
from talewright.prompt.lore.regex_matcher import make_automaton
from talewright.prompt.lore.regex_parser import PatternError

WORK_SHARE = 10
"""A warning is due from this part of the limit on: a tenth."""


def check_work(inquiry: LintContext) -> None:
    """Report triggers and lore that may take a large part of the steps of a turn."""
    work = TriggerWork(inquiry.game)
    _report(
        inquiry,
        "firing all triggers in one turn takes",
        {trigger.id: work.count(trigger) for trigger in inquiry.game.triggers},
        {trigger.id: trigger.place("when") for trigger in inquiry.library.triggers},
        "Let fewer conditions read what triggers change: give each group of triggers a variable of its own, "
        "or join triggers.",
    )
    patterns = [entry for entry in inquiry.library.lore if entry.regex]
    _report(
        inquiry,
        "matching the patterns of the lore takes",
        {entry.id: sum(map(_count_pattern, entry.keys)) for entry in patterns},
        {entry.id: entry.place("keys" if entry.keys else "id") for entry in patterns},
        "Use plain words as keys, or patterns with smaller counts.",
    )


def _report(
    inquiry: LintContext,
    what: str,
    steps: Mapping[str, int],
    places: Mapping[str, SourcePlace],
    suggestion: str,
) -> None:
    total = sum(steps.values())
    if total * WORK_SHARE <= WORK_MAX:
        return
    most = max(steps, key=lambda name: steps[name])
    message = (
        f"{what} {total:,} steps, {steps[most]:,} of them for `{most}`; a turn is stopped after {WORK_MAX:,}"
    )
    inquiry.fault_list.report(FaultCode.MUCH_WORK, places[most], message, suggestion)


class TriggerWork:
    """Counts the steps that firing a trigger takes."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._by_path: dict[Path, int] = {}

    def count(self, trigger: Trigger) -> int:
        """The steps of all conditions that read what a trigger changes."""
        return sum(map(self._count_readers, {parse_path(effect.path) for effect in trigger.effects}))

    def _count_readers(self, path: Path) -> int:
        if path not in self._by_path:
            self._by_path[path] = sum(map(self._count_evaluation, self._find_readers(path)))
        return self._by_path[path]

    def _find_readers(self, path: Path) -> Iterator[Formula]:
        """What is evaluated when a value changes, through the derived slots that follow from it."""
        game = self._game
        readers = [game.watch.readers_of(path)]
        due, known = list(readers[0].derived), set(readers[0].derived)
        while due:
            derived = game.derived[due.pop()]
            yield derived.expression
            more = game.watch.readers_of(derived.path)
            readers.append(more)
            due += more.derived - known
            known |= more.derived
        yield from self._list_conditions(readers)

    def _list_conditions(self, readers: Iterable[Readers]) -> Iterator[Formula]:
        triggers = frozenset[int]().union(*(one.triggers for one in readers))
        yield from (self._game.triggers[number].when for number in triggers)
        endings = frozenset[int]().union(*(one.endings for one in readers))
        yield from (self._game.endings[number].when for number in endings)

    def _count_evaluation(self, formula: Formula) -> int:
        own = 0 if isinstance(formula, Condition) else DERIVED_STEPS + CHANGE_STEPS
        return own + formula.steps + sum(map(self._count_elements, nodes_of(formula.tree)))

    def _count_elements(self, node: Node) -> int:
        """The elements that a search looks at, as many as there are in the beginning."""
        if not isinstance(node, FunctionCall) or not isinstance(node.arguments[0], PathReading):
            return 0
        held = find(dict(self._game.initial), node.arguments[0].path)
        return len(held) if isinstance(held, list) else 0


def _count_pattern(key: str) -> int:
    try:
        return PREPARING_STEPS * make_automaton(key, case_sensitive=True).steps
    except PatternError:
        return 0
