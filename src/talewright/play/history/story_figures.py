"""Figures about the story: how the numbers on cards moved lately, and statistics for its end.

It reads a limited part of the past, and only what the viewer may see.
"""

from dataclasses import replace

from talewright.chronicle.pagination import read_names
from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook
from talewright.kernel.game import Game
from talewright.kernel.slots.slot_types import NUMERIC
from talewright.kernel.state.state_paths import parse_pointer
from talewright.play.campaign_past import CardTrend, StoryStatistics
from talewright.play.campaign_view import RollView, Viewer
from talewright.play.history.campaign_history import give_way, walk_back
from talewright.play.history.recent_turn_cache import HISTORY_COMMITS_MAX, NumberMoves, RecentTurnCache
from talewright.play.playable_games import PinnedGames
from talewright.play.presentation.change_wording import visible_changes
from talewright.play.presentation.privacy import visible_slot
from talewright.play.presentation.roll_wording import tell_turn_rolls
from talewright.play.presentation.value_wording import Wording, is_number
from talewright.turn.records.commit_body import read_body


async def find_trends(
    book: CampaignBook,
    games: PinnedGames,
    head: str,
    turns: int,
    viewer: Viewer,
    memory: RecentTurnCache[NumberMoves],
) -> tuple[CardTrend, ...]:
    """How the numbers on cards moved in the last turns; those that stayed the same are left out."""

    async def find_moves(commit: Commit) -> NumberMoves:
        return _find_moves(commit, (await games.of(commit)).game, viewer)

    newest = await book.read(head)
    trends: dict[str, list[tuple[int, float]]] = {
        name: [] for name in _list_numbers((await games.of(newest)).game, viewer)
    }
    start = newest.version
    for turn in await memory.walk_back(book, head, turns, viewer, find_moves):
        start = turn.version - 1
        _add_turn(trends, turn)
    return tuple(
        # The oldest point is the value before; it held since the first of these turns.
        CardTrend(name, ((start, points[-1][1]), *reversed(points[:-1])))
        for name, points in trends.items()
        if points
    )


def _list_numbers(game: Game, viewer: Viewer) -> list[str]:
    """The cards that show a number."""
    cards = [card.variable for card in game.cards if card.visible]
    slots = ((name, visible_slot(game, (name,), viewer)) for name in cards)
    return [name for name, slot in slots if slot is not None and slot.kind in NUMERIC]


def _find_moves(commit: Commit, game: Game, viewer: Viewer) -> NumberMoves:
    # A changed game may have moved a number too; that is not reported, but the value counts from here.
    changes = [replace(change, reason="") for change in read_body(commit.body).changes]
    return NumberMoves(
        commit.version,
        tuple(
            ("/".join(parse_pointer(change.path)), change.was, change.value)
            for change in reversed(visible_changes(game, changes, viewer))
            if is_number(change.value) and is_number(change.was)
        ),
    )


def _add_turn(trends: dict[str, list[tuple[int, float]]], turn: NumberMoves) -> None:
    """Add the numbers after a turn, and last the number before it, newest first."""
    for name, was, value in turn.moves:
        points = trends.get(name)
        if points is None:
            continue
        if points:
            points.pop()
        if not points or points[-1][0] != turn.version:
            points.append((turn.version, value))
        points.append((turn.version - 1, was))


async def count_story(
    book: CampaignBook, games: PinnedGames, head: str, language: str, viewer: Viewer
) -> StoryStatistics:
    """Statistics of the line to a turn; dice are counted in a limited number of turns."""
    newest = await book.read(head)
    rolls: list[RollView] = []
    counted = 0
    async for commit in walk_back(book, head, HISTORY_COMMITS_MAX):
        if commit.parent:
            counted += 1
            await give_way(counted)
            edition = await games.of(commit)
            wording = Wording(edition.words(language), language)
            rolls += tell_turn_rolls(read_body(commit.body), edition.game, wording, viewer)
    began = [record.at async for record in book.records(limit=1)]
    return StoryStatistics(
        turns=newest.version,
        counted=counted,
        rolls=len(rolls),
        successes=sum("success" in roll.outcome for roll in rolls),
        failures=sum("fail" in roll.outcome for roll in rolls),
        branches=len(await read_names(book.branches)),
        began=began[0],
        ended=newest.at,
    )
