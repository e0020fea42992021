"""Campaign notices: tells players about damage, hand edits and a changed game.

Words only; the store and the turn detect the problems.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from talewright.chronicle.readable_pages import StoreNotice, StoreNoticeKind
from talewright.chronicle.store import ChronicleDamage
from talewright.common.safe_text import clean_line
from talewright.errors import Fault
from talewright.kernel.game import Game
from talewright.kernel.slots.slot_types import SlotKind
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state_migration import MIGRATION_REASON as REFITTED
from talewright.kernel.state.state_paths import PathError, parse_path, parse_pointer
from talewright.play.campaign_view import Viewer
from talewright.play.presentation.privacy import SEES_SECRET, visible_path, visible_slot
from talewright.play.presentation.value_wording import Wording
from talewright.play.presentation.words.phrases import Phrase
from talewright.turn.background.background_troubles import BackgroundTrouble, BackgroundWork
from talewright.turn.context_check import ContextShortage
from talewright.turn.game_editions import Adoption
from talewright.turn.records.commit_body import TurnBody

_HAND_EDITS = "hand-edits"
"""The folder for texts that a person wrote, as a store names it in its notices."""

_OPEN_REASONS = ("the contract ", "the systems ")
"""How reasons start that concern the game's settings and not a value in the state."""


def notice(
    game: Game,
    body: TurnBody,
    adoption: Adoption | None,
    damage: ChronicleDamage | None,
    folder: str,
    wording: Wording,
    viewer: Viewer,
) -> tuple[str, ...]:
    """All notices, the most serious first; `folder` says what is wrong with the game's folder."""
    return tuple(_notices(game, body, adoption, damage, folder, wording, viewer))


def _notices(
    game: Game,
    body: TurnBody,
    adoption: Adoption | None,
    damage: ChronicleDamage | None,
    folder: str,
    wording: Wording,
    viewer: Viewer,
) -> Iterator[str]:
    if damage is not None:
        yield wording.say(Phrase.DAMAGED, place=clean_line(damage.place))
    if folder:
        yield folder
    if body.adopted is not None:
        made = (change for change in body.changes if change.reason == REFITTED)
        yield wording.say(Phrase.ADOPTED, changes=_describe(game, made, wording, viewer))
    if adoption is not None and adoption.edition is not None:
        changes = _describe(game, adoption.changes, wording, viewer)
        yield wording.say(Phrase.ADOPTING, changes=changes)
    elif adoption is not None:
        yield _tell_refused(game, adoption.refused, wording, viewer)
    yield from _tell_edits(body, wording)


def tell_folder(missing: bool, faults: Sequence[Fault], wording: Wording, viewer: Viewer) -> str:
    """What is wrong with the game's folder: it is missing, or it has mistakes.

    The text of a mistake may be a spoiler; a player learns only where it is.
    """
    if not faults:
        return wording.say(Phrase.GAME_MISSING) if missing else ""
    first = faults[0]
    told = f"{first.place}: {first.message}" if viewer in SEES_SECRET else str(first.place)
    phrase = Phrase.GAME_FAULTY_MORE if len(faults) > 1 else Phrase.GAME_FAULTY
    return wording.say(phrase, place=clean_line(told), count=str(len(faults)))


def tell_dead_end(body: TurnBody, version: int, wording: Wording) -> tuple[str, ...]:
    """The notice that no choices are left after a turn, for a player without a storyteller."""
    if not version or body.choices or body.decisions or body.end is not None:
        return ()
    return (wording.say(Phrase.NO_SCENE, turn=str(version)),)


def tell_shortage(shortage: ContextShortage | None, version: int, wording: Wording) -> tuple[str, ...]:
    """The notice at the beginning of a campaign that its model cannot read enough."""
    if shortage is None or version > 1:
        return ()
    model, tokens, needed = clean_line(shortage.model), f"{shortage.tokens:,}", f"{shortage.needed:,}"
    return (wording.say(Phrase.CONTEXT_SMALL, model=model, tokens=tokens, needed=needed),)


