"""Lint of variables: variables that are never read or changed, and thresholds out of range.

It also reports ranges that a card's description mentions but no `min` and `max` declares, and hidden texts
that every prompt contains.
"""

import re
from collections.abc import Callable, Iterable

from talewright.contract.text.leak_guard import is_text, list_words
from talewright.kernel.conditions.satisfiability import possible_values
from talewright.kernel.conditions.value_domains import ChoiceDomain, NumberDomain
from talewright.kernel.slots.slot_types import NUMERIC, Slot, SlotKind, default_of
from talewright.kernel.state.state_paths import Path, dotted, parse_path
from talewright.kernel.story.cards import CriticalWhen, PromptWeight
from talewright.pack.faults import FAULTS_MAX, FaultCode
from talewright.pack.files.yaml_nodes import ScalarNode, shorten
from talewright.pack.lint.lint_context import LintContext, place_of, slot_sources
from talewright.pack.schema.game_fields import StatusItemSource
from talewright.pack.schema.variable_fields import SlotSource
from talewright.prompt.current_turn_part import prune, weigh_roots


def check_variables(inquiry: LintContext) -> None:
    """Report variables without use, and derived ones that are constant or lose a fraction."""
    _check_fractions(inquiry)
    # Systems see the whole state and may use any part of it.
    if inquiry.game.systems:
        return
    unread = _find_unread(inquiry)
    for path in _gather(inquiry, unread)[:FAULTS_MAX]:
        message = f"nothing uses `{dotted(path)}`: no condition, no card, and not the storyteller"
        suggestion = "Use it in a condition, show it, or delete it."
        inquiry.fault_list.report(
            FaultCode.UNREAD_VARIABLE, place_of(path, inquiry.source), message, suggestion
        )
    # If a condition uses the variable and depends on nothing else, the fault is reported there; if not, it is
    # a constant to tune the game with.
    idle = {path for path in inquiry.reach.unwritten - unread if not inquiry.readers.touched(path)}
    for path in _gather(inquiry, idle)[:FAULTS_MAX]:
        message = f"`{dotted(path)}` never changes: nothing writes it, and the storyteller may not"
        suggestion = (
            "Let a choice or a trigger change it, delete its `readonly`, or describe it in world.md instead."
        )
        inquiry.fault_list.report(
            FaultCode.UNCHANGING_VARIABLE, place_of(path, inquiry.source), message, suggestion
        )
    _check_derived(inquiry)


def check_hidden_values(inquiry: LintContext) -> None:
    """Report texts in hidden variables that the storyteller reads from the first turn on."""
    game, declared = inquiry.game, {variable.id for variable in inquiry.source.variables}
    for name in weigh_roots(game):
        slot = game.layout.roots[name]
        words = list_words(slot, prune(slot, game.initial[name])) if name in declared else ()
        if any(hidden and is_text(text) for text, hidden in words):
            message = (
                f"players must not read `{name}`, but its text is in every prompt: a model is kept from "
                "quoting it, not from saying it in other words"
            )
            suggestion = (
                "Move the text to a lore entry with `reveal_when`. If only the rules need it, write "
                "`secret: true`."
            )
            place = place_of((name,), inquiry.source)
            inquiry.fault_list.report(FaultCode.HIDDEN_IN_PROMPT, place, message, suggestion)


def _find_unread(inquiry: LintContext) -> set[Path]:
    """The leaves that no condition reads and that are never shown."""
    cards = {card.variable: card for card in inquiry.game.cards}
    bar = [parse_path(item.variable) for item in inquiry.game.status_bar]
    unread: set[Path] = set()
    for path, slot in _leaves(inquiry):
        card = cards.get(path[0])
        if card is None or inquiry.readers.touched(path):
            continue
        told = card.prompt_weight is not PromptWeight.HIDDEN
        shown = card.visible or any(path[: len(item)] == item[: len(path)] for item in bar)
        if slot.secret or not (told or (shown and not slot.hidden)):
            unread.add(path)
    return unread


def _leaves(inquiry: LintContext) -> Iterable[tuple[Path, Slot]]:
    for path, slot in inquiry.game.layout.walk():
        if not slot.fields:
            yield path, slot


def _gather(inquiry: LintContext, leaves: set[Path]) -> list[Path]:
    """Combine leaves into as few paths as possible: an object stands for all its leaves."""
    roots = inquiry.game.layout.roots
    found: list[Path] = []

    def look(path: Path, slot: Slot) -> bool:
        """Whether everything below is included; if not, add the included parts to `found`."""
        if not slot.fields:
            return path in leaves
        meant = [(*path, key) for key, inner in slot.fields.items() if look((*path, key), inner)]
        if len(meant) == len(slot.fields):
            return True
        found.extend(meant)
        return False

    for name, slot in roots.items():
        if look((name,), slot):
            found.append((name,))
    return found


