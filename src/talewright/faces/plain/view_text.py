"""View text: views, cards, offers, dice, history and provenance as blocks of plain lines.

Functions return lines; nothing is written or changed. Only the answers to /history, /why, /load and /language
read from a session.
"""

from collections.abc import Iterable, Sequence

from talewright.common.json_values import write_number
from talewright.common.word_catalogues import interface_languages, native_name
from talewright.faces.plain.command_parser import LookCommand, NumberedOffer
from talewright.faces.plain.plain_words import PlainWords, name_of
from talewright.play.campaign_past import Provenance
from talewright.play.campaign_view import (
    CardView,
    ChoiceView,
    EndView,
    PanelView,
    PartKind,
    RollView,
    StatusView,
    TurnView,
    View,
)
from talewright.play.presentation.choice_wording import CAUTION
from talewright.play.presentation.fights.fight_wording import fold_rolls, tell_fight, tell_folded
from talewright.play.session import Session
from talewright.play.session_inputs import AnswerDecision, Choose, GoOn

INDENT = "  "
ITEM = "  - "
ARROW = " -> "
"""Separates the old and the new value in a change."""

SENTENCE_ENDS = frozenset(("", *".!?…。！？”」\"'"))
"""How a hint may end before another sentence follows it."""

PlainBlock = list[str]
"""Lines that belong together."""


def show_roll(roll: RollView, words: PlainWords) -> str:
    """Show a roll on one line, with how likely it was."""
    text = roll.text
    if roll.chances is not None:
        text = words.delta.format(text=text, delta=roll.chances.text)
    return words.dice.format(text=text)


def show_rolls(rolls: Sequence[RollView], words: PlainWords) -> PlainBlock:
    """Show rolls one per line, and those that others rolled in a row on one."""
    return [
        tell_folded(group, words.language) if group[0].brief else show_roll(group[0], words)
        for group in fold_rolls(rolls)
    ]


def show_dice(turn: TurnView, words: PlainWords) -> PlainBlock:
    """Show the dice rolled before the narration, which come before it."""
    return show_rolls([roll for roll in turn.rolls if not roll.late], words)


def show_late_dice(turn: TurnView, words: PlainWords) -> PlainBlock:
    """Show the dice that come after the narration."""
    return show_rolls([roll for roll in turn.rolls if roll.late], words)


def show_happenings(turn: TurnView, words: PlainWords) -> PlainBlock:
    """Show what a turn did: dice rolled after the narration, events and changes."""
    return [*show_late_dice(turn, words), *turn.events, *show_changes(turn, words)]


def show_changes(turn: TurnView, words: PlainWords) -> PlainBlock:
    """What a turn changed, on one line, and who narrated it if that was not the storyteller."""
    lines: PlainBlock = []
    if turn.changes:
        changes = words.join.join(_in_words(change.text, words).rstrip(".。") for change in turn.changes)
        lines.append(words.changed.format(text=changes))
    return [*lines, *filter(None, [turn.stand_in])]


def _in_words(change: str, words: PlainWords) -> str:
    """Spell out a change for reading aloud."""
    return change.replace(ARROW, words.becomes)


def show_status(status: Sequence[StatusView], words: PlainWords) -> PlainBlock:
    """Show the status bar as one line."""
    parts = words.join.join(_show_item(item, words) for item in status)
    return [words.status.format(text=parts)] if parts else []


def show_urgent(view: View, words: PlainWords) -> PlainBlock:
    """Show whose turn it is, and how everyone is doing, on one line."""
    if view.fight is not None:
        return [tell_fight(view.fight, view.language)]
    parts = ((panel, part) for panel in view.panels for part in panel.parts)
    return [
        words.pair.format(name=panel.title, value=words.join.join(part.words))
        for panel, part in parts
        if part.kind is PartKind.TURN_ORDER
    ]


