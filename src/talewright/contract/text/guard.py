"""The guard: keeps hidden texts out of a narration while it is being told.

It knows no reply format: it stands behind a reader and lets its words through, or stops for good.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence

from talewright.contract.text.plain_text import strip_controls
from talewright.kernel.documents import Json
from talewright.kernel.engine_slots import ENGINE_ROOT
from talewright.kernel.flaws import Flaw
from talewright.kernel.game import Game
from talewright.kernel.positions import Position
from talewright.kernel.slots import Slot, member

RUN_LENGTH = 40
"""Characters of a hidden text that a narration must not repeat in one run."""

LEAK = Flaw(
    f"the answer repeats {RUN_LENGTH} characters or more of a text the player must not see; "
    "tell it again without quoting hidden texts"
)
"""What is said to a model whose narration leaked."""


class Guard:
    """Lets one narration through up to the first run it shares with a hidden text."""

    def __init__(self, hidden: Sequence[str]) -> None:
        # Every run that would be a leak, in order: whether a text begins one of them is a binary search.
        runs: set[str] = set()
        for text in map(strip_controls, hidden):
            runs.update(text[at : at + RUN_LENGTH] for at in range(len(text) - RUN_LENGTH + 1))
        self._runs = sorted(runs)
        self._held = ""
        """The longest end of what was told that may still grow into a leak."""

        self.leaked = False
        """Whether a hidden text has shown itself; nothing is let through from there on."""

    def feed(self, text: str) -> str:
        """Take more of the narration; give what may be shown now."""
        if self.leaked:
            return ""
        if not self._runs:
            return text
        pending = self._held + text
        start = 0
        for end in range(len(self._held) + 1, len(pending) + 1):
            while not self._begins_run(pending[start:end]):
                start += 1
            if end - start == RUN_LENGTH:
                self.leaked = True
                self._held = ""
                return pending[:start]
        self._held = pending[start:]
        return pending[:start]

    def finish(self) -> str:
        """What was held back and has turned out to be harmless, once nothing more follows."""
        rest, self._held = self._held, ""
        return rest

    def _begins_run(self, text: str) -> bool:
        at = bisect_left(self._runs, text)
        return at < len(self._runs) and self._runs[at].startswith(text)


def hidden_texts(game: Game, position: Position, more: Iterable[str] = ()) -> tuple[str, ...]:
    """The texts of a position that must not be quoted: what stands in hidden and secret slots, and `more`."""
    found = [*more]
    for name, slot in game.layout.roots.items():
        # What the engine remembers in words, facts and summaries, is what the player was told.
        if name != ENGINE_ROOT:
            found.extend(_list_hidden(slot, position.state.document[name]))
    return tuple(dict.fromkeys(text for text in found if len(text) >= RUN_LENGTH))


def _list_hidden(slot: Slot, value: Json) -> Iterator[str]:
    closed = slot.hidden or slot.secret
    if isinstance(value, str):
        if closed:
            yield value
    elif isinstance(value, Mapping | Sequence):
        items = value.items() if isinstance(value, Mapping) else enumerate(value)
        for key, inner in items:
            if closed and isinstance(key, str):
                yield key
            below = member(slot, str(key))
            assert below is not None
            yield from _list_hidden(below, inner)
