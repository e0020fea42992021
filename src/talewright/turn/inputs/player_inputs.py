"""Player inputs: what a player can do in a turn, as values and JSON, and the effect of each.

An input is carried out before the narration: a choice applies its updates, an answer its decision; without a
model, free text is matched to the choices of scenes. Nothing is committed here.
"""

from collections.abc import Mapping
from dataclasses import field, replace
from functools import partial
from typing import TypeAlias, assert_never

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.game import DecisionRule
from talewright.kernel.judging.move_resolution import conclude, drop_waiting_call, waiting_calls
from talewright.kernel.judging.moves import Call
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.scene_rules import carry_out_choice, current_scene, is_over, offered, open_finale
from talewright.kernel.story.scenes import Trial
from talewright.kernel.system import HasTelling
from talewright.turn.inputs.player_choices import (
    FINALE,
    SYSTEM,
    ChoiceCandidate,
    find_system_choices,
    match,
    match_exactly,
    name_all,
)
from talewright.turn.records.commit_body import MODEL, SCENES, OfferedChoice, TurnBody
from talewright.turn.turn_outcomes import OutcomeReason, Unspent
from talewright.turn.turn_progress import TurnProgress, make_purpose


@frozen
class Say:
    """Free text of the player."""

    text: str
    sure: bool = False
    """Whether the player confirms it after a caution."""


@frozen
class Choose:
    """One of the offered choices, by its id."""

    choice: str


@frozen
class AnswerDecision:
    """The answer to an open decision."""

    decision: str
    option: str
    note: str = ""
    """The player's own words, if the decision accepts them."""

    relayed: bool = False
    """Whether an external game master passed it on; if not, it is the player's own."""


@frozen
class GoOn:
    """Continue the story without an input."""


@frozen
class Opening:
    """The first turn."""


Input: TypeAlias = Say | Choose | AnswerDecision | GoOn | Opening


class InputError(ValueError):
    """The JSON is not an input."""


def to_json(given: Input) -> dict[str, Json]:
    """Convert an input to JSON."""
    match given:
        case Say(text, sure):
            return {"kind": "say", "text": text, **({"sure": True} if sure else {})}
        case Choose(choice):
            return {"kind": "choose", "choice": choice}
        case AnswerDecision(decision, option, note, relayed):
            answer: dict[str, Json] = {"kind": "answer", "decision": decision, "option": option, "note": note}
            return {**answer, "relayed": True} if relayed else answer
        case GoOn():
            return {"kind": "go_on"}
        case Opening():
            return {"kind": "opening"}
        case _:
            assert_never(given)


def from_json(raw: Json) -> Input:
    """Parse what `to_json` wrote."""
    if not isinstance(raw, Mapping):
        raise InputError("an input is an object")

    def text(name: str) -> str:
        value = raw.get(name)
        if not isinstance(value, str):
            raise InputError(f"the {name!r} of an input is a string")
        return value

    match raw.get("kind"):
        case "say":
            return Say(text("text"), raw.get("sure") is True)
        case "choose":
            return Choose(text("choice"))
        case "answer":
            relayed = raw.get("relayed") is True
            return AnswerDecision(text("decision"), text("option"), text("note"), relayed)
        case "go_on":
            return GoOn()
        case "opening":
            return Opening()
        case other:
            raise InputError(f"there is no input {other!r}; there is say, choose, answer, go_on, opening")


@frozen
class Deed:
    """The effect of an input."""

    said: str
    """The input in the player's words."""

    passages: tuple[str, ...] = ()
    """Keys of the authored texts that narrate it."""

    follows: str = ""
    """The next scene; empty leaves it open."""

    leaves: bool = False
    """Whether it leaves the scene: a choice does, free text does not."""

    resumes: bool = False
    """Whether the current scene is shown again."""

    authored: bool = False
    """Whether scenes alone can narrate it."""

    results: tuple[Json, ...] = ()
    """Its results, for the storyteller: rolls, results of calls."""

    moves: tuple[Call, ...] = ()
    """Calls that the player starts, or that were waiting and can be judged now."""

    by_system: bool = False
    """Whether a system decides it, so that the scene need not be narrated again if it continues."""

    answers: Mapping[str, str] = field(default_factory=dict)
    """The chosen option by the id of its decision; under `<id>.note` the player's own words."""


@frozen
class PlayersTable:
    """What the player can act on when the input arrives."""

    body: TurnBody
    """The body of the newest turn."""

    texts: Texts
    has_teller: bool
    begun: bool
    """Whether the first turn has been taken."""

    imported: bool = False
    """Whether the campaign continues an imported state."""

    told_outside: bool = False
    """Whether an external game master narrates the turn; only such a one passes on answers."""


def carry_out_input(table: PlayersTable, working: TurnProgress, given: Input) -> Deed | Unspent:
    """Carry out the input, or return the reason why it cannot become a turn."""
    if isinstance(given, Opening) is table.begun:
        return Unspent(OutcomeReason.NO_SUCH_CHOICE)
    if is_over(working.position):
        return Unspent(OutcomeReason.OVER)
    if waiting_calls(working.position) and not isinstance(given, AnswerDecision):
        return Unspent(OutcomeReason.DECISION_FIRST)
    match given:
        case Opening():
            return _open(table, working)
        case GoOn():
            return Deed("") if table.has_teller else Unspent(OutcomeReason.NO_TELLER)
        case Choose(choice):
            return _choose(table, working, choice)
        case Say(text):
            return _say(table, working, text)
        case AnswerDecision():
            return _answer(table, working, given)
        case _:
            assert_never(given)