def _show_item(item: StatusView, words: PlainWords) -> str:
    text = f"{item.label} {item.text}"
    # The changes show the previous value; the bar only shows the difference.
    if item.delta and ARROW not in item.delta:
        text = words.delta.format(text=text, delta=item.delta)
    return words.critical.format(text=text) if item.critical else text


def show_offers(offers: Sequence[NumberedOffer]) -> PlainBlock:
    """Show numbered lines."""
    return [f"{number}. {offer.text}" for number, offer in enumerate(offers, 1)]


def make_offers(view: View, words: PlainWords, degraded: bool = False) -> tuple[NumberedOffer, ...]:
    """Return what the numbers mean: the options of the first open decision, or the choices.

    After a turn that failed, the choices are the three fixed ones.
    """
    if view.decisions and not degraded:
        decision = view.decisions[0]
        return tuple(
            NumberedOffer(label, AnswerDecision(decision.id, option), decision.notes(option))
            for option, label in decision.options
        )
    if view.end is not None or view.read_only:
        return ()
    return tuple(NumberedOffer(_show_choice(choice, words), Choose(choice.id)) for choice in view.choices)


def asks_for_number(offers: Sequence[NumberedOffer]) -> bool:
    """Whether only a number is accepted: a decision is open. A cautioned input may also be rephrased."""
    first = offers[0].command if offers else None
    return isinstance(first, AnswerDecision) and first.decision != CAUTION


def asks_for_note(offers: Sequence[NumberedOffer], answer: AnswerDecision) -> bool:
    """Whether the chosen answer asks the player for a note."""
    return any(offer.takes_note for offer in offers if offer.command == answer)


def _show_choice(choice: ChoiceView, words: PlainWords) -> str:
    risk = {"medium": words.risk_medium, "high": words.risk_high}.get(choice.risk, "")
    stop = "" if not risk or choice.hint[-1:] in SENTENCE_ENDS else words.stop
    hint = choice.hint + stop
    if hint and risk:
        hint = words.sentences.format(text=hint, next=risk)
    hint = hint or risk
    return words.hint.format(label=choice.label, hint=hint) if hint else choice.label


def offer_unfinished(words: PlainWords) -> tuple[NumberedOffer, ...]:
    """Return the offers for a turn that was not finished."""
    return (
        NumberedOffer(words.unfinished_yes, GoOn()),
        NumberedOffer(words.unfinished_no, LookCommand()),
    )


def show_end(end: EndView, words: PlainWords) -> PlainBlock:
    """Show how the story ended, and what can still be done."""
    told = {"win": words.won, "lose": words.lost}.get(end.outcome, words.ended)
    return [*filter(None, [end.title]), told, words.after_end]


def show_cards(view: View, words: PlainWords) -> list[PlainBlock]:
    """Show every card and panel, one block each, what is urgent first."""
    urgent = [_show_panel(panel) for panel in view.panels if panel.is_urgent]
    cards = [_show_card(card, words) for card in view.cards]
    others = [_show_panel(panel) for panel in view.panels if not panel.is_urgent]
    return [*urgent, *cards, *others] or [[words.no_cards]]


def _show_card(card: CardView, words: PlainWords) -> PlainBlock:
    inline = len(card.lines) == 1
    # The only item of a list is not repeated just because it is new.
    told = inline and card.value is None and card.delta == f"+{card.lines[0]}"
    notes = [_in_words(card.delta, words)] if card.delta and not told else []
    if card.minimum is not None and card.maximum is not None:
        low, high = write_number(card.minimum), write_number(card.maximum)
        # Most values already include their range.
        if not any(high in line for line in card.lines):
            notes.insert(0, words.range.format(low=low, high=high))
    head = words.pair.format(name=card.label, value=card.lines[0]) if inline else card.label
    if notes:
        head = words.delta.format(text=head, delta=words.join.join(notes))
    if card.critical:
        head = words.critical.format(text=head)
    lines = [] if inline else [f"{ITEM}{line}" for line in card.lines]
    return [head, *lines, *([f"{INDENT}{card.description}"] if card.description else [])]


