"""Panels: skills, difficulties and attempts as panels for the player, notes for the narrator, a heading.

It reads the state and judges nothing.
"""

import json
from dataclasses import replace

from talewright.common.json_values import Json, write_number
from talewright.kernel.panel_parts import Lines, Meter, Panel
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.system import Note, NoteAudience, PastTurn, Sight
from talewright.systems.odds.odds_attempts import (
    ROOT,
    OddsAttempt,
    OddsOutcome,
    last_attempt,
    mechanics_of,
    read_attempt,
)
from talewright.systems.odds.odds_phrases import OddsPhrases
from talewright.systems.odds.rulebook import find_step, steps_of
from talewright.systems.odds.success_chance import SKILL_SHOWN_MAX, SKILLS_PATH, skills_of, to_number

_TRIED = f"/{ROOT}/tried"


def notes_of(sight: Sight, words: OddsPhrases) -> tuple[Note, ...]:
    """Notes for the narrator: the skills, the difficulties, the rule, and the last result."""
    skills = ", ".join(f"{name} {value}" for name, value in skills_of(sight.document).items())
    steps = steps_of(sight.files)
    notes = [Note(words.skills.format(skills=skills))] if skills else []
    notes += [Note(words.steps.format(steps=", ".join(map(str, steps)))), Note(words.rule)]
    attempt = last_attempt(sight.document)
    if attempt is None:
        return tuple(notes)
    told = tell(attempt, words)
    if attempt.turn != sight.turn:
        return (*notes, Note(words.earlier.format(attempt=told), NoteAudience.EVERYONE))
    step = find_step(steps, attempt.difficulty)
    number = None if step is None or step.difficulty is None else to_number(step.difficulty)
    mechanics = json.dumps(mechanics_of(attempt, number), ensure_ascii=False)
    return (*notes, Note(words.stands.format(attempt=told, mechanics=mechanics)))


def panels_of(sight: Sight, words: OddsPhrases) -> tuple[Panel, ...]:
    """Panels for the player: the skills as meters, and the outcome of the last attempt."""
    skills = skills_of(sight.document)
    parts: list[Meter | Lines] = [
        Meter(_name_skill(name, sight.texts), value, max(value, SKILL_SHOWN_MAX))
        for name, value in skills.items()
    ]
    attempt = last_attempt(sight.document)
    if attempt is not None:
        parts.append(Lines(words.last, (tell_player(attempt, words, sight.texts),)))
    return (Panel(ROOT, words.title, tuple(parts)),) if parts else ()


def heading_of(turn: PastTurn, words: OddsPhrases) -> str:
    """The last attempt of a turn; empty if there was none."""
    for change in reversed(turn.changes):
        if change.path.startswith(_TRIED):
            match change.value:
                case [*_, dict() as newest] | (dict() as newest):
                    return _fill(words.heading, read_attempt(newest), words)
                case _:
                    pass
    return ""


def tell(attempt: OddsAttempt, words: OddsPhrases, **more: str) -> str:
    """An attempt in one line."""
    drawn = words.blocked if attempt.rand is None else words.drawn
    stakes = words.stakes.format(stakes=attempt.stakes.rstrip(".。")) if attempt.stakes else ""
    return _fill(words.attempt, attempt, words, drawn=_fill(drawn, attempt, words, **more), stakes=stakes)


def tell_player(attempt: OddsAttempt, words: OddsPhrases, texts: Texts) -> str:
    """An attempt in one line, in the author's words for skill, step and stakes."""
    called = replace(
        attempt,
        skill=_name_skill(attempt.skill, texts),
        difficulty=texts.value(f"{ROOT}.last.difficulty", attempt.difficulty),
        stakes=texts.value(f"{ROOT}.last.stakes", attempt.stakes),
    )
    if attempt.rand is None:
        return tell(called, words)
    chance, percent = (write_number(round(100 * share, 4)) for share in (attempt.p, attempt.rand))
    return tell(called, replace(words, drawn=words.drawn_for_player), chance=chance, percent=percent)


def _name_skill(name: str, texts: Texts) -> str:
    return texts.find(f"variable.{'.'.join(SKILLS_PATH)}.{name}") or name.replace("_", " ")


def _fill(template: str, attempt: OddsAttempt, words: OddsPhrases, **more: str) -> str:
    success, fail, blocked = words.outcomes
    named = {OddsOutcome.SUCCESS: success, OddsOutcome.FAIL: fail, OddsOutcome.BLOCKED: blocked}
    members: dict[str, Json] = {**attempt.to_json(), "outcome": named.get(attempt.outcome, ""), **more}
    return template.format(**members)
