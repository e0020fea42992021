"""Wording of panels: what the systems show of themselves, as parts for a face that draws and in words.

Which panels there are is the systems' business.
"""

from collections.abc import Mapping
from typing import assert_never

from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.system import Chips, Lines, Meter, Panel, Rolled, Sight
from talewright.play.campaign_view import PanelView, PartKind, PartView
from talewright.play.presentation.value_wording import Wording, number
from talewright.play.presentation.words.phrases import Phrase

INDENT = "  "
"""Before each of several lines that stand below their label."""


def show_panels(
    game: Game, document: Mapping[str, Json], turn: int, wording: Wording
) -> tuple[PanelView, ...]:
    """The panels of all systems of a game."""
    shown = []
    for system in game.systems:
        files = game.files.get(system.name, {})
        sight = Sight(document, turn, files, game.chance.dice, wording.language, wording.texts)
        shown += [show_panel(panel, wording) for panel in system.panels(sight)]
    return tuple(shown)


def show_panel(panel: Panel, wording: Wording) -> PanelView:
    """One panel."""
    parts = tuple(_show(part, wording) for part in panel.parts)
    lines = tuple(line for part in parts for line in _write(part, wording))
    return PanelView(panel.id, wording.line(panel.title), lines, parts)


def _show(part: Meter | Chips | Lines | Rolled, wording: Wording) -> PartView:
    label = wording.line(part.label)
    match part:
        case Meter(_, value, maximum):
            words = (f"{number(value)}/{number(maximum)}",)
            return PartView(PartKind.METER, label, words, value, maximum)
        case Chips(_, chips):
            return PartView(PartKind.CHIPS, label, tuple(wording.line(word) for word in chips))
        case Lines(_, lines):
            return PartView(PartKind.LINES, label, tuple(wording.line(line) for line in lines))
        case Rolled(_, faces, total):
            thrown = " + ".join(map(number, faces))
            words = (f"{thrown} = {number(total)}" if len(faces) > 1 else number(total),)
            return PartView(PartKind.ROLLED, label, words, total, faces=faces)
        case _:
            assert_never(part)


def _write(part: PartView, wording: Wording) -> tuple[str, ...]:
    """A part in words: on one line with its label, or several lines below it; chips stand on one."""
    words = part.words
    if part.kind is PartKind.CHIPS:
        words = (wording.say(Phrase.AND).join(words),)
    nothing = wording.say(Phrase.NOTHING)
    told = tuple(word or nothing for word in words or ("",))
    if not part.label:
        return told
    if len(told) == 1:
        return (wording.say(Phrase.PAIR, name=part.label, value=told[0]),)
    return (part.label, *(INDENT + word for word in told))
