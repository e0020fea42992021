"""View assembly: builds the View of a campaign and of one finished turn for one viewer.

Besides News, this is the only way out of the engine. No digest, no secret and no control character leaves
through it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from talewright.chronicle.records import Accepted, Commit
from talewright.chronicle.store import CampaignStatus
from talewright.common.safe_text import clean, clean_line
from talewright.errors import Fault
from talewright.kernel.game import Game
from talewright.kernel.story.endings import ENDING_TITLE
from talewright.play.campaign_view import ChoiceView, DecisionView, EndView, TurnView, View, Viewer
from talewright.play.presentation.campaign_notices import (
    notice,
    tell_dead_end,
    tell_folder,
    tell_missing_panels,
    tell_noticed,
    tell_shortage,
)
from talewright.play.presentation.card_wording import show_cards, show_cover, show_status
from talewright.play.presentation.change_wording import (
    tell_changes,
    tell_events,
    tell_refusals,
    visible_changes,
)
from talewright.play.presentation.choice_wording import (
    find_groups,
    fixed_choices,
    show_caution,
    show_choices,
    show_decisions,
)
from talewright.play.presentation.critical_values import find_critical
from talewright.play.presentation.fights.fight_wording import find_fight
from talewright.play.presentation.fights.roll_appraisals import appraise_events
from talewright.play.presentation.panel_wording import show_panels
from talewright.play.presentation.roll_wording import tell_turn_rolls
from talewright.play.presentation.scene_stand_in_notices import tell_help, tell_stand_in
from talewright.play.presentation.value_wording import Wording
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import say
from talewright.turn.background.background_troubles import BackgroundTroubles
from talewright.turn.context_check import ContextShortage
from talewright.turn.inputs.player_inputs import (
    AnswerDecision,
    Choose,
    GoOn,
    InputError,
    Opening,
    Say,
    from_json,
)
from talewright.turn.records.commit_body import MODEL, SCENES, TurnBody
from talewright.turn.steps.recalling import Recalled


def show_turn(commit: Commit, body: TurnBody, game: Game, wording: Wording, viewer: Viewer) -> TurnView:
    """A finished turn."""
    at = body.events_at
    events = tell_events(body.events, wording, viewer, appraise_events(body, game, wording))
    return TurnView(
        commit.id,
        commit.version,
        _tell_said(body, wording.language),
        clean(body.narration),
        tell_turn_rolls(body, game, wording, viewer),
        tell_changes(game, body.changes, wording, viewer),
        tuple(text for text, _ in events),
        tell_refusals(game, body.rulings, wording, viewer),
        None if at is None else len(clean(body.narration[:at])),
        tell_stand_in(body, wording.language),
        tuple(favor for _, favor in events),
    )


def _tell_said(body: TurnBody, language: str) -> str:
    """The player's input, with a remark if a game master passed it on."""
    relayed = isinstance(body.input, Mapping) and body.input.get("relayed") is True
    return say(language, Phrase.RELAYED, said=clean(body.said)) if relayed else clean(body.said)


def show_end(body: TurnBody, wording: Wording) -> EndView | None:
    """How the game ended in a turn."""
    if body.end is None:
        return None
    title = clean_line(wording.texts.find(f"{ENDING_TITLE}.{body.end.ending}"))
    return EndView(clean_line(body.end.ending), clean_line(body.end.outcome), title)


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What a view depends on besides the story itself."""

    campaign: str
    branch: str
    has_teller: bool = False
    shortage: ContextShortage | None = None
    """Whether the context of the storyteller's model is too small for the game."""

    missing: bool = False
    """Whether the game's folder is missing or unreadable."""

    faults: tuple[Fault, ...] = ()
    """Why the game's folder does not compile, if it exists."""

    untold: bool = False
    """Whether the last attempt at a turn failed."""

    cautioned: str = ""
    """The player's words that were held back, until the player decides about them."""

    marks: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()
    newest: tuple[Commit, ...] = ()
    """The last turns, if a scene narrated the newest one instead of the model."""


