"""The timeline: for everyone, where they were, what they did, and who told whom, as an SVG picture.

Time runs from left to right. A numbered disc is an event or a fact; an arrow shows who told it to whom.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from talewright.common.frozen_values import frozen
from talewright.systems.world.authored.authored_world import HOURS_OF_DAY
from talewright.systems.world.authored.world_files import PLAYER
from talewright.systems.world.people.knowledge import word_fact
from talewright.systems.world.reports.svg_drawing import (
    BADGE_RADIUS,
    FONT_SIZE,
    SMALL_SIZE,
    TINTS,
    clean,
    colour_of,
    draw_badge,
    draw_line,
    draw_picture,
    draw_text,
    fit,
    measure,
)
from talewright.systems.world.reports.world_history import (
    Learned,
    Presence,
    WorldHistory,
    list_learned,
    list_presences,
    tell_moment,
)
from talewright.systems.world.slots import TOLD
from talewright.systems.world.world_state import WorldState

WIDTH = 1080
LEFT, RIGHT = 136, 30
"""Room for names, and the right margin."""

BAR_HEIGHT, ROW_HEIGHT = 24, 46
LINE_HEIGHT = 20
"""Sizes in pixels."""

PEOPLE_DRAWN_MAX = 16
FACTS_DRAWN_MAX = 16
TELLINGS_DRAWN_MAX = 80
"""How much of a large world is drawn: those who took part most, and what happened first."""

GRID_HOURS = (1, 2, 3, 6, 12, 24, 48, 168, 720, 8760, 87600)
GRID_LINES_MAX = 11
"""Intervals between the lines of the clock, and how many lines there are at most."""


EXPLAINED = "disc: somebody learns it · arrow: somebody tells it · dashed: in twisted words"


@frozen
class Timeline:
    """What is drawn, and where."""

    state: WorldState
    history: WorldHistory
    rows: Sequence[str]
    """People from top to bottom, the player first."""

    numbers: Mapping[str, int]
    """The facts that have a number."""

    learned: Sequence[Learned]
    top: float
    """Where the first row begins."""

    def x(self, tick: int) -> float:
        """Where a tick is."""
        return LEFT + (WIDTH - LEFT - RIGHT) * min(1.0, tick / max(1, self.state.tick))

    def y(self, person: str) -> float:
        """The middle of a person's bar."""
        return self.top + self.rows.index(person) * ROW_HEIGHT + BAR_HEIGHT / 2

    @property
    def bottom(self) -> float:
        """Where the rows end."""
        return self.top + len(self.rows) * ROW_HEIGHT


def draw_timeline(state: WorldState, history: WorldHistory) -> str:
    """The picture."""
    learned = list_learned(state)
    rows = _choose_rows(state, learned)
    facts = dict.fromkeys(one.entry.fact for one in learned if one.person in rows)
    numbers = {fact: number for number, fact in enumerate(list(facts)[:FACTS_DRAWN_MAX], 1)}
    stays = {person: list_presences(state, history, person) for person in rows}
    places = {one.place for presences in stays.values() for one in presences}
    tints = {
        name: TINTS[at % len(TINTS)] for at, name in enumerate(one for one in state.places if one in places)
    }
    key, key_end = _draw_key(state, tints)
    line = Timeline(state, history, rows, numbers, learned, key_end + 44)
    below = line.bottom + 26
    spots = _find_spots(line)
    shapes = [
        draw_text(16, 26, f"The world up to {tell_moment(state.world, state.tick)}", "ink head"),
        draw_text(WIDTH - RIGHT, 26, EXPLAINED, "quiet small", "end"),
        *key,
        *_draw_clock(line),
        *(shape for person in rows for shape in _draw_row(line, person, stays[person], tints)),
        *_draw_tellings(line, spots),
        *_draw_events(line, spots),
        *_draw_legend(line, below),
    ]
    hidden = len(state.people) + 1 - len(rows)
    height = below + LINE_HEIGHT * len(numbers) + (LINE_HEIGHT if hidden else 0)
    if hidden:
        shapes.append(draw_text(16, height - 14, f"{hidden} others are not drawn.", "quiet"))
    return draw_picture(WIDTH, height, "Who was where, and who told whom", filter(None, shapes))


def _choose_rows(state: WorldState, learned: Iterable[Learned]) -> list[str]:
    """The player and those who did, learned and shared most, in the author's order."""
    busy = Counter(name for one in learned for name in (one.person, one.entry.by) if name in state.people)
    order = list(state.people)
    most = sorted(order, key=lambda name: -busy[name])
    kept = set(most[: PEOPLE_DRAWN_MAX - 1])
    return [PLAYER, *(name for name in order if name in kept)]


def _draw_key(state: WorldState, tints: Mapping[str, str]) -> tuple[list[str], float]:
    """Which colour is which place, in as many lines as needed; returns where they end."""
    x, y, shapes = 16.0, 50.0, []
    for place, tint in tints.items():
        name = fit(state.places[place].name, 200)
        if x + 26 + measure(name) > WIDTH - RIGHT:
            x, y = 16.0, y + LINE_HEIGHT
        shapes.append(
            f'<rect x="{x:.1f}" y="{y - 10:.1f}" width="12" height="12" rx="2" fill="{tint}" '
            'fill-opacity="0.6"/>'
        )
        shapes.append(draw_text(x + 18, y, name))
        x += 40 + measure(name)
    return shapes, y


