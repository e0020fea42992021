"""The table page: what a campaign shows to its player now, gathered from its session.

It only reads, and takes no turns.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import field, replace
from itertools import count
from typing import TypeAlias
from urllib.parse import quote

from talewright.common.frozen_values import frozen
from talewright.faces.http.api_services import ApiServices
from talewright.faces.web.panel_drawings import draw_trend
from talewright.play.campaign_past import StoryStatistics
from talewright.play.campaign_view import (
    CardView,
    ChoiceView,
    FightView,
    PanelView,
    PartKind,
    TurnView,
    View,
    Viewer,
)
from talewright.play.input_results import InputResult, OperationState, ResultKind
from talewright.play.presentation.wait_progress import PROGRESS_AFTER_SECONDS
from talewright.play.presentation.words.player_messages import FixedChoice

TURNS_SHOWN = 20
"""Turns on one page; a link opens the earlier ones."""

TREND_TURNS = 24
"""Turns that the small lines on cards cover."""

FIGURES_TURNS_MAX = 300
"""For longer stories, only the ending page shows statistics."""

GROUPS = ("talk", "go", "wait")
"""The headings of choices, in order; the others come first, without one."""

UNGROUPED_MAX = 6
"""As many choices stand together without headings."""

RAIL_MAX = 4
"""Cards and panels beside the story; the others fold."""


@frozen
class ChoiceGroupContent:
    """Choices under one heading, with their numbers."""

    name: str
    choices: tuple[tuple[int, ChoiceView], ...]


@frozen
class ClockContent:
    """The time of day, to be drawn over an arc."""

    text: str
    hour: float


RailItem: TypeAlias = ClockContent | CardView | PanelView


@frozen
class TableContent:
    """What the page of a campaign shows."""

    view: View
    turns: tuple[TurnView, ...]
    news_number: int
    """The number of the last event that the page includes."""

    operation_id: str
    """For anything sent from this page without a script: sent twice, it counts once."""

    is_past: bool = False
    """Whether it shows an earlier part of the story."""

    is_waiting: bool = False
    """Whether a turn is in progress."""

    message: str = ""
    """The message about the last input, if it led to no turn."""

    text: str = ""
    """The player's words, given back."""

    sparks: Mapping[str, str] = field(default_factory=dict)
    """By variable: the points of the small line that shows how its number moved recently."""

    figures: StoryStatistics | None = None
    """Statistics of a story that has ended."""

    models_path: str = ""
    """Where another model can be chosen; empty if there are none."""

    @property
    def path(self) -> str:
        """The address of the table."""
        return table_path(self.view.campaign)

    @property
    def export_path(self) -> str:
        """Where the story can be downloaded."""
        return f"/api/campaigns/{quote(self.view.campaign, safe='', errors='replace')}/export"

    @property
    def earlier(self) -> str:
        """The turn before which the story continues further up; empty at its beginning."""
        return self.turns[0].commit if self.turns and self.turns[0].version > 1 else ""

    @property
    def choices(self) -> tuple[ChoiceView, ...]:
        """The choices that count now."""
        return open_choices(self.view)

    @property
    def choice_groups(self) -> tuple[ChoiceGroupContent, ...]:
        """The choices with their numbers."""
        return group_choices(self.choices)

    @property
    def rail(self) -> tuple[RailItem, ...]:
        """What stands beside the story: the time, and what the status bar does not say."""
        return self._beside[:RAIL_MAX]

    @property
    def rail_rest(self) -> tuple[RailItem, ...]:
        """What the rail has no room for."""
        return self._beside[RAIL_MAX:]

    @property
    def _beside(self) -> tuple[RailItem, ...]:
        view = self.view
        told = {one.variable for one in view.status if one.variable}
        clocks = [ClockContent(one.text, one.hour) for one in view.status if one.hour is not None]
        left = (_leave_out(one, told) for one in view.cards if one.variable not in told and not one.is_empty)
        cards = [one for one in left if one.lines]
        if not clocks:
            clocks = [ClockContent(" ".join(one.lines), one.hour) for one in cards if one.hour is not None]
        cards = [one for one in cards if one.hour is None]
        # Whose turn it is stands above the choices.
        panels = [_leave_out_points(one, view.fight) for one in view.panels if not one.is_urgent]
        return (*clocks[:1], *cards, *panels)

    @property
    def progress_after_seconds(self) -> float:
        """How long the player waits before the page shows for how long."""
        return PROGRESS_AFTER_SECONDS

    @property
    def may_act(self) -> bool:
        """Whether the page offers anything to do."""
        return not (self.is_past or self.is_waiting or self.view.read_only)


