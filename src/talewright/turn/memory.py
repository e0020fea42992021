"""Memory: what of the past a storyteller is given, read back no further than the window, and when it is cut.

Nothing is asked here: a model's summary comes as an aside. Without one, a full window is cut all the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from talewright.chronicle.store import Book
from talewright.kernel.changes import apply, invert
from talewright.kernel.documents import Json
from talewright.kernel.engine_slots import ENGINE_ROOT
from talewright.kernel.game import Game
from talewright.kernel.moves import ENGINE, Op, Update
from talewright.kernel.positions import Position
from talewright.kernel.resolution import carry_out
from talewright.kernel.texts import Texts
from talewright.prompt.memory import digest
from talewright.prompt.transcript import Past, measure_past, write_past
from talewright.prompt.window import Marks, count_due, is_full
from talewright.prompt.words.languages import phrases_in
from talewright.turn.bodies import Body, from_json
from talewright.turn.recalling import Recalled
from talewright.turn.retelling import retell
from talewright.turn.windows import Window
from talewright.turn.working import Working

WINDOW = "window"
"""The cut of the oldest turns of a transcript: `{cut, by, first, from}`."""

FACTS = f"/{ENGINE_ROOT}/facts"


@dataclass(frozen=True, slots=True)
class Recollection:
    """The past turns of a window, oldest first."""

    bodies: tuple[Body, ...]
    pasts: tuple[Past, ...]
    sizes: tuple[int, ...]
    """A guess at the tokens of each."""

    def after(self, count: int) -> "Recollection":
        """Without the oldest turns."""
        return Recollection(self.bodies[count:], self.pasts[count:], self.sizes[count:])

    def tell(self, count: int) -> list[tuple[int, str, str]]:
        """The oldest turns as they are condensed: version, what was said, what was told."""
        turns = zip(self.pasts[:count], self.bodies, strict=False)
        return [(past.version, body.said, body.narration) for past, body in turns]


async def recollect(book: Book, recalled: Recalled, window: Window, game: Game, texts: Texts) -> Recollection:
    """Read the turns of a window."""
    commits = [commit for commit in recalled.past if commit.version >= window.first]
    wanted = recalled.head.version - window.first + 1
    if len(commits) < wanted:
        commits = list(await book.back(recalled.head.id, wanted))
    bodies = {commit.version: from_json(commit.body) for commit in reversed(commits)}
    pasts = tuple(retell(version, body, game, texts) for version, body in bodies.items())
    phrases = phrases_in(texts.language)
    sizes = tuple(measure_past(write_past(past, phrases)) for past in pasts)
    return Recollection(tuple(bodies.values()), pasts, sizes)


def find_due(recollection: Recollection, window: Window, turn: int, marks: Marks) -> int:
    """How many of the oldest turns are to be condensed before the turn that comes next."""
    return count_due(recollection.sizes, turn - window.cut_at, marks)


def cut_by_engine(working: Working, recollection: Recollection, marks: Marks, texts: Texts) -> Recollection:
    """Cut a window that is full and for which no summary has come, with a summary of the engine's own."""
    if not is_full(recollection.sizes, marks):
        return recollection
    turn = working.position.turn
    count = find_due(recollection, working.window, turn, marks)
    if not count:
        return recollection
    summary = digest(read_summary(working.position), recollection.tell(count), phrases_in(texts.language))
    take_summary(working, summary, working.window.first + count, {"by": "engine"})
    return recollection.after(count)


def take_summary(working: Working, summary: Json, first: int, about: dict[str, Json]) -> bool:
    """Let a summary stand for the turns before `first`; false where it cannot be kept."""
    update = Update(Op.SET, f"{ENGINE_ROOT}.summary", summary)
    step = carry_out(working.game, working.position, (update,), ENGINE)
    if step.events:
        return False
    # The ruling would only repeat the text, which stands in the change already.
    working.position = step.position
    working.changes += step.changes
    window = working.window
    working.window = replace(window, first=first, cut_at=working.position.turn)
    working.cuts.append({"cut": WINDOW, "from": window.first, "first": first, **about})
    return True


def read_summary(position: Position) -> str:
    """What lies behind the window, in words."""
    memory = position.state.document[ENGINE_ROOT]
    assert isinstance(memory, dict)
    return cast(str, memory["summary"])


def read_facts(position: Position, window: Window, recollection: Recollection) -> tuple[str, ...]:
    """The facts as they were when the window was last cut: later ones stand in the transcript still.

    `position` is the state after the newest turn that is recollected.
    """
    memory = position.state.document[ENGINE_ROOT]
    assert isinstance(memory, dict)
    document: Mapping[str, Json] = {ENGINE_ROOT: {"facts": memory["facts"]}}
    for past, body in zip(reversed(recollection.pasts), reversed(recollection.bodies), strict=True):
        if past.version < window.cut_at:
            break
        changes = [change for change in body.changes if change.path.startswith(FACTS)]
        document = apply(document, invert(changes))
    facts = document[ENGINE_ROOT]
    assert isinstance(facts, dict)
    return tuple(facts["facts"])
