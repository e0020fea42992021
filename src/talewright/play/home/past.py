"""The past of a campaign whose book is open in this process, told from one player's seat.

It only reads; what is told is made by `looking`, `retrospect` and `looking_back`.
"""

from dataclasses import dataclass

from talewright.llm.known_models import find_profile
from talewright.play.home.looking import find_provenance, find_trail, show_history
from talewright.play.home.retrospect import compare_ways, draw_tree, read_from
from talewright.play.home.seat import Seat
from talewright.play.looking_back.anatomy_words import view_anatomy
from talewright.play.looking_back.dissecting import take_apart
from talewright.play.looking_back.prefixes import Lookup
from talewright.play.past import ComparisonView, InspectionView, Provenance, Trail, TreeRow
from talewright.play.viewers import Viewer
from talewright.play.views import TurnView


@dataclass(frozen=True, slots=True)
class LocalPast:
    """A Past on a Book."""

    seat: Seat
    lookup: Lookup = find_profile
    """Knows what models cost and keep, by the names their servers have for them."""

    async def turns(self, count: int = 10, before: str = "") -> tuple[TurnView, ...]:
        """The last turns, or the last before a commit; newest last."""
        seat = self.seat
        head = await seat.head() if not before else (await seat.road.book.read(before)).parent
        return await show_history(seat.road.book, seat.games, head, count, seat.language)

    async def why(self, variable: str) -> tuple[Provenance, ...]:
        """What set a variable the player may see, newest first."""
        seat = self.seat
        return await find_provenance(seat.road.book, seat.games, await seat.head(), variable, seat.language)

    async def trail(self, variable: str) -> Trail | None:
        """How a variable the player may see has stood; None where there is none."""
        seat = self.seat
        return await find_trail(seat.road.book, seat.games, await seat.head(), variable, seat.language)

    async def tree(self, *, every: bool = False) -> tuple[TreeRow, ...]:
        """The campaign as a tree; with `every` no turn is left out."""
        return await draw_tree(await read_from(self.seat), every=every)

    async def compare(self, one: str, other: str) -> ComparisonView:
        """Two commits or branches side by side."""
        return await compare_ways(self.seat, await read_from(self.seat), one, other)

    async def inspect(self, commit: str) -> InspectionView:
        """All that is recorded of a turn. It shows what players do not see."""
        road = self.seat.road
        turn = await road.book.read(commit)
        taken = await take_apart(road.book, road.editions, turn, Viewer.AUTHOR, self.lookup, road.limits)
        # None is for players alone, and an author is asking.
        assert taken is not None
        return view_anatomy(taken, words=True)
