"""Transfer files: a campaign as bytes that another store can import with every hash unchanged.

A file has JSON lines: a header, the games, the records byte for byte. None of it is trusted before
`imported_past_checks` has checked it.
"""

from collections.abc import Mapping
from dataclasses import replace

from talewright.chronicle.record_codec import RecordCodecError, dump, parse
from talewright.chronicle.save_format import format_of
from talewright.common.json_values import Json
from talewright.common.safe_text import clean_line
from talewright.play.export.import_limits import (
    TRANSFER_BYTES_MAX,
    TRANSFER_SECRET_BYTES_MAX,
    count_megabytes,
)
from talewright.play.export.imported_past_checks import check_past
from talewright.play.export.save_game import SaveGameError
from talewright.play.playable_games import ImportableEditions
from talewright.play.transfer.campaign_transfer import TransferredCampaign, read_lines

TRANSFER_MEMBER = "moved_campaign"
"""The member that identifies a file; its value is the format version."""

TRANSFER_VERSION = 1
_HINT = "Nothing was written. Copy the campaign again from where it is played."


def write_transfer_file(sent: TransferredCampaign, *, closed: bool) -> bytes:
    """The bytes of a campaign; `closed` means that it can no longer be played where it comes from."""
    games = [dump({"digest": digest, "game": form}) for digest, form in sent.games.items()]
    header: dict[str, Json] = {
        TRANSFER_MEMBER: TRANSFER_VERSION,
        "games": len(games),
        "records": len(sent.lines),
        "chain": sent.chain,
        "about": dict(sent.about),
        "secret": sent.secret.hex(),
        "closed": closed,
    }
    data = b"".join(line + b"\n" for line in (dump(header), *games, *sent.lines))
    if len(data) > TRANSFER_BYTES_MAX:
        raise SaveGameError(
            f"the campaign fills more than {count_megabytes(TRANSFER_BYTES_MAX)} MB",
            "Let the operator of the host move it: talewright saves push and pull with --owner.",
        )
    return data


def read_transfer_file(data: bytes) -> tuple[TransferredCampaign, bool]:
    """Read a file and find out whether its campaign is closed at its source. Raises SaveGameError."""
    first, *lines = data.split(b"\n")
    header = _read_object(first)
    if header.get(TRANSFER_MEMBER) != TRANSFER_VERSION:
        raise SaveGameError("this is not a transferred campaign, or a newer version wrote it", _HINT)
    games, records = header.get("games"), header.get("records")
    if type(games) is not int or type(records) is not int or min(games, records) < 1:
        raise SaveGameError("the first line of the file is not complete", _HINT)
    if lines[-1:] != [b""] or len(lines) - 1 != games + records:
        raise SaveGameError(f"the file does not have the expected {games + records} lines", _HINT)
    sent = TransferredCampaign(
        _read_about(header.get("about")),
        tuple(lines[games:-1]),
        dict(map(_read_game, lines[:games])),
        secret=_read_secret(header.get("secret")),
    )
    if header.get("chain") != sent.chain:
        raise SaveGameError("the records in the file have been changed", _HINT)
    return sent, header.get("closed") is True


def check_transferred(sent: TransferredCampaign, editions: ImportableEditions) -> TransferredCampaign:
    """Check a campaign from an untrusted sender like an imported file. Raises SaveGameError."""
    try:
        format_of(sent.lines[0])
        records = read_lines(sent.lines)
    except (RecordCodecError, ValueError) as error:
        raise SaveGameError(f"a record of the file cannot be read: {clean_line(str(error))}", _HINT) from None
    edition, language = check_past(records, sent.games, editions)
    title = clean_line(edition.words(language).get("title"))
    return replace(sent, about={"game": edition.game.id, "title": title, "language": language})


def _read_object(line: bytes) -> Mapping[str, Json]:
    try:
        form = parse(line)
    except RecordCodecError:
        return {}
    return form if isinstance(form, dict) else {}


def _read_about(given: Json) -> dict[str, str]:
    members = given if isinstance(given, dict) else {}
    return {name: clean_line(value) for name, value in members.items() if isinstance(value, str)}


def _read_game(line: bytes) -> tuple[str, Json]:
    members = _read_object(line)
    digest = members.get("digest")
    if not isinstance(digest, str) or set(members) != {"digest", "game"}:
        raise SaveGameError("a game in the file cannot be read", _HINT)
    return digest, members["game"]


def _read_secret(given: Json) -> bytes:
    try:
        secret = bytes.fromhex(given) if isinstance(given, str) else b""
    except ValueError:
        secret = b"?" * (TRANSFER_SECRET_BYTES_MAX + 1)
    if len(secret) > TRANSFER_SECRET_BYTES_MAX:
        raise SaveGameError("the secret in the file cannot be read", _HINT)
    return secret
