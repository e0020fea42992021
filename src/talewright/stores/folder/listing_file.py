"""The listing file: `campaign.json`, which describes a campaign in the list and says how long its chronicle
is.

It is made from the end of the log; only the description of the campaign is stored nowhere else.
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
"""The maximum size of the file in bytes."""

LOOK_BYTES_MAX = 1024 * 1024
"""How many bytes of a chronicle, after the end that the listing knows, are read for the list."""


@frozen
class LostEnd:
    """How long a chronicle once was, if it is shorter now or continues differently. It is remembered."""

    end: int
    """Bytes."""

    chain: bytes
    records: int = 0
    """How many records it had; 0 if unknown."""

    sought: bool = False
    """Whether a recovery has looked for them without success."""


@frozen
class ListingFile:
    """What the list of campaigns shows, and the end of the chronicle it was made for."""

    about: Mapping[str, str] = field(default_factory=dict)
    at: str = ""
    end: int = 0
    """The size of the chronicle in bytes when this was written."""

    chain: bytes = GENESIS
    damaged: bool = False
    owner: str = ""
    records: int = 0
    """The number of records when this was written; 0 if unknown."""

    lost: LostEnd | None = None


def write_listing(disk: Disk, layout: FolderLayout, card: ListingFile) -> None:
    """Write a listing atomically."""
    put_file(disk, layout.listing, encode_listing(card))


def encode_listing(card: ListingFile) -> bytes:
    """The bytes of a listing, with a checksum."""
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
    """The listing of a campaign; None if it is missing or damaged."""
    try:
        return parse_listing(read_file(disk, layout.listing, LISTING_BYTES_MAX))
    except OSError:
        return None


def parse_listing(data: bytes) -> ListingFile | None:
    """Parse a listing; None if the bytes are not valid."""
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
        # Values that had to be cleaned are spelled differently now, so the checksum no longer matches.
        return card if encode_listing(card) == data else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _read_lost(form: list[Any]) -> LostEnd:
    end, chain, records, sought = form
    return LostEnd(_read_count(end), bytes.fromhex(chain), _read_count(records), bool(sought))


def _read_count(form: object) -> int:
    if not isinstance(form, int) or form < 0:
        raise ValueError("expected a whole number of 0 or more")
    return int(form)


def update_listing(disk: Disk, layout: FolderLayout, card: ListingFile | None) -> ListingFile:
    """A listing updated from the end of the chronicle, of which only a limited part is read."""
    if card is None:
        card = ListingFile(damaged=True)
    try:
        log = LogFile(disk, layout.chronicle, writable=False)
    except (FileNotFoundError, OddFileError):
        return replace(card, damaged=True)
    except OSError:
        # No permission, or a disk error: whether it is damaged is unknown.
        return card
    try:
        size = log.size
        first = next(walk_frames(log.read, 0, GENESIS, size), None)
        if size < card.end or first is None or isinstance(first, UnreadableTail):
            return replace(card, damaged=True)
        for item in walk_frames(log.read, card.end, card.chain, min(size, card.end + LOOK_BYTES_MAX)):
            if isinstance(item, UnreadableTail):
                # What looks torn may be a write in progress, or the end of the bytes read here.
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
