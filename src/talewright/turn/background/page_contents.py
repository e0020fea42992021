"""Page contents: the pages written after a turn, the git subject of a turn, and edits by hand.

Pages are made from the records. A system accepts or rejects an edit as a whole. A rejected edit stays in its
page, is reported once, and is checked again with every turn.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence

from talewright.chronicle.readable_pages import PageProjection
from talewright.chronicle.store import CampaignBook
from talewright.common.json_values import Json
from talewright.crashpoints import around
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import carry_out
from talewright.kernel.judging.moves import PLAYER
from talewright.kernel.judging.rulings import Refused
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.state import Position
from talewright.kernel.system import Denial, HasEditablePages, PastTurn
from talewright.turn.background.background_troubles import BackgroundTroubles, BackgroundWork, record_troubles
from talewright.turn.memory.past_turns import list_past
from talewright.turn.steps.recalling import PageEdit, Recalled, reach_back, recall, recall_at
from talewright.turn.turn_context import Road
from talewright.turn.turn_progress import TurnProgress


def find_editable(game: Game, position: Position) -> Mapping[str, HasEditablePages]:
    """Return the pages that may be edited now, each with its system."""
    table = WorkingState(game, position)
    systems = game.parts.editable_pages
    return {path: system for system in systems for path in sorted(system.editable(table.sight(system)))}


async def read_edits(book: CampaignBook, game: Game, position: Position) -> tuple[PageEdit, ...]:
    """Read the edits made since the pages were last written."""
    editable = frozenset(find_editable(game, position))
    found = await book.pages.edits(editable) if editable and book.pages is not None else {}
    return tuple(PageEdit(path, text) for path, text in sorted(found.items()))


def read_taken(records: Sequence[Json]) -> tuple[PageEdit, ...]:
    """Return the edits that a turn accepted, from its record."""
    kept = [record for record in records if isinstance(record, Mapping) and "text" in record]
    return tuple(PageEdit(str(record["path"]), str(record["text"])) for record in kept)


def take_edits(working: TurnProgress, edits: Sequence[PageEdit], before: Sequence[Json]) -> None:
    """Apply edits to the working state; `before` are the edits recorded by the last turn."""
    for edit in edits:
        system = find_editable(working.game, working.position).get(edit.path)
        if system is None:
            continue
        refused = _take(working, edit, system)
        if refused:
            working.edits.append(_write_refused(edit, refused, before))


def _take(working: TurnProgress, edit: PageEdit, system: HasEditablePages) -> str:
    """Apply a whole edit; return why it was rejected, or an empty text."""
    sight = WorkingState(working.game, working.position).sight(system)
    answer = system.edited(edit.path, edit.text, sight)
    if isinstance(answer, Denial):
        return answer.reason
    # The system has accepted the edit, so it may write where a player may not.
    step = carry_out(working.game, working.position, answer, f"{PLAYER}:{edit.path}")
    refusals = [ruling.reason for ruling in step.rulings if isinstance(ruling, Refused)]
    if refusals:
        return refusals[0]
    if step.changes:
        # The rulings would only repeat the text, which is already in the changes.
        working.position = step.position
        working.changes += step.changes
        working.edits.append({"path": edit.path, "text": edit.text})
    return ""


def _write_refused(edit: PageEdit, refused: str, before: Sequence[Json]) -> Json:
    digest = hashlib.sha256(edit.text.encode()).hexdigest()
    told = any(
        isinstance(record, Mapping) and (record["path"], record.get("digest")) == (edit.path, digest)
        for record in before
    )
    return {"path": edit.path, "digest": digest, "refused": refused, "told": told}


STATE_PAGE = "state.json"
HEADING_LENGTH_MAX = 72
"""Maximum length of a heading, in characters."""


async def project(road: Road, branch: str, commit: str = "", heading: str = "") -> None:
    """Write the pages of a turn: `commit`, or the branch's newest turn.

    `heading` replaces the turn's own heading, for example after an undo.
    """
    pages = road.book.pages
    if pages is None:
        return
    recalled = await (recall_at(road, commit) if commit else recall(road, branch))
    troubles = BackgroundTroubles()
    # After an undo or a switch the folder holds pages of other turns, so all pages are rewritten.
    recalled = await reach_back(road.book, recalled, whole=bool(heading), troubles=troubles)
    with around("projections"):
        projection = make_projection(recalled, heading, troubles)
    with troubles.catch(BackgroundWork.PAGES):
        await pages.project(projection)
    await record_troubles(road, recalled.head, troubles.found)


def make_projection(
    recalled: Recalled, heading: str = "", troubles: BackgroundTroubles | None = None
) -> PageProjection:
    """Make the pages of one turn; if a system fails, only its pages are left out."""
    state = recalled.position.state
    pages = {STATE_PAGE: json.dumps(state.document, ensure_ascii=False, indent=2, sort_keys=True) + "\n"}
    turns, troubles = list_past(recalled.past, recalled.bodies), troubles or BackgroundTroubles()
    table = WorkingState(recalled.edition.game, recalled.position)
    editable: set[str] = set()
    parts = recalled.edition.game.parts
    for system in parts.pages:
        with troubles.catch(BackgroundWork.PAGES, system.name):
            pages |= _check_pages(system.pages(table.sight(system), turns))
    for editor in parts.editable_pages:
        with troubles.catch(BackgroundWork.PAGES, editor.name):
            editable |= editor.editable(table.sight(editor))
    heading = heading or _head_line(table, turns, troubles)
    return PageProjection(recalled.head.id, heading, pages, editable=frozenset(editable))


def _check_pages(made: Mapping[str, object]) -> dict[str, str]:
    """Check the pages of a system: a single page that is not text would stop a store from writing any."""
    pages = {str(path): text for path, text in made.items() if isinstance(text, str)}
    if len(pages) < len(made):
        raise TypeError(f"a page is text, and one of {', '.join(map(str, made))} is not")
    return pages


def _head_line(table: WorkingState, turns: Sequence[PastTurn], troubles: BackgroundTroubles) -> str:
    if not turns:
        return "The beginning"
    newest, line = turns[-1], ""
    for system in table.game.parts.headings:
        with troubles.catch(BackgroundWork.PAGES, system.name):
            line = line or " ".join(system.heading(newest, table.sight(system)).split())
    line = line or f"Turn {newest.version}: {newest.input}"
    return " ".join(line.split())[:HEADING_LENGTH_MAX].rstrip(": ")
