"""Judging a ten-move answer on a large state, against few triggers and against a JSON Patch library.

2,000 leaves of 100 to 150 bytes; 10,000 triggers of which 10 fire, beside 100 of which 10 fire.
"""

import json
import random
from collections.abc import Callable

import jsonpatch

from bench.figures import at_most, measure, report
from talewright.common.json_values import Json
from talewright.kernel.conditions.conditions import parse_condition
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import JudgedStep, judge, settle
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.slots.engine_slots import with_engine_root
from talewright.kernel.slots.slot_types import Layout, Slot, SlotKind
from talewright.kernel.state.changes import apply, to_operation
from talewright.kernel.state.state import Position, State, begin, canonical
from talewright.kernel.story.triggers import Trigger

LEAVES = 2_000
GROUPS = 20
"""Objects that hold the leaves, as an author would group them."""

FIRING = 10


class NoChance:
    def draw(self, sides: int, why: str = "") -> int:
        raise AssertionError("nothing here rolls")


def make_layout(chance: random.Random) -> Layout:
    """The leaves, grouped as an author would, and beside them a few counters for the rules to work on."""
    roots: dict[str, Slot] = {}
    for group in range(GROUPS):
        fields = {
            f"leaf_{number}": Slot(
                kind=SlotKind.STRING, default="".join(chance.choices("abcdefgh ", k=chance.randint(100, 150)))
            )
            for number in range(LEAVES // GROUPS)
        }
        fields |= {
            f"count_{number}": Slot(kind=SlotKind.INTEGER, default=5, minimum=0, maximum=100)
            for number in range(10)
        }
        roots[f"group_{group}"] = Slot(kind=SlotKind.OBJECT, fields=fields, default={})
    return with_engine_root(Layout(roots))


def make_game(layout: Layout, triggers: int) -> Game:
    """Triggers spread evenly over all leaves; ten of them fire once the answer is in."""
    paths = [path for path, slot in layout.walk() if slot.kind in (SlotKind.STRING, SlotKind.INTEGER)]
    paths = [path for path in paths if path[0] != "_engine"]
    made = [
        Trigger(
            f"fires_{number}",
            parse_condition(f"group_{number}.count_0 >= 50 and group_{number}.count_1 == 5", layout),
            (Update(Op.SET, f"group_{number}.count_1", 6), Update(Op.INC, f"group_{number}.count_2", 1)),
        )
        for number in range(FIRING)
    ]
    for number in range(triggers - FIRING):
        path = ".".join(paths[number * len(paths) // (triggers - FIRING)])
        last = path.split(".")[-1]
        when = f"{path} > 99" if last.startswith("count") else f'{path} == "never {number}"'
        made.append(Trigger(f"sleeps_{number}", parse_condition(when, layout)))
    return Game(
        id="bench",
        version="1",
        language="en",
        languages=("en",),
        layout=layout,
        initial=layout.defaults(),
        triggers=tuple(made),
    )


def answer() -> list[Update]:
    """Ten moves, one for each trigger that shall fire."""
    return [Update(Op.SET, f"group_{number}.count_0", 50 + number) for number in range(FIRING)]


def take(game: Game, position: Position) -> tuple[JudgedStep, JudgedStep]:
    """One answer judged and settled."""
    judged = judge(game, position, answer(), "model", NoChance())
    return judged, settle(game, judged.position, NoChance())


def patching(document: Json, operations: list[dict[str, Json]]) -> Callable[[], object]:
    """The library's own fast path: a patch parsed once and applied."""
    patch = jsonpatch.JsonPatch(operations)
    return lambda: patch.apply(document)


def main() -> int:
    chance = random.Random(7)
    layout = make_layout(chance)
    many, few = make_game(layout, 10_000), make_game(layout, 100)
    position, position_few = begin(many), begin(few)
    judged, settled = take(many, position)
    changes = judged.changes + settled.changes
    fired = {change.cause for change in settled.changes}
    assert len(fired) == FIRING, fired
    document = position.state.document
    operations = [to_operation(change) for change in changes]
    assert jsonpatch.apply_patch(document, operations) == settled.position.state.document
    print(f"state {len(canonical(document)) // 1024} KB, {len(changes)} changes, {len(fired)} triggers fired")
    print("seed 7", json.dumps(operations[0]))

    timings = measure(
        {
            "judge_10000": lambda: take(many, position),
            "judge_100": lambda: take(few, position_few),
            "jsonpatch": patching(document, operations),
            "bare_cow": lambda: apply(document, changes),
            "digest": lambda: State(document, 0).digest,
        }
    )
    timings.show()
    print(f"judge_vs_bare_cow {timings.ratio('judge_10000', 'bare_cow'):.2f} (no limit)")
    return report(
        [
            at_most("many_triggers_vs_few", timings.ratio("judge_10000", "judge_100"), 1.5),
            at_most("judge_vs_jsonpatch", timings.ratio("judge_10000", "jsonpatch"), 0.5),
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