def _check_derived(inquiry: LintContext) -> None:
    """Report derived variables that always have the same value."""
    written = {path: source.derived for path, source, _ in slot_sources(inquiry.source)}
    is_fixed: Callable[[Path], bool] = inquiry.reach.unwritten.__contains__
    for derived in inquiry.game.derived:
        node, reads = written.get(derived.path), derived.expression.reads
        domain = inquiry.reach.facts.get(derived.path)
        match domain:
            case NumberDomain(low, high) if low == high:
                value = str(low)
            case ChoiceDomain(values) if len(values) == 1:
                value = str(next(iter(values)))
            case _:
                continue
        # A variable that is computed only from constants is a constant itself.
        if node is not None and reads and not all(map(is_fixed, reads)):
            message = f"`{dotted(derived.path)}` is always {value.lower()}"
            suggestion = "Change the expression, or delete the variable."
            inquiry.fault_list.report(FaultCode.UNCHANGING_VARIABLE, node.place, message, suggestion)


def _check_fractions(inquiry: LintContext) -> None:
    """Report whole numbers that are computed from expressions that may have a fraction."""
    written = {path: source.derived for path, source, _ in slot_sources(inquiry.source)}
    for derived in inquiry.game.derived:
        slot, node = inquiry.game.layout.find(derived.path), written.get(derived.path)
        if slot is None or slot.kind is not SlotKind.INTEGER or node is None:
            continue
        domain = possible_values(derived.expression.tree, inquiry.game.layout, inquiry.reach.facts)
        if isinstance(domain, NumberDomain) and not domain.whole:
            message = (
                f"`{dotted(derived.path)}` is a whole number, but `{shorten(node.text)}` may have a fraction"
            )
            suggestion = (
                "Write `type: number` to keep the fraction; otherwise it is rounded down, -0.5 to -1."
            )
            inquiry.fault_list.report(FaultCode.FRACTION_LOST, node.place_at(0), message, suggestion)


_NUMBER = r"([+-]?\d+)"
_RANGE = re.compile(
    rf"{_NUMBER}\s*(?:\.\.\.?|…|~|～|–)\s*{_NUMBER}"
    rf"|(?:from|between|从|由|在)\s*{_NUMBER}\s*(?:to|and|到|至|和)\s*{_NUMBER}",
    re.IGNORECASE,
)
"""Two numbers that a description mentions as limits."""


def check_display(inquiry: LintContext) -> None:
    """Check the status bar and the descriptions of cards."""
    bar = inquiry.source.status_bar
    for item in bar.items if bar else ():
        _check_threshold(inquiry, item)
    for path, source, _ in slot_sources(inquiry.source):
        if source.card is not None and source.card.description:
            _check_description(inquiry, path, source)


def _check_threshold(inquiry: LintContext, item: StatusItemSource) -> None:
    slot = inquiry.game.layout.find(parse_path(item.var_id))
    threshold = item.critical_threshold
    if slot is None or threshold is None or slot.lowest is None or slot.highest is None:
        return
    below = item.critical_when is CriticalWhen.BELOW
    if threshold < slot.lowest if below else threshold > slot.highest:
        often = "never"
    elif threshold >= slot.highest if below else threshold <= slot.lowest:
        often = "always"
    else:
        return
    side = "below" if below else "above"
    message = f"`{item.var_id}` is {often} critical: it goes from {slot.lowest} to {slot.highest}"
    suggestion = f"Write a number from {slot.lowest} to {slot.highest} with the danger {side} it."
    if slot.lowest <= threshold <= slot.highest:
        suggestion = f"Write another number, or `critical_when: {'above' if below else 'below'}`."
    inquiry.fault_list.report(
        FaultCode.THRESHOLD_OUT_OF_RANGE, item.place("critical_threshold"), message, suggestion
    )


def _check_description(inquiry: LintContext, path: Path, source: SlotSource) -> None:
    """Report a description that mentions a range if the numbers it is about have none."""
    assert source.card is not None
    slot = inquiry.game.layout.find(path)
    found = _RANGE.search(source.card.description)
    numbers = [] if slot is None else _free_numbers(path, slot)
    if found is None or not numbers:
        return
    low, high = (int(bound) for bound in found.groups() if bound is not None)
    first = [default_of(number) for _, number in numbers]
    if low >= high or not all(isinstance(value, int | float) and low <= value <= high for value in first):
        return
    node = source.card.node.entries.get("description")
    place = node.place_at(found.start()) if isinstance(node, ScalarNode) else source.card.place("description")
    whose = ", ".join(f"`{dotted(number)}`" for number, _ in numbers[:3])
    message = f"the range {low} to {high} is only described in words: nothing keeps {whose} within it"
    suggestion = f"Write `min: {low}` and `max: {high}`."
    if slot is not None and slot.fields:
        suggestion = f"Declare the members under `fields:`, each with `min: {low}` and `max: {high}`."
    inquiry.fault_list.report(FaultCode.UNDECLARED_RANGE, place, message, suggestion)


def _free_numbers(path: Path, slot: Slot) -> list[tuple[Path, Slot]]:
    """The number itself, or the numbers of an object, that have no limits."""
    candidates = [((*path, key), inner) for key, inner in slot.fields.items()] or [(path, slot)]
    return [
        (name, number)
        for name, number in candidates
        if number.kind in NUMERIC and number.lowest is None and number.highest is None and not number.derived
    ]
