"""The CampaignPast on a Store: shows the past of an open campaign, as a role may see it.

It only reads; `history` does the work.
"""

from collections.abc import Sequence
from dataclasses import replace

from talewright.chronicle.records import Commit
from talewright.common.frozen_values import frozen
from talewright.llm.known_models import find_profile
from talewright.llm.profiles import ProfileLookup
from talewright.play.campaign_past import (
    CardTrend,
    ComparisonView,
    InspectionView,
    Provenance,
    StoryStatistics,
    TreePage,
    TreeRow,
    VariableTrail,
)
from talewright.play.campaign_view import TurnView, Viewer
from talewright.play.history.campaign_history import (
    CampaignHistory,
    find_turn,
    give_way,
    read_history,
)
from talewright.play.history.state_diff import compare, seen_differences, tell_differences
from talewright.play.history.story_figures import count_story, find_trends
from talewright.play.history.turn_inspection import take_apart
from talewright.play.history.turn_inspection_lines import view_inspected_turn
from talewright.play.history.turn_record import view_shown_turn
from talewright.play.history.turn_tree import TreeWindow, show_tree_page, show_tree_rows
from talewright.play.history.variable_history import find_provenance, find_trail
from talewright.play.presentation.value_wording import Wording
from talewright.play.presentation.view_assembly import show_turn
from talewright.play.session_roles import SessionRight, may
from talewright.play.sessions.session_turns import SessionTurns
from talewright.turn.records.commit_body import read_body

COMPARED_TURNS_MAX = 1_000
"""The maximum number of turns of each line in a comparison."""


async def read_from(seat: SessionTurns) -> CampaignHistory:
    """The whole history, with the player's branch as the current one."""
    history = await read_history(seat.road.book)
    branches = dict(history.branches)
    if seat.branch in branches:
        # The last branch is the trunk.
        branches[seat.branch] = branches.pop(seat.branch)
    return replace(history, branches=branches)


async def compare_ways(
    seat: SessionTurns, history: CampaignHistory, one: str, other: str, role: Viewer
) -> ComparisonView:
    """Two turns, and the lines that led to them from where they diverged."""
    found = await compare(seat.road.book, history, find_turn(history, one), find_turn(history, other))
    edition = await seat.games.of(found.after)
    wording = Wording(edition.words(seat.language), seat.language)
    seen = seen_differences(edition.game, found.differences, role)
    return ComparisonView(
        found.ancestor.version,
        await _show_turns(seat, found.before_alone, role),
        await _show_turns(seat, found.after_alone, role),
        tell_differences(edition.game, seen, wording),
    )


async def _show_turns(seat: SessionTurns, line: Sequence[Commit], role: Viewer) -> tuple[TurnView, ...]:
    shown = []
    for commit in line[:COMPARED_TURNS_MAX]:
        shown.append(await _show_turn(seat, commit, role))
        await give_way(len(shown))
    return tuple(shown)


async def _show_turn(seat: SessionTurns, commit: Commit, role: Viewer) -> TurnView:
    edition = await seat.games.of(commit)
    wording = Wording(edition.words(seat.language), seat.language)
    return show_turn(commit, read_body(commit.body), edition.game, wording, role)


@frozen
class StorePast:
    """A CampaignPast on a book."""

    seat: SessionTurns
    role: Viewer
    """Whose view everything is made for."""

    lookup: ProfileLookup = find_profile
    """Returns prices and cache rules of models, by their names at the provider."""

    async def turns(self, count: int = 10, before: str = "", first: int = 0) -> tuple[TurnView, ...]:
        """The last turns, the last ones before a commit, or those from number `first` on; newest last."""
        seat = self.seat
        head = await seat.head() if not before else (await seat.road.book.read(before)).parent
        if first > 0 and head:
            newest = (await seat.road.book.read(head)).version
            count = min(count, newest - first + 1)
            await seat.outline.update(seat.road.book)
            head = seat.outline.find_before(head, newest - first - count + 1) if count > 0 else ""

        async def show(commit: Commit) -> TurnView:
            return await _show_turn(seat, commit, self.role)

        found = await seat.shown.walk_back(seat.road.book, head, count, self.role, show)
        return tuple(reversed(found))

    async def turn(self, commit: str) -> TurnView | None:
        """One turn, on any branch; None for the beginning, which has no narration."""
        found = await self.seat.road.book.read(commit)
        return await _show_turn(self.seat, found, self.role) if found.parent else None

    async def why(self, variable: str) -> tuple[Provenance, ...]:
        """What set a visible variable, newest first."""
        seat = self.seat
        head = await seat.head()
        return await find_provenance(seat.road.book, seat.games, head, variable, seat.language, self.role)

    async def trail(self, variable: str) -> VariableTrail | None:
        """The values of a visible variable over time; None if there is none."""
        seat = self.seat
        head = await seat.head()
        return await find_trail(seat.road.book, seat.games, head, variable, seat.language, self.role)

    async def tree(self, *, every: bool = False) -> tuple[TreeRow, ...]:
        """The campaign as a tree; with `every`, no turn is skipped."""
        return await show_tree_rows(await read_from(self.seat), every=every)

    async def tree_page(
        self, count: int, first: int = -1, around: str = "", *, every: bool = False
    ) -> TreePage:
        """Some rows of the tree: from a row on, or around a turn, which is never skipped."""
        seat, window = self.seat, TreeWindow(count, first, around, every)
        return await show_tree_page(seat.road.book, seat.outline, seat.branch, window)

    async def trends(self, turns: int = 24) -> tuple[CardTrend, ...]:
        """How the visible numbers moved in the last turns; those that stayed the same are left out."""
        seat = self.seat
        head = await seat.head()
        return await find_trends(seat.road.book, seat.games, head, turns, self.role, seat.moves)

    async def statistics(self) -> StoryStatistics:
        """Figures about the story so far."""
        seat = self.seat
        head = await seat.head()
        return await count_story(seat.road.book, seat.games, head, seat.language, self.role)

    async def compare(self, one: str, other: str) -> ComparisonView:
        """Two commits or branches compared."""
        return await compare_ways(self.seat, await read_from(self.seat), one, other, self.role)

    async def inspect(self, commit: str) -> InspectionView:
        """The whole record of a turn; roles that may not see all of it get what they were shown."""
        road = self.seat.road
        turn = await road.book.read(commit)
        if not may(self.role, SessionRight.INSPECT):
            return view_shown_turn(turn, await self.seat.games.of(turn), self.role)
        taken = await take_apart(road.book, road.editions, turn, self.role, self.lookup, road.limits)
        assert taken is not None, "whoever may inspect sees everything"
        return view_inspected_turn(taken, words=True)
