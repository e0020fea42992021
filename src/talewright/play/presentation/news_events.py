"""News events: the events of a finished or running turn for one viewer, in order.

Numbers depend only on the commit and on what the viewer may see, so that equal viewers get equal events.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias, assert_never

from talewright.chronicle.records import Commit
from talewright.common.safe_text import clean, clean_line
from talewright.play.campaign_view import RollView, Viewer
from talewright.play.news import (
    LIVE,
    STRIDE,
    AcceptedNews,
    ActivityNews,
    BackgroundNews,
    ChangeNews,
    ChoicesNews,
    CommittedNews,
    DecisionNews,
    DegradedNews,
    DeltaNews,
    DiceNews,
    EndedNews,
    FailedNews,
    News,
    NewsEvent,
    RefusalNews,
    ResetNews,
    TriggerNews,
)
from talewright.play.presentation.change_wording import fired, tell_changes, tell_events, tell_refusals
from talewright.play.presentation.choice_wording import (
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
from talewright.turn.background.background_troubles import BackgroundWork
from talewright.turn.game_editions import Edition
from talewright.turn.records.commit_body import SCENES, TurnBody, read_body
from talewright.turn.turn_outcomes import OutcomeReason
from talewright.turn.turn_signals import (
    Activity,
    BackgroundDone,
    BackgroundFailed,
    DiceRolled,
    NarrationDelta,
    NarrationReset,
    TurnAccepted,
    TurnDegraded,
    TurnFailed,
)

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
"""Signals that are only live, and in no commit."""


def tell_commit(
    commit: Commit,
    edition: Edition,
    viewer: Viewer,
    language: str,
    heard: str | None,
    rolled: Sequence[RollView] = (),
) -> tuple[News, ...]:
    """The events of one commit; `heard` is the text already sent (None if unknown), and `rolled` the dice."""
    if not commit.parent:
        return ()
    body = read_body(commit.body)
    wording = Wording(edition.words(language), language)
    first, operation_id = commit.sequence * STRIDE, clean_line(commit.operation_id)
    telling = _tell_narration(body, heard)
    # The first number belongs to the narration, whether it is sent again or not.
    rest = _tell_rest(commit, body, edition, wording, viewer)[: LIVE - 1]
    told = [(first, telling)] if telling is not None else []
    told += [
        (first + index, event) for index, event in enumerate(rest, 1) if not _is_known(index, event, rolled)
    ]
    return tuple(News(number, event, commit.branch, operation_id) for number, event in told)


def _is_known(index: int, event: NewsEvent, rolled: Sequence[RollView]) -> bool:
    """Whether these dice were shown when they were rolled; they come first among a commit's other events."""
    return isinstance(event, DiceNews) and index <= len(rolled) and rolled[index - 1] == event.roll


def tell_roll(signal: DiceRolled, edition: Edition, viewer: Viewer, language: str) -> DiceNews | None:
    """The live event of dice; None if the viewer may not see them."""
    told = tell_rolls((signal.roll,), edition.game, Wording(edition.words(language), language), viewer)
    return DiceNews(told[0]) if told else None


def _tell_narration(body: TurnBody, heard: str | None) -> NewsEvent | None:
    narration = clean(body.narration)
    if heard == narration:
        return None
    if heard == "" and body.told == SCENES:
        return DeltaNews(narration)
    return ResetNews(narration)


def _tell_rest(
    commit: Commit, body: TurnBody, edition: Edition, wording: Wording, viewer: Viewer
) -> list[NewsEvent]:
    game = edition.game
    told: list[NewsEvent] = [DiceNews(roll) for roll in tell_rolls(body.rolls, game, wording, viewer)]
    told += [ChangeNews(change) for change in tell_changes(game, body.changes, wording, viewer)]
    told += [RefusalNews(text) for text in tell_refusals(game, body.rulings, wording, viewer)]
    told += [TriggerNews(text) for text, _ in tell_events(fired(body.events), wording, viewer)]
    told += [DecisionNews(decision) for decision in show_decisions(body.decisions, wording)]
    choices = show_choices(body, wording)
    if choices:
        told.append(ChoicesNews(tuple(choices)))
    told.append(CommittedNews(commit.version, commit.id))
    end = show_end(body, wording)
    if end is not None:
        told.append(EndedNews(end))
    return told


_WORK: Mapping[BackgroundWork, Phrase] = {
    BackgroundWork.PAGES: Phrase.WORK_PAGES,
    BackgroundWork.ERRANDS: Phrase.WORK_ERRANDS,
    BackgroundWork.SUMMARY: Phrase.WORK_SUMMARY,
    BackgroundWork.PANELS: Phrase.WORK_PANELS,
    BackgroundWork.AHEAD: Phrase.WORK_AHEAD,
}


def tell_signal(signal: LiveSignal, language: str) -> NewsEvent:
    """The live event of a signal; `tell_commit` handles commits."""
    match signal:
        case TurnAccepted(accepted):
            return AcceptedNews(tell_input(accepted.input, TurnBody(), language))
        case NarrationDelta(text):
            return DeltaNews(clean(text))
        case NarrationReset(text):
            return ResetNews(clean(text), signal.voids_rolls)
        case Activity(doing):
            text = activity(language, doing, signal.share, signal.why)
            return ActivityNews(doing.value, text, signal.share, signal.usual_seconds, signal.can_skip)
        case TurnDegraded(reason, trouble):
            known = _known_reason(reason)
            message = explain(language, known, trouble=trouble)
            return DegradedNews(known.value, message, tuple(fixed_choices(language)))
        case TurnFailed(reason):
            known = _known_reason(reason)
            # The words were sent with the input; the card is answered in the session that sent it.
            card = show_caution("", language) if known is OutcomeReason.RISKY else None
            return FailedNews(known.value, explain(language, known), card)
        case BackgroundDone():
            # Which errand it was is internal to the system.
            return BackgroundNews(say(language, Phrase.BACKGROUND))
        case BackgroundFailed(what):
            # The message may name hidden things; `talewright doctor` shows it to the operator.
            work = say(language, _WORK[BackgroundWork(what)])
            return BackgroundNews(say(language, Phrase.BACKGROUND_FAILED, what=work), what)
        case _:
            assert_never(signal)


def _known_reason(reason: str) -> OutcomeReason:
    return OutcomeReason(reason) if reason in set(OutcomeReason) else OutcomeReason.ERROR
