"""Critical values: which places of a state are marked as a warning for a viewer.

The author's threshold in the status bar decides where there is one; elsewhere the endings that lose do.
What a viewer may not see marks nothing.
"""

from collections.abc import Mapping

from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.state.documents import find
from talewright.kernel.state.state_paths import Path, parse_path
from talewright.kernel.story.cast_and_cards import CriticalWhen, StatusItem
from talewright.kernel.story.near_endings import find_near_losses
from talewright.play.campaign_view import Viewer
from talewright.play.presentation.privacy import visible_path
from talewright.play.presentation.value_wording import is_number


def find_critical(game: Game, document: Mapping[str, Json], turn: int, viewer: Viewer) -> tuple[Path, ...]:
    """The places that are a warning now, in the order of their paths."""
    items = {
        parse_path(item.variable): item for item in game.status_bar if item.critical_threshold is not None
    }
    near = find_near_losses(game, document, turn, lambda path: visible_path(game, path, viewer))
    beyond = {path for path, item in items.items() if _is_beyond(item, find(document, path))}
    return tuple(sorted(beyond | (near - items.keys())))


def _is_beyond(item: StatusItem, value: object) -> bool:
    if item.critical_threshold is None or not is_number(value):
        return False
    if item.critical_when is CriticalWhen.ABOVE:
        return value >= item.critical_threshold
    return value <= item.critical_threshold


def is_within(place: Path, around: Path) -> bool:
    """Whether a place is another one, or part of it."""
    return place[: len(around)] == around
