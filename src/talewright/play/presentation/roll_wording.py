"""Wording of rolls: dice and trials as a viewer may see them, with the face of each die.

It reads recorded rolls; nothing is rolled here.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, write_number
from talewright.common.safe_text import clean_line
from talewright.kernel.game import Game
from talewright.kernel.system import RollAppraisal
from talewright.play.campaign_view import RollView, Viewer
from talewright.play.presentation.dice_wording import (
    DROPPED,
    TEXT_LENGTH_MAX,
    THROW,
    word_pools,
    word_throws,
)
from talewright.play.presentation.fights.roll_appraisals import BLOCKED, appraise_rolls, favor_of
from talewright.play.presentation.privacy import SEES_HIDDEN
from talewright.play.presentation.roll_chances import (
    ALIASES,
    CRITICAL_FAILURE,
    CRITICAL_SUCCESS,
    FAILURE,
    PARTIAL,
    SUCCESS,
    find_chances,
    find_share,
)
from talewright.play.presentation.value_wording import Wording, is_number
from talewright.play.presentation.words.phrases import Phrase
from talewright.turn.records.commit_body import CALL, MODEL, MOVES, ROLL, ROUND, TurnBody

FACES_MAX = 500
"""The maximum number of dice shown in one roll."""

_SIGNS = r"(?:\)| \[[^\[\]]*\]| [-+*/] |[-(]|\d)*"
"""What a sum may have between its pools, and after the last: `) [fire] * 2 + `."""

_BETWEEN, _AFTER = re.compile(_SIGNS), re.compile(rf"{_SIGNS}(?= = )")
_BEFORE = re.compile(r"(?:[-(]|\d+(?:\)| \[[^\[\]]*\])* [-+*/] )*\Z")
"""How a sum may start before its first pool: `(2 + `. Other words there only introduce the roll."""

BEFORE_LENGTH_MAX = 400
"""How many characters before the first pool are searched for the start of its sum."""

_FACE = re.compile(r"(?:[+-]?\d+ rerolled to )?([+-]?\d+)(?: as [+-]?\d+)?(?: counts)?")


@frozen
class Thrown:
    """The dice of a roll."""

    pool: str = ""
    faces: tuple[int, ...] = ()


def read_thrown(facts: Mapping[str, Json]) -> Thrown:
    """The dice of a roll: from its own members, or else from its text."""
    pool, throws, text = facts.get("dice"), facts.get("throws"), facts.get("text")
    if isinstance(pool, str) and isinstance(throws, Sequence):
        return Thrown(pool, tuple(_read_members(throws))[:FACES_MAX])
    return read_words(text) if isinstance(text, str) and len(text) <= TEXT_LENGTH_MAX else Thrown()


def read_words(text: str) -> Thrown:
    """Pool and faces of `4d6kh3 (6, 5, 2 dropped, 4) + 1 = 16`; empty if the text has another form."""
    faces: list[int] = []
    throws = list(THROW.finditer(text))
    for found in throws:
        for die in found[2].split(", "):
            fallen = _read_die(die)
            if not fallen:
                return Thrown()
            faces += fallen
    if not faces:
        return Thrown()
    return Thrown(_read_sum(text, throws), tuple(faces[:FACES_MAX]))


def _read_sum(text: str, throws: Sequence[re.Match[str]]) -> str:
    """The sum that was rolled, without its faces; only the pools if other words separate them."""
    first, last = throws[0].start(), throws[-1].end()
    parts = [text[one.end() : other.start()] for one, other in pairwise(throws)]
    if not all(map(_BETWEEN.fullmatch, parts)):
        return ", ".join(throw[1] for throw in throws)
    before = _BEFORE.search(text[max(0, first - BEFORE_LENGTH_MAX) : first])
    after = _AFTER.match(text, last)
    begins, ends = (found[0] if found is not None else "" for found in (before, after))
    return begins + THROW.sub(r"\1", text[first:last]) + ends


def _read_die(die: str) -> list[int]:
    """The faces of one die, several if it exploded."""
    told = die.removesuffix(DROPPED).removeprefix("(").removesuffix(")")
    found = [_FACE.fullmatch(face) for face in told.split(" then ")]
    return [int(face[1]) for face in found if face is not None] if all(found) else []


def _read_members(throws: Sequence[Json]) -> list[int]:
    """The faces in the form in which the kernel records a roll."""
    return [
        face
        for throw in _members(throws, "dice")
        for die in _members([throw], "faces")
        if isinstance(die, Mapping) and isinstance(face := die.get("face"), int)
    ]


def _members(rows: Sequence[Json], name: str) -> list[Json]:
    """The values under a name in each of the rows."""
    held = [row.get(name) for row in rows if isinstance(row, Mapping)]
    return [each for row in held if isinstance(row, list) for each in row]


NAMES: Mapping[str, str] = {"skill": "variable.player.skills", "difficulty": "value.odds.last.difficulty"}
"""Members of a system's answer that name the skill and difficulty, and where the author's texts for them are.
"""

FIGURES: Mapping[str, Phrase] = {"p": Phrase.ROLL_CHANCE, "rand": Phrase.ROLL_DRAWN}
"""Members with the chance and the number drawn, as shares of one."""

PERCENT_DECIMALS = 4
"""Decimal places of a share, as a percentage."""

TOTALS = ("total", "rolled", "highest")
"""Members with the result of a roll; the first one present is used."""

OUTCOME_LENGTH_MAX = 40
"""The maximum length of a system's own word for the outcome of a roll."""

