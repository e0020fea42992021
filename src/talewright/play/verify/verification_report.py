"""Verification report: the findings about a campaign, its turns and the games it was played with.

Values only; the command writes the text.
"""

from collections.abc import Mapping
from dataclasses import field

from talewright.chronicle.record_order_checks import Violation
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.play.verify.turn_proof import TurnStanding, TurnVerdict
from talewright.play.verify.uncovered_parts import list_uncovered


@frozen
class VerifiedTurn:
    """One turn, and how far it is proven."""

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
    """Whether it is the same as the installed game of this name."""


@frozen
class VerificationReport:
    """The result of a verification."""

    violations: tuple[Violation, ...]
    checked: Mapping[str, int]
    """How many things of each kind were checked: records, commits, changes, draws, derived draws, seen."""

    turns: tuple[VerifiedTurn, ...] = ()
    """Every turn in the order it was written; empty if none was replayed."""

    games: tuple[VerifiedGame, ...] = ()
    """The games it was played with."""

    derived: bool = False
    """Whether all draws were derived from the secret; otherwise recorded ones were used."""

    imported: bool = False
    """Whether it started from a save game, about whose past nothing is proven."""

    uncovered: Mapping[str, int] = field(default_factory=dict)
    """What nothing but a receipt could cover, and in how many records: see `uncovered_parts`."""

    @property
    def good(self) -> bool:
        """Whether there are no findings."""
        return not self.violations

    @property
    def folded(self) -> tuple[VerifiedTurn, ...]:
        """The turns that are not proven, though nothing is wrong with them."""
        return tuple(turn for turn in self.turns if turn.verdict.standing is TurnStanding.FOLDED)

    def count(self, standing: TurnStanding) -> int:
        """How many turns have this status."""
        return sum(turn.verdict.standing is standing for turn in self.turns)

    def to_json(self, campaign: str) -> dict[str, Json]:
        """The same as data."""
        return {
            "campaign": campaign,
            "good": self.good,
            "rolls_derived": self.derived,
            "imported": self.imported,
            "unproven": list_uncovered(self.uncovered),
            "checked": dict(self.checked),
            "violations": [
                {"invariant": each.invariant, "what": each.what, "where": each.where}
                for each in self.violations
            ],
            "games": [
                {
                    "game": each.game,
                    "version": each.version,
                    "digest": each.digest,
                    "installed": each.installed,
                }
                for each in self.games
            ],
            "turns": [
                {
                    "turn": each.version,
                    "branch": each.branch,
                    "commit": each.commit,
                    "engine": each.engine,
                    "verdict": each.verdict.standing.value,
                    **({"why": each.verdict.why} if each.verdict.why else {}),
                }
                for each in self.turns
            ],
        }
