"""Lint of triggers: those that never fire, those that fire forever, and those that take too many steps.

It plays nothing; it computes how the effects of a trigger change its condition, and counts the steps of work
as judging does. The patterns of the lore are counted here too.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from talewright.common.work_meter import WORK_MAX
from talewright.errors import SourcePlace
from talewright.kernel.conditions.conditions import Condition, Formula
from talewright.kernel.conditions.expression_tree import (
    TURN,
    Arithmetic,
    FunctionCall,
    Literal,
    Node,
    Not,
    PathReading,
    TurnNumber,
    nodes_of,
    reads_of,
)
from talewright.kernel.conditions.satisfiability import Outlook
from talewright.kernel.conditions.value_domains import Domain, NumberDomain, domain_of_value
from talewright.kernel.game import Game
from talewright.kernel.judging.moves import Op
from talewright.kernel.judging.working_state import CHANGE_STEPS, DERIVED_STEPS
from talewright.kernel.state.documents import find
from talewright.kernel.state.state_paths import Path, parse_path
from talewright.kernel.story.triggers import Readers, Trigger
from talewright.pack.faults import FaultCode
from talewright.pack.files.yaml_nodes import shorten
from talewright.pack.lint.authored_updates import AuthoredUpdate, UpdateGroup
from talewright.pack.lint.condition_lint import ConditionConsequence, check_condition
from talewright.pack.lint.condition_trees import ValuesAfterUpdates, follow
from talewright.pack.lint.lint_context import LintContext
from talewright.prompt.lore.lore_selection import PREPARING_STEPS
from talewright.prompt.lore.regex_matcher import make_automaton
from talewright.prompt.lore.regex_parser import PatternError

WRITINGS_MAX = 64
"""Updates that are checked for ending a condition; if there are more, one is assumed to end it."""

FIGURE_MAX = 2**50
"""The largest number that is assumed to occur in play."""

_NEXT_TURN = ValuesAfterUpdates({TURN: Arithmetic("+", TurnNumber(), Literal(1))})


def lasts(inquiry: LintContext, condition: Condition, deed: UpdateGroup) -> bool:
    """Whether a trigger's condition, once it holds, holds in every later turn as far as the rules decide."""
    if _falls_at_once(inquiry, condition, deed):
        return False
    reads = inquiry.base_paths(condition.reads)
    game = inquiry.game
    foreign = {root for system in game.parts.slots for root in system.slots(game.files_of(system))}
    if any(path[0] in foreign for path in reads):
        return False
    start = _NEXT_TURN if TURN in reads else ValuesAfterUpdates()
    after = _follow_all(inquiry, start, deed.writings, reads)
    if after is None or not _stays(inquiry, condition.tree, after):
        return False
    if _ends_game(inquiry, condition, deed):
        return False
    # A message that is repeated every turn is annoying, even if a scene can end it. A trigger with
    # effects may be meant to repeat them until a scene ends it.
    others = [
        writing
        for path in sorted(reads)
        for writing in inquiry.deeds.kinds_touching(path, bool(deed.writings))
    ]
    return not _any_ends(inquiry, condition.tree, reads, others)


def _falls_at_once(inquiry: LintContext, condition: Condition, deed: UpdateGroup) -> bool:
    """Whether a value that the trigger sets makes its condition false: a fast path for the common case."""
    facts = {
        writing.path: domain_of_value(writing.update.value)
        for writing in deed.writings
        if writing.update.op is Op.SET and writing.path in condition.reads
    }
    return bool(facts) and inquiry.outlooks.judge_quickly(condition.tree, facts) is Outlook.NEVER


def _follow_all(
    inquiry: LintContext, start: ValuesAfterUpdates, writings: Iterable[AuthoredUpdate], reads: set[Path]
) -> ValuesAfterUpdates | None:
    """The values of the paths read after the updates; None if they cannot be computed."""
    computed = inquiry.computed.keys()
    after: ValuesAfterUpdates | None = start
    for writing in writings:
        if after is None or not any(_touches(path, reads) for path in writing.moved):
            continue
        # An update of a whole object, or one that a derived slot reads, changes more than its own path.
        followed = not computed & reads and all(
            path in reads or not _touches(path, reads) for path in writing.moved
        )
        after = follow(after, writing, inquiry.game.layout) if followed else None
    return after


