"""Uncovered parts: what in a campaign's records nothing else determines, so that only a receipt protects it.

The page about the dice has the same list, and generated forgeries of anything else are detected.
"""

from collections import Counter
from collections.abc import Mapping

from talewright.chronicle.records import Accepted, Aside, Attempt, Commit, Pointing, Record
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json

WHOLE = "(whole)"
"""Stands for a whole record of a kind: it may be added, removed or moved."""


@frozen
class UncoveredParts:
    """Parts of records that are not covered for the same reason."""

    name: str
    places: tuple[str, ...]
    """The kind of a record and the names of members. Whatever is inside them is not covered either."""


UNCOVERED: tuple[UncoveredParts, ...] = (
    UncoveredParts("times", ("accepted.at", "commit.at", "attempt.at", "aside.at", "pointing.at")),
    UncoveredParts(
        "ids and names that no other record mentions",
        ("commit.id", "commit.operation_id", "commit.branch", "attempt.id", "aside.id"),
    ),
    UncoveredParts("what the player typed or chose", ("commit.body.input", "commit.body.language")),
    UncoveredParts("the models' answers, and what they cost", ("commit.body.exchanges",)),
    UncoveredParts(
        "the settings of a turn",
        ("commit.body.circumstances", "commit.body.model", "commit.body.engine", "commit.body.format"),
    ),
    UncoveredParts("the nonces of fresh dice", ("commit.body.nonce",)),
    UncoveredParts("edits of the campaign's pages", ("commit.body.edits",)),
    UncoveredParts(
        "background results and rolls seen in abandoned turns, as far as no turn shows them",
        ("commit.body.asides", "aside.commit", "aside.body", f"aside {WHOLE}"),
    ),
    UncoveredParts(
        "attempts: their cost, duration and outcome",
        ("attempt.operation_id", "attempt.base", "attempt.verdict", "attempt.body", f"attempt {WHOLE}"),
    ),
    UncoveredParts(
        "inputs that became no turn",
        (
            "accepted.operation_id",
            "accepted.branch",
            "accepted.base",
            "accepted.replaces",
            "accepted.input",
            f"accepted {WHOLE}",
        ),
    ),
    UncoveredParts(
        "marks, and branches without later turns",
        ("pointing.pointer", "pointing.name", "pointing.commit", f"pointing {WHOLE}"),
    ),
    UncoveredParts("turns that no later turn follows", (f"commit {WHOLE}",)),
    UncoveredParts("when and from where turns were imported", ("commit.body.root.earlier",)),
)
"""Everything that is not covered without a receipt, if the secret is given."""

KINDS: Mapping[type[Record], str] = {
    Accepted: "accepted",
    Commit: "commit",
    Attempt: "attempt",
    Aside: "aside",
    Pointing: "pointing",
}
"""The names of the kinds of records."""

_PLACES = tuple(place for parts in UNCOVERED for place in parts.places)


def _split_places() -> tuple[Mapping[str, tuple[str, ...]], Mapping[str, str]]:
    """The places that every record of a kind has, and those in the bodies of commits, by member."""
    common: dict[str, tuple[str, ...]] = {}
    for kind in KINDS.values():
        places = (place for place in _PLACES if place.startswith((f"{kind}.", f"{kind} ")))
        common[kind] = tuple(place for place in places if not place.startswith("commit.body."))
    members = {place.split(".")[2]: place for place in _PLACES if place.startswith("commit.body.")}
    return common, members


_COMMON, _MEMBERS = _split_places()


def count_uncovered(record: Record, counts: Counter[str]) -> None:
    """Count the uncovered parts of one record, by place."""
    counts.update(_COMMON[KINDS[type(record)]])
    if isinstance(record, Commit):
        body = record.body
        for member in _MEMBERS.keys() & body.keys():
            held = body[member]
            if member != "root" or (isinstance(held, Mapping) and held.get("earlier")):
                counts[_MEMBERS[member]] += 1


def name_uncovered(counts: Mapping[str, int]) -> tuple[str, ...]:
    """What is not covered, in words."""
    return tuple(parts.name for parts in UNCOVERED if any(counts.get(place) for place in parts.places))


def list_uncovered(counts: Mapping[str, int]) -> list[Json]:
    """What is not covered, as JSON: each place, and how many records have it."""
    return [{"part": place, "records": counts[place]} for place in _PLACES if counts.get(place)]
