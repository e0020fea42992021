"""Error codes: every error and reason has one, none has changed its meaning, and the docs list them all."""

import importlib
import json
import pkgutil
import re
from collections.abc import Iterator

import pytest

import talewright
from talewright.chronicle.store import HeadMovedError, UnknownCampaignError
from talewright.cli import WRONG_USE, main
from talewright.errors import TalewrightError
from talewright.play.error_codes import CODES_BY_ERROR, ERROR_CODES, RemoteError, code_of, write_error
from talewright.play.presentation.choice_wording import CautionAnswer
from talewright.play.presentation.words.player_messages import FixedChoice
from talewright.play.sessions.store_session import _NOTHING_TO_RETRY
from talewright.stores.folder.log.log_file import UnknownOutcomeError
from talewright.turn.turn_outcomes import OutcomeReason
from tools.words import CODES, write_codes

PUBLISHED = {
    "failed": ("The operation failed; the message says why.", ("TalewrightError",)),
    "campaign_unknown": ("There is no such campaign.", ("UnknownCampaignError",)),
    "campaign_foreign": ("This server does not serve that campaign.", ("ForeignCampaignError",)),
    "owner_unknown": ("There is no such owner.", ("UnknownOwnerError",)),
    "owner_ambiguous": ("The ids of several owners begin like this.", ("AmbiguousOwnerError",)),
    "turn_unknown": ("There is no such turn, branch or mark.", ("UnknownCommitError",)),
    "name_unfit": ("The name is not allowed.", ("UnfitNameError",)),
    "name_taken": ("The name is already in use.", ("NameTakenError",)),
    "campaign_refused": ("The campaign could not be read or written.", ("ChronicleError",)),
    "too_many_campaigns": ("The owner has as many campaigns as allowed.", ("TooManyCampaignsError",)),
    "storage_full": ("The owner's campaigns take all the space allowed.", ("StorageFullError",)),
    "newer_format": ("A newer version of Talewright wrote it.", ("NewerFormatError",)),
    "database_schema": ("The database schema belongs to another version.", ("DatabaseSchemaError",)),
    "database_unreachable": ("The database of a host does not answer.", ("UnreachableDatabaseError",)),
    "record_unreadable": ("A record is malformed.", ("RecordCodecError",)),
    "game_unknown": ("There is no such game.", ("UnknownGameError",)),
    "game_unplayable": ("The game has faults, or cannot be read.", ("UnplayableGameError",)),
    "game_not_installed": (
        "The game of an imported campaign is not installed on this host.",
        ("ForeignGameError",),
    ),
    "language_unknown": ("The game does not offer that language.", ("UnknownLanguageError",)),
    "teller_needed": ("The game needs a model or another storyteller.", ("TellerNeededError",)),
    "model_unknown": ("There is no such model.", ("UnknownModelError",)),
    "key_missing": ("The API key of a model was not found.", ("MissingKeyError",)),
    "price_missing": ("A budget in dollars needs the price of every model.", ("UnpricedModelError",)),
    "settings_unreadable": ("A setting is invalid.", ("SettingsError", "AddressListError")),
    "provider_failed": ("A model or its server failed.", ("ProviderError",)),
    "receipt_unusable": ("The line is not a receipt, or cannot be checked here.", ("ReceiptError",)),
    "scenario_unreadable": ("The file is not a scenario, or a game has none.", ("ScenarioError",)),
    "save_unreadable": ("The file is not a save game, or belongs to another game.", ("SaveGameError",)),
    "port_unusable": ("The server cannot listen on that port.", ("UnusablePortError",)),
    "token_needed": ("The request has no valid token.", ("AccessDenied",)),
    "rate_limited": (
        "Too many requests, imports or bad tokens in a minute; `Retry-After` says when to try again.",
        ("RateLimitedError",),
    ),
    "server_busy": (
        "The server has too much work; the request can be sent again in a few seconds.",
        ("ServerBusyError",),
    ),
    "job_stopped": (
        "An import, an export, a verification or a game needs more time or memory than the server allows.",
        ("JobStoppedError",),
    ),
    "job_crashed": ("A process of the server ended before its work was done.", ("JobCrashedError",)),
    "too_many_streams": ("The owner has too many open event streams.", ("TooManyStreamsError",)),
    "not_found": ("There is nothing here, or the token does not allow it.", ("NotFoundError",)),
    "request_refused": ("The server does not support this request.", ()),
    "file_unusable": ("A file could not be read or written.", ("LocalFileError",)),
    "address_unreadable": ("The address of a server is not valid.", ("ServerAddressError",)),
    "server_unreachable": (
        "The server does not answer.",
        ("UnreachableServerError", "BrokenConnectionError"),
    ),
    "server_unproven": ("The server did not prove that it knows the token.", ("UnprovenServerError",)),
    "remote_failed": ("A server failed without saying why.", ("RemoteError",)),
    "wire_unreadable": ("Data received over the network is malformed.", ("WireError",)),
    "prompt_not_rebuilt": ("A prompt cannot be rebuilt.", ("NotRebuiltError",)),
    "turn_open_elsewhere": ("Another writer changed the open turn first.", ("OpenTurnMovedError",)),
    "not_wanted": ("The external game master submitted something that nobody asked for.", ("HandInError",)),
    "words_missing": ("The interface's words are missing or not compiled.", ("WordsMissingError",)),
    "role_refused": ("The role of the session does not allow this.", ("RoleError",)),
    "lease_lost": ("The turn of an external game master has expired or is not theirs.", ("LeaseError",)),
    "dice_unreadable": ("The dice notation is invalid.", ("DiceError",)),
    "schema_unfit": ("A JSON Schema uses an unsupported keyword.", ("SchemaError",)),
    "moved": ("Another turn was committed first.", ("HeadMovedError",)),
    "read_only": ("Part of the record is damaged; the campaign is read-only.", ("DamagedError",)),
    "unsaved": (
        "Writing to disk failed; nothing is known to be saved.",
        ("UnsavedError", "UnknownOutcomeError"),
    ),
    "campaign_closed": (
        "The campaign was closed on this host for good; it can still be read.",
        ("ClosedCampaignError",),
    ),
    "request_foreign": ("The request names another host, or comes from a page of another origin.", ()),
    "body_too_large": ("The body of the request is too large.", ()),
    "body_too_slow": ("The body of the request arrives too slowly.", ()),
    "server_stopping": ("The server is stopping; the request can be sent again.", ()),
    "unmatched": ("No choice matches what the player said.", ()),
    "no_such_choice": ("There is no such choice.", ()),
    "no_such_decision": ("There is no such decision.", ()),
    "decision_first": ("A decision must be answered first.", ()),
    "turn_running": (
        "Another turn is running; the input was not saved and can be sent again.",
        ("TurnRunningError",),
    ),
    "player_decides": ("Only the player can answer this decision.", ()),
    "too_long": ("The input is too long.", ()),
    "empty": ("The input is empty.", ()),
    "over": ("The game has ended.", ()),
    "not_allowed": ("Moderation refused the input.", ()),
    "risky": ("Moderation held the input back; the player can still continue.", ()),
    "no_teller": ("The scenes end here, and there is no model or other storyteller.", ()),
    "turn_open": ("An external game master is in the middle of a turn.", ()),
    "untold": ("The storyteller could not be reached, or gave no usable answer.", ()),
    "declined": ("The storyteller refused to continue.", ()),
    "budget": ("Another request could exceed the budget.", ()),
    "timed_out": ("The storyteller took too long.", ()),
    "skipped": ("The player did not wait for the storyteller, and no scene can narrate the turn.", ()),
    "too_much_work": ("The rules of the game take too many steps here.", ("TooMuchWorkError",)),
    "crashed": ("Every worker of the host that took the turn crashed; its input is saved.", ()),
    "cancelled": ("The turn was stopped; its input is saved.", ()),
    "nothing_to_retry": ("There is no turn to retry.", ()),
    "rephrase": ("The player chose to rephrase input that was held back.", ()),
    "withdraw": ("The player withdrew input that was held back.", ()),
    "rollback": ("The player went back a turn instead.", ()),
    "quit": ("The player quit; everything is saved.", ()),
    "error": ("An internal error; the record has the details.", ()),
}
"""What each code has meant since it was published. Add to it; never change or take away a line."""