def _tell_edits(body: TurnBody, wording: Wording) -> Iterator[str]:
    """What became of hand-edited pages, in the turn that decided it."""
    for record in body.edits:
        assert isinstance(record, Mapping)
        page = clean_line(str(record["path"]))
        if "text" in record:
            yield wording.say(Phrase.EDIT_TAKEN, page=page)
        elif not record["told"]:
            reason = clean_line(str(record["refused"])).rstrip(".")
            yield wording.say(Phrase.EDIT_REFUSED, page=page, reason=reason)


def tell_noticed(
    noticed: Iterable[StoreNotice], campaign: str, wording: Wording, viewer: Viewer
) -> tuple[str, ...]:
    """What a store has noticed, in words for a player, without duplicates.

    A missing git history is reported by `talewright doctor` instead.
    """
    told = (
        wording.say(
            _NOTICED[one.kind],
            campaign=clean_line(campaign),
            page=_name_page(one.page, viewer),
            kept=_name_page(one.kept, viewer),
        )
        for one in noticed
        if one.kind in _NOTICED
    )
    return tuple(dict.fromkeys(told))


def tell_missing_panels(troubles: Iterable[BackgroundTrouble], wording: Wording) -> tuple[str, ...]:
    """One notice per system that failed to show something; `talewright doctor` has the reason."""
    names = (clean_line(one.system) for one in troubles if one.what is BackgroundWork.PANELS)
    return tuple(wording.say(Phrase.PANELS_MISSING, name=name) for name in dict.fromkeys(names))


def _name_page(path: str, viewer: Viewer) -> str:
    """A page's name for a viewer: the names of pages in folders may be spoilers."""
    folder, between, _ = path.rpartition("/")
    if viewer in SEES_SECRET or folder in ("", _HAND_EDITS):
        return clean_line(path)
    return clean_line(f"{folder}{between}…")


_NOTICED: Mapping[StoreNoticeKind, Phrase] = {
    StoreNoticeKind.SHORTER: Phrase.RECORD_SHORTER,
    StoreNoticeKind.PAGES: Phrase.PAGES_UNWRITTEN,
    StoreNoticeKind.EDIT_KEPT: Phrase.EDIT_KEPT,
    StoreNoticeKind.EDIT_LEFT: Phrase.EDIT_LEFT,
    StoreNoticeKind.EDIT_UNREAD: Phrase.EDIT_UNREAD,
}


def _describe(game: Game, changes: Iterable[Change], wording: Wording, viewer: Viewer) -> str:
    """What is new in a newer version of a game, as far as the viewer may know it."""
    new: dict[str, None] = {}
    gone = other = False
    for change in changes:
        path = parse_pointer(change.path)
        if change.op == "add" and visible_path(game, path, viewer):
            new[wording.full_label(path)] = None
        elif change.op == "remove":
            gone = True
        else:
            other = True
    parts = [wording.say(Phrase.ADOPTED_NEW, names=wording.say(Phrase.AND).join(new))] if new else []
    parts += [wording.say(Phrase.ADOPTED_GONE)] if gone else []
    parts += [wording.say(Phrase.ADOPTED_OTHER)] if other else []
    return wording.say(Phrase.AND).join(parts) or wording.say(Phrase.ADOPTED_TEXTS)


def _tell_refused(game: Game, reason: str, wording: Wording, viewer: Viewer) -> str:
    text = wording.say(Phrase.NOT_ADOPTED)
    if viewer not in SEES_SECRET and not _is_open(game, reason, viewer):
        return text
    return wording.say(Phrase.NOT_ADOPTED_WHY, text=text, reason=clean_line(reason))


def _is_open(game: Game, reason: str, viewer: Viewer) -> bool:
    """Whether a reason names only one plain value that the viewer may see, or the game's settings."""
    if reason.startswith(_OPEN_REASONS):
        return True
    try:
        slot = visible_slot(game, parse_path(reason.partition(" ")[0]), viewer)
    except PathError:
        return False
    return slot is not None and slot.kind not in (SlotKind.OBJECT, SlotKind.LIST)
