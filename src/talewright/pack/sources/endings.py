"""Ending sources: how a game can be over, as game.yaml writes it.

The texts of endings stand in endings.md.
"""

from talewright.kernel.story.scenes_and_endings import Outcome, Risk
from talewright.pack.files.nodes import ScalarNode
from talewright.pack.forms.containers import ListOf
from talewright.pack.forms.records import Record, Source, needs, source, takes
from talewright.pack.forms.scalars import OneOf
from talewright.pack.sources.updates import UPDATES, UpdateSource
from talewright.pack.sources.words import CONDITION, LINE, LINES, NAME

ENDINGS_MAX = 500
"""Endings of one game."""

ROUTES_MAX = 12
"""Choices of one finale."""


@source
class RouteSource(Source):
    """One choice of a finale."""

    id: str = takes(NAME, "", "A name for this choice; absent, its number.")
    label: str = needs(LINE, "What the player reads.")
    also: tuple[str, ...] = takes(LINES, (), "Other words a player may type for it.")
    hint: str = takes(LINE, "", "What it may lead to, in a few words.")
    risk: Risk = takes(OneOf(tuple(Risk)), Risk.MEDIUM, "What it puts at stake.")
    ending: str = needs(NAME, "The id of the ending it leads to; its text stands in endings.md.")
    kind: Outcome | None = takes(OneOf(tuple(Outcome)), None, "Won or lost; absent, as the finale says.")
    updates: tuple[UpdateSource, ...] = takes(UPDATES, (), "What it changes.")


@source
class EndingSource(Source):
    """One way in which the game is over."""

    id: str = needs(NAME, "The name under which endings.md tells it.")
    when: ScalarNode = needs(CONDITION, "The game is over, or the finale opens, as soon as this holds.")
    kind: Outcome = needs(OneOf(tuple(Outcome)), "Won or lost.")
    finale: tuple[RouteSource, ...] = takes(
        ListOf(Record(RouteSource, "label and ending", called="choice"), ROUTES_MAX, 1, "choices"),
        (),
        "The last choices a player has; absent, the game is over at once.",
    )


ENDING = Record(EndingSource, "id, when and kind", called="ending")
ENDINGS = ListOf(ENDING, ENDINGS_MAX, noun="endings")
CONDITIONS = ListOf(CONDITION, ENDINGS_MAX, noun="conditions")
