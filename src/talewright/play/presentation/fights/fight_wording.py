"""Wording of fights: whose turn it is and how everyone is doing, and the rolls of others on one line.

It is made from the panels and rolls of a view; it reads no state and rolls nothing.
"""

from collections.abc import Sequence
from itertools import groupby

from talewright.play.campaign_view import FighterView, FightView, PanelView, PartKind, PartView, RollView
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import say

LOW_SHARE = 4
"""One in this many points, or less, is low."""


def find_fight(panels: Sequence[PanelView], language: str) -> FightView | None:
    """The fight that the panels show; None if there is none, or the player is not in it."""
    for panel in panels:
        for part in panel.parts:
            if part.kind is PartKind.TURN_ORDER and part.player is not None and part.rows:
                return _show_fight(panel, part, language)
    return None


def _show_fight(panel: PanelView, part: PartView, language: str) -> FightView:
    fighters = [_show_fighter(part, at, language) for at in range(len(part.rows))]
    fighters.sort(key=lambda one: not one.is_player)
    acting = next((one for one in fighters if one.is_acting), None)
    turn = ""
    if acting is not None:
        mine = acting.is_player
        turn = say(language, Phrase.YOUR_TURN if mine else Phrase.TURN_OF, name=acting.name)
    return FightView(panel.title, turn, tuple(fighters))


def _show_fighter(part: PartView, at: int, language: str) -> FighterView:
    row = part.rows[at]
    level = part.levels[at] if at < len(part.levels) else None
    points, most = level if level is not None else (None, None)
    return FighterView(
        say(language, Phrase.YOU) if at == part.player else row[0],
        points,
        most,
        row[1] if len(row) > 1 else "",
        at == part.player,
        at == part.current,
        points is not None and points <= 0,
        points is not None and most is not None and points * LOW_SHARE <= most,
    )


def tell_fight(fight: FightView, language: str) -> str:
    """A fight on one line: the round, whose turn it is, and how everyone is doing."""
    fighters = say(language, Phrase.AND).join(_tell_fighter(one, language) for one in fight.fighters)
    if not fight.turn:
        return say(language, Phrase.PAIR, name=fight.title, value=fighters)
    return say(language, Phrase.FIGHT, fight=fight.title, turn=fight.turn, fighters=fighters)


def _tell_fighter(one: FighterView, language: str) -> str:
    points = one.name if one.points is None else f"{one.name} {one.points}/{one.points_maximum}"
    return say(language, Phrase.WITH_REASON, text=points, reason=one.note) if one.note else points


def fold_rolls(rolls: Sequence[RollView]) -> tuple[tuple[RollView, ...], ...]:
    """The rolls in order, with neighbours that others rolled together: they fit on one line."""
    groups: list[tuple[RollView, ...]] = []
    for is_brief, group in groupby(rolls, key=lambda roll: bool(roll.brief)):
        several = tuple(group)
        groups += [several] if is_brief else [(one,) for one in several]
    return tuple(groups)


def tell_folded(rolls: Sequence[RollView], language: str) -> str:
    """The rolls of others on one line."""
    briefs = say(language, Phrase.AND).join(roll.brief for roll in rolls)
    return say(language, Phrase.ROLLS_OF_OTHERS, rolls=briefs)
