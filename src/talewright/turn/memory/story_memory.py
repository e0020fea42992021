"""Memory of the story: the past turns of a window, summary, facts, and when turns are cut.

No model is asked here: its summary comes as an aside. Without one, a full window is still cut.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.language_tags import pick_words
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import carry_out
from talewright.kernel.judging.moves import ENGINE, Op, Update
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.engine_slots import BUNDLES_MAX, ENGINE_ROOT, FACT_LENGTH_MAX, FACTS_MAX
from talewright.kernel.state.changes import Change, apply, invert
from talewright.kernel.state.state import Position, State
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.system import Retention, SystemMemory
from talewright.prompt.memory_summary import digest
from talewright.prompt.past_turns_part import (
    TranscriptTurn,
    TranscriptWindow,
    WindowMarks,
    count_due,
    is_full,
    measure_past,
    write_past,
)
from talewright.prompt.words import PHRASES
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.memory.past_turns import retell
from talewright.turn.records.commit_body import TurnBody
from talewright.turn.steps.recalling import Recalled
from talewright.turn.turn_progress import TurnProgress

WINDOW = "window"
"""The cut of the oldest turns of a transcript: `{cut, by, first, from}`."""

MEMORY = "memory"
"""The cut that records a rebuilt memory: `{cut, why}`."""


@frozen
class Recollection:
    """The past turns of a window, oldest first."""

    bodies: tuple[TurnBody, ...]
    pasts: tuple[TranscriptTurn, ...]
    sizes: tuple[int, ...]
    """The estimated size of each turn, in tokens."""

    def after(self, count: int) -> "Recollection":
        """Return it without the oldest turns."""
        return Recollection(self.bodies[count:], self.pasts[count:], self.sizes[count:])

    def tell(self, count: int) -> list[tuple[int, str, str]]:
        """List the oldest turns for a summary: version, input, narration."""
        turns = zip(self.pasts[:count], self.bodies, strict=False)
        return [(past.version, body.said, body.narration) for past, body in turns]


async def recollect(
    book: CampaignBook,
    recalled: Recalled,
    window: TranscriptWindow,
    game: Game,
    texts: Texts,
    engine: int = ENGINE_NUMBER,
    *,
    plainly: bool = False,
) -> Recollection:
    """Read the turns of a window, for a turn of this engine number; `plainly` as in `retell`."""
    commits = [commit for commit in recalled.past if commit.version >= window.first]
    wanted = recalled.head.version - window.first + 1
    if len(commits) < wanted:
        commits = list(await book.back(recalled.head.id, wanted))
    phrases = pick_words(texts.language, PHRASES)

    def tell(commit: Commit) -> tuple[TurnBody, TranscriptTurn, int]:
        def make(body: TurnBody) -> tuple[TurnBody, TranscriptTurn, int]:
            past = retell(commit.version, body, game, texts, engine, plainly=plainly)
            return body, past, measure_past(write_past(past, phrases))

        return recalled.bodies.derive(commit, make, game, texts, engine, plainly)

    told = [tell(commit) for commit in reversed(commits)]
    bodies, pasts, sizes = zip(*told, strict=True) if told else ((), (), ())
    return Recollection(bodies, pasts, sizes)


def find_due(
    recollection: Recollection,
    window: TranscriptWindow,
    turn: int,
    marks: WindowMarks,
    wish: Retention | None = None,
) -> int:
    """Count the oldest turns that must be summarized before the next turn."""
    spared_from = None if wish is None else count_older(recollection, window, wish)
    return count_due(recollection.sizes, turn - window.cut_at, marks, spared_from)


def ask_retention(game: Game, position: Position) -> Retention | None:
    """Find which turns the systems want to keep verbatim: the oldest that any of them names."""
    table = WorkingState(game, position)
    asked = (system.retention(table.sight(system)) for system in game.parts.retention)
    wishes = [wish for wish in asked if wish is not None]
    if not wishes:
        return None
    return Retention(min(wish.first for wish in wishes), any(wish.due for wish in wishes))


def count_older(recollection: Recollection, window: TranscriptWindow, wish: Retention) -> int:
    """Count the turns of a window that no system needs verbatim."""
    return min(max(wish.first - window.first, 0), len(recollection.sizes))


def cut_by_engine(
    working: TurnProgress, recollection: Recollection, marks: WindowMarks, texts: Texts
) -> Recollection:
    """Cut a window that is full and has no summary, or whose oldest turns the systems have released.

    The engine writes its own summary of what is cut.
    """
    window, turn = working.window, working.position.turn
    wish = ask_retention(working.game, working.position)
    let_go = count_older(recollection, window, wish) if wish is not None and wish.due else 0
    full = is_full(recollection.sizes, marks)
    count = max(let_go, find_due(recollection, window, turn, marks, wish) if full else 0)
    if not count:
        return recollection
    summary = digest(
        read_summary(working.position), recollection.tell(count), pick_words(texts.language, PHRASES)
    )
    by = "system" if count == let_go else "engine"
    take_summary(working, summary, window.first + count, {"by": by})
    return recollection.after(count)


def begin_epoch(working: TurnProgress) -> None:
    """Rebuild the memory from this turn on: the memories of systems may no longer fit their slots."""
    working.window = replace(working.window, cut_at=working.position.turn, known=len(working.changes))
    working.cuts.append({"cut": MEMORY, "why": "edition"})


def take_summary(working: TurnProgress, summary: Json, first: int, about: dict[str, Json]) -> bool:
    """Replace the turns before `first` with a summary; return False if it cannot be stored."""
    update = Update(Op.SET, f"{ENGINE_ROOT}.summary", summary)
    step = carry_out(working.game, working.position, (update,), ENGINE)
    if step.events:
        return False
    # The ruling would only repeat the text, which is already in the change.
    working.position = step.position
    working.changes += step.changes
    window = working.window
    turn, known = working.position.turn, len(working.changes)
    working.window = replace(window, first=first, cut_at=turn, known=known)
    working.cuts.append({"cut": WINDOW, "from": window.first, "first": first, **about})
    return True


def read_summary(position: Position) -> str:
    """Return the summary of what happened before the window."""
    memory = position.state.document[ENGINE_ROOT]
    assert isinstance(memory, dict)
    return cast(str, memory["summary"])


def find_cut(recalled: Recalled, working: TurnProgress, recollection: Recollection) -> Position:
    """Return the position at the last cut of the window; later changes are still in the transcript."""
    window = working.window
    if window.cut_at == working.position.turn:
        return working.position
    since: list[Change] = []
    for past, body in zip(recollection.pasts, recollection.bodies, strict=True):
        if past.version >= window.cut_at:
            since += body.changes[window.known if past.version == window.cut_at else 0 :]
    if recalled.adoption is not None:
        since += recalled.adoption.changes
    document = apply(recalled.position.state.document, invert(since))
    return replace(recalled.position, state=State(document, max(window.cut_at - 1, 0)))


def read_facts(position: Position) -> tuple[str, ...]:
    """Return the facts that are remembered."""
    memory = position.state.document[ENGINE_ROOT]
    assert isinstance(memory, dict)
    return tuple(memory["facts"])


def list_memories(game: Game, position: Position) -> tuple[SystemMemory, ...]:
    """List what the systems want to keep in view."""
    table = WorkingState(game, position)
    found = (memory for system in game.parts.memories for memory in system.memories(table.sight(system)))
    return tuple(memory for memory in found if memory.text.strip())


def remember(working: TurnProgress) -> None:
    """Store the facts of this turn and the name of its bundle in the engine's part of the state."""
    memory = working.position.state.document[ENGINE_ROOT]
    assert isinstance(memory, dict)
    new = [fact[:FACT_LENGTH_MAX] for fact in working.facts if fact.strip()]
    updates = _append(f"{ENGINE_ROOT}.facts", memory["facts"], new, FACTS_MAX)
    if working.bundle:
        updates += _append(f"{ENGINE_ROOT}.bundles", memory["bundles"], [working.bundle], BUNDLES_MAX)
    if updates:
        working.take(carry_out(working.game, working.position, updates, ENGINE))


def _append(path: str, known: Sequence[str], new: Sequence[str], count_max: int) -> list[Update]:
    """Return the updates that add new elements to a list; when it is full, the oldest are removed.

    Elements change one by one: replacing a whole list would store it in the record three times.
    """
    wanted = list(dict.fromkeys([*known, *new]))[-count_max:]
    gone = [one for one in known if one not in wanted]
    added = wanted[len(known) - len(gone) :]
    return [*(Update(Op.REMOVE, path, one) for one in gone), *(Update(Op.PUSH, path, one) for one in added)]
