"""Turn proof: replays every turn from its record and compares the result.

Inputs, replies, proposals and the secret are taken from the record; everything else must follow from them.
Without the secret, the recorded draws are used too.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import cast

from talewright.chronicle.records import MAIN, Commit
from talewright.chronicle.save_format import FORMAT
from talewright.chronicle.store import CampaignBook, DamagedError
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, equal
from talewright.common.work_meter import WORK_MAX
from talewright.errors import TalewrightError
from talewright.kernel.game import FateKind
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.slots.value_validation import find_misfit
from talewright.kernel.state.state import State
from talewright.llm.known_models import find_profile
from talewright.llm.profiles import Profile
from talewright.play.verify.seen_draws_check import list_streams
from talewright.play.verify.turn_comparison import compare_turns, compare_words
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.fold_cache import FoldCache
from talewright.turn.game_editions import Edition, Editions
from talewright.turn.records.commit_body import SCENES, TurnBody, read_body, write_body
from talewright.turn.records.turn_replay import REPLAY_WORK_MAX, replay_turn
from talewright.turn.steps.recalling import open_edition
from talewright.turn.turn_context import Road
from talewright.turn.turn_outcomes import OutcomeReason
from talewright.turn.turn_progress import RecordedDraws, nonce_of_stream

NONCE_ALWAYS_KEPT = 2
"""The first engine number whose turns store the nonce of a fresh fate even if nothing was drawn."""

_MALFORMED = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError),
    *(RecursionError, TypeError, ValueError),
)
"""What replaying a record that no engine wrote can raise."""


_NO_NONCE = "its dice use a nonce, but the fate of this game is fixed"


class TurnStanding(StrEnum):
    """How far a turn is proven."""

    PROVEN = "proven"
    """Replayed, it comes out as recorded, and its draws follow from the given secret."""

    FOLDED = "folded"
    """Something in it cannot be derived again here, but its changes, draws and state agree with each other
    and with the slots of its game.
    """

    WRONG = "wrong"


@frozen
class TurnVerdict:
    """The result for one turn."""

    standing: TurnStanding
    why: str = ""
    """Empty if it is proven."""


PROVEN = TurnVerdict(TurnStanding.PROVEN)


def engine_of(commit: Commit) -> int:
    """The engine number that a turn claims; 0 for turns older than engine numbers."""
    number = commit.body.get("engine")
    return number if type(number) is int else 0


class TurnProver:
    """Replays the turns of one campaign in the order they were written."""

    def __init__(self, book: CampaignBook, editions: Editions, secret: bytes | None) -> None:
        self._has_secret = secret is not None
        folds = FoldCache(b"" if secret is None else secret)
        self._road = Road(book=book, editions=editions, now=_name_nothing, new_id=_name_nothing, folds=folds)
        self._work_max = REPLAY_WORK_MAX

    @property
    def editions(self) -> tuple[Edition, ...]:
        """The editions used so far."""
        return tuple(self._road.opened.by_digest.values())

    @property
    def fates(self) -> Mapping[str, FateKind]:
        """The fates of these editions, by their digests."""
        return {one.digest: one.game.chance.fate for one in self.editions}

    def forget_secret(self) -> None:
        """Continue without the secret: it belongs to another campaign."""
        self._has_secret = False
        self._road = replace(self._road, folds=FoldCache(b""))

    async def prove(self, commit: Commit, state: State, *, derive: bool = True) -> TurnVerdict:
        """Replay a turn; `state` is the result of its changes, and matches its digest.

        Its dice are derived from the secret if `derive` is set and the secret is known; otherwise they
        are the recorded ones.
        """
        try:
            edition = await open_edition(self._road, commit.game_digest)
        except DamagedError as error:
            return TurnVerdict(TurnStanding.WRONG, error.message)
        except TalewrightError as error:
            return TurnVerdict(TurnStanding.FOLDED, error.message)
        why = _find_forgery(commit, state, edition)
        if FateKind.FRESH not in self.fates.values() and any(map(nonce_of_stream, list_streams(commit.body))):
            why = why or _NO_NONCE
        if why:
            verdict = TurnVerdict(TurnStanding.WRONG, why)
        elif commit.parent == "":
            verdict = _prove_root(commit, state, edition)
        else:
            verdict = await self._play_again(commit, edition, derive and self._has_secret)
        self._remember(commit, state)
        return verdict

    def _remember(self, commit: Commit, state: State) -> None:
        """Cache the state: most turns are followed by the next one of their branch."""
        before = self._road.folds.find(commit.parent)
        if before is not None or commit.parent == "":
            self._road.folds.keep(state, (commit, *(before.past if before is not None else ())))

    async def _play_again(self, commit: Commit, edition: Edition, derive: bool) -> TurnVerdict:
        number = engine_of(commit)
        if number > ENGINE_NUMBER:
            why = f"a newer engine made it (number {number}; this is number {ENGINE_NUMBER})"
            return TurnVerdict(TurnStanding.FOLDED, why)
        draws = None
        try:
            if not derive:
                draws = RecordedDraws(read_body({"draws": commit.body.get("draws", ())}).draws)
            again = await replay_turn(self._road, commit, draws, _find_profile(commit), self._work_max)
        except DamagedError as error:
            return TurnVerdict(TurnStanding.WRONG, error.message)
        except (TalewrightError, *_MALFORMED) as error:
            return _judge_difference(number, f"it cannot be replayed: {error!r}")
        if not isinstance(again, Commit) and again.reason is OutcomeReason.TOO_MUCH_WORK:
            # A campaign with one such turn may have thousands of them.
            self._work_max = WORK_MAX
            return TurnVerdict(TurnStanding.FOLDED, "judging it again takes too many steps")
        if not isinstance(again, Commit):
            return _judge_difference(
                number, f"replayed, its input does not lead to a turn ({again.reason.value})"
            )
        unlike = compare_turns(commit, again)
        if not unlike:
            return _judge_words(number, compare_words(commit, again))
        if number == ENGINE_NUMBER and draws is not None and draws.exhausted and _was_judged_twice(commit):
            return TurnVerdict(
                TurnStanding.FOLDED, "a discarded reply drew dice, which only the secret can reproduce"
            )
        if number < NONCE_ALWAYS_KEPT and _lacks_nonce(commit, edition):
            return TurnVerdict(TurnStanding.FOLDED, "the nonce of its dice was not recorded")
        return _judge_difference(number, f"replayed, it differs in {', '.join(unlike)}")


def _name_nothing() -> str:
    """Times and ids are in the record."""
    return ""


def _judge_difference(number: int, why: str) -> TurnVerdict:
    """Judge a turn that differs: a turn of the current engine must never differ."""
    if number == ENGINE_NUMBER:
        return TurnVerdict(TurnStanding.WRONG, why)
    return TurnVerdict(TurnStanding.FOLDED, f"an older engine made it (number {number}); {why}")


def _judge_words(number: int, reworded: Sequence[str]) -> TurnVerdict:
    """Judge a turn that is played the same: other words than this version's may be forged, or older."""
    if not reworded:
        return PROVEN
    why = f"replayed, it differs in the words of {', '.join(reworded)}"
    older = f"an older engine made it (number {number}); " if number != ENGINE_NUMBER else ""
    return TurnVerdict(TurnStanding.FOLDED, f"{older}{why}")