def open_choices(view: View) -> tuple[ChoiceView, ...]:
    """The choices that count now: with a card open or at the end, only those about a failed turn."""
    if not view.decisions and view.end is None:
        return view.choices
    return tuple(one for one in view.choices if one.id in set(FixedChoice))


def group_choices(choices: Sequence[ChoiceView]) -> tuple[ChoiceGroupContent, ...]:
    """Choices with their numbers in the order of the page; many are grouped as their systems say."""
    if len(choices) <= UNGROUPED_MAX:
        return (ChoiceGroupContent("", tuple(enumerate(choices, 1))),)
    held: dict[str, list[ChoiceView]] = {name: [] for name in ("", *GROUPS)}
    for one in choices:
        held[one.group if one.group in GROUPS else ""].append(one)
    numbers = count(1)
    return tuple(
        ChoiceGroupContent(name, tuple((next(numbers), one) for one in group))
        for name, group in held.items()
        if group
    )


def find_numbered(view: View, text: str) -> str:
    """The id of the choice with this number; empty if there is none. As in the terminal, it may be typed."""
    pairs = (pair for group in group_choices(open_choices(view)) for pair in group.choices)
    return next((one.id for number, one in pairs if str(number) == text.strip()), "")


def _leave_out(card: CardView, told: Set[str]) -> CardView:
    """A card without the lines that the status bar has."""
    if len(card.members) != len(card.lines) or told.isdisjoint(card.members):
        return card
    pairs = zip(card.lines, card.members, strict=True)
    return replace(card, lines=tuple(line for line, member in pairs if member not in told))


def _leave_out_points(panel: PanelView, fight: FightView | None) -> PanelView:
    """A panel without the hit points that stand above the choices."""
    told = {(one.points, one.points_maximum) for one in fight.fighters if one.is_player} if fight else set()
    parts = tuple(
        part
        for part in panel.parts
        if part.kind is not PartKind.METER or (part.value, part.maximum) not in told
    )
    return replace(panel, parts=parts)


def table_path(campaign: str) -> str:
    """The address of a campaign's table."""
    return f"/play/{quote(campaign, safe='', errors='replace')}"


def models_path(campaign: str) -> str:
    """Where the model of a campaign is chosen."""
    return f"/models?campaign={quote(campaign, safe='', errors='replace')}"


def author_path(campaign: str) -> str:
    """The address of the same table for its author."""
    return f"{table_path(campaign)}/author"


def return_path(referrer: str, campaign: str) -> str:
    """The table that a form came from: the author's if the browser says so, else the player's."""
    author = author_path(campaign)
    return author if referrer.partition("?")[0].endswith(author) else table_path(campaign)


async def gather_table(
    services: ApiServices,
    campaign: str,
    *,
    before: str = "",
    operation: str = "",
    result: InputResult | None = None,
) -> TableContent:
    """What the page shows; `result` is that of the input that led to this page."""
    waiting = False
    if operation and result is None:
        found = await services.turns.find(campaign, Viewer.PLAYER, operation)
        if found is not None:
            result, waiting = found.result, found.state is OperationState.RUNNING
    async with services.pool.use(campaign, Viewer.PLAYER) as session:
        waiting = services.turns.follow_opening(campaign, session) is not None or waiting
        # Read first: events that arrive while the rest is read are received again, and none is missed.
        number = session.newest_number()
        view = await session.view()
        opening = session.opening
        if result is None and view.turn is None and opening is not None and opening.done():
            result = opening.result()
        turns = await session.past.turns(TURNS_SHOWN, before)
        trends = await session.past.trends(TREND_TURNS)
        ended = view.end is not None and view.version <= FIGURES_TURNS_MAX
        figures = await session.past.statistics() if ended else None
    if result is not None and result.kind is ResultKind.COMMITTED:
        result = None
    return TableContent(
        view=view,
        turns=turns,
        news_number=number,
        operation_id=services.new_id(),
        is_past=bool(before),
        is_waiting=waiting,
        message=result.message if result is not None else "",
        text=result.text if result is not None else "",
        sparks={one.variable: draw_trend(one, view.version) for one in trends},
        figures=figures,
        models_path=models_path(campaign) if services.models else "",
    )
