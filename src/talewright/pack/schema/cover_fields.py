"""Cover fields: what `cover` in game.yaml may contain: the motif, its dials, and the colours.

What the fields must be together is checked in `cover_builder`.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from talewright.pack.schema.container_forms import MapForm
from talewright.pack.schema.record_form import SourceRecord, SourceRecordForm, needs, source, takes
from talewright.pack.schema.scalar_forms import COLOR, PATH, FixedWordForm, NumberForm


class CoverMotif(StrEnum):
    """What the picture of a game can show."""

    HILLS = "hills"
    HARBOR = "harbor"
    ROAD = "road"
    TAVERN = "tavern"
    CHAPEL = "chapel"
    FOREST = "forest"
    CITY = "city"
    MOUNTAINS = "mountains"
    STARS = "stars"


MOTIF_DIALS: Mapping[CoverMotif, tuple[str, ...]] = {
    CoverMotif.HILLS: ("moon",),
    CoverMotif.HARBOR: ("lamp", "fog"),
    CoverMotif.ROAD: ("lanterns", "moon"),
    CoverMotif.TAVERN: ("windows", "sun"),
    CoverMotif.CHAPEL: ("candle",),
    CoverMotif.FOREST: ("mist", "moon"),
    CoverMotif.CITY: ("windows", "moon"),
    CoverMotif.MOUNTAINS: ("snow", "cart"),
    CoverMotif.STARS: ("stars",),
}
"""The parts of each motif that move with a value."""

DIALS_MAX = 2


@source
class DialSource(SourceRecord):
    """A part of the picture that moves with a value."""

    value: str = needs(PATH, "The variable, or a path such as time.hour.")
    low: int | float | None = takes(
        NumberForm(), None, "The value at which the dial is at 0; by default, the lowest.", "from"
    )
    high: int | float | None = takes(
        NumberForm(), None, "The value at which the dial is at 1; by default, the highest.", "to"
    )


@source
class ThemeSource(SourceRecord):
    """The colours of the table in one theme."""

    paper: str = needs(COLOR, "The colour of the page.")
    raised: str = needs(COLOR, "The colour of what lies on the page: status bar, cards and choices.")
    ink: str = needs(COLOR, "The colour of the story.")
    quiet: str = needs(COLOR, "The colour of labels, notes and earlier turns.")
    accent: str = needs(COLOR, "The colour of the player's words, links and buttons.")


_THEME = SourceRecordForm(ThemeSource, "paper, raised, ink, quiet and accent")
_NO_DIALS: Mapping[str, DialSource] = MappingProxyType({})


@source
class CoverSource(SourceRecord):
    """The picture of the game: what it shows, its colours, and what moves in it."""

    motif: CoverMotif = takes(FixedWordForm(tuple(CoverMotif)), CoverMotif.HILLS, "What the picture shows.")
    sky: str = needs(COLOR, "The colour of its sky.")
    light: str = needs(COLOR, "The colour of what shines: a moon, a lamp, a window.")
    ground: str = needs(COLOR, "The colour of the land.")
    light_theme: ThemeSource | None = takes(_THEME, None, "The colours of the table in the light theme.")
    dark_theme: ThemeSource | None = takes(_THEME, None, "The colours of the table in the dark theme.")
    dials: Mapping[str, DialSource] = takes(
        MapForm(SourceRecordForm(DialSource, "value", called="dial"), DIALS_MAX, "[a-z_]{1,32}", "dials"),
        _NO_DIALS,
        "Parts of the picture above the story that move with a value.",
    )
    where: str = takes(
        PATH, "", "The value that says where the player is; the list of campaigns shows it.", "place"
    )


COVER = SourceRecordForm(CoverSource, "sky, light and ground")