def _draw_clock(line: Timeline) -> Iterator[str]:
    """Lines for the hours, and the numbers of the turns below."""
    world = line.state.world
    span = line.state.tick * world.rules.tick_minutes / 60
    hours = next((step for step in GRID_HOURS if span / step <= GRID_LINES_MAX), GRID_HOURS[-1])
    start = world.rules.start_minute
    step, last = hours * 60, world.minute_at(line.state.tick)
    for minute in range(-(-start // step) * step, last + 1, step):
        at = line.x((minute - start) // world.rules.tick_minutes)
        yield draw_line(at, line.top - 8, at, line.bottom)
        label = tell_moment(world, (minute - start) // world.rules.tick_minutes)
        label = label.removesuffix(" 00:00") if hours >= HOURS_OF_DAY else label
        if LEFT <= at <= WIDTH - RIGHT - 24:
            yield draw_text(at, line.top - 14, label, "quiet small", "middle")
    yield draw_text(16, line.bottom + 4, "turn", "quiet small")
    free = 0.0
    for number, tick in line.history.turns:
        at, label = line.x(tick), str(number)
        if at - measure(label, SMALL_SIZE) / 2 > free:
            yield draw_text(at, line.bottom + 4, label, "quiet small", "middle")
            free = at + measure(label, SMALL_SIZE) / 2 + 4


def _draw_row(
    line: Timeline, person: str, stays: Iterable[Presence], tints: Mapping[str, str]
) -> Iterator[str]:
    """Where a person was: a bar for each place, with its name if there is room."""
    top = line.y(person) - BAR_HEIGHT / 2
    name = line.state.name_of(person) or person
    style = "ink bold" if person == PLAYER else "ink"
    yield draw_text(LEFT - 18, top + BAR_HEIGHT / 2 + 4, fit(name, LEFT - 34), style, "end")
    for stay in stays:
        start, end = line.x(stay.start), line.x(stay.end)
        place = line.state.places[stay.place].name
        tip = f"{name}: {place}, from {tell_moment(line.state.world, stay.start)}"
        yield (
            f'<rect x="{start:.1f}" y="{top:.1f}" width="{max(1.0, end - start - 1):.1f}" '
            f'height="{BAR_HEIGHT}" rx="3" fill="{tints[stay.place]}" fill-opacity="0.4">'
            f"<title>{clean(tip)}</title></rect>"
        )
        if measure(place, SMALL_SIZE) <= end - start - 18:
            yield draw_text(start + 13, top + BAR_HEIGHT + 11, place, "quiet small")


def _draw_tellings(line: Timeline, spots: Mapping[tuple[str, str], float]) -> Iterator[str]:
    """Arrows from those who tell something to those who hear it."""
    drawn = [
        one
        for one in line.learned
        if (one.person, one.entry.fact) in spots and one.entry.source == TOLD and one.entry.by in line.rows
    ]
    for one in drawn[:TELLINGS_DRAWN_MAX]:
        number = line.numbers[one.entry.fact]
        # Side by side, so that both are visible if two people tell each other something at once.
        shift = (number % 3 - 1) * 4
        x, to_x = line.x(one.entry.at) + shift, spots[one.person, one.entry.fact] + shift
        y, to_y = line.y(one.entry.by), line.y(one.person)
        side = 1 if to_y > y else -1
        colour = colour_of(number)
        dash = ' stroke-dasharray="4 3"' if one.entry.twist else ""
        tip_y = to_y - side * (BADGE_RADIUS + 1)
        yield (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>'
            f'<path d="M{x:.1f} {y:.1f}C{x:.1f} {y + side * 20:.1f} {to_x:.1f} {tip_y - side * 26:.1f} '
            f'{to_x:.1f} {tip_y - side * 5:.1f}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>'
            f'<path d="M{to_x:.1f} {tip_y:.1f}l-4 {-side * 7}h8z" fill="{colour}"/>'
        )


def _find_spots(line: Timeline) -> dict[tuple[str, str], float]:
    """Where on a row a person learns a fact; one too close to the previous is moved to the right."""
    spots: dict[tuple[str, str], float] = {}
    free: dict[str, float] = {}
    for one in line.learned:
        if one.person in line.rows and one.entry.fact in line.numbers:
            x = max(line.x(one.entry.at), free.get(one.person, 0.0))
            spots[one.person, one.entry.fact] = x
            free[one.person] = x + 2 * BADGE_RADIUS + 1
    return spots


def _draw_events(line: Timeline, spots: Mapping[tuple[str, str], float]) -> Iterator[str]:
    """A disc for everyone who learns something, where and when they do."""
    for one in line.learned:
        x = spots.get((one.person, one.entry.fact))
        fact = line.state.fact(one.entry.fact)
        if x is not None and fact is not None:
            told = f"{tell_moment(line.state.world, one.entry.at)}: {word_fact(fact, one.entry.twist)}"
            yield draw_badge(x, line.y(one.person), line.numbers[one.entry.fact], told)


def _draw_legend(line: Timeline, top: float) -> Iterator[str]:
    """What the numbers stand for."""
    for fact, number in line.numbers.items():
        y = top + LINE_HEIGHT * (number - 1)
        known = line.state.fact(fact)
        first = next(one.entry.at for one in line.learned if one.entry.fact == fact)
        yield draw_badge(24, y, number, fact)
        moment = tell_moment(line.state.world, first)
        text = fit(known.text if known else fact, WIDTH - LEFT - RIGHT, FONT_SIZE)
        yield draw_text(42, y + 4, moment, "quiet")
        yield draw_text(LEFT, y + 4, text)