def _show_panel(panel: PanelView) -> PlainBlock:
    # Lines below a label in the panel are below it here too.
    deeper = " " * len(ITEM)
    return [
        panel.title,
        *(deeper + line.lstrip() if line.startswith(INDENT) else ITEM + line for line in panel.lines),
    ]


def show_past(turn: TurnView, words: PlainWords) -> list[PlainBlock]:
    """Show one turn of the history."""
    head = [words.turn.format(version=turn.version)]
    if turn.said:
        head.append(words.asked.format(said=turn.said))
    before, after = ([text.strip()] if text.strip() else [] for text in turn.split_narration())
    if not after:
        return [head, show_dice(turn, words), before, show_happenings(turn, words)]
    events = [*show_late_dice(turn, words), *turn.events]
    return [head, show_dice(turn, words), before, events, after, show_changes(turn, words)]


def show_provenance(found: Iterable[Provenance], words: PlainWords) -> list[PlainBlock]:
    """Show what set a variable, newest first."""
    return [_show_cause(one, words) for one in found]


def _show_cause(one: Provenance, words: PlainWords) -> PlainBlock:
    text = _in_words(one.text, words)
    # There is no turn 0: a value that has not changed is as the game began.
    told = words.why.format(version=one.version, text=text, cause=one.cause)
    lines = [told if one.version else words.delta.format(text=text, delta=one.cause)]
    if one.reason and one.reason not in one.text:
        lines.append(INDENT + words.why_reason.format(reason=one.reason))
    if one.said:
        lines.append(INDENT + words.why_said.format(said=one.said))
    return lines


def show_help(view: View, words: PlainWords) -> PlainBlock:
    """List what can be typed and works here, one line each."""
    does = dict(words.help_does)
    if not view.free_text:
        # Only a storyteller continues without an input, or with any words.
        does |= {"words": words.help_words_fixed, "retry": words.help_retry_fixed}
        del does["go"]
    if not view.may_differ:
        del does["retry"]
    lines = [words.pair.format(name=words.help_typed[key], value=told) for key, told in does.items()]
    return [*lines, words.help_foot]


async def tell_history(session: Session, turns: int, words: PlainWords) -> list[PlainBlock]:
    """Show the last turns, newest last."""
    past = await session.past.turns(turns)
    return [block for turn in past for block in show_past(turn, words)] or [[words.no_history]]


async def tell_why(session: Session, name: str, words: PlainWords) -> list[PlainBlock]:
    """Show what set a variable; without a name, list the names."""
    found = await session.past.why(name) if name else ()
    if found:
        return show_provenance(found, words)
    missing = [words.no_such_variable.format(name=name)] if name else []
    view = await session.view()
    labels = dict.fromkeys([item.label for item in view.status] + [card.label for card in view.cards])
    return [[*missing, words.why_what.format(names=words.join.join(labels)) if labels else words.no_cards]]


async def tell_marks(session: Session, missing: str, words: PlainWords) -> list[PlainBlock]:
    """List the saved places, after an unknown name."""
    marks = (await session.view()).marks
    told = [words.no_such_save.format(name=missing)] if missing else []
    names = words.saves.format(names=words.join.join(marks)) if marks else words.no_saves
    return [[*told, names]]


async def tell_language(session: Session, wrong: str, words: PlainWords) -> list[PlainBlock]:
    """Show the languages of the story and of the interface."""
    if wrong:
        return [[words.no_such_language.format(codes=words.join.join(interface_languages()))]]
    view = await session.view()
    story = words.retold_in.format(story=name_of(view.language), campaign=view.campaign)
    return [
        [
            words.told_in.format(face=native_name(words.language), codes=" | ".join(interface_languages())),
            story,
        ]
    ]
