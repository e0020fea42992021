"""Panel parts: what a system shows the player beside the story, as values.

How they are drawn is up to each face.
"""

from typing import TypeAlias

from talewright.common.frozen_values import frozen


@frozen
class Meter:
    """A value between bounds."""

    label: str
    value: int | float
    maximum: int | float


@frozen
class Chips:
    """Short words in a row."""

    label: str
    words: tuple[str, ...]


@frozen
class Lines:
    """A list, one item per line."""

    label: str
    lines: tuple[str, ...]


@frozen
class Rolled:
    """A roll and its result."""

    label: str
    faces: tuple[int, ...]
    total: int


@frozen
class Table:
    """Rows of cells below a head; the head may be empty."""

    label: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class TurnOrder:
    """The order in which people act."""

    label: str
    names: tuple[str, ...]
    current: int | None = None
    """The index of the one whose turn it is."""

    levels: tuple[tuple[int, int] | None, ...] = ()
    """A value and its maximum for each name, such as hit points; None if unknown."""

    notes: tuple[str, ...] = ()
    """A few words for each name, such as conditions; may be empty."""

    player: int | None = None
    """The index of the player."""


@frozen
class MapPlace:
    """A place on a map, in a column and a row counted from the upper left."""

    name: str
    column: int
    row: int


@frozen
class PlaceMap:
    """Places and the ways between them."""

    label: str
    places: tuple[MapPlace, ...]
    ways: tuple[tuple[int, int], ...] = ()
    """Pairs of indexes of places, passable in both directions."""

    here: int | None = None
    """The index of the place where the player is."""


@frozen
class GraphEdge:
    """A relation from one node to another, by their indexes."""

    start: int
    end: int
    label: str = ""


@frozen
class Graph:
    """Nodes and directed relations, such as who trusts whom."""

    label: str
    nodes: tuple[str, ...]
    edges: tuple[GraphEdge, ...]


PanelPart: TypeAlias = Meter | Chips | Lines | Rolled | Table | TurnOrder | PlaceMap | Graph


@frozen
class Panel:
    """The facts of a system for a face to draw."""

    id: str
    title: str
    parts: tuple[PanelPart, ...]
    status: tuple[tuple[str, str], ...] = ()
    """Names and values that belong in the status bar, such as the time of day."""
