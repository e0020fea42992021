"""Edits: what a person has written into a campaign's pages, taken up as the first changes of a turn.

Whether a text holds is the system's word, and it holds whole or not at all. A text that was refused stays
where it is; it is told once and looked at again with every turn.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from talewright.chronicle.store import CampaignBook
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import carry_out
from talewright.kernel.judging.moves_and_rulings import PLAYER, Refused
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.documents import Json
from talewright.kernel.state.state import Position
from talewright.kernel.system import Denial, System
from talewright.turn.working import Working


@dataclass(frozen=True, slots=True)
class Edit:
    """A page as a person has written it."""

    path: str
    text: str


def find_editable(game: Game, position: Position) -> Mapping[str, System]:
    """The pages that a person may change now, each with the system whose page it is."""
    table = WorkingState(game, position)
    return {path: system for system in game.systems for path in sorted(system.editable(table.sight(system)))}


async def read_edits(book: CampaignBook, game: Game, position: Position) -> tuple[Edit, ...]:
    """What a person has changed since the pages were last written."""
    editable = frozenset(find_editable(game, position))
    found = await book.edits(editable) if editable else {}
    return tuple(Edit(path, text) for path, text in sorted(found.items()))


def read_taken(records: Sequence[Json]) -> tuple[Edit, ...]:
    """The edits that a turn has taken up, from its record."""
    kept = [record for record in records if isinstance(record, Mapping) and "text" in record]
    return tuple(Edit(str(record["path"]), str(record["text"])) for record in kept)


def take_edits(working: Working, edits: Sequence[Edit], before: Sequence[Json]) -> None:
    """Let edits change the working state; `before` is what the last turn recorded of edits."""
    for edit in edits:
        system = find_editable(working.game, working.position).get(edit.path)
        if system is None:
            continue
        refused = _take(working, edit, system)
        if refused:
            working.edits.append(_write_refused(edit, refused, before))


def _take(working: Working, edit: Edit, system: System) -> str:
    """Take an edit up whole; why it was refused, where it was."""
    sight = WorkingState(working.game, working.position).sight(system)
    answer = system.edited(edit.path, edit.text, sight)
    if isinstance(answer, Denial):
        return answer.reason
    # The system has granted it, so it may write where a player alone may not.
    step = carry_out(working.game, working.position, answer, f"{PLAYER}:{edit.path}")
    refusals = [ruling.reason for ruling in step.rulings if isinstance(ruling, Refused)]
    if refusals:
        return refusals[0]
    if step.changes:
        # The rulings would only repeat the text, which stands in the changes already.
        working.position = step.position
        working.changes += step.changes
        working.edits.append({"path": edit.path, "text": edit.text})
    return ""


def _write_refused(edit: Edit, refused: str, before: Sequence[Json]) -> Json:
    digest = hashlib.sha256(edit.text.encode()).hexdigest()
    told = any(
        isinstance(record, Mapping) and (record["path"], record.get("digest")) == (edit.path, digest)
        for record in before
    )
    return {"path": edit.path, "digest": digest, "refused": refused, "told": told}
