"""Privacy, swept: pairs of campaigns that differ only in what is private give byte-identical streams.

Games are made at random: slots of every kind, private ones at any depth, and choices whose updates write
both. No condition, derived slot or trigger reads anything.
"""

import asyncio
import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from talewright.common.json_values import Json
from talewright.kernel.conditions.conditions import parse_condition
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.slots.slot_types import Slot, SlotKind, inherit, member
from talewright.kernel.state.state_paths import pointer
from talewright.kernel.story.cards import Card, CardFormat, StatusItem
from talewright.kernel.story.scenes import Choice, Scene, Variant
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.turn.game_editions import Edition
from tests.kernel.making import make_game, make_layout
from tests.opened import opened
from tests.play.making import make_edition, make_lobby
from tests.privacy import Catch
from tests.sweep.parts import Progress
from tests.sweep.worlds import MEMBERS, NAMES, random_slot, random_value

FULL_COUNT = 2_000

CHOICES: Final = 3
TURNS: Final = 4


def run(count: int, seed: int, progress: Progress | None = None) -> int:
    """Play so many pairs."""
    for number in range(count):
        one, other = asyncio.run(_play_pair(random.Random(f"{seed}:{number}")))
        assert one == other, f"seed {seed}, pair {number}: the streams differ"
        if progress:
            progress(1)
    return count


async def _play_pair(rng: random.Random) -> tuple[str, str]:
    roots = {name: inherit(_close(rng, random_slot(rng, 2))) for name in rng.sample(NAMES, 4)}
    first = {name: random_value(rng, slot) for name, slot in roots.items()}
    second = {name: redraw(rng, slot, first[name]) for name, slot in roots.items()}
    drawn = [_draw_updates(rng, roots) for _ in range(CHOICES)]
    again = [[_redraw_update(rng, roots, update) for update in updates] for updates in drawn]
    walk = [rng.randrange(CHOICES) for _ in range(TURNS)]
    seed = rng.randrange(1_000)
    one = await _stream(make_lobby(_edition(roots, first, drawn), seed=seed), walk)
    other = await _stream(make_lobby(_edition(roots, second, again), seed=seed), walk)
    return one, other


def _close(rng: random.Random, slot: Slot) -> Slot:
    """A slot that is private by chance, or has something private within."""
    fields = {name: _close(rng, inner) for name, inner in slot.fields.items()}
    values = None if slot.values is None else _close(rng, slot.values)
    element = None if slot.element is None else _close(rng, slot.element)
    grade = rng.random()
    # Carries name a sibling, and there may be none of that name.
    return replace(
        slot,
        fields=fields,
        values=values,
        element=element,
        hidden=grade < 0.2,
        secret=grade > 0.85,
        carry=None,
    )


def redraw(rng: random.Random, slot: Slot, value: Json) -> Json:
    """The same value with everything private in it drawn anew."""
    if slot.hidden or slot.secret:
        return random_value(rng, slot)
    if isinstance(value, Mapping) and slot.kind is SlotKind.OBJECT:
        return _redraw_members(rng, slot, value)
    if isinstance(value, list) and slot.element is not None:
        if slot.element.hidden or slot.element.secret:
            return [random_value(rng, slot.element) for _ in range(rng.randrange(4))]
        return [redraw(rng, slot.element, inner) for inner in value]
    return value


def _redraw_members(rng: random.Random, slot: Slot, value: Mapping[str, Json]) -> Json:
    values = slot.values
    private = values is not None and (values.hidden or values.secret)
    drawn: dict[str, Json] = {}
    for name, inner in value.items():
        place = member(slot, name)
        assert place is not None
        if name in slot.fields or not private:
            drawn[name] = redraw(rng, place, inner)
    if private and values is not None:
        for name in rng.sample(MEMBERS, rng.randrange(3)):
            drawn.setdefault(name, random_value(rng, values))
    return drawn


def _draw_updates(rng: random.Random, roots: Mapping[str, Slot]) -> list[Update]:
    """What a choice does: roots set anew, and members where they are always there."""
    updates = []
    for name, slot in roots.items():
        if rng.random() < 0.5:
            updates.append(Update(Op.SET, pointer((name,)), random_value(rng, slot), f"reason {name}"))
        for key, inner in slot.fields.items():
            if rng.random() < 0.3 and not slot.nullable:
                updates.append(Update(Op.SET, pointer((name, key)), random_value(rng, inner), "reason"))
    return updates


def _redraw_update(rng: random.Random, roots: Mapping[str, Slot], update: Update) -> Update:
    name, *keys = update.path[1:].split("/")
    slot = roots[name]
    for key in keys:
        slot = slot.fields[key]
    reason = f"another {name}" if slot.hidden or slot.secret else update.reason
    return replace(update, value=redraw(rng, slot, update.value), reason=reason)


def _edition(roots: Mapping[str, Slot], document: Mapping[str, Json], drawn: list[list[Update]]) -> Edition:
    layout = make_layout(roots)
    choices = tuple(Choice(f"c{at}", updates=tuple(updates), next="here") for at, updates in enumerate(drawn))
    scene = Scene("here", (Variant("You are here."),), choices, when=None)
    start = Scene("start", (Variant("It begins."),), choices, when=parse_condition("turn >= 0", layout))
    game = replace(
        make_game(layout, scenes=(start, scene)),
        initial={**layout.defaults(), **document},
        cards=tuple(Card(name, True, at, tuple(CardFormat)[at % 5]) for at, name in enumerate(roots)),
        status_bar=tuple(StatusItem(name) for name in roots),
    )
    return make_edition(game)


async def _stream(lobby: StoreLobby, walk: list[int]) -> str:
    """Everything the player gets on a walk, as one text."""
    catch = Catch()
    session = await opened(lobby.begin("test", "en"))
    live, late = session.watch(), session.watch(after=0)
    for step in walk:
        catch.add("view", await session.view())
        catch.add("result", await session.choose(f"c{step}"))
    catch.add("view", await session.undo())
    catch.add("history", *await session.past.turns())
    for name in lobby.shelf.edition("test").game.layout.roots:
        catch.add("why", *await session.past.why(name))
    await session.close()
    catch.add("news", *[news async for news in live])
    catch.add("late news", *[news async for news in late])
    return catch.stream()
