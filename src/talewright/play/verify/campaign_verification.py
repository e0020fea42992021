"""Verification of a campaign: the invariants of its record that concern its states, draws and rolls.

With the campaign's secret, every draw is derived again as well. Nothing is repaired.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from talewright.chronicle.record_order_checks import ENDED, ConsistencyCheck, Violation
from talewright.chronicle.records import Accepted, Attempt, AttemptVerdict, Commit, Record
from talewright.chronicle.store import CampaignBook, DamagedError
from talewright.common.json_values import Json, equal
from talewright.kernel.chance import Draw, commitment, verify_draws
from talewright.kernel.state.changes import Change, apply, invert
from talewright.kernel.state.documents import ABSENT, Draft, DraftError
from talewright.kernel.state.state_paths import parse_pointer
from talewright.play.history.campaign_history import Progress, imported_of, keep_quiet
from talewright.play.verify.campaign_replay import Fold, Folding, find_lost
from talewright.play.verify.dice_commitments import DiceCommitments, read_commitments
from talewright.play.verify.receipts import CampaignReceipt, check_receipt
from talewright.play.verify.seen_draws_check import SeenDrawsCheck
from talewright.play.verify.turn_proof import TurnProver, TurnStanding, TurnVerdict, engine_of
from talewright.play.verify.uncovered_parts import count_uncovered
from talewright.play.verify.verification_report import VerificationReport, VerifiedGame, VerifiedTurn
from talewright.turn.game_editions import Edition, Editions
from talewright.turn.records.commit_body import OUTSIDE, ROLL
from talewright.turn.records.turn_attempts import is_ahead
from talewright.turn.turn_progress import NAMED_SINCE_ENGINE

SEEN_ONCE = "I1"
"""Every committed turn that any client saw is in the log exactly once."""

CHAINED = "I3"
"""Versions have no gap on a branch, and the hash chain verifies."""

FOLDED = "I4"
"""Folding the log gives the stored state at every commit."""

UNCHANGED = "I8"
"""A failed turn leaves version, state and draw counter as they were."""

ROLLED = "I9"
"""Every roll is recorded and, given the secret, can be derived again."""

RECORDED = "I10"
"""Every difference between two states is explained by a recorded change."""

PLAYED = "I14"
"""Every turn, replayed from its record, comes out as recorded."""

RECEIPTED = "I15"
"""All records before a receipt are the same as when it was made; checked if a receipt is given."""

INVARIANTS = ("I1", "I2", "I3", "I4", "I5", "I8", "I9", "I10", "I12", PLAYED)
"""All that are checked, including those of `chronicle.inspection`."""

_HAS_DICE = re.compile(r"d[\d%F]")
"""Dice in the text of a roll; a roll may also be a plain number without dice."""

_NO_SECRET = "the dice secret is not available"
_OTHER_SECRET = "the record says that they follow from another secret"
_CHOSEN = "an older engine (number {engine}) let its game master choose among draws"


async def verify(
    book: CampaignBook,
    *,
    editions: Editions | None = None,
    secret: bytes | None = None,
    seen: Iterable[str] = (),
    receipt: CampaignReceipt | None = None,
    progress: Progress = keep_quiet,
) -> VerificationReport:
    """Check a whole campaign. With editions, every turn is replayed; with the secret, every draw is derived.

    `seen` holds the ids of commits that clients were told of. Raises ReceiptError if the receipt cannot be
    checked.
    """
    outlook = await book.look()
    prover = None if editions is None else TurnProver(book, editions, secret)
    verification = Verification(secret, prover, covered=0 if receipt is None else receipt.length)
    try:
        async for record in book.records():
            verification.take(record)
            await verification.prove(record)
            progress(verification.commits, outlook.sequence + 1)
        found = "" if receipt is None else await check_receipt(book, receipt, secret)
        if found:
            verification.complain(RECEIPTED, found, "the receipt")
    except DamagedError as error:
        verification.complain(CHAINED, error.message, f"after record {verification.records}")
    for lost in await find_lost(book):
        verification.complain(SEEN_ONCE, lost, f"record {verification.records}")
    report = verification.finish(seen)
    if editions is None or prover is None:
        return report
    return replace(report, games=tuple(_describe_game(one, editions) for one in prover.editions))


def _describe_game(met: Edition, editions: Editions) -> VerifiedGame:
    latest = editions.latest(met.game.id)
    installed = latest is not None and latest.digest == met.digest
    return VerifiedGame(met.game.id, met.game.version, met.digest, installed)


class Verification:
    """A verification in progress."""

    def __init__(
        self, secret: bytes | None = None, prover: TurnProver | None = None, *, covered: int = 0
    ) -> None:
        self._covered = covered
        """How many records a receipt covers."""

        self._uncovered: Counter[str] = Counter()
        self._secret = secret
        self._prover = prover
        self.fold: Fold | None = None
        """The last commit taken, recomputed."""

        self._turns: list[VerifiedTurn] = []
        self._wrong: dict[str, str] = {}
        """What is wrong with turns, by their ids."""

        self._engines: dict[str, int] = {}
        self._accepted: dict[str, Accepted] = {}
        """Inputs without a turn so far."""

        self._unasked: set[str] = set()
        """Turns without an accepted input."""

        self._aims: dict[str, tuple[str, str]] = {}
        """The branch and the base of every input, by its operation."""

        self._imported = False
        self._inspection = ConsistencyCheck()
        self._seen_draws = SeenDrawsCheck()
        self._folding = Folding()
        self._violations: list[Violation] = []
        self._counts: Counter[str] = Counter()
        self._ids: Counter[str] = Counter()
        self._versions: dict[str, int] = {}
        self._digests: dict[str, str] = {}
        self._failed: set[str] = set()
        """Commits from which an attempt failed."""

        self._commitments = DiceCommitments("")
        self._believed: dict[str, str] = {}
        """Why the draws of turns are not proven, by the turns' ids."""

        self._root: Commit | None = None

    @property
    def records(self) -> int:
        """How many records were checked."""
        return self._counts["records"]

    @property
    def commits(self) -> int:
        """How many commits were checked."""
        return self._counts["commits"]

    def complain(self, invariant: str, what: str, where: str) -> None:
        """Add a finding."""
        self._violations.append(Violation(invariant, what, where))

    def take(self, record: Record) -> None:
        """Check the next record."""
        self._counts["records"] += 1
        if self.records > self._covered:
            count_uncovered(record, self._uncovered)
        self._inspection.take(record)
        for wrong in self._seen_draws.take(record):
            if isinstance(record, Commit):
                self._complain_of(record, ROLLED, wrong)
            else:
                self.complain(ROLLED, wrong, f"record {self.records}")
        match record:
            case Commit():
                self._take_commit(record)
            case Accepted():
                self._accepted.setdefault(record.operation_id, record)
                self._aims.setdefault(record.operation_id, (record.branch, record.base))
            case Attempt():
                self._take_attempt(record)
            case _:
                # Asides and pointings do not concern a state.
                pass

    def finish(self, seen: Iterable[str] = ()) -> VerificationReport:
        """All findings: about the records, then the states, then what clients saw."""
        if self._root is not None and self._commitments.imported_through >= self._counts["commits"]:
            self._complain_of(self._root, ROLLED, "it claims that turns were imported that do not exist")
        for aside, wrong in self._seen_draws.find_odd_nonces(self._prover.fates if self._prover else {}):
            self.complain(ROLLED, wrong, f"aside {aside}")
        for commit in seen:
            self._counts["seen"] += 1
            if self._ids[commit] != 1:
                times = "not in the log" if not self._ids[commit] else f"in the log {self._ids[commit]} times"
                self.complain(SEEN_ONCE, f"a client saw commit {commit!r}, which is {times}", commit)
        return VerificationReport(
            (*self._inspection.finish(), *self._violations),
            dict(self._counts),
            tuple(_settle(turn, self._wrong) for turn in self._turns),
            derived=self._secret is not None and self._counts["derived draws"] == self._counts["draws"],
            imported=self._imported,
            uncovered=self._uncovered,
        )

    async def prove(self, record: Record) -> None:
        """Replay the last turn, if there is a prover."""
        fold = self.fold
        if self._prover is None or fold is None or fold.commit is not record:
            return
        commit = fold.commit
        verdict = TurnVerdict(TurnStanding.WRONG, self._wrong.get(commit.id, fold.fault))
        if fold.state is not None and not fold.fault:
            known = self._commitments.bind(self._secret, commit.sequence)
            verdict = await self._prover.prove(commit, fold.state, derive=known)
        if verdict.standing is TurnStanding.WRONG and commit.id not in self._wrong and not fold.inherited:
            self._complain_of(commit, PLAYED, verdict.why)
        elif verdict.standing is TurnStanding.PROVEN and commit.parent and commit.id in self._unasked:
            self._complain_of(commit, ENDED, "no input was accepted for it")
        elif verdict.standing is TurnStanding.FOLDED and _shows_undrawn(commit):
            self._complain_of(commit, ROLLED, "a roll shows faces that were not drawn")
        elif verdict.standing is TurnStanding.PROVEN and commit.id in self._believed:
            verdict = TurnVerdict(TurnStanding.FOLDED, self._believed[commit.id])
        if commit.id in self._wrong:
            verdict = TurnVerdict(TurnStanding.WRONG, self._wrong[commit.id])
        self._turns.append(VerifiedTurn(commit.id, commit.branch, commit.version, engine_of(commit), verdict))

    def _take_commit(self, commit: Commit) -> None:
        self._counts["commits"] += 1
        self._ids[commit.id] += 1
        if commit.parent == "":
            self._take_root(commit)
        fold = self.fold = self._folding.take(commit)
        self._counts["changes"] += len(fold.changes)
        if fold.fault and not fold.inherited:
            self._complain_of(commit, FOLDED, fold.fault)
        self._check_changes(fold)
        self._check_after_failure(commit)
        self._check_draws(commit)
        self._check_origin(commit)
        self._versions[commit.id] = commit.version
        self._digests[commit.id] = commit.state_digest

    def _take_attempt(self, attempt: Attempt) -> None:
        """I2: an attempt is made at its own input, or reads ahead after a turn."""
        self._counts["attempts"] += 1
        if attempt.verdict is not AttemptVerdict.COMMITTED:
            self._failed.add(attempt.base)
        aim = self._aims.get(attempt.operation_id)
        if aim is None or is_ahead(attempt) or aim == (attempt.branch, attempt.base):
            return
        self.complain(ENDED, "an attempt was not made at its input", f"attempt {attempt.id}")

    def _complain_of(self, commit: Commit, invariant: str, what: str) -> None:
        self._wrong.setdefault(commit.id, what)
        self.complain(invariant, what, f"turn {commit.version} ({commit.id})")

    def _take_root(self, root: Commit) -> None:
        self._root = root
        try:
            self._commitments = read_commitments(root)
        except ValueError as error:
            self._complain_of(root, ROLLED, str(error))
        self._imported = bool(imported_of(root))
        if self._secret is not None and not self._commitments.has(commitment(self._secret)):
            self._complain_of(root, ROLLED, "this secret does not match the commitment")
            # Every draw would be reported as wrong too, which adds nothing.
            self._secret = None
            if self._prover is not None:
                self._prover.forget_secret()

    def _check_origin(self, commit: Commit) -> None:
        """I2, I14: a turn comes from the accepted input, and its engine is not older than the previous
        turn's.
        """
        accepted = self._accepted.pop(commit.operation_id, None)
        if accepted is None:
            self._unasked.add(commit.id)
        else:
            meant = (accepted.branch, accepted.base, accepted.replaces)
            if meant != (commit.branch, commit.parent, commit.replaces) or not equal(
                accepted.input, commit.body.get("input")
            ):
                self._complain_of(commit, ENDED, "it was not made from the accepted input")
        self._engines[commit.id] = engine_of(commit)
        if self._engines[commit.id] < self._engines.get(commit.parent, 0):
            self._complain_of(commit, PLAYED, "an older engine made it than the previous turn")

    def _check_changes(self, fold: Fold) -> None:
        """I10: every change states the previous value correctly, and undoing all of them restores the old
        state.
        """
        before = self._digests.get(fold.commit.parent)
        if before is not None and before != fold.commit.state_digest and not fold.changes:
            self._complain_of(fold.commit, RECORDED, "the state differs, but no change is recorded")
        if fold.before is None or fold.after is None:
            return
        wrong = find_unrecorded(fold.before, fold.changes)
        if wrong is not None:
            self._complain_of(
                fold.commit, RECORDED, f"{wrong.path} did not have the previous value that the change states"
            )
        elif not equal(apply(fold.after, invert(fold.changes)), fold.before):
            self._complain_of(
                fold.commit, RECORDED, "undoing its changes does not restore the previous state"
            )

    def _check_after_failure(self, commit: Commit) -> None:
        """I8: a turn after a failed attempt is numbered as if there had been none."""
        if commit.parent in self._failed and commit.version != self._versions.get(commit.parent, -1) + 1:
            self._complain_of(commit, UNCHANGED, "a failed attempt before it changed the version")

    def _check_draws(self, commit: Commit) -> None:
        try:
            draws = tuple(map(_read_draw, cast(Sequence[Sequence[Json]], commit.body.get("draws", ()))))
            nonce = bytes.fromhex(cast(str, commit.body.get("nonce", "")))
        except (TypeError, ValueError):
            self._complain_of(commit, ROLLED, "its draws cannot be read")
            return
        self._counts["draws"] += len(draws)
        if [(draw.version, draw.index) for draw in draws] != [(commit.version, n) for n in range(len(draws))]:
            self._complain_of(commit, UNCHANGED, "its draws are not numbered from 0 in its own version")
        if not draws and any(map(_names_dice, cast(Sequence[Json], commit.body.get("rolls", ())))):
            self._complain_of(commit, ROLLED, "dice were rolled, but no draw is recorded")
        if self._secret is not None and self._commitments.bind(self._secret, commit.sequence):
            self._counts["derived draws"] += len(draws)
            committed_to = self._commitments.find(commit.sequence)
            for found in verify_draws(self._secret, committed_to, draws, {commit.version: nonce}):
                self._complain_of(commit, ROLLED, found.reason)
            if draws and commit.body.get("told") == OUTSIDE and engine_of(commit) < NAMED_SINCE_ENGINE:
                self._believed[commit.id] = _CHOSEN.format(engine=engine_of(commit))
            return
        if self._commitments.is_imported(commit.sequence):
            self._counts["imported draws"] += len(draws)
        if draws:
            missing = _NO_SECRET if self._secret is None else _OTHER_SECRET
            self._believed[commit.id] = f"its draws were taken from the record, because {missing}"


