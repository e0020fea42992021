"""Imported past checks: validates records and games from an untrusted file.

Everything that the engine will rely on later is checked before it is written. Nothing is repaired: an
inconsistent past is refused, with a list of what is wrong.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from talewright.chronicle.record_fold import FoldedRecords
from talewright.chronicle.records import Accepted, Aside, Attempt, Commit, Json, Pointing, Record
from talewright.common.safe_text import clean_line
from talewright.errors import TalewrightError
from talewright.kernel.game import GameLimits
from talewright.kernel.state.state_paths import parse_pointer
from talewright.llm.profiles import read_profile
from talewright.play.campaign_view import Viewer
from talewright.play.export.import_limits import OPERATION_LENGTH_MAX
from talewright.play.export.imported_body_shapes import find_odd_members
from talewright.play.export.save_game import SaveGameError, find_value_faults, tell_faults
from talewright.play.playable_games import ForeignGameError, ImportableEditions
from talewright.play.presentation.news_events import tell_commit
from talewright.play.sessions.session_navigation import NAME_LENGTH_MAX
from talewright.play.verify.campaign_replay import Fold
from talewright.play.verify.campaign_verification import Verification
from talewright.play.verify.dice_commitments import read_commitments
from talewright.prompt.past_turns_part import read_window
from talewright.turn.game_editions import Edition
from talewright.turn.inputs.player_inputs import from_json as input_from_json
from talewright.turn.memory.past_turns import retell
from talewright.turn.records.commit_body import read_body
from talewright.turn.records.turn_circumstances import read_circumstances

REASON_LENGTH_MAX = 200
"""The maximum length of an exception's text in a message."""

_ID = re.compile(r"[0-9A-Za-z_-]{1,128}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z")

UNREADABLE = (
    TalewrightError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
)
"""What reading a malformed body can raise."""

_HINT = "Nothing was imported. Ask for another copy of the file."


def check_past(
    records: Sequence[Record], games: Mapping[str, Json], editions: ImportableEditions
) -> tuple[Edition, str]:
    """The current game of a past and its language. Raises SaveGameError if the past is invalid, and
    ForeignGameError if any of its games is not taken here.
    """
    _refuse(_check_names(records))
    _refuse(_check_forms(records))
    folds: list[Fold] = []
    _refuse(_check_invariants(records, folds))
    opened = _open_games(records, games, editions)
    _refuse(_check_commits(folds, opened))
    ledger = FoldedRecords()
    for record in records:
        ledger.take(record)
    head = ledger.commit(ledger.look().head)
    edition = opened[head.game_digest]
    line = ledger.lineage(head.id, len(records))
    language = next((str(turn.body["language"]) for turn in line if turn.body.get("language")), "")
    return edition, language or edition.game.language


def _refuse(faults: Iterable[str]) -> None:
    """Raise SaveGameError if there is any fault. Later faults may follow from earlier ones."""
    found = list(faults)
    if found:
        raise SaveGameError(tell_faults("the past in the file cannot be imported", found), _HINT)


def _word(error: BaseException) -> str:
    """An exception as one line of text."""
    return f"{type(error).__name__}: {clean_line(str(error)[:REASON_LENGTH_MAX])}"


def _check_names(records: Sequence[Record]) -> Iterator[str]:
    """Check ids, names and times: they are displayed, and some become file names."""
    for number, record in enumerate(records, 1):
        for what, text in _find_unfit(record):
            yield f"record {number}: its {what} is {clean_line(text[:NAME_LENGTH_MAX])!r}"


def _find_unfit(record: Record) -> Iterator[tuple[str, str]]:
    match record:
        case Accepted():
            ids, names, operations = [record.base], [record.branch], [record.operation_id]
        case Commit():
            ids = [record.id, record.game_digest, record.state_digest]
            names, operations = [record.branch], [record.operation_id]
        case Attempt():
            ids, names, operations = [record.id, record.base], [record.branch], [record.operation_id]
        case Aside():
            ids, names, operations = [record.id, record.commit], [], []
        case Pointing():
            ids, names, operations = [record.commit], [record.name], []
    yield from (("id", text) for text in ids if not _ID.fullmatch(text))
    yield from (("name", text) for text in names if not _is_plain(text, NAME_LENGTH_MAX))
    yield from (("operation", text) for text in operations if not _is_plain(text, OPERATION_LENGTH_MAX))
    if not _MOMENT.fullmatch(record.at):
        yield "time", record.at