def walk(kind: type[TalewrightError]) -> Iterator[type[TalewrightError]]:
    yield kind
    for below in kind.__subclasses__():
        yield from walk(below)


@pytest.mark.slow
def test_every_error_of_the_package_has_a_code_of_its_own() -> None:
    for module in pkgutil.walk_packages(talewright.__path__, "talewright."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    names = {kind.__name__ for kind in walk(TalewrightError) if kind.__module__.startswith("talewright.")}
    # The first has the code of its base class; the second never leaves a worker.
    assert names - {"StoreAwayError", "UnknownFormError"} == set(CODES_BY_ERROR)


def test_every_reason_of_a_result_is_a_code() -> None:
    codes = {row.code for row in ERROR_CODES}
    assert {reason.value for reason in OutcomeReason} <= codes
    assert _NOTHING_TO_RETRY in codes
    assert {CautionAnswer.REPHRASE.value, CautionAnswer.WITHDRAW.value} <= codes
    assert {FixedChoice.ROLLBACK.value, FixedChoice.QUIT.value} <= codes


def test_codes_are_one_of_a_kind_and_read_alike() -> None:
    codes = [row.code for row in ERROR_CODES]
    assert len(codes) == len(set(codes))
    assert all(re.fullmatch("[a-z]+(_[a-z]+)*", code) for code in codes)
    errors = [name for row in ERROR_CODES for name in row.errors]
    assert len(errors) == len(set(errors))


def test_no_code_has_changed_its_meaning() -> None:
    now = {row.code: (row.meaning, row.errors) for row in ERROR_CODES}
    assert now == PUBLISHED, "a new code is added to PUBLISHED; an old one stays as it is"


def test_the_docs_list_them() -> None:
    text = CODES.read_text("utf-8")
    assert write_codes(text) == text, "run `make words`"


def test_the_code_of_an_error_is_that_of_its_nearest_class() -> None:
    class Stranger(UnknownCampaignError):
        """An error of a store that is not ours."""

    assert code_of(Stranger("x")) == "campaign_unknown"
    assert code_of(HeadMovedError("c1")) == "moved"
    assert code_of(UnknownOutcomeError("x")) == "unsaved"
    assert code_of(TalewrightError("x")) == "failed"
    assert code_of(ZeroDivisionError()) == "error"
    assert code_of(RemoteError("name_taken", "x")) == "name_taken"
    assert write_error(TalewrightError("It broke", "Mend it.")) == {
        "code": "failed",
        "message": "It broke",
        "hint": "Mend it.",
    }


def test_commands_print_the_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tree", "nobody", "--json"]) == WRONG_USE
    shown = capsys.readouterr()
    assert json.loads(shown.out)["error"]["code"] == "campaign_unknown"
    assert shown.err.startswith("talewright: there is no campaign 'nobody'")
    assert main(["tree", "nobody"]) == WRONG_USE
    assert capsys.readouterr().out == ""
