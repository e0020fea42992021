"""Messages: the engine's own words for players, in English and Chinese.

Words only. Which of them is due is decided where it is said.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import reduce

from talewright.llm.errors import Trouble
from talewright.llm.trouble_words import word_trouble
from talewright.play.showing.chinese import CHINESE
from talewright.play.showing.english import ENGLISH
from talewright.play.showing.phrases import Phrase
from talewright.turn.outcomes import Reason
from talewright.turn.signals import Doing

LANGUAGES: Mapping[str, Mapping[Phrase, str]] = {"en": ENGLISH, "zh-CN": CHINESE}
"""The engine's own languages; a game may have others, whose players then read the first of these."""

__all__ = ["LANGUAGES", "REASONS", "FixedChoice", "Phrase", "activity", "explain", "say"]


class FixedChoice(StrEnum):
    """What a player may do after a turn that nobody could tell."""

    RETRY = "retry"
    ROLLBACK = "rollback"
    QUIT = "quit"


REASONS: Mapping[Reason, Phrase] = {
    Reason.UNMATCHED: Phrase.UNMATCHED,
    Reason.NO_SUCH_CHOICE: Phrase.NO_SUCH_CHOICE,
    Reason.NO_SUCH_DECISION: Phrase.NO_SUCH_DECISION,
    Reason.DECISION_FIRST: Phrase.DECISION_FIRST,
    Reason.TOO_LONG: Phrase.TOO_LONG,
    Reason.EMPTY: Phrase.EMPTY,
    Reason.OVER: Phrase.OVER,
    Reason.NOT_ALLOWED: Phrase.NOT_ALLOWED,
    Reason.RISKY: Phrase.RISKY,
    Reason.NO_TELLER: Phrase.NO_TELLER,
    Reason.MOVED: Phrase.MOVED,
    Reason.UNTOLD: Phrase.UNTOLD,
    Reason.BUDGET: Phrase.BUDGET,
    Reason.TIMED_OUT: Phrase.TIMED_OUT,
    Reason.CANCELLED: Phrase.CANCELLED,
    Reason.READ_ONLY: Phrase.READ_ONLY,
    Reason.UNSAVED: Phrase.UNSAVED,
    Reason.ERROR: Phrase.ERROR,
}
"""The words for every reason why no turn came of an input."""

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


def say(language: str, phrase: Phrase, **parts: str) -> str:
    """A phrase in a language, with its parts filled in."""
    return _words(language)[phrase].format_map(parts)


def explain(language: str, reason: Reason, detail: str = "", trouble: str = "") -> str:
    """Why no turn came of an input, and what to do where a provider had trouble.

    Details are for the record, and may name what a player must not know; only those a moderation
    wrote for the player are told.
    """
    words = say(language, REASONS[reason])
    if reason is Reason.UNTOLD and trouble in set(Trouble):
        told = word_trouble(Trouble(trouble), language)
        parts = (told.what, say(language, Phrase.UNCHANGED), told.then)
        return reduce(lambda text, detail: say(language, Phrase.WITH_DETAIL, text=text, detail=detail), parts)
    if reason is Reason.NOT_ALLOWED and detail:
        return say(language, Phrase.WITH_DETAIL, text=words, detail=detail)
    return words


def activity(language: str, doing: Doing) -> str:
    """What is going on."""
    return say(language, _ACTIVITIES[doing])


def _words(language: str) -> Mapping[Phrase, str]:
    return CHINESE if language.partition("-")[0].lower() == "zh" else ENGLISH