_OUTCOMES: Mapping[str, Phrase] = {
    SUCCESS: Phrase.ROLL_SUCCESS,
    FAILURE: Phrase.ROLL_FAILURE,
    PARTIAL: Phrase.ROLL_PARTIAL,
    CRITICAL_SUCCESS: Phrase.ROLL_CRITICAL_SUCCESS,
    CRITICAL_FAILURE: Phrase.ROLL_CRITICAL_FAILURE,
    BLOCKED: Phrase.ROLL_BLOCKED,
}

_VERDICTS: Mapping[str, Phrase] = {
    SUCCESS: Phrase.VERDICT_SUCCESS,
    FAILURE: Phrase.VERDICT_FAILURE,
    PARTIAL: Phrase.VERDICT_PARTIAL,
    CRITICAL_SUCCESS: Phrase.VERDICT_CRITICAL_SUCCESS,
    CRITICAL_FAILURE: Phrase.VERDICT_CRITICAL_FAILURE,
    BLOCKED: Phrase.VERDICT_BLOCKED,
}
"""The same outcomes by themselves."""


def tell_rolls(rolls: Sequence[Json], game: Game, wording: Wording, viewer: Viewer) -> tuple[RollView, ...]:
    """The rolls of a turn that a viewer may see, in order."""
    told = (
        _appraise(_tell(roll, wording, viewer), meant, wording)
        for recorded in rolls
        for roll, meant in appraise_rolls(recorded, game, wording)
    )
    return tuple(view for view in told if view is not None)


def _appraise(told: RollView | None, meant: RollAppraisal, wording: Wording) -> RollView | None:
    if told is None:
        return None
    favor = favor_of(told.outcome, meant.stance).value
    return replace(told, favor=favor, brief=wording.line(meant.brief), late=meant.follows)


def _tell(roll: Json, wording: Wording, viewer: Viewer) -> RollView | None:
    if not isinstance(roll, Mapping):
        return None
    result = roll.get("result")
    facts = {**roll, **result} if isinstance(result, Mapping) else roll
    hidden = any(_is_hidden(part) for part in (roll, result))
    if hidden and viewer not in SEES_HIDDEN:
        return None
    total = next((fact for name in TOTALS if is_number(fact := facts.get(name))), None)
    text = facts.get("text")
    words = (
        word_throws(clean_line(text), wording) if isinstance(text, str) else _describe(facts, wording, total)
    )
    if not words:
        return None
    if is_number(needed := facts.get("needed")):
        words = wording.say(Phrase.ROLL_NEEDED, text=words, needed=write_number(needed))
    thrown, skill = read_thrown(facts), facts.get("skill")
    pool = word_pools(clean_line(thrown.pool), wording) or (
        _name(NAMES["skill"], skill, wording) if isinstance(skill, str) else ""
    )
    # Only for rolls in scenes is it the key of an author's text.
    word = roll.get("word") if roll.get("kind") == ROLL else None
    if isinstance(word, str):
        told = wording.say(Phrase.PAIR, name=words, value=wording.line(word))
    else:
        told = _with_outcome(words, facts, wording)
    if hidden:
        told = wording.say(Phrase.ROLL_HIDDEN, text=told)
    chances = find_chances(facts, thrown.pool, total, wording) or find_share(facts, wording)
    subject, figures = _split_subject(facts, wording) if chances is not None else ("", "")
    outcome, stakes = _outcome(facts), facts.get("stakes")
    return RollView(
        told,
        total,
        pool,
        thrown.faces,
        outcome,
        chances=chances,
        subject=subject,
        figures=figures,
        verdict=wording.say(_VERDICTS[outcome]) if outcome in _VERDICTS else "",
        stakes=wording.line(stakes) if isinstance(stakes, str) else "",
    )


