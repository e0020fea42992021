"""Error codes: a stable name for every error and every reason that leaves the engine, in one table.

A code never changes its meaning and is never given to something else; messages may be put better at any
time. Classes are named and not imported, so that whoever tells an error loads nothing for it.
"""

from collections.abc import Mapping

from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError


@frozen
class ErrorCode:
    """A code and what it means."""

    code: str
    meaning: str
    errors: tuple[str, ...] = ()
    """The classes of errors that have it, by their names; those that are made from them have it too."""


ENGINE_ERROR = "error"
"""The code of everything that should not happen."""

ERROR_CODES: tuple[ErrorCode, ...] = (
    ErrorCode("failed", "It could not be done; the message says why.", ("TalewrightError",)),
    ErrorCode("campaign_unknown", "There is no such campaign.", ("UnknownCampaignError",)),
    ErrorCode("turn_unknown", "There is no such turn, branch or mark.", ("UnknownCommitError",)),
    ErrorCode("name_unfit", "Nothing may be called so.", ("UnfitNameError",)),
    ErrorCode("name_taken", "Something else is called so already.", ("NameTakenError",)),
    ErrorCode("campaign_refused", "The campaign could not be read or written.", ("ChronicleError",)),
    ErrorCode("newer_format", "A later version of Talewright wrote it.", ("NewerFormatError",)),
    ErrorCode("record_unreadable", "A record is not what it should be.", ("RecordCodecError",)),
    ErrorCode("game_unknown", "There is no such game.", ("UnknownGameError",)),
    ErrorCode("game_unplayable", "The game has faults, or cannot be read.", ("UnplayableGameError",)),
    ErrorCode("language_unknown", "The game is not told in that language.", ("UnknownLanguageError",)),
    ErrorCode("teller_needed", "Only a storyteller could tell the game.", ("TellerNeededError",)),
    ErrorCode("model_unknown", "There is no such model.", ("UnknownModelError",)),
    ErrorCode("key_missing", "The key of a model is nowhere to be found.", ("MissingKeyError",)),
    ErrorCode("price_missing", "A budget needs the price of a model.", ("UnpricedModelError",)),
    ErrorCode("settings_unreadable", "What was set by hand cannot be taken as it is.", ("SettingsError",)),
    ErrorCode("provider_failed", "A model or its server failed.", ("ProviderError",)),
    ErrorCode("save_unreadable", "The file is no save game, or not of this game.", ("SaveGameError",)),
    ErrorCode("receipt_unusable", "The line is no receipt, or cannot be checked here.", ("ReceiptError",)),
    ErrorCode("file_unusable", "A file could not be read or written.", ("LocalFileError",)),
    ErrorCode("wire_unreadable", "What arrived is not what it should be.", ("WireError",)),
    ErrorCode("prompt_not_rebuilt", "A prompt cannot be made again.", ("NotRebuiltError",)),
    ErrorCode("role_refused", "The session was opened in a role that may not do it.", ("RoleError",)),
    ErrorCode("lease_lost", "The turn of a master outside is over or not theirs.", ("LeaseError",)),
    ErrorCode("turn_open_elsewhere", "Somebody else has written the open turn.", ("OpenTurnMovedError",)),
    ErrorCode("not_wanted", "What a master outside hands in is not wanted.", ("HandInError",)),
    ErrorCode("signal_unreadable", "A signal is not what it should be.", ("SignalCodecError",)),
    ErrorCode("dice_unreadable", "The dice are not written as dice.", ("DiceError",)),
    ErrorCode("schema_unfit", "A JSON Schema uses what is not checked.", ("SchemaError",)),
    # From here on also reasons why no turn came of an input, as `InputResult` has them.
    ErrorCode("moved", "Another turn came first.", ("HeadMovedError",)),
    ErrorCode("read_only", "Part of the record is damaged: it can only be read.", ("DamagedError",)),
    ErrorCode("unsaved", "The disk refused; it is not saved.", ("UnsavedError", "UnknownOutcomeError")),
    ErrorCode("unmatched", "No choice fits what the player said."),
    ErrorCode("no_such_choice", "There is no such choice."),
    ErrorCode("no_such_decision", "There is no such decision to answer."),
    ErrorCode("decision_first", "A decision waits to be answered first."),
    ErrorCode("too_long", "The input is too long."),
    ErrorCode("empty", "The input is empty."),
    ErrorCode("over", "The game has ended."),
    ErrorCode("not_allowed", "The moderation refused the input."),
    ErrorCode("risky", "The moderation cautions; the player may still go on."),
    ErrorCode("no_teller", "Only a storyteller could go on here, and there is none."),
    ErrorCode("turn_open", "A game master outside is telling a turn."),
    ErrorCode("untold", "The storyteller could not be reached, or gave no answer that holds."),
    ErrorCode("declined", "The storyteller refused to tell it."),
    ErrorCode("budget", "One more answer might cost more than may be spent."),
    ErrorCode("timed_out", "The storyteller took too long."),
    ErrorCode("cancelled", "The turn was stopped; its input waits."),
    ErrorCode("nothing_to_retry", "There is no turn to take again."),
    ErrorCode("rephrase", "Words that were held back are given back, to be put another way."),
    ErrorCode("withdraw", "Words that were held back were left unsaid."),
    ErrorCode("rollback", "The player went back a turn instead."),
    ErrorCode("quit", "The player leaves; everything is saved."),
    ErrorCode(ENGINE_ERROR, "Something that should not happen; the record says what."),
)
"""All of them. New ones may be added at any time."""

CODES_BY_ERROR: Mapping[str, str] = {name: row.code for row in ERROR_CODES for name in row.errors}
"""The code of each class of errors, by its name."""


def code_of(error: BaseException) -> str:
    """The code of an error: that of its class, or of the nearest class it was made from."""
    names = (kind.__name__ for kind in type(error).__mro__)
    return next((CODES_BY_ERROR[name] for name in names if name in CODES_BY_ERROR), ENGINE_ERROR)


def write_error(error: TalewrightError) -> dict[str, str]:
    """An error for a program to read."""
    return {"code": code_of(error), "message": error.message, "hint": error.hint}
