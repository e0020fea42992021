"""Messages for players: a phrase, a reason or an activity in the player's language.

Words only; the callers decide which of them to show.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from functools import reduce

from talewright.common.json_values import write_number
from talewright.common.word_catalogues import read_counted, read_word
from talewright.llm.provider import Trouble, word_trouble
from talewright.play.presentation.words.phrases import Phrase
from talewright.turn.turn_outcomes import OutcomeReason
from talewright.turn.turn_signals import Doing, RepairCause

DOMAIN = "play"
"""The catalogue of the engine's own words."""

__all__ = [
    "REASONS",
    "FixedChoice",
    "Phrase",
    "activity",
    "explain",
    "is_on_host",
    "say",
    "say_counted",
    "speak_to_hosted_players",
]


class FixedChoice(StrEnum):
    """What a player may do after a turn that failed."""

    RETRY = "retry"
    ROLLBACK = "rollback"
    QUIT = "quit"


REASONS: Mapping[OutcomeReason, Phrase] = {
    OutcomeReason.UNMATCHED: Phrase.UNMATCHED,
    OutcomeReason.NO_SUCH_CHOICE: Phrase.NO_SUCH_CHOICE,
    OutcomeReason.NO_SUCH_DECISION: Phrase.NO_SUCH_DECISION,
    OutcomeReason.DECISION_FIRST: Phrase.DECISION_FIRST,
    OutcomeReason.PLAYER_DECIDES: Phrase.PLAYER_DECIDES,
    OutcomeReason.TOO_LONG: Phrase.TOO_LONG,
    OutcomeReason.EMPTY: Phrase.EMPTY,
    OutcomeReason.OVER: Phrase.OVER,
    OutcomeReason.NOT_ALLOWED: Phrase.NOT_ALLOWED,
    OutcomeReason.RISKY: Phrase.RISKY,
    OutcomeReason.NO_TELLER: Phrase.NO_TELLER,
    OutcomeReason.TURN_OPEN: Phrase.TURN_OPEN,
    OutcomeReason.MOVED: Phrase.MOVED,
    OutcomeReason.UNTOLD: Phrase.UNTOLD,
    OutcomeReason.DECLINED: Phrase.DECLINED,
    OutcomeReason.BUDGET: Phrase.BUDGET,
    OutcomeReason.TIMED_OUT: Phrase.TIMED_OUT,
    OutcomeReason.SKIPPED: Phrase.SKIPPED,
    OutcomeReason.CANCELLED: Phrase.CANCELLED,
    OutcomeReason.READ_ONLY: Phrase.READ_ONLY,
    OutcomeReason.NEWER_FORMAT: Phrase.NEWER_FORMAT,
    OutcomeReason.UNSAVED: Phrase.UNSAVED,
    OutcomeReason.CLOSED: Phrase.CAMPAIGN_CLOSED,
    OutcomeReason.TOO_MUCH_WORK: Phrase.TOO_MUCH_WORK,
    OutcomeReason.CRASHED: Phrase.CRASHED,
    OutcomeReason.ERROR: Phrase.ERROR,
}
"""The words for every reason why an input led to no turn."""

_ACTIVITIES: Mapping[Doing, Phrase] = {
    Doing.READING: Phrase.READING,
    Doing.TELLING: Phrase.TELLING,
    Doing.JUDGING: Phrase.JUDGING,
    Doing.ROLLING: Phrase.ROLLING,
    Doing.UPDATING: Phrase.UPDATING,
    Doing.CONSULTING: Phrase.CONSULTING,
    Doing.MENDING: Phrase.MENDING,
    Doing.SAVING: Phrase.SAVING,
}


ON_HOST: Mapping[Phrase, Phrase] = {
    Phrase.BUDGET: Phrase.BUDGET_ON_HOST,
    Phrase.UNSAVED: Phrase.UNSAVED_ON_HOST,
    Phrase.STOOD_IN_HELP: Phrase.STOOD_IN_HELP_ON_HOST,
    Phrase.BACKGROUND_FAILED: Phrase.BACKGROUND_FAILED_ON_HOST,
    Phrase.DAMAGED: Phrase.DAMAGED_ON_HOST,
    Phrase.PANELS_MISSING: Phrase.PANELS_MISSING_ON_HOST,
    Phrase.TELLER_STEPS: Phrase.TELLER_STEPS_ON_HOST,
}
"""What players on a host read instead: they cannot run commands there or make room on its disks."""

_is_on_host: ContextVar[bool] = ContextVar("is_on_host", default=False)


@contextmanager
def speak_to_hosted_players() -> Iterator[None]:
    """Word everything for players on a host, here and in tasks that are started meanwhile."""
    token = _is_on_host.set(True)
    try:
        yield
    finally:
        _is_on_host.reset(token)


def is_on_host() -> bool:
    """Whether what is said here is for players on a host."""
    return _is_on_host.get()


def say(language: str, phrase: Phrase, **parts: str) -> str:
    """A phrase in a language, with its parts filled in."""
    phrase = ON_HOST.get(phrase, phrase) if is_on_host() else phrase
    return read_word(DOMAIN, phrase, language).format_map(parts)


def say_counted(language: str, phrase: Phrase, count: float) -> str:
    """A phrase in the form for a number; a fraction has that of the number two."""
    whole = int(count) if count == int(count) else 2
    return read_counted(DOMAIN, phrase, language, whole).format(count=write_number(count))


def explain(language: str, reason: OutcomeReason, detail: str = "", trouble: str = "") -> str:
    """Why an input led to no turn, and what to do if a provider failed.

    Details are for the record, and may name what a player must not know; only those that moderation wrote
    for the player are shown.
    """
    words = say(language, REASONS[reason])
    if reason is OutcomeReason.UNTOLD and trouble in set(Trouble):
        told = word_trouble(Trouble(trouble), language)
        then = say(language, Phrase.TROUBLE_ON_HOST) if is_on_host() else told.then
        parts = (told.what, say(language, Phrase.UNCHANGED), then)
        return reduce(lambda text, detail: say(language, Phrase.WITH_DETAIL, text=text, detail=detail), parts)
    if reason is OutcomeReason.NOT_ALLOWED and detail:
        return say(language, Phrase.WITH_DETAIL, text=words, detail=detail)
    return words


_CAUSES: Mapping[RepairCause, Phrase] = {
    RepairCause.FORM: Phrase.AGAIN_FORM,
    RepairCause.RULES: Phrase.AGAIN_RULES,
    RepairCause.WORDS: Phrase.AGAIN_WORDS,
    RepairCause.CUT: Phrase.AGAIN_CUT,
    RepairCause.BROKEN: Phrase.AGAIN_BROKEN,
}


def activity(language: str, doing: Doing, share: float | None = None, why: RepairCause | None = None) -> str:
    """What the engine is doing, how much of the prompt has been read, and why a model is asked again."""
    text = say(language, _ACTIVITIES[doing])
    if why is not None:
        text = say(language, Phrase.ASKING_AGAIN, why=say(language, _CAUSES[why]))
    if share is not None:
        percent = str(min(max(int(share * 100), 0), 100))
        text = say(language, Phrase.WITH_SHARE, text=text, percent=percent)
    return text
