"""The listing file: `campaign.json`, by which a campaign is listed, and how far it goes.

It is made from the end of the log; only what the campaign is about stands nowhere else.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from talewright.chronicle.chained_lines import GENESIS
from talewright.chronicle.record_codec import RecordCodecError, parse
from talewright.chronicle.records import Json
from talewright.common.frozen_values import frozen
from talewright.common.plain_files import OddFileError
from talewright.stores.folder.disk import Disk, FolderLayout, put_file, read_file
from talewright.stores.folder.log.log_file import LogFile, UnreadableTail, walk_frames

LISTING_BYTES_MAX = 1024 * 1024
"""Bytes of the file."""

LOOK_BYTES_MAX = 1024 * 1024
"""How much of a chronicle is read for a list, behind what the card knows."""


@frozen
class LostEnd:
    """How far a chronicle once went that is shorter now, or goes on otherwise. It stays known."""

    end: int
    """Bytes."""

    chain: bytes
    records: int = 0
    """How many records it had then; 0 where that is not known."""

    sought: bool = False
    """Whether a recovery has looked for them and could not bring them back."""


@frozen
class ListingFile:
    """What a list of campaigns shows, and for which end of the chronicle."""

    about: Mapping[str, str] = field(default_factory=dict)
    at: str = ""
    end: int = 0
    """Bytes of the chronicle when it was written."""

    chain: bytes = GENESIS
    damaged: bool = False
    owner: str = ""
    records: int = 0
    """Records of the chronicle when it was written; 0 where that was not noted."""

    lost: LostEnd | None = None


def write_listing(disk: Disk, layout: FolderLayout, card: ListingFile) -> None:
    """Put a card in its place, whole."""
    put_file(disk, layout.listing, encode_listing(card))


def encode_listing(card: ListingFile) -> bytes:
    """The bytes of a card, sealed by a hash."""
    form: dict[str, Json] = {
        "about": dict(card.about),
        "at": card.at,
        "end": card.end,
        "chain": card.chain.hex(),
        "damaged": card.damaged,
    }
    if card.owner:
        form["owner"] = card.owner
    if card.records:
        form["records"] = card.records
    if card.lost is not None:
        lost = card.lost
        form["lost"] = [lost.end, lost.chain.hex(), lost.records, lost.sought]
    form["seal"] = hashlib.sha256(json.dumps(form).encode()).hexdigest()
    return (json.dumps(form, ensure_ascii=False, indent=2) + "\n").encode()


def read_listing(disk: Disk, layout: FolderLayout) -> ListingFile | None:
    """The card of a campaign; None where it is missing or damaged."""
    try:
        return parse_listing(read_file(disk, layout.listing, LISTING_BYTES_MAX))
    except OSError:
        return None


def parse_listing(data: bytes) -> ListingFile | None:
    """The card of its bytes; None where they are none."""
    try:
        form = json.loads(data.decode())
        card = ListingFile(
            about={str(key): str(value) for key, value in form["about"].items()},
            at=str(form["at"]),
            end=_read_count(form["end"]),
            chain=bytes.fromhex(form["chain"]),
            damaged=bool(form["damaged"]),
            owner=str(form.get("owner", "")),
            records=_read_count(form.get("records", 0)),
            lost=_read_lost(form["lost"]) if "lost" in form else None,
        )
        # Whatever had to be made fit is spelt otherwise now.
        return card if encode_listing(card) == data else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _read_lost(form: list[Any]) -> LostEnd:
    end, chain, records, sought = form
    return LostEnd(_read_count(end), bytes.fromhex(chain), _read_count(records), bool(sought))


def _read_count(form: object) -> int:
    if not isinstance(form, int) or form < 0:
        raise ValueError("a whole number of 0 or more is expected")
    return int(form)


def update_listing(disk: Disk, layout: FolderLayout, card: ListingFile | None) -> ListingFile:
    """A card as the chronicle's end makes it: a bounded look, which alters nothing."""
    if card is None:
        card = ListingFile(damaged=True)
    try:
        log = LogFile(disk, layout.chronicle, writable=False)
    except (FileNotFoundError, OddFileError):
        return replace(card, damaged=True)
    except OSError:
        # Nobody may read it, or the disk refuses: whether it is damaged is not known.
        return card
    try:
        size = log.size
        first = next(walk_frames(log.read, 0, GENESIS, size), None)
        if size < card.end or first is None or isinstance(first, UnreadableTail):
            return replace(card, damaged=True)
        for item in walk_frames(log.read, card.end, card.chain, min(size, card.end + LOOK_BYTES_MAX)):
            if isinstance(item, UnreadableTail):
                # What seems torn may be a write under way, or the end of this look.
                return replace(card, damaged=card.damaged or not item.torn)
            form = parse(item.frame.record)
            at = form.get("at") if isinstance(form, dict) else None
            card = replace(card, at=at) if isinstance(at, str) else replace(card, damaged=True)
    except RecordCodecError:
        return replace(card, damaged=True)
    except OSError:
        return card
    finally:
        log.close()
    return card
