"""Sayings: differences and moves of the past in words, for one viewer.

It decides nothing about what is shown beyond asking `privacy`.
"""

from collections.abc import Iterable, Mapping

from talewright.kernel.game import Game
from talewright.kernel.state.changes import Change, ChangeOp
from talewright.kernel.state.documents import ABSENT, Json, equal
from talewright.kernel.state.state_paths import pointer
from talewright.play.looking_back.differences import Difference
from talewright.play.showing.happenings import join_clocks, tell_change
from talewright.play.showing.privacy import prune, prune_change, visible_slot
from talewright.play.showing.wording import Wording
from talewright.play.viewers import Viewer


def seen_differences(game: Game, differences: Iterable[Difference], viewer: Viewer) -> tuple[Difference, ...]:
    """The differences that a viewer may see, pruned of what is private within them."""
    seen = []
    for difference in differences:
        slot = visible_slot(game, difference.path, viewer)
        if slot is None:
            continue
        was = ABSENT if difference.was is ABSENT else prune(slot, difference.was, viewer)
        now = ABSENT if difference.now is ABSENT else prune(slot, difference.now, viewer)
        if was is ABSENT or now is ABSENT or not equal(was, now):
            seen.append(Difference(difference.path, was, now))
    return tuple(seen)


def tell_differences(game: Game, differences: Iterable[Difference], wording: Wording) -> tuple[str, ...]:
    """Differences in words, one line each."""
    changes = join_clocks(game, [_as_change(difference) for difference in differences])
    return tuple(tell_change(game, change, wording).text for change in changes)


def tell_blamed(game: Game, change: Change, wording: Wording, viewer: Viewer) -> str:
    """A change of the past in words; empty where the viewer may not see it."""
    pruned = prune_change(game, change, viewer)
    return "" if pruned is None else tell_change(game, pruned, wording).text


def tell_move(ruling: Json) -> str:
    """The move behind a ruling in one line; empty where none is recorded."""
    move = ruling.get("move") if isinstance(ruling, Mapping) else None
    if not isinstance(move, Mapping):
        return ""
    if "call" in move:
        return f"call {move['call']}"
    if "end" in move:
        return f"end {move['end']}"
    return f"{move.get('op')} {move.get('path')} {move.get('value')!r}"


def _as_change(difference: Difference) -> Change:
    op: ChangeOp = "add" if difference.was is ABSENT else "remove" if difference.now is ABSENT else "replace"
    return Change(op, pointer(difference.path), difference.now, difference.was, "", "")
