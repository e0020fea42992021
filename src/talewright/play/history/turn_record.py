"""Turn records: everything recorded of a turn, as data and as lines of text.

A player gets only what was shown to the player.
"""

import json
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import cast

from talewright.chronicle.record_codec import to_form
from talewright.chronicle.records import Commit
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.safe_text import clean, clean_line
from talewright.play.campaign_past import InspectionPart, InspectionView
from talewright.play.campaign_view import ChoiceView, DecisionView, EndView, TurnView, Viewer
from talewright.play.history.campaign_history import CampaignHistory
from talewright.play.presentation.choice_wording import show_choices, show_decisions
from talewright.play.presentation.privacy import SEES_SECRET
from talewright.play.presentation.value_wording import Wording
from talewright.play.presentation.view_assembly import show_end, show_turn
from talewright.turn.game_editions import Edition
from talewright.turn.records.commit_body import read_body

_SECTIONS = (
    "input",
    "language",
    "told",
    "narration",
    "choices",
    "rolls",
    "draws",
    "nonce",
    "seen",
    "rulings",
    "changes",
    "events",
    "decisions",
    "end",
    "asides",
    "adopted",
    "lore",
    "cuts",
    "facts",
    "bundle",
    "model",
    "exchanges",
    "usage",
)
"""Parts of a body, in the order of display."""


_SHOWN = ("said", "narration", "rolls", "changes", "refusals", "events", "choices", "decisions", "end")
"""Parts of what was shown, in the same order."""


@frozen
class ShownTurn:
    """One turn as shown to a viewer."""

    turn: TurnView
    choices: tuple[ChoiceView, ...]
    decisions: tuple[DecisionView, ...]
    end: EndView | None
    at: str


def recall_shown(commit: Commit, edition: Edition, viewer: Viewer) -> ShownTurn:
    """What was shown to a viewer in a turn."""
    body = read_body(commit.body)
    language = body.language or edition.game.language
    wording = Wording(edition.words(language), language)
    return ShownTurn(
        show_turn(commit, body, edition.game, wording, viewer),
        show_choices(body, wording),
        show_decisions(body.decisions, wording),
        show_end(body, wording),
        commit.at,
    )


def view_shown_turn(commit: Commit, edition: Edition, viewer: Viewer) -> InspectionView:
    """What was shown in a turn, part by part, for viewers who may not see everything."""
    facts = cast(dict[str, Json], json.loads(json.dumps(asdict(recall_shown(commit, edition, viewer)))))
    turn = cast(dict[str, Json], facts["turn"])
    parts = []
    for name in _SHOWN:
        raw = turn[name] if name in turn else facts[name]
        lines = tuple(line.removeprefix("  ") for line in _tell_part(name, _word_shown(raw)))[2:]
        parts.append(InspectionPart(name, lines, raw))
    return InspectionView(commit.version, commit.id, tuple(parts))


def _word_shown(raw: Json) -> Json:
    """The texts of what was shown, of rolls and changes too."""
    if not isinstance(raw, Sequence) or isinstance(raw, str):
        return raw
    return [one["text"] if isinstance(one, Mapping) and "text" in one else one for one in raw]


def inspect_turn(
    history: CampaignHistory, commit: Commit, edition: Edition, viewer: Viewer
) -> dict[str, Json]:
    """A turn as data: the whole record for those who see everything, what was shown for others."""
    if viewer not in SEES_SECRET:
        return cast(dict[str, Json], json.loads(json.dumps(asdict(recall_shown(commit, edition, viewer)))))
    accepted = history.accepted.get(commit.operation_id)
    return {
        **{key: value for key, value in to_form(commit).items() if key != "kind"},
        "accepted": None if accepted is None else to_form(accepted),
        "attempts": [to_form(attempt) for attempt in history.attempts.get(commit.operation_id, ())],
        "failed_attempts_from_here": [
            to_form(attempt)
            for attempts in history.attempts.values()
            for attempt in attempts
            if attempt.base == commit.id and attempt.operation_id not in _done(history)
        ],
        "asides_made_for_it": [to_form(aside) for aside in history.asides if aside.commit == commit.id],
    }


def _done(history: CampaignHistory) -> frozenset[str]:
    return frozenset(commit.operation_id for commit in history.commits.values())


def tell_turn(facts: Mapping[str, Json], without: Container[str] = ()) -> Iterator[str]:
    """A turn as lines of text; empty parts, and those shown elsewhere, are left out."""
    if "turn" in facts:
        yield from _tell_shown(facts)
        return
    yield f"turn {facts['version']} on {facts['branch']}  {facts['id']}"
    yield f"  parent     {facts['parent'] or '(none: the campaign starts here)'}"
    yield f"  operation  {facts['operation_id']}"
    accepted = facts["accepted"]
    if isinstance(accepted, Mapping):
        yield f"  accepted   {accepted['at']}"
    yield f"  committed  {facts['at']}  (number {facts['sequence']})"
    yield f"  game       {facts['game_digest']}"
    yield f"  state      {facts['state_digest']}"
    body = cast(Mapping[str, Json], facts["body"])
    if body.get("said"):
        yield from ("", "said", f"  {clean_line(str(body['said']))}")
    for name in _SECTIONS:
        if name not in without:
            yield from _tell_part(name, body.get(name))
    yield from _tell_part("root", body.get("root"))
    for name in ("attempts", "failed_attempts_from_here", "asides_made_for_it"):
        yield from _tell_part(name.replace("_", " "), facts[name])


def _tell_shown(facts: Mapping[str, Json]) -> Iterator[str]:
    turn = cast(Mapping[str, Json], facts["turn"])
    yield f"turn {turn['version']}  {turn['commit']}  {facts['at']}"
    for name in ("said", "narration"):
        yield from _tell_part(name, turn[name])
    for name in ("rolls", "changes"):
        lines = [part["text"] for part in cast(Sequence[Mapping[str, Json]], turn[name])]
        yield from _tell_part(name, lines)
    yield from _tell_part("events", turn["events"])
    for name in ("choices", "decisions", "end"):
        yield from _tell_part(name, facts[name])


def _tell_part(name: str, value: Json) -> Iterator[str]:
    """One part under its name: texts as lines, a list with one element per line, anything else as JSON."""
    if value is None or value == "" or value == [] or value == {}:
        return
    yield ""
    yield name
    if isinstance(value, str):
        yield from (f"  {line}" for line in clean(value).split("\n"))
    elif isinstance(value, Sequence):
        for number, element in enumerate(value):
            yield from _indent(element, f"  {number}. ")
    else:
        yield from _indent(value, "  ")


def _indent(value: Json, first: str) -> Iterator[str]:
    """A value as JSON, small ones on one line; no character in it moves the cursor."""
    flat = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) or len(flat) <= LINE_LENGTH_MAX:
        yield first + clean_line(flat)
        return
    lines = json.dumps(value, ensure_ascii=False, indent=2).split("\n")
    yield first + clean_line(lines[0])
    yield from (" " * len(first) + clean(line) for line in lines[1:])


LINE_LENGTH_MAX = 96
"""The maximum length of a value on one line."""