def _split_subject(facts: Mapping[str, Json], wording: Wording) -> tuple[str, str]:
    """What was tried, and what fell and was needed: the parts of the text of a check."""
    text = facts.get("text")
    if not isinstance(text, str):
        drawn = facts.get("rand")
        told = _tell_share(Phrase.ROLL_DRAWN, drawn, wording) if is_number(drawn) else ""
        return wording.say(Phrase.AND).join(_describe_names(facts, wording)), told
    line = clean_line(text)
    dice = THROW.search(line)
    before = None if dice is None else _BEFORE.search(line[: dice.start()])
    begins = 0 if before is None else before.start()
    figures = word_throws(line[begins:], wording)
    if is_number(needed := facts.get("needed")):
        figures = wording.say(Phrase.ROLL_NEEDED, text=figures, needed=write_number(needed))
    return line[:begins].rstrip(" :\N{FULLWIDTH COLON}"), figures


def _describe(facts: Mapping[str, Json], wording: Wording, total: int | float | None) -> str:
    """The text of a roll that has none of its own."""
    names = _describe_names(facts, wording)
    # A blocked attempt has no chance worth showing.
    figures = [
        _tell_share(phrase, figure, wording)
        for key, phrase in FIGURES.items()
        if is_number(figure := facts.get(key)) and _outcome(facts) != BLOCKED
    ]
    if not names and not figures:
        return "" if total is None else write_number(total)
    return wording.say(Phrase.AND).join([*names, *figures])


def _describe_names(facts: Mapping[str, Json], wording: Wording) -> list[str]:
    """The skill and the difficulty."""
    return [
        _name(place, name, wording)
        for key, place in NAMES.items()
        if isinstance(name := facts.get(key), str) and name
    ]


def _tell_share(phrase: Phrase, share: int | float, wording: Wording) -> str:
    return wording.say(phrase, percent=write_number(round(100 * share, PERCENT_DECIMALS)))


def _name(place: str, name: str, wording: Wording) -> str:
    """The author's name for it; otherwise its own name with spaces."""
    return clean_line(wording.texts.find(f"{place}.{name}")) or wording.line(name).replace("_", " ")


def _with_outcome(words: str, facts: Mapping[str, Json], wording: Wording) -> str:
    phrase = _OUTCOMES.get(_outcome(facts))
    return words if phrase is None else wording.say(phrase, text=words)


def _outcome(facts: Mapping[str, Json]) -> str:
    """The outcome; if the system's own word is unknown, whether it succeeded."""
    outcome, success = facts.get("outcome"), facts.get("success")
    named = clean_line(outcome)[:OUTCOME_LENGTH_MAX] if isinstance(outcome, str) else ""
    named = ALIASES.get(named, named)
    if named in _OUTCOMES or not isinstance(success, bool):
        return named
    return SUCCESS if success else FAILURE


def _is_hidden(part: Json) -> bool:
    return isinstance(part, Mapping) and bool(part.get("hidden"))


ANSWER = "answer"
"""The kind of an input that answers a card."""


def tell_turn_rolls(body: TurnBody, game: Game, wording: Wording, viewer: Viewer) -> tuple[RollView, ...]:
    early = _count_early(body)
    late = tell_rolls(body.rolls[early:], game, wording, viewer)
    return (
        *tell_rolls(body.rolls[:early], game, wording, viewer),
        *(replace(roll, late=True) for roll in late),
    )


def _count_early(body: TurnBody) -> int:
    """How many rolls of a turn were made before it was narrated; they come first in its record."""
    purposes = {ask.get("purpose") for ask in body.exchanges if isinstance(ask, Mapping)}
    if body.told != MODEL or purposes.intersection((MOVES, ROUND)):
        return len(body.rolls)
    # The player's rolls come first. A model that is asked once rolls in the reply that narrates the turn.
    calls = [isinstance(roll, Mapping) and roll.get("kind") == CALL for roll in body.rolls]
    answered = isinstance(body.input, Mapping) and body.input.get("kind") == ANSWER
    return calls.count(False) + (1 if answered else 0)
