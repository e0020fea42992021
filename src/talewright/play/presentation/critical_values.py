"""Critical values: which values of a state are shown as warnings.

The author's threshold in the status bar decides if there is one; otherwise the losing endings do. Values that
a viewer may not see are never marked.
"""

from collections.abc import Mapping

from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.state.documents import find
from talewright.kernel.state.state_paths import Path, parse_path
from talewright.kernel.story.cards import CriticalWhen
from talewright.kernel.story.near_endings import find_near_losses
from talewright.play.campaign_view import Viewer
from talewright.play.presentation.privacy import visible_path
from talewright.play.presentation.value_wording import is_number


def find_critical(game: Game, document: Mapping[str, Json], turn: int, viewer: Viewer) -> tuple[Path, ...]:
    """The paths of critical values, in order."""
    limits = {
        parse_path(item.variable): (item.critical_when, item.critical_threshold)
        for item in game.status_bar
        if item.critical_threshold is not None
    }
    near = find_near_losses(game, document, turn, lambda path: visible_path(game, path, viewer))
    beyond = {path for path, limit in limits.items() if _is_beyond(find(document, path), *limit)}
    return tuple(sorted(beyond | (near - limits.keys())))


def _is_beyond(value: object, when: CriticalWhen, threshold: int | float) -> bool:
    if not is_number(value):
        return False
    return value >= threshold if when is CriticalWhen.ABOVE else value <= threshold


def is_within(place: Path, around: Path) -> bool:
    """Whether a path is equal to another or inside it."""
    return place[: len(around)] == around
