"""The odds system: the plug-in itself, with its one tool, `attempt`.

The caller gives skill, difficulty and stakes; the system determines the draw, the chance and the outcome.
"""

from collections.abc import Collection, Mapping, Sequence

from talewright.common.json_values import Json, quote_value
from talewright.common.name_suggestions import listed
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves import Call, Update
from talewright.kernel.panel_parts import Panel
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.story.triggers import Event
from talewright.kernel.system import (
    AuthorFileReader,
    AuthorFiles,
    Denial,
    Grant,
    HasArgumentMeanings,
    HasArgumentValues,
    HasAuthorFiles,
    HasHeadings,
    HasNotes,
    HasPanels,
    HasSlots,
    HasTools,
    Note,
    PastTurn,
    Sight,
    SystemAnswer,
    Tool,
    ToolWork,
    deny_unknown,
)
from talewright.systems.odds.odds_attempts import (
    ATTEMPTS_MAX,
    CORRECTED,
    ROOT,
    SLOTS,
    STAKES_LENGTH_MAX,
    OddsAttempt,
    attempts_of,
    make_attempt,
    record_attempt,
    told_wrong,
)
from talewright.systems.odds.odds_phrases import LANGUAGE, odds_phrases_in
from talewright.systems.odds.panels import heading_of, notes_of, panels_of
from talewright.systems.odds.rulebook import FILE, find_step, read_steps, steps_of
from talewright.systems.odds.success_chance import find_skill, skills_of

ATTEMPT = "attempt"

_PARAMETERS: Json = {
    "type": "object",
    "properties": {
        "skill": {"type": "string", "description": "A skill of the player."},
        "difficulty": {"type": "string", "description": "One of the game's named difficulties."},
        "stakes": {"type": "string", "description": "What is gained or lost by it, in a few words."},
    },
    "required": ["skill", "difficulty"],
    "additionalProperties": False,
}


class Odds(
    HasSlots,
    HasTools,
    HasArgumentValues,
    HasArgumentMeanings,
    HasNotes,
    HasPanels,
    HasHeadings,
    HasAuthorFiles,
):
    """Skills against named difficulties."""

    name = ROOT

    def slots(self, files: AuthorFiles) -> Mapping[str, Slot]:
        return SLOTS

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        about = "Try something that may go wrong; the engine draws."
        check, terms = ("skill",), ("difficulty",)
        return (Tool(ATTEMPT, about, _PARAMETERS, work=ToolWork.ROLLING, check=check, terms=terms),)

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        if call.tool != ATTEMPT:
            return deny_unknown(call)
        said, named = call.arguments, _name_skill(call)
        skills, steps = skills_of(sight.document), steps_of(sight.files)
        skill = find_skill(skills, named)
        if not skill:
            return _deny("skill", named, skills)
        step = find_step(steps, said.get("difficulty"))
        if step is None:
            return _deny("difficulty", said.get("difficulty"), [each.name for each in steps])
        stakes = said.get("stakes", "")
        if not isinstance(stakes, str):
            return Denial(
                f"stakes is a text of at most {STAKES_LENGTH_MAX} characters, not {quote_value(stakes)}"
            )
        tried = attempts_of(sight.document, sight.turn)
        for attempt in tried:
            if (attempt.skill, attempt.difficulty) == (skill, step.name):
                return self._grant(call, attempt, ())
        if len(tried) >= ATTEMPTS_MAX:
            return Denial(f"{ATTEMPTS_MAX} attempts are enough for one turn; tell what came of them")
        attempt = make_attempt(sight.turn, skill, skills[skill], step, stakes[:STAKES_LENGTH_MAX], chance)
        return self._grant(call, attempt, record_attempt(attempt, sight.document))

    def _grant(self, call: Call, attempt: OddsAttempt, updates: tuple[Update, ...]) -> Grant:
        result = attempt.to_json()
        del result["turn"]
        wrong = told_wrong(call.arguments, attempt, odds_phrases_in(LANGUAGE))
        events = (Event(CORRECTED, wrong, f"system:{ROOT}"),) if wrong else ()
        return Grant(updates, result, events)

    def argument_values(self, tool: str, sight: Sight) -> Mapping[str, Sequence[str]]:
        steps = tuple(step.name for step in steps_of(sight.files))
        return {"skill": tuple(skills_of(sight.document)), "difficulty": steps} if tool == ATTEMPT else {}

    def argument_meanings(self, call: Call, sight: Sight) -> Mapping[str, Json]:
        step = find_step(steps_of(sight.files), call.arguments.get("difficulty"))
        skill = find_skill(skills_of(sight.document), _name_skill(call))
        return {"skill": skill, "difficulty": None if step is None else step.name}

    def notes(self, sight: Sight) -> Sequence[Note]:
        return notes_of(sight, odds_phrases_in(sight.language))

    def panels(self, sight: Sight) -> Sequence[Panel]:
        return panels_of(sight, odds_phrases_in(sight.language))

    def heading(self, turn: PastTurn, sight: Sight) -> str:
        return heading_of(turn, odds_phrases_in(LANGUAGE))

    def reads(self) -> tuple[AuthorFileReader, ...]:
        return (AuthorFileReader(FILE, read_steps),)


def _name_skill(call: Call) -> Json:
    """The skill that a call names; patch bundles, and calls that carry their mechanics, say `skill_used`."""
    return call.arguments.get("skill") or call.arguments.get("skill_used")


def _deny(noun: str, said: Json, known: Collection[str]) -> Denial:
    """A refusal that says what would be accepted."""
    wrong = f"{ATTEMPT} needs a {noun}" if said is None else f"there is no {noun} {quote_value(said)}"
    return Denial(f"{wrong}; there is {listed(known) if known else 'none in this game'}")
