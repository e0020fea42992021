"""Session navigation: the current view, and undo, fork, switch, mark and load.

Every move is a pointing in the record; nothing is deleted, and no turn is taken here.
"""

from collections.abc import Container
from dataclasses import replace
from typing import TYPE_CHECKING

from talewright.chronicle.pagination import read_names
from talewright.chronicle.records import Commit, PointerKind, Pointing
from talewright.chronicle.store import NameTakenError, UnfitNameError, UnknownCommitError
from talewright.common.frozen_values import frozen
from talewright.common.safe_text import clean_line
from talewright.llm.known_models import find_profile
from talewright.llm.profiles import ProfileLookup
from talewright.play.campaign_view import View, Viewer
from talewright.play.history.recent_turn_cache import HISTORY_COMMITS_MAX
from talewright.play.presentation.scene_stand_in_notices import STAND_INS_MAX, is_stand_in
from talewright.play.presentation.view_assembly import Circumstances, make_view
from talewright.play.presentation.words.player_messages import FixedChoice
from talewright.play.session_roles import SessionRight, check_right, may
from talewright.play.sessions.held_inputs import find_held, find_unfinished, give_back
from talewright.play.sessions.news_watch import NewsWatch, number_after
from talewright.play.sessions.session_turns import SessionTurns
from talewright.turn.background.background_troubles import BackgroundTroubles
from talewright.turn.context_check import ContextShortage, find_shortage
from talewright.turn.steps.recalling import Recalled, recall
from talewright.turn.turn_context import Road

if TYPE_CHECKING:
    from talewright.play.sessions.store_past import StorePast

NAME_LENGTH_MAX = 64
"""The maximum length of a branch's or a mark's name."""


