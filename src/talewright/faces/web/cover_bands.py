"""Cover bands: the wide picture above a story, one for each motif, with parts that a dial moves.

A dial changes only the position, size or opacity of its parts. Colours are those of the style sheet.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise

from talewright.common.frozen_values import frozen
from talewright.faces.web.cover_motifs import DEFAULT_MOTIF, CoverShape, Tone

BAND_WIDTH, BAND_HEIGHT = 720, 96
FLOOR = 87
"""Where the land begins; it goes on beyond both sides of the picture."""

LAND = f"M-1400 {FLOOR}H2400V{BAND_HEIGHT}H-1400z"

RESTING: Mapping[str, float] = {
    "candle": 1,
    "cart": 0.3,
    "fog": 0,
    "lamp": 1,
    "lanterns": 1,
    "mist": 0.4,
    "moon": 0.8,
    "snow": 0.3,
    "stars": 1,
    "sun": 0.6,
    "windows": 1,
}
"""Where dials stand that the game binds to nothing."""

Dials = Mapping[str, float]


@frozen
class BandPart:
    """Shapes that move together."""

    shapes: tuple[CoverShape, ...]
    name: str = ""
    """Of a part that a dial moves; unique in its picture."""

    transform: str = ""
    opacity: float = 1.0
    is_aside: bool = False
    """Whether it stands where narrow screens have the title."""


Band = tuple[BandPart, ...]


def draw_band(motif: str, dials: Dials) -> Band:
    """The band of a motif, with its dials where they stand; unknown motifs and dials are replaced."""
    draw = BANDS.get(motif, BANDS[DEFAULT_MOTIF])
    return draw({**RESTING, **{name: min(max(share, 0.0), 1.0) for name, share in dials.items()}})


def draw_hills(dials: Dials) -> Band:
    """Ridges under a moon that climbs."""
    return (
        _stars((300, 18), (360, 40), (430, 14), (500, 34), (650, 20), (700, 44)),
        _rising("moon", 574, dials["moon"], 13),
        _still(Tone.FAR, "M-1400 74Q-900 58 -420 72T160 66T430 60T720 70T1300 64T2400 72V96H-1400z"),
        _still(Tone.MIDDLE, "M-1400 82Q-800 70 -300 80T260 76T520 72T820 80T2400 78V96H-1400z"),
        _land(),
    )


def draw_harbor(dials: Dials) -> Band:
    """A lighthouse whose beam brightens, a boat, and a bank of fog that rises."""
    lamp, fog = dials["lamp"], dials["fog"]
    beams = (
        CoverShape(Tone.LIGHT, "M572 22L-200 -200V-60z", opacity=0.2),
        CoverShape(Tone.LIGHT, "M572 22L1900 -60V110z", opacity=0.2),
        CoverShape(Tone.LIGHT, circle=(572, 22, 15), opacity=0.28),
    )
    bank = (
        CoverShape(
            Tone.HAZE,
            "M-1400 64Q-800 52 -300 62Q-40 54 120 62Q220 50 300 58Q360 46 430 57Q500 48 560 58Q640 46 720 56"
            "Q900 50 1200 60T2400 58V160H-1400z",
            opacity=0.5,
        ),
        CoverShape(
            Tone.HAZE, "M-1400 76Q-600 64 0 74Q260 64 420 72Q560 62 720 72T2400 70V160H-1400z", opacity=0.6
        ),
    )
    return (
        _stars((270, 16), (340, 34), (410, 12), (480, 30), (664, 18), (700, 38)),
        _still(Tone.FAR, "M-1400 74Q-600 68 -100 73Q140 62 220 72Q300 66 360 73H2400V96H-1400z"),
        BandPart(beams, "beam", opacity=round(0.08 + 0.92 * lamp, 3)),
        _still(Tone.MIDDLE, "M-1400 74H2400V96H-1400z"),
        _still(Tone.GLOW, "M330 79h34v1h-34zM412 83h22v1h-22zM452 77h40v1h-40zM250 82h26v1h-26z", 0.6),
        _still(Tone.NEAR, "M384 74H420L413 82H391zM401 73V46h1.6V73zM404 50L419 71H404zM398 53V71H388z"),
        _still(Tone.NEAR, "M508 87Q528 66 560 66H584Q618 66 660 87zM565 68L567.5 28H576.5L579 68z"),
        _still(Tone.NEAR, "M564 28H580V26H564zM566.5 17L572 11L577.5 17z"),
        BandPart(
            (CoverShape(Tone.LIGHT, "M568 17H576V26H568z"),), "lamp", opacity=round(0.2 + 0.8 * lamp, 3)
        ),
        BandPart(bank, "fog", f"translate(0 {_number(44 * (1 - fog))})", round(0.1 + 0.9 * fog, 3)),
        _land(),
    )


def draw_road(dials: Dials) -> Band:
    """A road that climbs past four lanterns to a door, and a moon."""
    posts = ((322, 84, 1.0), (420, 76, 0.9), (506, 64, 0.8), (578, 50, 0.7))
    lit = 4 * dials["lanterns"]
    return (
        _stars((280, 20), (352, 36), (452, 16), (540, 24), (668, 30), (704, 14)),
        _rising("moon", 388, dials["moon"], 11),
        _still(Tone.FAR, "M-1400 80Q-700 70 -200 78Q120 64 300 74Q470 40 600 38Q700 40 800 62T2400 74V96z"),
        _still(Tone.MIDDLE, "M200 96Q340 88 420 78Q520 62 590 46Q640 40 700 52Q900 78 2400 82V96z"),
        _still(Tone.GLOW, "M250 90Q380 88 452 79Q560 66 606 45H612Q582 70 486 83Q420 90 360 92z", 0.55),
        *(_still(Tone.NEAR, _post(x, y, size)) for x, y, size in posts),
        *(
            BandPart(_lantern(x, y, size), f"lantern-{at}", opacity=round(min(max(lit - at, 0.0), 1.0), 3))
            for at, (x, y, size) in enumerate(posts)
        ),
        _still(Tone.NEAR, "M604 47V30Q610 22 616 30V47z"),
        _land(),
    )


def draw_tavern(dials: Dials) -> Band:
    """A house whose windows light up one by one, roofs, and a sun that goes down."""
    panes = ((470, 62), (486, 62), (512, 62), (528, 62), (586, 62), (602, 62), (494, 36), (578, 36))
    lit = len(panes) * dials["windows"]
    return (
        _rising("sun", 366, dials["sun"], 14),
        _still(Tone.FAR, "M-1400 96V80H-300L-268 66L-236 80H20L56 62L92 80H150L176 68L202 80H2400V96z"),
        _still(Tone.MIDDLE, "M230 96V78L258 62L286 78H296L322 66L348 78V96zM660 96V76L690 60L720 76H740V96z"),
        _still(Tone.GLOW, "M614 12q-5 -5 0 -9t1 -9q6 5 1 10t1 8z", 0.6),
        _still(Tone.NEAR, "M458 87V54H448L478 26H596L626 54H616V87zM606 32V12H616V42z"),
        _still(Tone.NEAR, "M616 56H640V58H637V72H625V58H616z"),
        _still(Tone.DIM, "".join(_pane(x, y) for x, y in panes)),
        *(
            BandPart(
                (CoverShape(Tone.LIGHT, _pane(x, y)),),
                f"window-{at}",
                opacity=round(min(max(lit - at, 0.0), 1.0), 3),
            )
            for at, (x, y) in enumerate(panes)
        ),
        _still(Tone.LIGHT, "M550 87V68Q559 58 568 68V87zM628 61h6v8h-6z"),
        _land(),
    )


def draw_chapel(dials: Dials) -> Band:
    """A chapel, stones in the grass, and a candle that burns down."""
    candle = dials["candle"]
    flame = f"translate(0 {_number(FLOOR - 2 - 66 * candle)})"
    cuts = "".join(f"M351 {FLOOR - 2 - at * 66 / 14:.1f}h5v1h-5z" for at in range(1, 14))
    return (
        _stars((40, 22), (270, 14), (420, 30), (660, 26), (700, 44)),
        _still(Tone.FAR, "M-1400 88Q-800 74 -420 86Q-120 70 160 79T520 76T980 80T2400 84V96H-1400z"),
        BandPart((CoverShape(Tone.NEAR, "M96 87V66h-8l22-16 22 16h-8v21h-4V66H100v21z"),), is_aside=True),
        _still(Tone.NEAR, "M168 88v-9q4-6 8 0v9zM190 88v-7q3-5 6 0v7zM222 88V76h-3v-3h3v-4h3v4h3v3h-3v12z"),
        _still(
            Tone.NEAR,
            "M452 90V55h-9l20-27h112l4 5V19l11-14 11 14v33l8 3h-8v35zM589 6V-1h2V6zM587 1h6v2h-6z",
        ),
        _still(Tone.LIGHT, "M508 87V69q7-10 14 0v18z"),
        _still(Tone.LIGHT, "M470 76V64q3.5-6 7 0v12zM541 76V64q3.5-6 7 0v12zM558 76V64q3.5-6 7 0v12z"),
        _still(Tone.FAR, "M586 30v-7q4-6 8 0v7z"),
        BandPart(
            (CoverShape(Tone.WAX, f"M351 19H366V{FLOOR - 2}H351z"),),
            "wax",
            f"translate(0 {FLOOR - 2}) scale(1 {_number(candle)}) translate(0 -{FLOOR - 2})",
        ),
        _still(Tone.NEAR, cuts, 0.7),
        # What has burnt down: it hides the cuts above the flame.
        BandPart((CoverShape(Tone.SKY, "M348 -70H369V0H348z"),), "burnt", flame),
        BandPart(
            (
                CoverShape(Tone.NEAR, "M357.8 0v-4h1.4v4z"),
                CoverShape(Tone.LIGHT, circle=(358.5, -10, 15), opacity=0.16),
                CoverShape(
                    Tone.LIGHT,
                    "M358.5 -18q6 8 4.5 12.5a4.6 4.6 0 0 1-9 0q-1.5-4.5 4.5-12.5z",
                ),
            ),
            "flame",
            flame,
        ),
        _still(Tone.FAR, "M338 85h41q-4 7-12 7h-17q-8 0-12-7z"),
        _land(),
    )


def draw_forest(dials: Dials) -> Band:
    """Firs, a moon, and mist that rises between them."""
    mist = dials["mist"]
    return (
        _stars((300, 20), (380, 12), (470, 26), (690, 18)),
        _rising("moon", 430, dials["moon"], 12),
        _still(Tone.FAR, _firs(-1390, 26, 44)),
        BandPart(
            (
                CoverShape(
                    Tone.HAZE, "M-1400 66Q-600 54 0 64Q300 52 480 62T820 58T2400 64V140H-1400z", opacity=0.6
                ),
            ),
            "mist",
            f"translate(0 {_number(34 * (1 - mist))})",
            round(0.1 + 0.9 * mist, 3),
        ),
        _still(Tone.NEAR, "".join(_fir(x, FLOOR, high) for x, high in _COPSE)),
        _land(),
    )


def draw_city(dials: Dials) -> Band:
    """Towers whose windows light up, and a moon."""
    towers = (
        (292, 34),
        (330, 52),
        (372, 40),
        (418, 62),
        (462, 46),
        (508, 72),
        (556, 54),
        (604, 66),
        (650, 42),
    )
    lit = len(towers) * dials["windows"]
    return (
        _stars((280, 20), (360, 14), (440, 12), (690, 22)),
        _rising("moon", 392, dials["moon"], 11),
        _still(Tone.FAR, "".join(_tower(x - 16, high * 0.8, 22) for x, high in towers)),
        _still(Tone.NEAR, "".join(_tower(x, high, 30) for x, high in towers)),
        *(
            BandPart(
                (CoverShape(Tone.LIGHT, _lights(x, high)),),
                f"windows-{at}",
                opacity=round(min(max(lit - at, 0.0), 1.0), 3),
            )
            for at, (x, high) in enumerate(towers)
        ),
        _land(),
    )


def draw_mountains(dials: Dials) -> Band:
    """Peaks on which the snow line sinks, a road that snows over, and a cart that travels it."""
    snow = dials["snow"]
    peaks = "M40 92L150 76L214 82L318 48L356 64L384 54L424 72L512 12L566 50L598 36L668 76L712 66L800 92z"
    line = (
        "M0 -110H800V40l-30 8l-22 -9l-28 12l-24 -8l-26 11l-30 -9l-26 12l-24 -10l-30 10l-28 -8l-24 12l-30 -9"
        "l-28 9l-26 -11l-30 11l-26 -9l-28 11l-30 -10l-26 10l-28 -8l-30 9l-26 -10l-40 8H0z"
    )
    cart = (
        CoverShape(
            Tone.TEXT,
            "M0 5h30l3 8H2zM4 5q0-5 5-5t5 5zM13 5q0-6 5-6t5 6zM21 5q0-4 4-4t4 4zM31 9.2h18v1.6h-18z",
        ),
        CoverShape(
            Tone.TEXT,
            "M44 6q8-2 16 0l6-6 1-5 2 4 2-4 0 5 6 6-2 3-6-2-4 5v11h-2.5v-9H50v9h-2.5V14q-4-3-3.5-8z",
        ),
        CoverShape(
            Tone.TEXT,
            "M15 8a8 8 0 1 1-.01 0zM15 10a6 6 0 1 0 .01 0zM14.3 9h1.4v14h-1.4zM8 15.3h14v1.4H8z",
        ),
    )
    return (
        _still(Tone.FAR, peaks),
        BandPart(
            (CoverShape(Tone.LIGHT, line, within=peaks),), "snow", f"translate(0 {_number(-22 + 72 * snow)})"
        ),
        BandPart(
            (CoverShape(Tone.LIGHT, f"M-1400 79H2400V{FLOOR}H-1400z"),),
            "drift",
            f"translate(0 {FLOOR}) scale(1 {_number(0.12 + 0.88 * snow)}) translate(0 -{FLOOR})",
        ),
        _still(Tone.NEAR, "M628 87l8-30 8 30zM646 87l6-22 6 22zM606 87l5-18 5 18z"),
        BandPart(cart, "cart", f"translate({_number(250 + 330 * dials['cart'])} 62)"),
        _land(),
    )


def draw_stars(dials: Dials) -> Band:
    """Someone under a constellation that appears star by star."""
    points = ((300, 44), (356, 22), (420, 36), (476, 14), (540, 30), (610, 18), (672, 34))
    lit = len(points) * dials["stars"]
    lines = "".join(
        f"M{x} {y}L{to_x} {to_y}L{to_x} {to_y + 0.8}L{x} {y + 0.8}z"
        for (x, y), (to_x, to_y) in pairwise(points)
    )
    return (
        _stars((280, 16), (330, 56), (392, 12), (450, 54), (512, 48), (580, 52), (640, 50), (702, 14)),
        BandPart((CoverShape(Tone.LIGHT, lines, opacity=0.4),), "lines", opacity=round(dials["stars"], 3)),
        *(
            BandPart(
                (
                    CoverShape(Tone.LIGHT, circle=(x, y, 6), opacity=0.16),
                    CoverShape(Tone.LIGHT, circle=(x, y, 2.2)),
                ),
                f"star-{at}",
                opacity=round(0.12 + 0.88 * min(max(lit - at, 0.0), 1.0), 3),
            )
            for at, (x, y) in enumerate(points)
        ),
        _still(Tone.FAR, "M-1400 80Q-600 68 0 78Q260 66 440 74T800 68T2400 78V96H-1400z"),
        _still(Tone.NEAR, "M260 96Q480 68 700 90L2400 92V96z"),
        _still(Tone.NEAR, "M466 80L468.5 61Q472 56.5 475.5 61L478 80zM479 82V54h1.6V82z"),
        BandPart(
            (CoverShape(Tone.NEAR, circle=(472, 55.5, 3.8)), CoverShape(Tone.LIGHT, circle=(479.8, 53, 2)))
        ),
        _land(),
    )


BANDS: Mapping[str, Callable[[Dials], Band]] = {
    "hills": draw_hills,
    "harbor": draw_harbor,
    "road": draw_road,
    "tavern": draw_tavern,
    "chapel": draw_chapel,
    "forest": draw_forest,
    "city": draw_city,
    "mountains": draw_mountains,
    "stars": draw_stars,
}
"""How the band of each motif is drawn."""

_COPSE = (
    (300, 34),
    (334, 50),
    (366, 40),
    (404, 62),
    (440, 44),
    (482, 70),
    (520, 52),
    (558, 78),
    (598, 56),
    (640, 66),
    (680, 46),
    (712, 58),
)


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") or "0"


def _still(tone: Tone, path: str, opacity: float = 1.0) -> BandPart:
    return BandPart((CoverShape(tone, path, opacity=opacity),))


def _land() -> BandPart:
    return _still(Tone.NEAR, LAND)


def _stars(*places: tuple[int, int]) -> BandPart:
    return _still(Tone.LIGHT, "".join(f"M{x} {y}h1.6v1.6h-1.6z" for x, y in places), 0.7)


def _rising(name: str, x: int, share: float, radius: int) -> BandPart:
    """A moon or a sun between the horizon and the height of the sky."""
    shapes = (
        CoverShape(Tone.LIGHT, circle=(x, 0, radius * 1.7), opacity=0.16),
        CoverShape(Tone.LIGHT, circle=(x, 0, radius)),
    )
    return BandPart(shapes, name, f"translate(0 {_number(94 - 66 * share)})")


def _post(x: int, y: int, size: float) -> str:
    top, half, tall = y - 24 * size, 3.4 * size, 8 * size
    pole = f"M{x - 0.9} {y}V{top:.1f}h1.8V{y}z"
    return f"{pole}M{x - half:.1f} {top:.1f}h{2 * half:.1f}v-{tall:.1f}h-{2 * half:.1f}z"


def _lantern(x: int, y: int, size: float) -> tuple[CoverShape, ...]:
    high = y - 28 * size
    return (
        CoverShape(Tone.LIGHT, circle=(x, high, 13 * size), opacity=0.28),
        CoverShape(Tone.LIGHT, circle=(x, high, 4.2 * size)),
    )


def _pane(x: int, y: int) -> str:
    return f"M{x} {y}h10v12h-10z"


def _fir(x: float, base: float, high: float) -> str:
    crown, skirt, notch = high * 0.156, high * 0.169, high * 0.065
    return (
        f"M{x} {base - high:.1f}l{crown:.1f} {high * 0.4:.1f}h-{notch:.1f}l{skirt:.1f} {high * 0.6:.1f}"
        f"h-{high * 0.52:.1f}l{skirt:.1f} -{high * 0.6:.1f}h-{notch:.1f}z"
    )


def _firs(start: int, step: int, high: int) -> str:
    return "".join(
        _fir(x, FLOOR + 1, high * (0.62 + 0.38 * ((at * 37) % 11) / 10))
        for at, x in enumerate(range(start, 2400, step))
        if -200 < x < 1200
    )


def _tower(x: float, high: float, wide: int) -> str:
    return f"M{x:g} {FLOOR + 1}V{FLOOR - high:.1f}h{wide}V{FLOOR + 1}z"


def _lights(x: int, high: int) -> str:
    rows = range(0, high - 12, 11)
    return "".join(
        f"M{x + 5 + column * 12} {FLOOR - high + 6 + row}h5v6h-5z"
        for row in rows
        for column in range(2)
        if (row * 7 + column * 5 + x) % 4
    )
