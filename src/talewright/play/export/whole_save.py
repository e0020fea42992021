"""Whole saves: all records and stored games of a campaign in one file, without the secret of its dice.

A file has JSON lines: a header, the games, the records. None of it is trusted before `imported_past_checks`
has checked it. The dice of an imported campaign are new.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from talewright.chronicle.chained_lines import GENESIS, RECORD_BYTES_MAX, bind
from talewright.chronicle.record_codec import RecordCodecError, dump, encode, parse
from talewright.chronicle.records import Commit, Record
from talewright.chronicle.save_format import FORMAT, FORMAT_NUMBER, SaveFormat
from talewright.chronicle.store import BlobKind, CampaignBook, DamagedError, Founding, Store
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.safe_text import clean_line
from talewright.kernel.chance import commitment
from talewright.play.export.import_limits import HEADER_BYTES_MAX, WHOLE_SAVE_BYTES_MAX, count_megabytes
from talewright.play.export.imported_past_checks import check_past
from talewright.play.export.save_game import SaveGameError
from talewright.play.playable_games import ImportableEditions
from talewright.play.verify.dice_commitments import renew_commitment

WHOLE_SAVE = "whole_save"
"""The member that identifies a file; its value is the format version."""

WHOLE_SAVE_VERSION = 1
"""A file with a higher number is not read."""

_TAKE = "Use an unchanged file from `talewright saves export --whole`."


@frozen
class WholeSave:
    """A parsed whole save; its records have not been checked for consistency yet."""

    records: tuple[Record, ...]
    games: Mapping[str, Json]
    """Compiled games by their digests."""


async def export_whole(book: CampaignBook) -> bytes:
    """Everything recorded of a campaign, as bytes."""
    records = [record async for record in book.records()]
    root = records[0]
    assert isinstance(root, Commit), "a campaign begins with a commit"
    # Records of older formats were upgraded when they were read; the first one must say so.
    records[0] = replace(root, body={**root.body, FORMAT: FORMAT_NUMBER})
    lines = [encode(record) for record in records]
    games = [dump({"digest": digest, "game": await _read_game(book, digest)}) for digest in _digests(records)]
    header: dict[str, Json] = {
        WHOLE_SAVE: WHOLE_SAVE_VERSION,
        FORMAT: FORMAT_NUMBER,
        "games": len(games),
        "records": len(lines),
        "chain": hash_records(lines),
    }
    data = b"".join(line + b"\n" for line in (dump(header), *games, *lines))
    if len(data) > WHOLE_SAVE_BYTES_MAX:
        raise SaveGameError(
            f"the campaign would fill more than {count_megabytes(WHOLE_SAVE_BYTES_MAX)} MB and could not be "
            "imported again",
            "Copy its folder instead; leave out the file `secret` to keep its future dice unknown.",
        )
    return data


def is_whole(data: bytes) -> bool:
    """Whether bytes start like a whole save."""
    return _read_line(data[:HEADER_BYTES_MAX].split(b"\n", 1)[0]).get(WHOLE_SAVE) is not None


def parse_whole(data: bytes) -> WholeSave:
    """Parse a file. Raises SaveGameError saying what is wrong with it."""
    if len(data) > WHOLE_SAVE_BYTES_MAX:
        raise SaveGameError(f"the file is larger than {count_megabytes(WHOLE_SAVE_BYTES_MAX)} MB", _TAKE)
    first, *lines = data.split(b"\n")
    header = _read_line(first)
    version, number = _count(header, WHOLE_SAVE), _count(header, FORMAT)
    if version > WHOLE_SAVE_VERSION or number > FORMAT_NUMBER:
        raise SaveGameError(
            "the file was written by a newer version of Talewright",
            "Update Talewright, then import it again.",
        )
    games, records = _count(header, "games"), _count(header, "records")
    if lines[-1:] != [b""] or len(lines) - 1 != games + records or not records:
        raise SaveGameError(f"the file does not have the expected {games + records} lines", _TAKE)
    if header.get("chain") != hash_records(lines[games:-1]):
        raise SaveGameError("the records in the file have been changed", _TAKE)
    return WholeSave(
        _read_records(lines[games:-1], SaveFormat(number)), dict(map(_read_game_line, lines[:games]))
    )


async def import_whole(
    store: Store,
    editions: ImportableEditions,
    save: WholeSave,
    *,
    campaign: str,
    secret: bytes,
    now: Callable[[], str],
) -> CampaignBook:
    """Create a campaign with the past in a file; its dice are new from here on."""
    edition, language = check_past(save.records, save.games, editions)
    root, *past = save.records
    assert isinstance(root, Commit), "that was checked"
    last = max(record.sequence for record in save.records if isinstance(record, Commit))
    renewed = renew_commitment(root, commitment(secret), last, now())
    about = {
        "game": edition.game.id,
        "title": clean_line(edition.words(language).get("title")),
        "language": language,
    }
    others = {digest: form for digest, form in save.games.items() if digest != root.game_digest}
    return await store.found(
        Founding(
            campaign,
            replace(renewed, body={**renewed.body, FORMAT: FORMAT_NUMBER}),
            secret,
            about,
            save.games[root.game_digest],
            past=tuple(past),
            games=others,
        )
    )


def _digests(records: Sequence[Record]) -> list[str]:
    """The digests of the games that turns were played with, without duplicates."""
    return list(dict.fromkeys(record.game_digest for record in records if isinstance(record, Commit)))


async def _read_game(book: CampaignBook, digest: str) -> Json:
    form = await book.kept(BlobKind.GAME, digest)
    if form is None:
        raise DamagedError(
            "a game that turns of this campaign were played with is missing from it",
            "Restore the campaign's folder `games` from a backup or from its git history.",
        )
    return form


def hash_records(lines: Sequence[bytes]) -> str:
    """The hash over the bytes of records, as a store computes it."""
    chain = GENESIS
    for line in lines:
        chain = bind(chain, line)
    return chain.hex()


def _read_line(line: bytes) -> Mapping[str, Json]:
    """The object on a line; empty if it is not valid."""
    try:
        form = parse(line)
    except RecordCodecError:
        return {}
    return form if isinstance(form, dict) else {}


def _count(header: Mapping[str, Json], name: str) -> int:
    value = header.get(name)
    if type(value) is not int or value < 0:
        raise SaveGameError(f"the first line of the file has no number {name!r}", _TAKE)
    return value


def _read_game_line(line: bytes) -> tuple[str, Json]:
    members = _read_line(line)
    digest = members.get("digest")
    if not isinstance(digest, str) or set(members) != {"digest", "game"}:
        raise SaveGameError("a game in the file cannot be read", _TAKE)
    try:
        # JSON can express what no campaign can store, as in records.
        dump(dict(members))
    except ValueError as error:
        raise SaveGameError(f"a game in the file cannot be stored: {error}", _TAKE) from None
    return digest, members["game"]


def _read_records(lines: Sequence[bytes], form: SaveFormat) -> tuple[Record, ...]:
    records: list[Record] = []
    for number, line in enumerate(lines, 1):
        try:
            record = form.read(line)
            # JSON can express what no campaign can store: infinite numbers, lone surrogates.
            fits = len(encode(record)) <= RECORD_BYTES_MAX
        except (RecordCodecError, ValueError) as error:
            raise SaveGameError(f"record {number} of the file cannot be read: {error}", _TAKE) from None
        if not fits:
            raise SaveGameError(f"record {number} of the file is too large", _TAKE)
        records.append(record)
    return tuple(records)
