"""The linter: runs every check on a compiled game.

It runs only on games without errors, and not when a game is loaded to be played.
"""

from talewright.errors import Fault
from talewright.kernel.game import Game
from talewright.pack.build.build_context import BuildContext
from talewright.pack.lint.condition_lint import check_divisions
from talewright.pack.lint.ending_lint import check_dead_ends, check_endings
from talewright.pack.lint.library_lint import check_items, check_lore, check_people, check_withheld
from talewright.pack.lint.lint_context import make_lint_context
from talewright.pack.lint.scene_lint import check_scenes
from talewright.pack.lint.text_lint import check_texts
from talewright.pack.lint.trigger_lint import check_stops, check_triggers, check_work
from talewright.pack.lint.update_lint import check_updates
from talewright.pack.lint.variable_lint import check_display, check_hidden_values, check_variables
from talewright.pack.schema.game_fields import GameSource
from talewright.pack.schema.game_records import GameRecords

CHECKS = (
    check_endings,
    check_scenes,
    check_triggers,
    check_lore,
    check_withheld,
    check_divisions,
    check_updates,
    check_variables,
    check_display,
    check_hidden_values,
    check_people,
    check_items,
    check_texts,
    check_work,
    check_dead_ends,
    # Last, because it may use up the limit of judgements.
    check_stops,
)


def lint_game(game: Game, source: GameSource, library: GameRecords, work: BuildContext) -> tuple[Fault, ...]:
    """Report everything in a valid game that is probably not intended."""
    inquiry = make_lint_context(game, source, library, work)
    for check in CHECKS:
        check(inquiry)
    return inquiry.fault_list.faults()