@frozen
class NavigableCampaign:
    """An open campaign, as seen and navigated by one role."""

    seat: SessionTurns
    role: Viewer = Viewer.PLAYER
    """Whose view everything is made for."""

    lookup: ProfileLookup = find_profile
    """Returns prices and cache rules of models, for inspecting a turn."""

    async def view(self) -> View:
        """The current view, for its role."""
        return await self.view_for(self.role)

    async def view_for(self, viewer: Viewer) -> View:
        """The current view, for a viewer who may see no more than its role."""
        seat, road = self.seat, self.seat.road
        recalled = await recall(road, seat.branch)
        status = await road.book.look(seat.branch)
        held = await find_held(road.book, status)
        game = recalled.edition.game.id
        missing = road.editions.latest(game) is None
        faults = road.editions.find_faults(game) if missing else ()
        around = Circumstances(
            campaign=road.book.campaign,
            branch=seat.branch,
            has_teller=road.teller is not None or may(self.role, SessionRight.TELL),
            shortage=self._find_shortage(recalled),
            missing=missing and not faults,
            faults=faults,
            untold=held is not None and bool(held.untold),
            cautioned="" if held is None else held.cautioned,
            marks=tuple(await read_names(road.book.marks)),
            branches=tuple(await read_names(road.book.branches)),
            newest=await _read_stand_ins(road, recalled),
        )
        troubles = BackgroundTroubles()
        unfinished = await find_unfinished(road.book, status)
        status = replace(status, waiting=() if unfinished is None else (unfinished,))
        view = make_view(recalled, status, around, viewer, seat.language, troubles)
        seat.afterwards.report(recalled.head, troubles)
        return view

    def _find_shortage(self, recalled: Recalled) -> ContextShortage | None:
        """Whether the model's context is too small for the game; checked only when a campaign begins."""
        road = self.seat.road
        if road.teller is None or recalled.head.version > 1:
            return None
        return find_shortage(recalled.edition, recalled.position, self.seat.language, road.teller)

    async def follow(self) -> None:
        """Continue on the branch that moved last, whichever session or process moved it.

        Events continue after the newest commit.
        """
        seat = self.seat
        status = await seat.road.book.look()
        seat.broadcast.shared.advance(status.sequence)
        # A turn that is running here ends on the branch where it started.
        if not seat.lock.locked():
            seat.branch = status.branch

    async def undo(self, turns: int = 1) -> View:
        """Go back; nothing is deleted, and never before the first turn."""
        check_right(self.role, SessionRight.NAVIGATE)
        seat = self.seat

        async def work() -> None:
            count = min(max(turns, 0), HISTORY_COMMITS_MAX)
            line = await seat.road.book.back(await seat.head(), count + 1)
            taken = [commit for commit in line if commit.parent]
            if taken and taken[-1].id != line[0].id:
                await seat.point(taken[-1].id, line[0].id)
                seat.afterwards.go_back(seat.branch, taken[-1])
            elif (held := await seat.find_held()) is not None:
                # There is nothing to undo, but a failed turn is still dropped.
                await give_back(seat.road, held, FixedChoice.ROLLBACK)

        await seat.alone(work)
        return await self.view()

    async def fork(self, commit: str = "", name: str = "") -> View:
        """Start a branch at a commit (or here) and continue there."""
        check_right(self.role, SessionRight.NAVIGATE)
        seat = self.seat

        async def work() -> None:
            known = await read_names(seat.road.book.branches)
            branch = _free_name(name, known) if name else _next_name("branch", known)
            start = await seat.road.book.read(commit or known[seat.branch])
            await seat.point(start.id, None, branch)
            seat.branch = branch
            seat.afterwards.go_over(branch, start, new=True)

        await seat.alone(work)
        return await self.view()

    async def switch(self, branch: str) -> View:
        """Continue at the head of another branch."""
        check_right(self.role, SessionRight.NAVIGATE)
        seat = self.seat

        async def work() -> None:
            known = await read_names(seat.road.book.branches)
            if branch not in known:
                names = clean_line(", ".join(known))
                raise UnknownCommitError(f"there is no branch {clean_line(branch)!r}", f"Branches: {names}.")
            if branch != seat.branch:
                # A campaign opens on the branch that was pointed at last.
                await seat.point(known[branch], known[branch], branch)
                seat.branch = branch
                seat.afterwards.go_over(branch, await seat.road.book.read(known[branch]), new=False)

        await seat.alone(work)
        return await self.view()

    async def mark(self, name: str) -> None:
        """Name the current turn."""
        check_right(self.role, SessionRight.NAVIGATE)
        seat = self.seat

        async def work() -> None:
            pointing = Pointing(PointerKind.MARK, _fit(name), await seat.head(), seat.road.now())
            await seat.road.book.point(pointing)

        await seat.alone(work)

    async def load(self, name: str) -> View:
        """Continue from a mark, on a new branch."""
        check_right(self.role, SessionRight.NAVIGATE)
        book = self.seat.road.book
        marks = await read_names(book.marks)
        if name not in marks:
            known = ", ".join(marks)
            raise UnknownCommitError(
                f"there is no mark {clean_line(name)!r}",
                f"Marks: {clean_line(known)}." if known else "Set a mark first.",
            )
        return await self.fork(marks[name], _next_name(name, await read_names(book.branches)))

    @property
    def past(self) -> "StorePast":
        """The past of the campaign."""
        # The history loads as many modules as playing; players who never look back should not wait for them.
        from talewright.play.sessions.store_past import StorePast

        return StorePast(self.seat, self.role, self.lookup)

    def watch(self, after: int = -1) -> NewsWatch:
        """Events from now on; with a number, first what was committed since then."""
        return self.seat.broadcast.watch(self.role, after)

    def newest_number(self) -> int:
        """The number to pass to `watch` to get everything from now on."""
        return number_after(self.seat.broadcast.shared.sequence)


def _fit(name: str) -> str:
    """A valid name for a branch or a mark. Raises UnfitNameError if it is not valid."""
    if not name or clean_line(name) != name or len(name) > NAME_LENGTH_MAX:
        raise UnfitNameError(
            f"{clean_line(name[:NAME_LENGTH_MAX])!r} is not a valid name",
            f"Use 1 to {NAME_LENGTH_MAX} characters on one line.",
        )
    return name


def _free_name(name: str, known: Container[str]) -> str:
    if _fit(name) in known:
        raise NameTakenError(f"a branch named {name!r} already exists", "Choose another name.")
    return name


def _next_name(stem: str, known: Container[str]) -> str:
    """The first numbered name that no branch has yet."""
    number = 1
    while (name := f"{stem[: NAME_LENGTH_MAX - 8]}-{number}") in known:
        number += 1
    return name


async def _read_stand_ins(road: Road, recalled: Recalled) -> tuple[Commit, ...]:
    """The last turns, if a scene narrated the newest one instead of the model; otherwise none are read."""
    if not is_stand_in(recalled.body):
        return ()
    return tuple(await road.book.back(recalled.head.id, STAND_INS_MAX))
