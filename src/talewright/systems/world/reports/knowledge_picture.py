"""The knowledge graph: for every fact, who knows it and from whom, as an SVG picture.

On the left are those who witnessed it, knew it from the start or inferred it. Arrows lead to those who were
told. A dashed frame means that a fact was twisted on its way.
"""

from collections.abc import Iterator, Mapping, Sequence

from talewright.common.frozen_values import frozen
from talewright.systems.world.authored.world_files import PLAYER
from talewright.systems.world.people.knowledge import KnowledgeEntry, knowledge_of, word_fact
from talewright.systems.world.reports.svg_drawing import (
    SMALL_SIZE,
    clean,
    colour_of,
    draw_badge,
    draw_line,
    draw_picture,
    draw_text,
    fit,
)
from talewright.systems.world.reports.world_history import tell_moment
from talewright.systems.world.slots import INFERRED, TOLD
from talewright.systems.world.world_state import WorldState

NODE_WIDTH, NODE_HEIGHT = 174, 36
COLUMN_WIDTH, ROW_HEIGHT = 226, 46
LEFT, TOP, TITLE_HEIGHT = 44, 64, 34
WIDTH_MIN = 720
"""Sizes in pixels."""

FACTS_DRAWN_MAX = 24
KNOWERS_DRAWN_MAX = 40
"""How much of a large world is drawn: the facts that most people know, and those who knew them first."""


@frozen
class Knower:
    """A person who knows a fact, and where they are drawn."""

    person: str
    entry: KnowledgeEntry
    column: int
    """How many times it was passed on."""

    row: int = 0


def list_knowers(state: WorldState) -> dict[str, dict[str, KnowledgeEntry]]:
    """Who knows each fact that the game still has, by fact, in the order of the people."""
    found: dict[str, dict[str, KnowledgeEntry]] = {}
    for person in (PLAYER, *state.people):
        for fact, entry in knowledge_of(state, person).items():
            if state.fact(fact) is not None:
                found.setdefault(fact, {})[person] = entry
    return found


def place_knowers(knowers: Mapping[str, KnowledgeEntry]) -> list[Knower]:
    """Those who know a fact, each to the right of the person who told it, and near that person."""
    first = sorted(knowers.items(), key=lambda one: one[1].at)[:KNOWERS_DRAWN_MAX]
    left = dict(first)
    placed: dict[str, Knower] = {}
    column: list[str] = [name for name, entry in first if not _was_told(entry, left)]
    depth = 0
    while column:
        for row, name in enumerate(column):
            placed[name] = Knower(name, left.pop(name), depth, row)
        depth += 1
        order = {name: number for number, name in enumerate(column)}
        told = [name for name, entry in left.items() if entry.source == TOLD and entry.by in order]
        column = sorted(told, key=lambda name: (order[left[name].by], left[name].at))
    # Two people have it from each other: it is unclear who was first.
    start = sum(not one.column for one in placed.values())
    rest = [Knower(name, entry, 0, start + row) for row, (name, entry) in enumerate(left.items())]
    return [*placed.values(), *rest]


def _was_told(entry: KnowledgeEntry, knowers: Mapping[str, KnowledgeEntry]) -> bool:
    """Whether it came from someone who is also drawn."""
    return entry.source == TOLD and entry.by in knowers and knowers[entry.by].at <= entry.at


