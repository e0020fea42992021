"""Rolls in words: dice and trials as a viewer may hear of them.

Of what a system answered only members known to be for everyone are read; the rest may be anything.
"""

from collections.abc import Mapping, Sequence

from talewright.kernel.state.documents import Json
from talewright.play.showing.messages import Phrase
from talewright.play.showing.privacy import SEES_HIDDEN
from talewright.play.showing.throws import read_thrown, word_throws
from talewright.play.showing.wording import Wording, clean_line, is_number, number
from talewright.play.viewers import Viewer
from talewright.play.views import RollView
from talewright.turn.records.commit_body import ROLL

NAMES = ("skill", "difficulty")
"""Members of a system's answer that name what was tried, and against what."""

FIGURES = ("p", "rand")
"""Members that say how likely it was and what was drawn."""

TOTALS = ("total", "rolled", "highest")
"""Members that say what a roll came to, the first that is there."""

OUTCOME_LENGTH_MAX = 40
"""Characters of a system's own word for what a roll decided."""

SUCCESS, FAILURE = "success", "fail"

_OUTCOMES: Mapping[str, Phrase] = {
    SUCCESS: Phrase.ROLL_SUCCESS,
    FAILURE: Phrase.ROLL_FAILURE,
    "blocked": Phrase.ROLL_BLOCKED,
}


def tell_rolls(rolls: Sequence[Json], wording: Wording, viewer: Viewer) -> tuple[RollView, ...]:
    """The rolls of a turn that a viewer may see, in order."""
    told = (_tell(roll, wording, viewer) for roll in rolls)
    return tuple(view for view in told if view is not None)


def _tell(roll: Json, wording: Wording, viewer: Viewer) -> RollView | None:
    if not isinstance(roll, Mapping):
        return None
    result = roll.get("result")
    facts = {**roll, **result} if isinstance(result, Mapping) else roll
    if any(_is_hidden(part) for part in (roll, result)) and viewer not in SEES_HIDDEN:
        return None
    total = next((fact for name in TOTALS if is_number(fact := facts.get(name))), None)
    text = facts.get("text")
    words = (
        word_throws(clean_line(text), wording) if isinstance(text, str) else _describe(facts, wording, total)
    )
    if not words:
        return None
    if is_number(needed := facts.get("needed")):
        words = wording.say(Phrase.ROLL_NEEDED, text=words, needed=number(needed))
    thrown, skill = read_thrown(facts), facts.get("skill")
    pool = clean_line(thrown.pool) or (wording.line(skill) if isinstance(skill, str) else "")
    # Only of what a scene asked for is it the key of an author's text.
    word = roll.get("word") if roll.get("kind") == ROLL else None
    if isinstance(word, str):
        told = wording.say(Phrase.PAIR, name=words, value=wording.line(word))
    else:
        told = _with_outcome(words, facts, wording)
    return RollView(told, total, pool, thrown.faces, _outcome(facts))


def _describe(facts: Mapping[str, Json], wording: Wording, total: int | float | None) -> str:
    """The words of a roll that brought none of its own."""
    names = [wording.line(name) for key in NAMES if isinstance(name := facts.get(key), str) and name]
    figures = [f"{key} {number(figure)}" for key in FIGURES if is_number(figure := facts.get(key))]
    if not names and not figures:
        return "" if total is None else number(total)
    return wording.say(Phrase.AND).join([*names, *figures])


def _with_outcome(words: str, facts: Mapping[str, Json], wording: Wording) -> str:
    phrase = _OUTCOMES.get(_outcome(facts))
    return words if phrase is None else wording.say(phrase, text=words)


def _outcome(facts: Mapping[str, Json]) -> str:
    """What it decided; where the system has a word of its own that we do not know, whether it succeeded."""
    outcome, success = facts.get("outcome"), facts.get("success")
    named = clean_line(outcome)[:OUTCOME_LENGTH_MAX] if isinstance(outcome, str) else ""
    if named in _OUTCOMES or not isinstance(success, bool):
        return named
    return SUCCESS if success else FAILURE


def _is_hidden(part: Json) -> bool:
    return isinstance(part, Mapping) and bool(part.get("hidden"))
