"""Answer shapes: views and turns as JSON for an assistant, each with the schema that names its members.

They are shorter than `play/wire`, because an assistant reads every word of them: what a face would draw is
given in words.
"""

from collections.abc import Iterable, Mapping

from talewright.common.json_values import Json, equal
from talewright.faces.mcp.tool_calling import JsonObject, each, flag, number, record, text
from talewright.play.campaign_view import ChoiceView, DecisionView, TurnView, View
from talewright.play.lobby import CampaignInfo, GameInfo
from talewright.play.master_desk import ErrandView

WORDS = each(text())

CHOICE = record({"id": text(), "label": text(), "hint": text(), "risk": text()})

DECISION = record(
    {
        "id": text(),
        "question": text(),
        "lines": WORDS,
        "options": each(record({"id": text(), "label": text()})),
        "takes_note": flag(),
    }
)

END = record({"ending": text(), "outcome": text()})

CAMPAIGN_ROW = record({"campaign": text(), "title": text(), "language": text(), "last_played": text()})

GAME_ROW = record({"game": text(), "title": text(), "description": text(), "languages": WORDS})


def write_choice(choice: ChoiceView) -> JsonObject:
    """One choice."""
    return {"id": choice.id, "label": choice.label, "hint": choice.hint, "risk": choice.risk}


def write_decision(decision: DecisionView) -> JsonObject:
    """A card that waits for the player."""
    return {
        "id": decision.id,
        "question": decision.question,
        "lines": list(decision.lines),
        "options": [{"id": option, "label": label} for option, label in decision.options],
        "takes_note": decision.takes_note,
    }


def write_campaign(info: CampaignInfo) -> JsonObject:
    """One campaign in a list."""
    return {"campaign": info.name, "title": info.title, "language": info.language, "last_played": info.at}


def write_game(info: GameInfo) -> JsonObject:
    """One game in a list."""
    return {
        "game": info.id,
        "title": info.title,
        "description": info.description,
        "languages": list(info.languages),
    }


STARTED = record({"campaign": text(), "title": text(), "language": text(), "version": number()})


def write_started(view: View) -> JsonObject:
    """A campaign that was started; its version is not 0 if an earlier call had started it."""
    return {
        "campaign": view.campaign,
        "title": view.title,
        "language": view.language,
        "version": view.version,
    }


_STANDING = {
    "version": number("The number of turns so far."),
    "rolls": WORDS,
    "changes": WORDS,
    "events": WORDS,
    "choices": each(CHOICE),
    "decisions": each(DECISION, "What the player must answer first."),
    "end": record({"ending": text(), "outcome": text()}, description="Empty texts if the story goes on."),
}

FINISHED = record(
    {
        "commit": text("The id of the turn's commit."),
        "repeated": flag("Whether another call had finished the turn before."),
        "narration": text("The whole text of the turn, if the engine has added to yours."),
        **_STANDING,
    },
    "narration",
)
"""The result of a finished turn."""


def write_standing(view: View) -> dict[str, Json]:
    """The result of the newest turn."""
    turn, end = view.turn, view.end
    return {
        "version": view.version,
        "rolls": [] if turn is None else [roll.text for roll in turn.rolls],
        "changes": [] if turn is None else [change.text for change in turn.changes],
        "events": [] if turn is None else list(turn.events),
        "choices": [write_choice(one) for one in view.choices],
        "decisions": [write_decision(one) for one in view.decisions],
        "end": {"ending": "" if end is None else end.ending, "outcome": "" if end is None else end.outcome},
    }


TITLED_LINES = record({"title": text(), "lines": WORDS})

_VIEW = {
    "campaign": text(),
    "title": text(),
    "said": text("What the player said or chose last."),
    "narration": text(),
    **_STANDING,
    "status": WORDS,
    "cards": each(TITLED_LINES),
    "panels": each(TITLED_LINES),
    "notices": WORDS,
    "free_text": flag("Whether the player may say anything, or only take a choice."),
}

VIEW = record(_VIEW)
"""What a player sees."""


def write_view(view: View) -> dict[str, Json]:
    """What a player sees."""
    turn = view.turn
    return {
        "campaign": view.campaign,
        "title": view.title,
        "said": "" if turn is None else turn.said,
        "narration": "" if turn is None else turn.narration,
        **write_standing(view),
        "status": [f"{one.label}: {one.text}" for one in view.status],
        "cards": [{"title": one.label, "lines": list(one.lines)} for one in view.cards],
        "panels": [{"title": one.title, "lines": list(one.lines)} for one in view.panels],
        "notices": list(view.notices),
        "free_text": view.free_text,
    }


INPUT_RESULT = record({"kind": text(), "message": text(), "view": VIEW})

TURN_ROW = record(
    {"version": number(), "said": text(), "narration": text(), "rolls": WORDS, "changes": WORDS}
)

STORY_ROW = record({"version": number(), "said": text(), "narration": text()})
"""A past turn in words that the player has read."""


def write_story_row(turn: TurnView) -> dict[str, Json]:
    """A past turn in words that the player has read."""
    return {"version": turn.version, "said": turn.said, "narration": turn.narration}


def write_turn(turn: TurnView) -> JsonObject:
    """A past turn."""
    return {
        **write_story_row(turn),
        "rolls": [roll.text for roll in turn.rolls],
        "changes": [change.text for change in turn.changes],
    }


def write_sheet(view: View) -> str:
    """Status, variables and panels as Markdown."""
    parts = [f"# {view.title}", *(f"- {one.label}: {one.text}" for one in view.status)]
    shown = [(one.label, one.lines) for one in view.cards] + [(one.title, one.lines) for one in view.panels]
    for title, lines in shown:
        parts += ["", f"## {title}", *(f"- {line}" for line in lines)]
    return "\n".join(parts)


def write_story(title: str, turns: Iterable[TurnView]) -> str:
    """Turns as Markdown, as the player has read them."""
    parts = [f"# {title}"]
    for turn in turns:
        parts += ["", f"## {turn.version}", *([f"> {turn.said}", ""] if turn.said else []), turn.narration]
    return "\n".join(parts)


ANYTHING: JsonObject = {}
"""The schema of what only a system, or its caller, can describe."""

ERRAND = record({"system": text(), "id": text(), "question": text(), "answer_schema": ANYTHING})

SECTION = record({"name": text(), "text": text()})


def write_errand(errand: ErrandView) -> JsonObject:
    """A question from the rules that is waiting for an answer."""
    return {
        "system": errand.system,
        "id": errand.id,
        "question": errand.question,
        "answer_schema": errand.answer_schema,
    }


def say_once(value: Json, said: JsonObject | None = None) -> Json:
    """A system's result without what an object around it already says, nor a message that repeats a text."""
    if isinstance(value, list):
        return [say_once(one, said) for one in value]
    if not isinstance(value, Mapping):
        return value
    known = {**(said or {}), **value}
    told = {name: say_once(one, known) for name, one in value.items() if not _is_said(name, one, said)}
    text, message = value.get("text"), value.get("message")
    if isinstance(text, str) and isinstance(message, str) and text in message:
        told.pop("text", None)
    return told


def _is_said(name: str, value: Json, said: JsonObject | None) -> bool:
    return said is not None and name in said and equal(said[name], value)