def draw_knowledge(state: WorldState) -> str:
    """The picture."""
    known = list_knowers(state)
    order = sorted(known, key=lambda fact: (-len(known[fact]), min(one.at for one in known[fact].values())))
    bands = {fact: place_knowers(known[fact]) for fact in order[:FACTS_DRAWN_MAX]}
    columns = max((one.column for band in bands.values() for one in band), default=0) + 1
    width = max(WIDTH_MIN, LEFT + COLUMN_WIDTH * columns)
    moment = tell_moment(state.world, state.tick)
    shapes = [draw_text(16, 28, f"Who knows what, and from whom, {moment}", "ink head")]
    shapes.append(draw_text(width - 16, 28, "dashed: in twisted words", "quiet small", "end"))
    y = float(TOP)
    for number, (fact, band) in enumerate(bands.items(), 1):
        shapes += _draw_band(state, fact, number, band, y, width)
        y += TITLE_HEIGHT + ROW_HEIGHT * (max(one.row for one in band) + 1) + 14
    unknown = len(state.world.facts) - sum(fact in state.world.facts for fact in known)
    rest = [f"{unknown} facts that nobody knows are not drawn."] if unknown else []
    rest += [f"{len(known) - len(bands)} more facts are not drawn."] if len(known) > len(bands) else []
    if rest:
        shapes.append(draw_text(16, y, " ".join(rest), "quiet"))
        y += 20
    return draw_picture(width, y, "Who knows what, and from whom", filter(None, shapes))


def _draw_band(
    state: WorldState, fact: str, number: int, band: Sequence[Knower], top: float, width: float
) -> Iterator[str]:
    """One fact with everyone who knows it."""
    told = state.fact(fact)
    yield draw_line(16, top - 12, width - 16, top - 12)
    yield draw_badge(24, top + 6, number, fact)
    yield draw_text(LEFT, top + 10, fit(told.text if told else fact, width - LEFT - 20), "ink bold")
    boxes = {
        one.person: (LEFT + one.column * COLUMN_WIDTH, top + TITLE_HEIGHT + one.row * ROW_HEIGHT)
        for one in band
    }
    for one in band:
        if one.column:
            yield _draw_telling(boxes[one.entry.by], boxes[one.person], colour_of(number))
    for one in band:
        yield from _draw_knower(state, one, *boxes[one.person], colour_of(number))


def _draw_telling(start: tuple[float, float], end: tuple[float, float], colour: str) -> str:
    x, y = start[0] + NODE_WIDTH, start[1] + NODE_HEIGHT / 2
    to_x, to_y = end[0] - 2, end[1] + NODE_HEIGHT / 2
    half = (x + to_x) / 2
    return (
        f'<path d="M{x:.1f} {y:.1f}C{half:.1f} {y:.1f} {half:.1f} {to_y:.1f} {to_x - 6:.1f} {to_y:.1f}" '
        f'fill="none" stroke="{colour}" stroke-width="1.6"/>'
        f'<path d="M{to_x:.1f} {to_y:.1f}l-7 -4v8z" fill="{colour}"/>'
    )


def _draw_knower(state: WorldState, one: Knower, x: float, y: float, colour: str) -> Iterator[str]:
    name = state.name_of(one.person) or one.person
    fact = state.fact(one.entry.fact)
    wording = word_fact(fact, one.entry.twist) if fact else ""
    dash = ' stroke-dasharray="4 3"' if one.entry.twist else ""
    yield (
        f'<rect class="box" x="{x:.1f}" y="{y:.1f}" width="{NODE_WIDTH}" height="{NODE_HEIGHT}" rx="5" '
        f'stroke="{colour}" stroke-width="{2.4 if one.person == PLAYER else 1.2}"{dash}>'
        f"<title>{clean(f'{name}: {wording}')}</title></rect>"
    )
    style = "ink bold" if one.person == PLAYER else "ink"
    yield draw_text(x + 8, y + 15, fit(name, NODE_WIDTH - 16), style)
    yield draw_text(x + 8, y + 29, fit(_tell_way(state, one), NODE_WIDTH - 12, SMALL_SIZE), "quiet small")


def _tell_way(state: WorldState, one: Knower) -> str:
    """How and when a person learned it, in a few words."""
    entry = one.entry
    moment = tell_moment(state.world, entry.at)
    person = state.world.rules.player if one.person == PLAYER else state.people[one.person]
    if entry.fact in (*person.knows, *person.heard, *person.inferred):
        return "from the start"
    if entry.source == TOLD:
        by = "" if one.column else f" from {state.name_of(entry.by) or 'somebody'}"
        return f"{'heard it twisted' if entry.twist else 'heard it'}{by}, {moment}"
    return f"{'concluded it' if entry.source == INFERRED else 'was there'}, {moment}"