def _is_plain(text: str, length_max: int) -> bool:
    return 0 < len(text) <= length_max and clean_line(text) == text


def _check_invariants(records: Sequence[Record], folds: list[Fold]) -> Iterator[str]:
    """The findings of `talewright verify`; adds every turn as it was recomputed, which takes a while."""
    verification = Verification()
    try:
        for record in records:
            verification.take(record)
            if isinstance(record, Commit) and verification.fold is not None:
                folds.append(verification.fold)
    except UNREADABLE as error:
        yield f"record {verification.records}: it cannot be read: {_word(error)}"
        return
    yield from (f"{found.what} ({found.where})" for found in verification.finish().violations)


def _open_games(
    records: Sequence[Record], games: Mapping[str, Json], editions: ImportableEditions
) -> dict[str, Edition]:
    played = {record.game_digest for record in records if isinstance(record, Commit)}
    if played != set(games):
        _refuse(["the games in the file are not the ones its turns were played with"])
    opened = {}
    for digest, form in games.items():
        try:
            edition = editions.unpack_imported(form)
        except ForeignGameError:
            raise
        except UNREADABLE as error:
            raise SaveGameError(f"a game in the file cannot be played: {_word(error)}", _HINT) from None
        if edition.digest != digest:
            _refuse(["a game in the file is not the one its turns were played with"])
        if edition.game.limits != GameLimits():
            _refuse(["a game in the file changes the engine's limits"])
        opened[digest] = edition
    return opened


def _check_commits(folds: Sequence[Fold], opened: Mapping[str, Edition]) -> Iterator[str]:
    """Check that every state fits its game, and that every turn can be read. That it follows from the
    previous state has been checked.
    """
    played: dict[str, str] = {}
    """The game of each commit, by its digest."""

    for fold in folds:
        commit = fold.commit
        edition = opened[commit.game_digest]
        played[commit.id] = commit.game_digest
        try:
            same = played.get(commit.parent) == commit.game_digest
            faults = find_state_faults(fold, edition, changed_only=same)
            if not faults:
                _read_turn(commit, edition)
        except UNREADABLE as error:
            faults = [f"it cannot be read: {_word(error)}"]
        yield from (f"turn {commit.version} ({commit.id}): {fault}" for fault in faults)
        if faults:
            # Everything later builds on it.
            return


def find_state_faults(fold: Fold, edition: Edition, *, changed_only: bool) -> list[str]:
    """What in the state after a turn is not valid in its game."""
    document = fold.after
    assert document is not None, "nothing is wrong with the fold"
    faults = [f"{name}: it is missing" for name in edition.game.layout.roots if name not in document]
    changed = (parse_pointer(change.path)[0] for change in fold.changes)
    for name in dict.fromkeys(changed) if changed_only else document:
        faults += find_value_faults(edition.game, name, document[name])
    return faults


def _read_turn(commit: Commit, edition: Edition) -> None:
    """Read every part of a turn that is ever shown or that later turns build on, to see whether anything is
    raised.
    """
    body = read_body(commit.body)
    if not commit.parent:
        read_commitments(commit)
        return
    input_from_json(body.input)
    circumstances = read_circumstances(body.circumstances)
    for profile in (circumstances.main, circumstances.cheap):
        if isinstance(profile, Mapping):
            read_profile(profile)
    read_window(body.window, commit.version)
    bytes.fromhex(body.nonce)
    tell_commit(commit, edition, Viewer.AUTHOR, body.language, None)
    retell(commit.version, body, edition.game, edition.words(body.language))


def _check_forms(records: Sequence[Record]) -> Iterator[str]:
    """Check the shapes of bodies, and whether inputs can be read."""
    for number, record in enumerate(records, 1):
        yield from (f"record {number}: {fault}" for fault in find_odd_members(record))
        if isinstance(record, Accepted):
            try:
                input_from_json(record.input)
            except ValueError as error:
                yield f"record {number}: its input cannot be read: {_word(error)}"