def _was_judged_twice(commit: Commit) -> bool:
    """Whether a discarded reply may have drawn more than the final one."""
    asked = len(cast(Sequence[Json], commit.body.get("exchanges", ())))
    rulings = cast(Sequence[Json], commit.body.get("rulings", ()))
    waited = any(isinstance(one, Mapping) and one.get("ruling") == "waiting" for one in rulings)
    return asked > 1 or waited or (asked == 1 and commit.body.get("told") == SCENES)


def _find_profile(commit: Commit) -> Profile | None:
    """The current profile of the model that narrated a turn, for records that do not contain it."""
    settings = commit.body.get("model")
    return find_profile(str(settings.get("name"))) if isinstance(settings, Mapping) else None


def _lacks_nonce(commit: Commit, edition: Edition) -> bool:
    return edition.game.chance.fate is FateKind.FRESH and "nonce" not in commit.body


def _find_forgery(commit: Commit, state: State, edition: Edition) -> str:
    """What no version of the engine would have written."""
    if edition.digest != commit.game_digest:
        return "the stored game is not the one it was played with"
    fresh, nonce = edition.game.chance.fate is FateKind.FRESH, commit.body.get("nonce")
    if nonce and not fresh:
        return _NO_NONCE
    if fresh and not nonce and (commit.body.get("draws") or engine_of(commit) >= NONCE_ALWAYS_KEPT):
        return "its dice lack the nonce that a fresh fate requires"
    misfit = find_misfit(edition.game.layout, state.document)
    return f"its state does not fit the game: {misfit}" if misfit else ""


def _prove_root(commit: Commit, state: State, edition: Edition) -> TurnVerdict:
    """Check that the first commit is what a new campaign of the game starts with, and nothing more.

    The state of an imported save game cannot be proven.
    """
    odd = _find_odd_root(commit)
    if odd:
        return TurnVerdict(TurnStanding.WRONG, f"no new campaign has this in its first record: {odd}")
    if "imported" in cast(Mapping[str, Json], commit.body["root"]):
        return TurnVerdict(
            TurnStanding.FOLDED, "it started from a save game, about whose past nothing is proven"
        )
    initial = edition.game.initial
    names = {*initial, *state.document}
    unlike = {name for name in names if not equal(initial.get(name), state.document.get(name))}
    if not unlike:
        return PROVEN
    if unlike == {ENGINE_ROOT}:
        return TurnVerdict(TurnStanding.FOLDED, "an older engine started it")
    listed = ", ".join(sorted(unlike))
    return TurnVerdict(TurnStanding.WRONG, f"it does not start as its game does: {listed}")


_ROOT_MEMBERS = frozenset({"commitment", "document", "imported", "earlier"})
_IMPORTED_MEMBERS = frozenset({"cause", "game_content_version", "timestamp", "turn_index", "history"})
_COMMITMENT = re.compile(r"[0-9a-f]{64}")


def _find_odd_root(commit: Commit) -> str:
    """What the first commit has that no new campaign has."""
    root, language = commit.body.get("root"), commit.body.get("language", "")
    members = root if isinstance(root, Mapping) else {}
    expected = write_body(TurnBody(language=cast(str, language), root=root))
    body = {name: value for name, value in commit.body.items() if name != FORMAT}
    if not equal(cast(Json, body), expected):
        names = sorted(name for name in {*body, *expected} if not equal(body.get(name), expected.get(name)))
        return ", ".join(names)
    if commit.branch != MAIN or commit.replaces:
        return "branch"
    if not set(members) <= _ROOT_MEMBERS or not _COMMITMENT.fullmatch(str(members.get("commitment"))):
        return "root"
    imported = members.get("imported", {})
    return "" if isinstance(imported, Mapping) and set(imported) <= _IMPORTED_MEMBERS else "imported"
