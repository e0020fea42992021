"""Dice commitments: which secret the dice of each commit follow from, including imported turns.

Imported turns keep their draws, but the secret behind them is not exported. After an import the dice follow
from a new secret. Nothing is derived here.
"""

from collections.abc import Mapping
from dataclasses import replace

from talewright.chronicle.records import Commit, Json
from talewright.chronicle.store import CampaignBook
from talewright.common.frozen_values import frozen
from talewright.kernel.chance import commitment
from talewright.play.verify.campaign_replay import commitment_of

ROOT, COMMITMENT, EARLIER = "root", "commitment", "earlier"
"""Members of the first commit: its start, the commitment, and earlier commitments."""

_EARLIER_MEMBERS = (COMMITMENT, "through", "at")
"""What is recorded of an earlier commitment."""


@frozen
class EarlierDice:
    """The commitment to a secret that imported dice followed from."""

    commitment: str
    through: int
    """The sequence number of the last commit whose dice may follow from it."""

    at: str = ""
    """When the turns were imported."""


@frozen
class DiceCommitments:
    """Which secret the dice of each commit follow from."""

    own: str
    """The campaign's own commitment; empty if the first commit has none."""

    earlier: tuple[EarlierDice, ...] = ()
    """Oldest first."""

    def find(self, sequence: int) -> str:
        """The commitment for the dice of a commit, by its sequence number."""
        return next((one.commitment for one in self.earlier if sequence <= one.through), self.own)

    def bind(self, secret: bytes | None, sequence: int) -> bool:
        """Whether the dice of a commit follow from a secret."""
        return secret is not None and commitment(secret) == self.find(sequence)

    @property
    def imported_through(self) -> int:
        """The sequence number of the last commit that is said to be imported; -1 if there is none."""
        return max((one.through for one in self.earlier), default=-1)

    def is_imported(self, sequence: int) -> bool:
        """Whether a commit was imported, so that its dice do not follow from the campaign's own secret."""
        return sequence <= self.imported_through

    def has(self, committed: str) -> bool:
        """Whether any dice belong to a commitment."""
        return committed == self.own or any(committed == one.commitment for one in self.earlier)


def read_commitments(root: Commit) -> DiceCommitments:
    """Read the commitments in the first commit. Raises ValueError if they are malformed."""
    held = _read_root(root)
    raw = held.get(EARLIER, [])
    if not isinstance(raw, list):
        raise ValueError("its earlier commitments are not a list")
    earlier = tuple(map(_read_earlier, raw))
    ends = [one.through for one in earlier]
    if ends != sorted(ends):
        raise ValueError("its earlier commitments are not in order")
    return DiceCommitments(commitment_of(root), earlier)


async def find_imported_through(book: CampaignBook) -> int:
    """The sequence number of the last imported commit; -1 if there is none."""
    async for record in book.records(limit=1):
        if isinstance(record, Commit):
            return read_commitments(record).imported_through
    return -1


def renew_commitment(root: Commit, renewed: str, through: int, at: str) -> Commit:
    """The first commit for an import: draws after sequence number `through` belong to a new commitment."""
    held = _read_root(root)
    last: Json = {COMMITMENT: commitment_of(root), "through": through, "at": at}
    known: list[Json] = [
        {COMMITMENT: one.commitment, "through": one.through, "at": one.at}
        for one in read_commitments(root).earlier
    ]
    return replace(root, body={**root.body, ROOT: {**held, COMMITMENT: renewed, EARLIER: [*known, last]}})


def _read_root(root: Commit) -> Mapping[str, Json]:
    held = root.body.get(ROOT)
    return held if isinstance(held, Mapping) else {}


def _read_earlier(raw: Json) -> EarlierDice:
    members = raw if isinstance(raw, Mapping) else {}
    committed, through, at = (members.get(name) for name in _EARLIER_MEMBERS)
    if (
        not isinstance(committed, str)
        or type(through) is not int
        or through < 0
        or not isinstance(at, str)
        or len(members) != len(_EARLIER_MEMBERS)
    ):
        raise ValueError("an earlier commitment needs `commitment`, `through` and `at`, and nothing else")
    return EarlierDice(committed, through, at)
