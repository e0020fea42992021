"""Stand-ins: turns that a scene narrated instead of the model, why, and what would help.

Everything is derived from the record; messages of a model or its server are never quoted.
"""

from collections.abc import Iterable, Mapping
from typing import cast

from talewright.chronicle.records import Commit
from talewright.common.json_values import Json
from talewright.llm.provider import Trouble, word_trouble
from talewright.llm.reply_chunks import StopReason
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import say
from talewright.turn.records.commit_body import BROKEN_OFF, SCENES, SKIPPED, TurnBody, read_body

STAND_INS_MAX = 3
"""After how many turns in a row narrated by scenes instead of the model the player is offered help."""


def is_stand_in(body: TurnBody) -> bool:
    """Whether a scene narrated the turn although a model was available."""
    return body.told == SCENES and (bool(body.exchanges) or _was_refused(body))


def tell_stand_in(body: TurnBody, language: str) -> str:
    """One line that says that a scene narrated the turn, and why; empty if it did not."""
    if not is_stand_in(body):
        return ""
    told = say(language, Phrase.STOOD_IN)
    return say(language, Phrase.WITH_DETAIL, text=told, detail=_tell_why(body, language))


def _tell_why(body: TurnBody, language: str) -> str:
    if _was_refused(body):
        return say(language, Phrase.STOOD_IN_BUDGET)
    last = cast(Mapping[str, Json], body.exchanges[-1])
    trouble = last.get("trouble")
    if trouble == SKIPPED:
        return say(language, Phrase.STOOD_IN_SKIPPED)
    if trouble == BROKEN_OFF:
        return word_trouble(Trouble.SLOW, language).what
    if trouble in set(Trouble):
        return word_trouble(Trouble(cast(str, trouble)), language).what
    declined = last.get("stop") == StopReason.REFUSAL.value
    return say(language, Phrase.STOOD_IN_DECLINED if declined else Phrase.STOOD_IN_FORM)


def _was_refused(body: TurnBody) -> bool:
    """Whether the budget did not allow a request."""
    circumstances = body.circumstances
    return isinstance(circumstances, Mapping) and bool(circumstances.get("refused"))


def tell_help(newest: Iterable[Commit], language: str) -> tuple[str, ...]:
    """The notice that offers help, if scenes narrated enough of the newest turns in a row."""
    bodies = [read_body(commit.body) for commit in newest]
    if len(bodies) < STAND_INS_MAX or not all(map(is_stand_in, bodies)):
        return ()
    return (say(language, Phrase.STOOD_IN_HELP, turns=str(STAND_INS_MAX)),)