def _settle(turn: VerifiedTurn, wrong: Mapping[str, str]) -> VerifiedTurn:
    """A turn with what was found wrong with it later, if anything was."""
    if turn.verdict.standing is TurnStanding.WRONG or turn.commit not in wrong:
        return turn
    return replace(turn, verdict=TurnVerdict(TurnStanding.WRONG, wrong[turn.commit]))


def find_unrecorded(document: Mapping[str, Json], changes: Sequence[Change]) -> Change | None:
    """The first change whose previous value is wrong."""
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
    numbers = [number for number in raw[:4] if type(number) is int]
    words = [word for word in raw[4:] if isinstance(word, str)]
    if len(numbers) < 4 or not 1 <= len(words) <= 2 or len(words) + 4 != len(raw):
        raise ValueError("a draw must be four whole numbers, a reason and perhaps a name")
    return Draw(numbers[0], numbers[1], numbers[2], numbers[3], *words)


_SHOWN_DICE = re.compile(r"\d*d\d+ \((\d+(?:, \d+)*)\)")
"""Plain dice, as a roll shows them."""


def _list_faces(rolls: Sequence[Json]) -> Counter[int]:
    faces: Counter[int] = Counter()
    for roll in rolls:
        shown = roll if isinstance(roll, Mapping) else {}
        result = shown.get("result")
        thrown = result.get("rolls", ()) if isinstance(result, Mapping) else ()
        faces.update(face for face in cast(Sequence[Json], thrown) if isinstance(face, int))
        for dice in _SHOWN_DICE.findall(str(shown.get("text", ""))):
            faces.update(map(int, dice.split(", ")))
    return faces


def _shows_undrawn(commit: Commit) -> bool:
    """I9: whether a turn that cannot be replayed shows faces that were not drawn."""
    draws = Counter(draw[3] for draw in cast(Sequence[Sequence[int]], commit.body.get("draws", ())))
    shown = _list_faces(cast(Sequence[Json], commit.body.get("rolls", ())))
    return bool(shown - draws)


def _names_dice(roll: Json) -> bool:
    if not isinstance(roll, Mapping) or roll.get("kind") != ROLL:
        return False
    return _HAS_DICE.search(str(roll.get("text", ""))) is not None
