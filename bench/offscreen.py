"""Thirty days of absence in a world of 1,000 people and 500 places, beside a bare loop over as many events.

The bare loop only takes events from a heap, changes one value for each and puts the next one back. A turn in
the large world is compared with one in the Dusty Tankard: freshly begun, and after the absence. Then plans
that are late succeed in every turn, and the digest of what has changed takes a third of the time.
"""

import json
import random
from collections.abc import Callable, Mapping
from heapq import heapify, heappop, heappush
from time import perf_counter
from typing import Any

from bench.figures import at_most, measure, report
from talewright.common.json_values import Json
from talewright.kernel.chance import Fate
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import JudgedStep, judge, settle
from talewright.kernel.judging.moves import MODEL, Call
from talewright.kernel.judging.rulings import Granted
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.changes import Change, to_json
from talewright.kernel.state.state import Position, begin
from talewright.systems.world.authored.world_files import FACTS, PEOPLE, PLACES, RULES
from talewright.systems.world.offscreen.simulation import LivedTime, live
from talewright.systems.world.world_state import read_world
from tests.systems.world.making import WORLD
from tests.systems.world.random_worlds import make_world_game
from tests.turn.making import play_edition

PEOPLE_COUNT, PLACES_COUNT, FACTS_COUNT = 1_000, 500, 200
DAYS = 30
TICKS = DAYS * 288
SECRET = bytes(range(32))
ROUNDS = 9
SEED = 19


def make_large_files(*, clock: bool = False) -> dict[str, Any]:
    """A town in which everybody has a day, a need and a plan; `clock` writes times as an author does."""
    work, evening = (("08:00", "17:00"), ("18:00", "22:00")) if clock else ((480, 1_020), (1_080, 1_320))
    start = "08:00" if clock else 480
    chance = random.Random(SEED)
    places = [f"place_{number}" for number in range(PLACES_COUNT)]
    people = [f"person_{number}" for number in range(PEOPLE_COUNT)]
    facts = [f"fact_{number}" for number in range(FACTS_COUNT)]
    return {
        PLACES: [
            {
                "id": name,
                "name": f"Street {number}",
                "description": "A street like many others. " * 4,
                "exits": [{"to": places[number - 1]}, {"to": places[(number + 1) % PLACES_COUNT]}],
            }
            for number, name in enumerate(places)
        ],
        PEOPLE: [
            {
                "id": name,
                "name": f"Person {number}",
                "description": "Somebody who lives here, with a trade and two opinions. " * 2,
                "goals": "to be left alone",
                "at": places[number // 2],
                "knows": chance.sample(facts, 1),
                "relationships": {chance.choice(people): chance.randint(-50, 50)},
                "schedule": [
                    {"from": work[0], "to": work[1], "at": chance.choice(places)},
                    {"from": evening[0], "to": evening[1], "at": places[number % 40]},
                ],
                "needs": [{"id": "bread", "at": places[number % 25], "every_hours": 24, "hours": 1}],
                "agendas": [
                    {
                        "id": f"agenda_{number}",
                        "segments": 4,
                        "every_hours": 48,
                        "chance": 0.5,
                        "outcome": {
                            "event": f"Person {number} got what they wanted.",
                            "twists": ["It failed."],
                        },
                    }
                ],
            }
            for number, name in enumerate(people)
        ],
        FACTS: [{"id": name, "text": f"There is something about {name}.", "topic": name} for name in facts],
        RULES: {"start": {"at": places[0], "time": start}},
    }


def run_bare(events: int) -> int:
    """An event loop that does nothing but its loop."""
    queue = [(number, number % 7, number) for number in range(100)]
    heapify(queue)
    values: dict[int, int] = {}
    for _ in range(events):
        tick, kind, name = heappop(queue)
        values[name] = values.get(name, 0) + kind
        heappush(queue, (tick + 13, kind, name))
    return len(values)


def be_absent(game: Game, position: Position) -> JudgedStep:
    """Thirty days pass in one move."""
    call = Call("advanceTime", {"ticks": TICKS, "narrativeTime": ""})
    step = judge(game, position, [call], MODEL, Fate(SECRET, 1))
    assert isinstance(step.rulings[0], Granted), step.rulings
    return step


def take_turn(game: Game, position: Position) -> str:
    """What a turn asks of the world: a call, the end of the turn, notes, choices, a panel and the digest."""
    asked: Mapping[str, Json] = {"ticks": 1, "narrativeTime": ""}
    step = judge(game, position, [Call("advanceTime", asked)], MODEL, Fate(SECRET, 2))
    step = settle(game, step.position, Fate(SECRET, 2, start=9))
    sight = WorkingState(game, step.position).sight(WORLD)
    WORLD.notes(sight)
    WORLD.choices(sight)
    WORLD.panels(sight)
    return step.position.state.digest


def count_bytes(changes: tuple[Change, ...]) -> int:
    """The size of the changes in a commit."""
    return len(json.dumps([to_json(change) for change in changes], ensure_ascii=False, separators=(",", ":")))


def time_once(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def main() -> int:
    game = make_world_game(make_large_files())
    tavern = play_edition("games/dusty_tankard").game
    start, evening = begin(game), begin(tavern)
    step = be_absent(game, start)
    state = read_world(WorkingState(game, start).sight(WORLD))

    def simulate() -> LivedTime:
        return live(state, TICKS, state.at, 1)

    lived = simulate()
    events = lived.meetings + len(lived.events)
    seconds = time_once(lambda: be_absent(game, start))
    print(
        f"  {lived.meetings} meetings, {len(lived.events)} things told or done, {len(step.changes)} changes"
    )
    timings = measure({"bare": lambda: run_bare(events), "life": simulate}, rounds=ROUNDS)
    timings.show()
    turns = measure(
        {
            "tavern": lambda: take_turn(tavern, evening),
            "large": lambda: take_turn(game, start),
            "after": lambda: take_turn(game, step.position),
        },
        rounds=ROUNDS,
    )
    turns.show()
    return report(
        [
            at_most("offscreen_events", events, 5_000),
            at_most("offscreen_seconds", seconds, 2.0),
            at_most("offscreen_commit_kilobytes", count_bytes(step.changes) / 1_000, 64),
            at_most("offscreen_vs_bare_loop", timings.ratio("life", "bare"), 20),
            at_most("large_world_turn_vs_tavern", turns.ratio("large", "tavern"), 1.5),
            at_most("turn_after_absence_vs_tavern", turns.ratio("after", "tavern"), 5),
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
