"""Answer shapes: views and turns as JSON for an assistant, each with the schema that names its members.

They are shorter than `play/wire`, because an assistant reads every word of them: what a face would draw is
given in words.
"""

from talewright.common.json_values import Json
from talewright.faces.mcp.tool_calling import JsonObject, each, flag, number, record, text
from talewright.play.campaign_view import ChoiceView, DecisionView, TurnView, View
from talewright.play.lobby import CampaignInfo
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
        **_STANDING,
    }
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


def write_turn(turn: TurnView) -> JsonObject:
    """A past turn."""
    return {
        "version": turn.version,
        "said": turn.said,
        "narration": turn.narration,
        "rolls": [roll.text for roll in turn.rolls],
        "changes": [change.text for change in turn.changes],
    }


ERRAND = record({"system": text(), "id": text(), "question": text(), "answer_schema": text("As JSON.")})

SECTION = record({"name": text(), "text": text()})


def write_errand(errand: ErrandView, schema: str) -> JsonObject:
    """A question from the rules that is waiting for an answer."""
    return {"system": errand.system, "id": errand.id, "question": errand.question, "answer_schema": schema}
