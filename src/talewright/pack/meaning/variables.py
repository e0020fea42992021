"""Variables checked: those that nobody reads, and those that never change.

A variable that the storyteller is told, or that stands on a card, is read by somebody.
"""

from collections.abc import Callable, Iterable

from talewright.kernel.conditions.value_domains import ChoiceDomain, NumberDomain
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.state.state_paths import Path, dotted, parse_path
from talewright.kernel.story.cast_and_cards import PromptWeight
from talewright.pack.desk import FAULTS_MAX
from talewright.pack.faults import Code
from talewright.pack.meaning.inquiry import Inquiry, place_of, slot_sources


def check_variables(inquiry: Inquiry) -> None:
    """Tell which variables are in the game for nothing."""
    # Systems see the whole state and may name any place in it.
    if inquiry.game.systems:
        return
    unread = _find_unread(inquiry)
    for path in _gather(inquiry, unread)[:FAULTS_MAX]:
        message = f"nothing reads `{dotted(path)}`: no condition, no card, not the storyteller"
        suggestion = "Ask for it in a condition, show it, or delete it."
        inquiry.desk.report(Code.UNREAD_VARIABLE, place_of(path, inquiry.source), message, suggestion)
    # One that a condition asks for and that decides it is told there; one that decides nothing is a figure
    # to tune the game by.
    idle = {path for path in inquiry.reach.unwritten - unread if not inquiry.readers.touched(path)}
    for path in _gather(inquiry, idle)[:FAULTS_MAX]:
        message = f"`{dotted(path)}` never changes: nothing writes it, and the storyteller may not"
        suggestion = "Let a choice or a trigger change it, delete its `readonly`, or tell it in world.md."
        inquiry.desk.report(Code.UNCHANGING_VARIABLE, place_of(path, inquiry.source), message, suggestion)
    _check_derived(inquiry)


def _find_unread(inquiry: Inquiry) -> set[Path]:
    """The leaves that no condition asks for and that nobody is shown."""
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


def _leaves(inquiry: Inquiry) -> Iterable[tuple[Path, Slot]]:
    for path, slot in inquiry.game.layout.walk():
        if not slot.fields:
            yield path, slot


def _gather(inquiry: Inquiry, leaves: set[Path]) -> list[Path]:
    """The same in as few paths as possible: an object of which all leaves are meant stands for them."""
    roots = inquiry.game.layout.roots
    found: list[Path] = []

    def look(path: Path, slot: Slot) -> bool:
        """Whether everything beneath is meant; what is meant of it is then left to the caller."""
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


def _check_derived(inquiry: Inquiry) -> None:
    """Tell which computed variables always come to the same."""
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
        # One that is computed from fixed figures alone is such a figure itself.
        if node is not None and reads and not all(map(is_fixed, reads)):
            message = f"`{dotted(derived.path)}` is always {value.lower()}"
            suggestion = "Change the expression, or delete the variable."
            inquiry.desk.report(Code.UNCHANGING_VARIABLE, node.place, message, suggestion)