def make_view(
    recalled: Recalled,
    outlook: CampaignStatus,
    around: Circumstances,
    viewer: Viewer,
    language: str,
    troubles: BackgroundTroubles,
) -> View:
    """The view of a campaign; a system's failure to show something becomes a notice and a trouble."""
    game, body = recalled.edition.game, recalled.body
    wording = Wording(recalled.edition.words(language), language)
    state = recalled.position.state
    changes = visible_changes(game, body.changes, viewer)
    begun = recalled.head.version > 0
    turn = recalled.position.turn
    critical = find_critical(game, state.document, turn, viewer)
    found = show_panels(game, state.document, turn, wording, troubles)
    panels = tuple(panel for panel, _ in found)
    status = show_status(game, state.document, changes, wording, viewer, critical)
    return View(
        campaign=around.campaign,
        game=game.id,
        title=wording.line("title"),
        language=language,
        viewer=viewer,
        branch=clean_line(around.branch),
        head=recalled.head.id,
        version=recalled.head.version,
        turn=show_turn(recalled.head, body, game, wording, viewer) if begun else None,
        status=(*status, *(one for _, added in found for one in added)),
        cards=show_cards(game, state.document, changes, wording, viewer, critical),
        panels=panels,
        fight=find_fight(panels, wording.language),
        choices=_choose(body, around, wording, find_groups(game, recalled.position, body)),
        decisions=_decide(body, around, wording),
        end=show_end(body, wording),
        marks=tuple(clean_line(name) for name in around.marks),
        branches=tuple(clean_line(name) for name in around.branches),
        unfinished=_tell_unfinished(outlook, around.branch, recalled.head.id, body, language),
        notices=_list_notices(recalled, outlook, around, wording, viewer, troubles),
        read_only=outlook.damage is not None,
        free_text=around.has_teller,
        may_differ=not begun or around.has_teller or around.untold or _may_differ(body),
        cover=show_cover(game, state.document, wording, viewer),
    )


def _list_notices(
    recalled: Recalled,
    outlook: CampaignStatus,
    around: Circumstances,
    wording: Wording,
    viewer: Viewer,
    troubles: BackgroundTroubles,
) -> tuple[str, ...]:
    """What the player should know beside the story."""
    game, body, version = recalled.edition.game, recalled.body, recalled.head.version
    folder = tell_folder(around.missing, around.faults, wording, viewer)
    return (
        *notice(game, body, recalled.adoption, outlook.damage, folder, wording, viewer),
        *(() if around.has_teller else tell_dead_end(body, version, wording)),
        *tell_shortage(around.shortage, version, wording),
        *tell_noticed(outlook.notices, around.campaign, wording, viewer),
        *tell_missing_panels(troubles.found, wording),
        *tell_help(around.newest, wording.language),
    )


def _may_differ(body: TurnBody) -> bool:
    """Whether scenes may narrate a turn differently when it is retried."""
    return body.told != SCENES or bool(body.draws and body.nonce)


def _choose(
    body: TurnBody, around: Circumstances, wording: Wording, groups: Mapping[str, str]
) -> tuple[ChoiceView, ...]:
    if not around.untold:
        return show_choices(body, wording, groups)
    # Scenes can narrate the game's own choices even if the storyteller is gone.
    authored = tuple(choice for choice in body.choices if choice.source != MODEL)
    return (*show_choices(replace(body, choices=authored), wording, groups), *fixed_choices(wording.language))


def _decide(body: TurnBody, around: Circumstances, wording: Wording) -> tuple[DecisionView, ...]:
    held = (show_caution(around.cautioned, wording.language),) if around.cautioned else ()
    return (*held, *show_decisions(body.decisions, wording))


def find_waiting(outlook: CampaignStatus, branch: str, head: str) -> Accepted | None:
    """The input that waits at the head of a branch; the oldest if there are several."""
    fitting = (one for one in outlook.waiting if (one.branch, one.replaces or one.base) == (branch, head))
    return next(fitting, None)


def _tell_unfinished(outlook: CampaignStatus, branch: str, head: str, body: TurnBody, language: str) -> str:
    waiting = find_waiting(outlook, branch, head)
    return "" if waiting is None else tell_input(waiting.input, body, language)


def tell_input(raw: object, body: TurnBody, language: str) -> str:
    """An input in the player's words; `body` is that of the previous turn."""
    try:
        given = from_json(raw)  # type: ignore[arg-type]  # any value is checked there
    except InputError:
        return ""
    match given:
        case Say(text):
            return clean(text)
        case Choose(choice):
            return clean_line(next((offer.label for offer in body.choices if offer.id == choice), choice))
        case AnswerDecision(decision, option, note):
            cards = (card for card in body.decisions if card.id == decision)
            labels = (each.label for card in cards for each in card.options if each.id == option)
            label = clean_line(next(labels, option))
            return f"{label}: {clean(note)}" if note else label
        case GoOn():
            return say(language, Phrase.UNFINISHED_GO_ON)
        case Opening():
            return say(language, Phrase.UNFINISHED_OPENING)
        case _:
            assert_never(given)
