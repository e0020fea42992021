"""Loading a large game from its folder and from the compiled cache, against PyYAML's bare composition.

2,000 leaves of 100 to 150 bytes and 10,000 triggers, written out as an author would, in a folder of its own;
and a world of 1,000 people and 500 places, whose files a system reads.
"""

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import yaml

from bench.figures import Figure, at_most, measure, report
from bench.offscreen import make_large_files
from talewright.kernel.slots.slot_types import SlotKind
from talewright.pack.cache.compiled_game import CompiledGame
from talewright.pack.cache.game_cache import load_folder
from talewright.pack.compiler import compile_folder
from talewright.systems.world.world_system import World

LEAVES = 2_000
TRIGGERS = 10_000
GROUPS = 20
"""Objects that hold the leaves, as an author would group them."""

COUNTERS = 10
"""Numbers in each group, for the triggers to work on."""

ROUNDS = 7
SEED = 7


def write_game(folder: Path, chance: random.Random) -> None:
    """Write the game as a folder of YAML and Markdown."""
    (folder / "world.md").write_text("A valley with too many clocks.\n", "utf-8")
    (folder / "game.yaml").write_text("\n".join(make_variables(chance)) + "\n", "utf-8")
    (folder / "triggers.yaml").write_text("\n".join(make_triggers()) + "\n", "utf-8")


def make_variables(chance: random.Random) -> Iterator[str]:
    yield "game_id: bench\ntitle: The Valley\nvariables:"
    for group in range(GROUPS):
        yield f"  - id: group_{group}\n    label: Group {group}\n    type: object\n    fields:"
        for number in range(LEAVES // GROUPS):
            size = chance.randint(100, 150)
            text = "".join(chance.choices("abcdefgh ", k=size - 2))
            yield f"      leaf_{number}: {{type: string, default: 'x{text}x'}}"
        for number in range(COUNTERS):
            yield f"      count_{number}: {{type: integer, min: 0, max: 100, default: 5}}"


def make_triggers() -> Iterator[str]:
    yield "triggers:"
    for number in range(TRIGGERS):
        group, counter = number % GROUPS, number // GROUPS % COUNTERS
        when = f"group_{group}.count_{counter} > {number % 100}"
        if number % 3 == 0:
            when += f' and group_{group}.leaf_{number % (LEAVES // GROUPS)} == "word {number}"'
        yield f"  - id: trigger_{number}\n    when: {when}\n    once: true\n    effects:"
        yield f"      - {{op: dec, path: group_{group}.count_{counter}, value: 1, reason: a clock runs down}}"
        yield f"    events:\n      - {{type: info, message: Clock {number} runs down.}}"


def compose_bare(files: list[Path]) -> None:
    """The library's fast path: its parser in C, giving its own tree."""
    for file in files:
        yaml.compose(file.read_bytes(), Loader=yaml.CSafeLoader)


def check(compiled: CompiledGame) -> None:
    """See that the whole game is there."""
    assert compiled.faults == ()
    assert compiled.game is not None
    leaves = [
        slot for _, slot in compiled.game.layout.walk() if slot.kind is SlotKind.STRING and slot.default
    ]
    assert len(leaves) == LEAVES
    assert all(100 <= len(str(slot.default)) <= 150 for slot in leaves)
    assert len(compiled.game.triggers) == TRIGGERS


def write_world(folder: Path) -> list[Path]:
    """Write a world of 1,000 people and 500 places as an author would; its files of data."""
    (folder / "world").mkdir(parents=True)
    (folder / "world.md").write_text("A town.\n", "utf-8")
    (folder / "game.yaml").write_text("game_id: town\ntitle: The Town\nsystems: [world]\n", "utf-8")
    for name, rows in make_large_files(clock=True).items():
        (folder / name).write_text(yaml.safe_dump(rows, sort_keys=False), "utf-8")
    return sorted((folder / "world").iterdir())


def load_world(root: Path) -> list[Figure]:
    """The figures of a large world."""
    folder, cache, systems = root / "world", root / "worlds", {"world": World()}
    files = write_world(folder)
    first, second = load_folder(folder, systems, cache), load_folder(folder, systems, cache)
    assert first.game is not None, first.faults
    assert second == first
    timings = measure(
        {
            "compose_world": lambda: compose_bare(files),
            "first_world": lambda: compile_folder(folder, systems),
            "second_world": lambda: load_folder(folder, systems, cache),
        },
        rounds=ROUNDS,
    )
    timings.show()
    return [
        at_most("first_world_vs_compose", timings.ratio("first_world", "compose_world"), 5),
        at_most("second_world_vs_first", timings.ratio("second_world", "first_world"), 0.2),
    ]


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder, cache = Path(name) / "game", Path(name) / "cache"
        folder.mkdir()
        write_game(folder, random.Random(SEED))
        files = [folder / "game.yaml", folder / "triggers.yaml"]
        first, second = load_folder(folder, {}, cache), load_folder(folder, {}, cache)
        check(first)
        assert second == first
        size = sum(file.stat().st_size for file in files)
        (kept,) = cache.iterdir()
        print(f"seed {SEED}: {size // 1024} KB of YAML, {kept.stat().st_size // 1024} KB in the cache")
        print(
            "the collector rests for all three alike; files are read anew every time, from warm disk caches"
        )
        timings = measure(
            {
                "compose_bare": lambda: compose_bare(files),
                "first_load": lambda: compile_folder(folder, {}),
                "second_load": lambda: load_folder(folder, {}, cache),
            },
            rounds=ROUNDS,
        )
        timings.show()
        of_world = load_world(Path(name))
    return report(
        [
            at_most("first_load_vs_compose", timings.ratio("first_load", "compose_bare"), 5),
            at_most("second_load_vs_first", timings.ratio("second_load", "first_load"), 0.2),
            *of_world,
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