def _open(table: PlayersTable, working: TurnProgress) -> Deed | Unspent:
    if not table.has_teller and not working.game.plays_alone:
        # An intro alone would leave the player with nothing to do.
        return Unspent(OutcomeReason.NO_TELLER)
    if table.imported:
        return Deed("", authored=True, resumes=True)
    intro = ("intro",) if table.texts.find("intro") else ()
    return Deed("", intro, leaves=True, authored=bool(intro) or working.game.plays_alone)


def _choose(table: PlayersTable, working: TurnProgress, choice: str) -> Deed | Unspent:
    found = next((offer for offer in table.body.choices if offer.id == choice), None)
    if found is None:
        return Unspent(OutcomeReason.NO_SUCH_CHOICE, choice)
    deed = _take_choice(working, found)
    if isinstance(deed, Unspent) or deed.authored or table.has_teller:
        return deed
    if any(isinstance(working.game.tools[call.tool], HasTelling) for call in deed.moves):
        return replace(deed, authored=True)
    # Only a storyteller can narrate what a storyteller offered; without one, the scenes continue from here.
    known = name_all(working.game, table.texts, working.position)
    # In a fight, a scene may leave all choices to the system.
    stays = found.source == SYSTEM and current_scene(working.game, working.position) is not None
    return replace(deed, resumes=True) if known or stays else Unspent(OutcomeReason.NO_TELLER)


def _take_choice(working: TurnProgress, offer: OfferedChoice) -> Deed | Unspent:
    game, position = working.game, working.position
    if offer.source == SYSTEM:
        started = find_system_choices(game, position).get(offer.id)
        # The state may have changed since, by an edit or a background task.
        gone = Unspent(OutcomeReason.NO_SUCH_CHOICE, offer.id)
        return gone if started is None else Deed(offer.label, moves=(started.call,), by_system=True)
    finale = open_finale(game, position)
    if finale is not None and offer.source == FINALE:
        route = next((route for route in finale.finale if route.id == offer.id), None)
        if route is not None:
            working.take(conclude(game, position, route, f"finale:{finale.id}"))
            return Deed(offer.label, leaves=True, authored=True)
    scene = current_scene(game, position)
    choices = offered(scene, position) if scene is not None else ()
    choice = next((choice for choice in choices if choice.id == offer.id), None)
    if scene is not None and choice is not None and offer.source != FINALE:
        fate = working.fortune.open(partial(make_purpose, ["choice", scene.id, choice.id]))
        act = carry_out_choice(game, position, scene, choice, fate)
        working.fortune.keep(fate)
        rolled = len(working.rolls)
        working.take_act(act, choice.check)
        results = tuple(working.rolls[rolled:])
        return Deed(
            offer.label,
            act.texts,
            act.next,
            leaves=True,
            authored=True,
            results=results,
            by_system=isinstance(choice.check, Trial),
        )
    if offer.source == MODEL:
        return Deed(offer.label)
    # The game's folder has changed since the choice was offered.
    return Unspent(OutcomeReason.NO_SUCH_CHOICE, offer.id)


def _say(table: PlayersTable, working: TurnProgress, text: str) -> Deed | Unspent:
    of_systems = [choice for choice in table.body.choices if choice.source == SYSTEM]
    candidates = (
        *name_all(working.game, table.texts, working.position),
        *(ChoiceCandidate(choice.id, (choice.label,)) for choice in of_systems),
    )
    found = (match_exactly if table.has_teller else match)(text, candidates)
    if any(choice.id == found for choice in of_systems):
        return _choose(table, working, str(found))
    if found is not None:
        source = FINALE if open_finale(working.game, working.position) is not None else SCENES
        deed = _take_choice(working, OfferedChoice(found, text, source=source))
        assert isinstance(deed, Deed)
        return deed
    if table.has_teller:
        return Deed(text)
    return Unspent(OutcomeReason.UNMATCHED if candidates else OutcomeReason.NO_TELLER)


def _answer(table: PlayersTable, working: TurnProgress, given: AnswerDecision) -> Deed | Unspent:
    call = waiting_calls(working.position).get(given.decision)
    card = next((card for card in table.body.decisions if card.id == given.decision), None)
    if call is None or card is None:
        return Unspent(OutcomeReason.NO_SUCH_DECISION, given.decision)
    option = next((option for option in card.options if option.id == given.option), None)
    if option is None:
        return Unspent(OutcomeReason.NO_SUCH_CHOICE, given.option)
    may_relay = table.told_outside and working.game.decisions is DecisionRule.RELAYED
    if given.relayed and not may_relay:
        return Unspent(OutcomeReason.PLAYER_DECIDES, given.decision)
    working.take(drop_waiting_call(working.game, working.position, given.decision))
    answers = {given.decision: given.option}
    if given.note:
        answers[f"{given.decision}.note"] = given.note
    said = table.texts.get(option.label) + (f": {given.note}" if given.note else "")
    return Deed(said, moves=(call,), answers=answers)
