"""Deltas: how a variable has just changed, in a few characters such as `+10`.

They are computed from changes that a viewer may see; what was pruned before is not known here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from talewright.kernel.game import Game
from talewright.kernel.slots.slot_types import Slot, member
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT, Absent, Json, equal
from talewright.kernel.state.state_paths import Path, parse_pointer
from talewright.play.showing.happenings import join_clocks
from talewright.play.showing.messages import Phrase
from talewright.play.showing.privacy import is_list_element
from talewright.play.showing.wording import Wording, is_clock_slot, is_number, number


@dataclass(slots=True)
class _Net:
    """What all changes of one place come to."""

    was: Json | Absent
    value: Json | Absent
    gained: list[Json] = field(default_factory=list)
    """Elements of a list."""

    lost: list[Json] = field(default_factory=list)


def tell_delta(game: Game, changes: Iterable[Change], path: Path, wording: Wording) -> str:
    """How the variable at a path has changed; empty where it has not."""
    nets: dict[Path, _Net] = {}
    if is_clock_slot(game.layout.find(path)):
        changes = join_clocks(game, tuple(changes))
    for change in changes:
        where = parse_pointer(change.path)
        if where[: len(path)] == path:
            _add(nets, game, where, change)
    told = (_tell(path, where, game.layout.find(where), net, wording) for where, net in nets.items())
    return wording.say(Phrase.AND).join(text for text in told if text)


def _add(nets: dict[Path, _Net], game: Game, where: Path, change: Change) -> None:
    if is_list_element(game, where):
        net = nets.setdefault(where[:-1], _Net(ABSENT, ABSENT))
        _count(net, change.was, change.value)
        return
    slot = game.layout.find(where)
    if slot is not None and slot.element is not None:
        net = nets.setdefault(where, _Net(ABSENT, ABSENT))
        for inner in _elements(change.was):
            _count(net, inner, ABSENT)
        for inner in _elements(change.value):
            _count(net, ABSENT, inner)
    elif where in nets:
        nets[where].value = change.value
    else:
        nets[where] = _Net(change.was, change.value)


def _elements(value: Json | Absent) -> Sequence[Json]:
    return value if isinstance(value, list) else ()


def _count(net: _Net, was: Json | Absent, value: Json | Absent) -> None:
    """Note an element that went or came; one that went and came again is no news."""
    for element, here, there in ((was, net.lost, net.gained), (value, net.gained, net.lost)):
        if element is ABSENT:
            continue
        known = next((at for at, other in enumerate(there) if equal(other, element)), None)
        if known is None:
            here.append(element)
        else:
            del there[known]


def _tell(path: Path, where: Path, slot: Slot | None, net: _Net, wording: Wording) -> str:
    if net.gained or net.lost:
        element = None if slot is None else slot.element
        parts = [f"+{wording.value(where, element, each)}" for each in net.gained]
        parts += [f"-{wording.value(where, element, each)}" for each in net.lost]
        return _named(path, where, wording.say(Phrase.AND).join(parts), wording)
    if _is_nothing(net):
        return ""
    if is_number(net.was) and is_number(net.value):
        return _named(path, where, _signed(net.value - net.was), wording)
    if isinstance(net.was, Mapping) and isinstance(net.value, Mapping) and not is_clock_slot(slot):
        keys = dict.fromkeys((*net.was, *net.value))
        inner = {key: _Net(net.was.get(key, ABSENT), net.value.get(key, ABSENT)) for key in keys}
        told = (
            _tell(path, (*where, key), None if slot is None else member(slot, key), each, wording)
            for key, each in inner.items()
        )
        return wording.say(Phrase.AND).join(text for text in told if text)
    shown = (wording.value(where, slot, None if each is ABSENT else each) for each in (net.was, net.value))
    return _named(path, where, " -> ".join(shown), wording)


def _is_nothing(net: _Net) -> bool:
    """Whether there is now what was there before."""
    if net.was is ABSENT or net.value is ABSENT:
        return net.was is net.value
    return equal(net.was, net.value)


def _signed(shift: int | float) -> str:
    # Differences of decimal fractions come out a hair off.
    text = number(shift if isinstance(shift, int) else round(shift, 9))
    return text if shift < 0 else f"+{text}"


def _named(path: Path, where: Path, text: str, wording: Wording) -> str:
    """The text with the name of the member it is about."""
    names = [wording.label(where[:depth]) for depth in range(len(path) + 1, len(where) + 1)]
    return f"{wording.say(Phrase.PART_OF).join(names)} {text}" if names else text
