"""Dice and state checks: the invariants of a campaign's record that need its states, draws and rolls.

With the secret of chance, every draw is derived again as well. Nothing is repaired.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from talewright.chronicle.record_order_checks import ConsistencyCheck, Violation
from talewright.chronicle.records import Attempt, AttemptVerdict, Commit, Record
from talewright.chronicle.store import CampaignBook, DamagedError
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, equal
from talewright.kernel.chance import Draw, commitment, verify_draws
from talewright.kernel.state.changes import Change, apply, invert
from talewright.kernel.state.document_draft import Draft, DraftError
from talewright.kernel.state.documents import ABSENT
from talewright.kernel.state.state_paths import parse_pointer
from talewright.play.history.campaign_history import Progress, keep_quiet
from talewright.play.verify.campaign_replay import Fold, Folding, commitment_of
from talewright.turn.records.commit_body import ROLL

SEEN_ONCE = "I1"
"""Every committed turn that any client saw is in the log exactly once."""

CHAINED = "I3"
"""Versions have no gap on a branch, and the hash chain verifies."""

FOLDED = "I4"
"""Folding the log gives the stored state at every commit."""

UNCHANGED = "I8"
"""A failed turn leaves version, state and draw counter as they were."""

ROLLED = "I9"
"""Every roll is recorded and, once revealed, re-derivable."""

RECORDED = "I10"
"""Nothing is created or destroyed but by a recorded change."""

INVARIANTS = ("I1", "I2", "I3", "I4", "I5", "I8", "I9", "I10", "I12")
"""All that are checked, those of `chronicle.inspection` among them."""

_HAS_DICE = re.compile(r"d[\d%F]")
"""Dice in the words of a roll; a roll may also be a bare number, which draws nothing."""


@frozen
class VerificationReport:
    """What a verification found."""

    violations: tuple[Violation, ...]
    checked: Mapping[str, int]
    """How many things of each kind were looked at: records, commits, changes, draws, derived draws, seen."""

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.violations


async def verify(
    book: CampaignBook,
    *,
    secret: bytes | None = None,
    seen: Iterable[str] = (),
    progress: Progress = keep_quiet,
) -> VerificationReport:
    """Check a whole campaign; with its secret, every draw is derived again as well.

    `seen` holds the ids of commits that clients were told of.
    """
    outlook = await book.look()
    verification = Verification(secret)
    try:
        async for record in book.records():
            verification.take(record)
            progress(verification.commits, outlook.sequence + 1)
    except DamagedError as error:
        verification.complain(CHAINED, error.message, f"after record {verification.records}")
    return verification.finish(seen)


class Verification:
    """A verification under way."""

    def __init__(self, secret: bytes | None = None) -> None:
        self._secret = secret
        self._inspection = ConsistencyCheck()
        self._folding = Folding()
        self._violations: list[Violation] = []
        self._counts: Counter[str] = Counter()
        self._ids: Counter[str] = Counter()
        self._versions: dict[str, int] = {}
        self._digests: dict[str, str] = {}
        self._failed: set[str] = set()
        """Commits from which a try was made that came to nothing."""

        self._committed_to = ""

    @property
    def records(self) -> int:
        """How many records were taken."""
        return self._counts["records"]

    @property
    def commits(self) -> int:
        """How many commits were taken."""
        return self._counts["commits"]

    def complain(self, invariant: str, what: str, where: str) -> None:
        """Write down that something is wrong."""
        self._violations.append(Violation(invariant, what, where))

    def take(self, record: Record) -> None:
        """Look at the next record."""
        self._counts["records"] += 1
        self._inspection.take(record)
        match record:
            case Commit():
                self._take_commit(record)
            case Attempt(verdict=verdict, base=base):
                self._counts["attempts"] += 1
                if verdict is not AttemptVerdict.COMMITTED:
                    self._failed.add(base)
            case _:
                # Inputs, asides and pointings say nothing of a state.
                pass

    def finish(self, seen: Iterable[str] = ()) -> VerificationReport:
        """Everything that was found: of the records first, then of the states, then of what was seen."""
        for commit in seen:
            self._counts["seen"] += 1
            if self._ids[commit] != 1:
                times = "not in the log" if not self._ids[commit] else f"in the log {self._ids[commit]} times"
                self.complain(SEEN_ONCE, f"a client saw commit {commit!r}, which is {times}", commit)
        return VerificationReport((*self._inspection.finish(), *self._violations), dict(self._counts))

    def _take_commit(self, commit: Commit) -> None:
        self._counts["commits"] += 1
        self._ids[commit.id] += 1
        if commit.parent == "":
            self._take_root(commit)
        fold = self._folding.take(commit)
        self._counts["changes"] += len(fold.changes)
        if fold.fault and not fold.inherited:
            self._complain_of(commit, FOLDED, fold.fault)
        self._check_changes(fold)
        self._check_after_failure(commit)
        self._check_draws(commit)
        self._versions[commit.id] = commit.version
        self._digests[commit.id] = commit.state_digest

    def _complain_of(self, commit: Commit, invariant: str, what: str) -> None:
        self.complain(invariant, what, f"turn {commit.version} ({commit.id})")

    def _take_root(self, root: Commit) -> None:
        self._committed_to = commitment_of(root)
        if self._secret is not None and commitment(self._secret) != self._committed_to:
            self._complain_of(root, ROLLED, "this is not the secret that was committed to")
            # Every draw would be called wrong besides, which says nothing new.
            self._secret = None

    def _check_changes(self, fold: Fold) -> None:
        """I10: every change says what stood there before, and undone they give the old state."""
        before = self._digests.get(fold.commit.parent)
        if before is not None and before != fold.commit.state_digest and not fold.changes:
            self._complain_of(fold.commit, RECORDED, "the state is another and no change says why")
        if fold.before is None or fold.after is None:
            return
        wrong = find_unrecorded(fold.before, fold.changes)
        if wrong is not None:
            self._complain_of(fold.commit, RECORDED, f"{wrong.path} was not what the change says it was")
        elif not equal(apply(fold.after, invert(fold.changes)), fold.before):
            self._complain_of(fold.commit, RECORDED, "undoing its changes does not give the state before it")

    def _check_after_failure(self, commit: Commit) -> None:
        """I8: a turn after a try that failed is numbered as if there had been none."""
        if commit.parent in self._failed and commit.version != self._versions.get(commit.parent, -1) + 1:
            self._complain_of(commit, UNCHANGED, "a try that failed before it has moved the version")

    def _check_draws(self, commit: Commit) -> None:
        try:
            draws = tuple(map(_read_draw, cast(Sequence[Sequence[Json]], commit.body.get("draws", ()))))
            nonce = bytes.fromhex(cast(str, commit.body.get("nonce", "")))
        except (TypeError, ValueError):
            self._complain_of(commit, ROLLED, "its draws cannot be read")
            return
        self._counts["draws"] += len(draws)
        if [(draw.version, draw.index) for draw in draws] != [(commit.version, n) for n in range(len(draws))]:
            self._complain_of(commit, UNCHANGED, "its draws do not count from 0 in its own version")
        if not draws and any(map(_names_dice, cast(Sequence[Json], commit.body.get("rolls", ())))):
            self._complain_of(commit, ROLLED, "dice were rolled and no draw is recorded")
        if self._secret is not None:
            self._counts["derived draws"] += len(draws)
            for found in verify_draws(self._secret, self._committed_to, draws, {commit.version: nonce}):
                self._complain_of(commit, ROLLED, found.reason)


def find_unrecorded(document: Mapping[str, Json], changes: Sequence[Change]) -> Change | None:
    """The first change that says something else stood there before than did."""
    draft = Draft(document)
    for change in changes:
        path = parse_pointer(change.path)
        try:
            if change.was is ABSENT:
                assert change.value is not ABSENT
                draft.add(path, change.value)
                continue
            stood = draft.read(path)
            if stood is ABSENT or not equal(stood, change.was):
                return change
            if change.value is ABSENT:
                draft.remove(path)
            else:
                draft.replace(path, change.value)
        except DraftError:
            return change
    return None


def _read_draw(raw: Sequence[Json]) -> Draw:
    version, index, sides, face, why = raw
    numbers = [number for number in (version, index, sides, face) if type(number) is int]
    if len(numbers) < 4 or not isinstance(why, str):
        raise ValueError("a draw is four whole numbers and a reason")
    return Draw(numbers[0], numbers[1], numbers[2], numbers[3], why)


def _names_dice(roll: Json) -> bool:
    if not isinstance(roll, Mapping) or roll.get("kind") != ROLL:
        return False
    return _HAS_DICE.search(str(roll.get("text", ""))) is not None


async def is_finished(book: CampaignBook) -> bool:
    """Whether the game of a campaign is over where it is played on, so that its secret may be known."""
    head = await book.read((await book.look()).head)
    return head.body.get("end") is not None