def _touches(path: Path, reads: Iterable[Path]) -> bool:
    """Whether a change at a path affects one of those read: at, above or below it."""
    return any(path[: len(read)] == read[: len(path)] for read in reads)


def _stays(inquiry: LintContext, tree: Node, after: ValuesAfterUpdates) -> bool:
    """Whether a condition that holds still holds afterwards."""
    then = after.of(tree)
    if then == tree:
        return True
    return _implies(inquiry, tree, then, after)


def _implies(inquiry: LintContext, tree: Node, then: Node, after: ValuesAfterUpdates) -> bool:
    """Whether, if one condition holds, another certainly holds after some updates."""
    facts = {**_figures(inquiry, reads_of(tree) | reads_of(then)), **after.facts}
    return inquiry.outlooks.is_total(then, facts) and inquiry.outlooks.exclude(
        tree, Not(then), supposed=facts
    )


def _figures(inquiry: LintContext, reads: Iterable[Path]) -> dict[Path, Domain]:
    """Realistic ranges for numbers without limits, which could otherwise be increased forever."""
    figures: dict[Path, Domain] = {}
    for path in reads:
        domain = inquiry.reach.facts.get(path)
        if isinstance(domain, NumberDomain) and max(-domain.low, domain.high) > FIGURE_MAX:
            low, high = max(domain.low, -FIGURE_MAX), min(domain.high, FIGURE_MAX)
            figures[path] = replace(domain, low=low, high=high)
    return figures


def _ends_game(inquiry: LintContext, condition: Condition, deed: UpdateGroup) -> bool:
    """Whether the game ends, or its finale opens, as soon as the condition holds."""
    for ending in inquiry.game.endings:
        if not condition.reads & ending.when.reads:
            continue
        reads = inquiry.base_paths(ending.when.reads)
        after = _follow_all(inquiry, ValuesAfterUpdates(), deed.writings, reads)
        if after is None or _implies(inquiry, condition.tree, after.of(ending.when.tree), after):
            return True
    return False


def _any_ends(inquiry: LintContext, tree: Node, reads: set[Path], writings: list[AuthoredUpdate]) -> bool:
    """Whether any update may make a condition false."""
    if len(writings) > WRITINGS_MAX:
        return True
    for writing in writings:
        after = _follow_all(inquiry, ValuesAfterUpdates(), [writing], reads)
        if after is None or not _stays(inquiry, tree, after):
            return True
    return False


def check_triggers(inquiry: LintContext) -> None:
    """Report triggers that never fire."""
    for trigger in inquiry.library.triggers:
        if inquiry.fault_list.full:
            return
        node = trigger.when
        if not trigger.once and inquiry.outlooks.judge(inquiry.tree(node)) is Outlook.ALWAYS:
            # check_stops reports a condition that always holds.
            continue
        check_condition(
            inquiry,
            node,
            ConditionConsequence(FaultCode.TRIGGER_NEVER_FIRES, f"the trigger `{trigger.id}` never fires"),
        )


def check_stops(inquiry: LintContext) -> None:
    """Report triggers that fire every turn once they have fired."""
    deeds = {deed.owner: deed for deed in inquiry.deeds.all if deed.owner.startswith("trigger:")}
    for trigger in inquiry.library.triggers:
        if inquiry.fault_list.full or inquiry.outlooks.spent:
            return
        condition = inquiry.conditions[trigger.when]
        # A literal `true` means "every turn".
        if trigger.once or not condition.reads or inquiry.outlooks.judge(condition.tree) is Outlook.NEVER:
            continue
        if lasts(inquiry, condition, deeds[f"trigger:{trigger.id}"]):
            place = trigger.place("once" if "once" in trigger.node.entries else "id")
            message = (
                f"the trigger `{trigger.id}` fires every turn while `{shorten(condition.source)}` holds, "
                "and none of its effects ends that"
            )
            suggestion = "Write `once: true`, or add an effect that makes the condition false."
            inquiry.fault_list.report(FaultCode.TRIGGER_FIRES_FOR_EVER, place, message, suggestion)


WORK_SHARE = 10
"""A warning is due from this part of the limit on: a tenth."""


def check_work(inquiry: LintContext) -> None:
    """Report triggers and lore that may take a large part of the steps of a turn.

    All triggers are assumed to fire in the same turn. Their effects themselves are not counted, because they
    take no more than the author wrote. A list counts with the length it starts with.
    """
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
