"""News events: what a finished turn, or one under way, is told as to one viewer, in its order and words.

Numbers depend only on the commit and on what the viewer may see, so that everyone who may see the same
hears the same.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias, assert_never

from talewright.chronicle.records import Commit
from talewright.common.json_values import Json
from talewright.common.safe_text import clean, clean_line
from talewright.play.campaign_view import Viewer
from talewright.play.news import LIVE, STRIDE, News, NewsKind
from talewright.play.presentation.change_wording import fired, tell_changes, tell_events, tell_refusals
from talewright.play.presentation.choices_and_decisions import (
    fixed_choices,
    show_caution,
    show_choices,
    show_decisions,
)
from talewright.play.presentation.roll_wording import tell_rolls
from talewright.play.presentation.value_wording import Wording
from talewright.play.presentation.view_assembly import show_end, tell_input
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import activity, explain, say
from talewright.play.view_codec import to_wire
from talewright.turn.background_troubles import BackgroundWork
from talewright.turn.game_editions import Edition
from talewright.turn.records.commit_body import SCENES, TurnBody, read_body
from talewright.turn.turn_outcomes import OutcomeReason
from talewright.turn.turn_signals import (
    Activity,
    BackgroundDone,
    BackgroundFailed,
    NarrationDelta,
    NarrationReset,
    TurnAccepted,
    TurnDegraded,
    TurnFailed,
)

UnnumberedNews: TypeAlias = tuple[NewsKind, dict[str, Json]]
"""News without a number."""

LiveSignal: TypeAlias = (
    TurnAccepted
    | NarrationDelta
    | NarrationReset
    | Activity
    | TurnDegraded
    | TurnFailed
    | BackgroundDone
    | BackgroundFailed
)
"""What is heard while it happens, and stands in no commit."""


def tell_commit(
    commit: Commit, edition: Edition, viewer: Viewer, language: str, heard: str | None
) -> tuple[News, ...]:
    """The news of one commit; `heard` is what was told of it already, None where that is not known."""
    if not commit.parent:
        return ()
    body = read_body(commit.body)
    wording = Wording(edition.words(language), language)
    first = commit.sequence * STRIDE
    news = [News(first, *telling)] if (telling := _tell_narration(body, heard)) else []
    # The first number is the narration's whether it is told again or not.
    rest = _tell_rest(commit, body, edition, wording, viewer)[: LIVE - 1]
    return tuple(news + [News(first + index, *bulletin) for index, bulletin in enumerate(rest, 1)])


def _tell_narration(body: TurnBody, heard: str | None) -> UnnumberedNews | None:
    narration = clean(body.narration)
    if heard == narration:
        return None
    if heard == "" and body.told == SCENES:
        return NewsKind.NARRATION_DELTA, {"text": narration}
    return NewsKind.NARRATION_RESET, {"text": narration}


def _tell_rest(
    commit: Commit, body: TurnBody, edition: Edition, wording: Wording, viewer: Viewer
) -> list[UnnumberedNews]:
    game = edition.game
    told: list[UnnumberedNews] = [
        (NewsKind.DICE_ROLLED, to_wire(roll)) for roll in tell_rolls(body.rolls, wording, viewer)
    ]
    told += [
        (NewsKind.CHANGE_APPLIED, to_wire(change))
        for change in tell_changes(game, body.changes, wording, viewer)
    ]
    told += [
        (NewsKind.CHANGE_REFUSED, {"text": text})
        for text in tell_refusals(game, body.rulings, wording, viewer)
    ]
    told += [
        (NewsKind.TRIGGER_FIRED, {"text": text}) for text in tell_events(fired(body.events), wording, viewer)
    ]
    told += [(NewsKind.DECISION, to_wire(decision)) for decision in show_decisions(body, wording)]
    choices = show_choices(body, wording)
    if choices:
        told.append((NewsKind.CHOICES, {"choices": [to_wire(choice) for choice in choices]}))
    told.append((NewsKind.TURN_COMMITTED, {"version": commit.version, "commit": commit.id}))
    end = show_end(body)
    if end is not None:
        told.append((NewsKind.GAME_ENDED, to_wire(end)))
    return told


_WORK: Mapping[BackgroundWork, Phrase] = {
    BackgroundWork.PAGES: Phrase.WORK_PAGES,
    BackgroundWork.ERRANDS: Phrase.WORK_ERRANDS,
    BackgroundWork.SUMMARY: Phrase.WORK_SUMMARY,
    BackgroundWork.PANELS: Phrase.WORK_PANELS,
}


def tell_signal(signal: LiveSignal, language: str) -> UnnumberedNews:
    """What is heard of a signal at once; commits are told by `tell_commit`."""
    match signal:
        case TurnAccepted(accepted):
            said = tell_input(accepted.input, TurnBody(), language)
            return NewsKind.TURN_ACCEPTED, {"operation_id": clean_line(accepted.operation_id), "said": said}
        case NarrationDelta(text):
            return NewsKind.NARRATION_DELTA, {"text": clean(text)}
        case NarrationReset(text):
            return NewsKind.NARRATION_RESET, {"text": clean(text)}
        case Activity(doing):
            return NewsKind.ACTIVITY, {"doing": doing.value, "text": activity(language, doing)}
        case TurnDegraded(reason, trouble):
            choices: Sequence[Json] = [to_wire(choice) for choice in fixed_choices(language)]
            return NewsKind.TURN_DEGRADED, {**_tell_reason(reason, language, trouble), "choices": choices}
        case TurnFailed(reason):
            told = _tell_reason(reason, language)
            if reason == OutcomeReason.RISKY:
                # What was said has been heard with the input; the card is answered where it was said.
                told["decision"] = to_wire(show_caution("", language))
            return NewsKind.TURN_FAILED, told
        case BackgroundDone():
            # Which errand it was is the system's own business.
            return NewsKind.BACKGROUND, {"text": say(language, Phrase.BACKGROUND)}
        case BackgroundFailed(what):
            # What it said may name hidden things; `talewright doctor` tells it to whoever runs the engine.
            text = say(language, Phrase.BACKGROUND_FAILED, what=say(language, _WORK[BackgroundWork(what)]))
            return NewsKind.BACKGROUND, {"text": text, "trouble": what}
        case _:
            assert_never(signal)


def _tell_reason(reason: str, language: str, trouble: str = "") -> dict[str, Json]:
    known = OutcomeReason(reason) if reason in set(OutcomeReason) else OutcomeReason.ERROR
    return {"reason": known.value, "message": explain(language, known, trouble=trouble)}
