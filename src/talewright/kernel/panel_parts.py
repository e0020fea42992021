"""Panel parts: what a system shows the player beside the story, as values.

How they are drawn is up to each face.
"""

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
class Panel:
    """The facts of a system for a face to draw."""

    id: str
    title: str
    parts: tuple[Meter | Chips | Lines | Rolled, ...]
