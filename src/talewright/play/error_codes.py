"""Error codes: a stable code for every error and outcome that leaves the engine, in one table.

A code never changes its meaning and is never reused; messages may be reworded at any time. Classes are listed
by name and not imported, so that reporting an error loads no modules.
"""

from collections.abc import Mapping

from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError


@frozen
class ErrorCode:
    """A code and its meaning."""

    code: str
    meaning: str
    errors: tuple[str, ...] = ()
    """The names of the error classes with this code; their subclasses have it too."""


ENGINE_ERROR = "error"
"""The code of unexpected errors."""


class RemoteError(TalewrightError):
    """An error that another process reported, with its code; the code may be newer than this program."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.code = code


ERROR_CODES: tuple[ErrorCode, ...] = (
    ErrorCode("failed", "The operation failed; the message says why.", ("TalewrightError",)),
    ErrorCode("campaign_unknown", "There is no such campaign.", ("UnknownCampaignError",)),
    ErrorCode("campaign_foreign", "This server does not serve that campaign.", ("ForeignCampaignError",)),
    ErrorCode("owner_unknown", "There is no such owner.", ("UnknownOwnerError",)),
    ErrorCode("owner_ambiguous", "The ids of several owners begin like this.", ("AmbiguousOwnerError",)),
    ErrorCode("turn_unknown", "There is no such turn, branch or mark.", ("UnknownCommitError",)),
    ErrorCode("name_unfit", "The name is not allowed.", ("UnfitNameError",)),
    ErrorCode("name_taken", "The name is already in use.", ("NameTakenError",)),
    ErrorCode("campaign_refused", "The campaign could not be read or written.", ("ChronicleError",)),
    ErrorCode("newer_format", "A newer version of Talewright wrote it.", ("NewerFormatError",)),
    ErrorCode("database_schema", "The database schema belongs to another version.", ("DatabaseSchemaError",)),
    ErrorCode(
        "database_unreachable", "The database of a host does not answer.", ("UnreachableDatabaseError",)
    ),
    ErrorCode(
        "too_many_campaigns", "The owner has as many campaigns as allowed.", ("TooManyCampaignsError",)
    ),
    ErrorCode("storage_full", "The owner's campaigns take all the space allowed.", ("StorageFullError",)),
    ErrorCode("record_unreadable", "A record is malformed.", ("RecordCodecError",)),
    ErrorCode("game_unknown", "There is no such game.", ("UnknownGameError",)),
    ErrorCode("game_unplayable", "The game has faults, or cannot be read.", ("UnplayableGameError",)),
    ErrorCode(
        "game_not_installed",
        "The game of an imported campaign is not installed on this host.",
        ("ForeignGameError",),
    ),
    ErrorCode("language_unknown", "The game does not offer that language.", ("UnknownLanguageError",)),
    ErrorCode("teller_needed", "The game needs a model or another storyteller.", ("TellerNeededError",)),
    ErrorCode("model_unknown", "There is no such model.", ("UnknownModelError",)),
    ErrorCode("key_missing", "The API key of a model was not found.", ("MissingKeyError",)),
    ErrorCode(
        "price_missing", "A budget in dollars needs the price of every model.", ("UnpricedModelError",)
    ),
    ErrorCode("settings_unreadable", "A setting is invalid.", ("SettingsError", "AddressListError")),
    ErrorCode("provider_failed", "A model or its server failed.", ("ProviderError",)),
    ErrorCode(
        "save_unreadable", "The file is not a save game, or belongs to another game.", ("SaveGameError",)
    ),
    ErrorCode("scenario_unreadable", "The file is not a scenario, or a game has none.", ("ScenarioError",)),
    ErrorCode("receipt_unusable", "The line is not a receipt, or cannot be checked here.", ("ReceiptError",)),
    ErrorCode("port_unusable", "The server cannot listen on that port.", ("UnusablePortError",)),
    ErrorCode("token_needed", "The request has no valid token.", ("AccessDenied",)),
    ErrorCode(
        "rate_limited",
        "Too many requests, imports or bad tokens in a minute; `Retry-After` says when to try again.",
        ("RateLimitedError",),
    ),
    ErrorCode("too_many_streams", "The owner has too many open event streams.", ("TooManyStreamsError",)),
    ErrorCode("not_found", "There is nothing here, or the token does not allow it.", ("NotFoundError",)),
    ErrorCode("request_refused", "The server does not support this request."),
    ErrorCode("file_unusable", "A file could not be read or written.", ("LocalFileError",)),
    ErrorCode("address_unreadable", "The address of a server is not valid.", ("ServerAddressError",)),
    ErrorCode(
        "server_unreachable",
        "The server does not answer.",
        ("UnreachableServerError", "BrokenConnectionError"),
    ),
    ErrorCode(
        "server_unproven", "The server did not prove that it knows the token.", ("UnprovenServerError",)
    ),
    ErrorCode("remote_failed", "A server failed without saying why.", ("RemoteError",)),
    ErrorCode("wire_unreadable", "Data received over the network is malformed.", ("WireError",)),
    ErrorCode("prompt_not_rebuilt", "A prompt cannot be rebuilt.", ("NotRebuiltError",)),
    ErrorCode("role_refused", "The role of the session does not allow this.", ("RoleError",)),
    ErrorCode(
        "lease_lost", "The turn of an external game master has expired or is not theirs.", ("LeaseError",)
    ),
    ErrorCode("turn_open_elsewhere", "Another writer changed the open turn first.", ("OpenTurnMovedError",)),
    ErrorCode(
        "not_wanted", "The external game master submitted something that nobody asked for.", ("HandInError",)
    ),
    ErrorCode("words_missing", "The interface's words are missing or not compiled.", ("WordsMissingError",)),
    ErrorCode("dice_unreadable", "The dice notation is invalid.", ("DiceError",)),
    ErrorCode("schema_unfit", "A JSON Schema uses an unsupported keyword.", ("SchemaError",)),
    # From here on, also reasons why an input did not lead to a turn, as in `InputResult`.
    ErrorCode(
        "turn_running",
        "Another turn is running; the input was not saved and can be sent again.",
        ("TurnRunningError",),
    ),
    ErrorCode("moved", "Another turn was committed first.", ("HeadMovedError",)),
    ErrorCode("read_only", "Part of the record is damaged; the campaign is read-only.", ("DamagedError",)),
    ErrorCode(
        "unsaved",
        "Writing to disk failed; nothing is known to be saved.",
        ("UnsavedError", "UnknownOutcomeError"),
    ),
    ErrorCode(
        "campaign_closed",
        "The campaign was closed on this host for good; it can still be read.",
        ("ClosedCampaignError",),
    ),
    ErrorCode("request_foreign", "The request names another host, or comes from a page of another origin."),
    ErrorCode("body_too_large", "The body of the request is too large."),
    ErrorCode("body_too_slow", "The body of the request arrives too slowly."),
    ErrorCode("server_stopping", "The server is stopping; the request can be sent again."),
    ErrorCode(
        "server_busy",
        "The server has too much work; the request can be sent again in a few seconds.",
        ("ServerBusyError",),
    ),
    ErrorCode(
        "job_stopped",
        "An import, an export, a verification or a game needs more time or memory than the server allows.",
        ("JobStoppedError",),
    ),
    ErrorCode("job_crashed", "A process of the server ended before its work was done.", ("JobCrashedError",)),
    ErrorCode("unmatched", "No choice matches what the player said."),
    ErrorCode("no_such_choice", "There is no such choice."),
    ErrorCode("no_such_decision", "There is no such decision."),
    ErrorCode("decision_first", "A decision must be answered first."),
    ErrorCode("player_decides", "Only the player can answer this decision."),
    ErrorCode("too_long", "The input is too long."),
    ErrorCode("empty", "The input is empty."),
    ErrorCode("over", "The game has ended."),
    ErrorCode("not_allowed", "Moderation refused the input."),
    ErrorCode("risky", "Moderation held the input back; the player can still continue."),
    ErrorCode("no_teller", "The scenes end here, and there is no model or other storyteller."),
    ErrorCode("turn_open", "An external game master is in the middle of a turn."),
    ErrorCode("untold", "The storyteller could not be reached, or gave no usable answer."),
    ErrorCode("declined", "The storyteller refused to continue."),
    ErrorCode("budget", "Another request could exceed the budget."),
    ErrorCode("timed_out", "The storyteller took too long."),
    ErrorCode("skipped", "The player did not wait for the storyteller, and no scene can narrate the turn."),
    ErrorCode("too_much_work", "The rules of the game take too many steps here.", ("TooMuchWorkError",)),
    ErrorCode("crashed", "Every worker of the host that took the turn crashed; its input is saved."),
    ErrorCode("cancelled", "The turn was stopped; its input is saved."),
    ErrorCode("nothing_to_retry", "There is no turn to retry."),
    ErrorCode("rephrase", "The player chose to rephrase input that was held back."),
    ErrorCode("withdraw", "The player withdrew input that was held back."),
    ErrorCode("rollback", "The player went back a turn instead."),
    ErrorCode("quit", "The player quit; everything is saved."),
    ErrorCode(ENGINE_ERROR, "An internal error; the record has the details."),
)
"""All codes. New ones may be added at any time."""

CODES_BY_ERROR: Mapping[str, str] = {name: row.code for row in ERROR_CODES for name in row.errors}
"""The code of each error class, by its name."""


def code_of(error: BaseException) -> str:
    """The code of an error: that of its class or of the nearest base class."""
    if isinstance(error, RemoteError):
        return error.code
    names = (kind.__name__ for kind in type(error).__mro__)
    return next((CODES_BY_ERROR[name] for name in names if name in CODES_BY_ERROR), ENGINE_ERROR)


def write_error(error: TalewrightError) -> dict[str, str]:
    """An error as JSON for programs."""
    return {"code": code_of(error), "message": error.message, "hint": error.hint}
