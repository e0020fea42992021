"""The keeper: the half of the system that looks after what is past: pages, headings, summaries, memories.

It rules on nothing; `arbiter` does.
"""

from collections.abc import Mapping, Sequence

from talewright.kernel.judging.moves_and_rulings import Errand, Update
from talewright.kernel.state.documents import Json
from talewright.kernel.system import Denial, PastTurn, PlainSystem, Retention, Sight, SystemMemory
from talewright.systems.spiral.compression import errands_of, take_answer
from talewright.systems.spiral.diary import heading_of
from talewright.systems.spiral.editing import EDITABLE, take_edit
from talewright.systems.spiral.memories import memories_of, reach_of, retention_of
from talewright.systems.spiral.pages import pages_of
from talewright.systems.spiral.standing import look
from talewright.systems.spiral.words.languages import words_in


class Keeper(PlainSystem):
    """What a solo campaign remembers."""

    def errands(self, sight: Sight, turns: Sequence[PastTurn]) -> Sequence[Errand]:
        return errands_of(look(sight), turns, words_in(sight.language))

    def take(self, errand: str, answer: Json, sight: Sight) -> Sequence[Update]:
        return take_answer(errand, answer, look(sight))

    def pages(self, sight: Sight, turns: Sequence[PastTurn]) -> Mapping[str, str]:
        return pages_of(look(sight), turns, words_in(sight.language))

    def heading(self, turn: PastTurn, sight: Sight) -> str:
        return heading_of(turn, look(sight))

    def memories(self, sight: Sight) -> Sequence[SystemMemory]:
        return memories_of(look(sight), words_in(sight.language))

    def retention(self, sight: Sight) -> Retention | None:
        return retention_of(look(sight))

    def reach(self, sight: Sight) -> int:
        return reach_of(look(sight))

    def editable(self, sight: Sight) -> frozenset[str]:
        return EDITABLE

    def edited(self, path: str, text: str, sight: Sight) -> Sequence[Update] | Denial:
        return take_edit(path, text)
