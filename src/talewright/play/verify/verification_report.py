"""Verification report: what a verification found, of the campaign, of every turn and of the games played.

Values only; how they are told is the command's business.
"""

from collections.abc import Mapping

from talewright.chronicle.record_order_checks import Violation
from talewright.common.frozen_values import frozen
from talewright.play.verify.turn_proof import TurnStanding, TurnVerdict


@frozen
class VerifiedTurn:
    """One turn, and how far it can be believed."""

    commit: str
    branch: str
    version: int
    engine: int
    verdict: TurnVerdict


@frozen
class VerifiedGame:
    """A game that turns were played with."""

    game: str
    version: str
    digest: str
    installed: bool
    """Whether it is the game that is installed here under this name."""


@frozen
class VerificationReport:
    """What a verification found."""

    violations: tuple[Violation, ...]
    checked: Mapping[str, int]
    """How many things of each kind were looked at: records, commits, changes, draws, derived draws, seen."""

    turns: tuple[VerifiedTurn, ...] = ()
    """Every turn in the order it was written; empty where none was played again."""

    games: tuple[VerifiedGame, ...] = ()
    """The games it was played with."""

    derived: bool = False
    """Whether the draws were derived from the secret; else they were taken from the record."""

    imported: bool = False
    """Whether it began with a save game, of whose past nothing is proven."""

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.violations

    @property
    def folded(self) -> tuple[VerifiedTurn, ...]:
        """The turns that could not be played again as they were."""
        return tuple(turn for turn in self.turns if turn.verdict.standing is TurnStanding.FOLDED)

    def count(self, standing: TurnStanding) -> int:
        """How many turns stand so."""
        return sum(turn.verdict.standing is standing for turn in self.turns)
