"""Memory of the story: the past turns of a window, summary, facts, and when turns are cut.

Nothing is asked here: a model's summary comes as an aside. Without one, a full window is cut all the same.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from talewright.chronicle.store import CampaignBook
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.language_tags import pick_words
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import carry_out
from talewright.kernel.judging.moves_and_rulings import ENGINE, Op, Update
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.engine_slots import BUNDLES_MAX, ENGINE_ROOT, FACT_LENGTH_MAX, FACTS_MAX
from talewright.kernel.state.changes import Change, apply, invert
from talewright.kernel.state.state import Position, State
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.system import Retention, SystemMemory
from talewright.prompt.memory_window import TranscriptWindow, WindowMarks, count_due, is_full
from talewright.prompt.prompt_transcript import (
    TranscriptTurn,
    measure_past,
    write_past,
)
from talewright.prompt.summary_and_facts_part import digest
from talewright.prompt.words import PHRASES
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.memory.past_turns import retell
from talewright.turn.records.commit_body import TurnBody, read_body
from talewright.turn.steps.recalling import Recalled
from talewright.turn.turn_progress import TurnProgress

WINDOW = "window"
"""The cut of the oldest turns of a transcript: `{cut, by, first, from}`."""

MEMORY = "memory"
"""The cut that says that the memory was made anew: `{cut, why}`."""


@frozen
class Recollection:
    """The past turns of a window, oldest first."""

    bodies: tuple[TurnBody, ...]
    pasts: tuple[TranscriptTurn, ...]
    sizes: tuple[int, ...]
    """A guess at the tokens of each."""

    def after(self, count: int) -> "Recollection":
        """Without the oldest turns."""
        return Recollection(self.bodies[count:], self.pasts[count:], self.sizes[count:])

    def tell(self, count: int) -> list[tuple[int, str, str]]:
        """The oldest turns as they are condensed: version, what was said, what was told."""
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
    bodies = {commit.version: read_body(commit.body) for commit in reversed(commits)}
    pasts = tuple(
        retell(version, body, game, texts, engine, plainly=plainly) for version, body in bodies.items()
    )
    phrases = pick_words(texts.language, PHRASES)
    sizes = tuple(measure_past(write_past(past, phrases)) for past in pasts)
    return Recollection(tuple(bodies.values()), pasts, sizes)


def find_due(
    recollection: Recollection,
    window: TranscriptWindow,
    turn: int,
    marks: WindowMarks,
    wish: Retention | None = None,
) -> int:
    """How many of the oldest turns are to be condensed before the turn that comes next."""
    spared_from = None if wish is None else count_older(recollection, window, wish)
    return count_due(recollection.sizes, turn - window.cut_at, marks, spared_from)


def ask_retention(game: Game, position: Position) -> Retention | None:
    """Which turns the systems want to stay word for word: the oldest that any of them names."""
    table = WorkingState(game, position)
    asked = (system.retention(table.sight(system)) for system in game.systems)
    wishes = [wish for wish in asked if wish is not None]
    if not wishes:
        return None
    return Retention(min(wish.first for wish in wishes), any(wish.due for wish in wishes))


def count_older(recollection: Recollection, window: TranscriptWindow, wish: Retention) -> int:
    """How many turns of a window nobody needs to have there word for word."""
    return min(max(wish.first - window.first, 0), len(recollection.sizes))


def cut_by_engine(
    working: TurnProgress, recollection: Recollection, marks: WindowMarks, texts: Texts
) -> Recollection:
    """Cut a window that is full and for which no summary has come, or whose oldest turns the systems let go.

    What goes is told in a summary of the engine's own.
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
    """Have the memory made anew from here on: what systems kept before may not fit their slots any more."""
    working.window = replace(working.window, cut_at=working.position.turn, known=len(working.changes))
    working.cuts.append({"cut": MEMORY, "why": "edition"})


def take_summary(working: TurnProgress, summary: Json, first: int, about: dict[str, Json]) -> bool:
    """Let a summary stand for the turns before `first`; false where it cannot be kept."""
    update = Update(Op.SET, f"{ENGINE_ROOT}.summary", summary)
    step = carry_out(working.game, working.position, (update,), ENGINE)
    if step.events:
        return False
    # The ruling would only repeat the text, which stands in the change already.
    working.position = step.position
    working.changes += step.changes
    window = working.window
    turn, known = working.position.turn, len(working.changes)
    working.window = replace(window, first=first, cut_at=turn, known=known)
    working.cuts.append({"cut": WINDOW, "from": window.first, "first": first, **about})
    return True


def read_summary(position: Position) -> str:
    """What lies behind the window, in words."""
    memory = position.state.document[ENGINE_ROOT]
    assert isinstance(memory, dict)
    return cast(str, memory["summary"])


def find_cut(recalled: Recalled, working: TurnProgress, recollection: Recollection) -> Position:
    """The position as it was when the window was last cut: what came later stands in the transcript still."""
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
    """What is remembered as true."""
    memory = position.state.document[ENGINE_ROOT]
    assert isinstance(memory, dict)
    return tuple(memory["facts"])


def list_memories(game: Game, position: Position) -> tuple[SystemMemory, ...]:
    """What the systems want to be kept in view."""
    table = WorkingState(game, position)
    found = (memory for system in game.systems for memory in system.memories(table.sight(system)))
    return tuple(memory for memory in found if memory.text.strip())


def remember(working: TurnProgress) -> None:
    """Keep the facts of this turn and the name of its bundle in the engine's own part of the state."""
    memory = working.position.state.document[ENGINE_ROOT]
    assert isinstance(memory, dict)
    new = [fact[:FACT_LENGTH_MAX] for fact in working.facts if fact.strip()]
    updates = _append(f"{ENGINE_ROOT}.facts", memory["facts"], new, FACTS_MAX)
    if working.bundle:
        updates += _append(f"{ENGINE_ROOT}.bundles", memory["bundles"], [working.bundle], BUNDLES_MAX)
    if updates:
        working.take(carry_out(working.game, working.position, updates, ENGINE))


def _append(path: str, known: Sequence[str], new: Sequence[str], count_max: int) -> list[Update]:
    """What adds to a list what is not in it yet; where it is full, the oldest goes.

    Element by element: a list that is set anew would stand in the record three times over.
    """
    wanted = list(dict.fromkeys([*known, *new]))[-count_max:]
    gone = [one for one in known if one not in wanted]
    added = wanted[len(known) - len(gone) :]
    return [*(Update(Op.REMOVE, path, one) for one in gone), *(Update(Op.PUSH, path, one) for one in added)]
