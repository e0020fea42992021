"""Kept mutants: 40 small mistakes per room that its tests have noticed and must notice after every change.

`python -m tests.sweep.kept_mutants turn` runs those of a room, the part `kept_mutants` of `make sweep` all.
`tests/kept_mutants.json` lists them by file, function and label, so they outlast moved lines. `--draw` writes
the list anew: it draws mutants by the seed until the tests have noticed enough of them. The file also lists
the drawn mutants that no test noticed, each with a reason, which people write.
"""

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.sweep.book import LOST, NOTICED, Book, open_book
from tests.sweep.ledger import ROOT
from tests.sweep.mutants import Mutant, find_mutants
from tests.sweep.mutation import keep_compiled, run_apart, say, try_room
from tests.sweep.parts import SEED, Order, Outcome
from tests.sweep.rooms import ROOMS, SOURCE, find_room, rank

KEPT = ROOT / "tests" / "kept_mutants.json"
KEPT_COUNT = 40
"""Mutants of each room."""

SPARE = 8
"""How many more are drawn at once than seem to be needed."""

AGAIN = "python -m tests.sweep.kept_mutants --draw"


@dataclass(frozen=True, slots=True)
class Kept:
    """The list of one room."""

    names: Sequence[str] = ()
    survived: Mapping[str, str] = field(default_factory=dict)
    """Why nobody noticed them, by name."""


def read_kept(path: Path = KEPT) -> dict[str, Kept]:
    """The lists by room."""
    rooms = json.loads(path.read_text(encoding="utf-8"))["rooms"] if path.exists() else {}
    return {room: Kept(lists["kept"], lists["survived"]) for room, lists in rooms.items()}


def write_kept(kept: Mapping[str, Kept], path: Path = KEPT) -> None:
    """Write the lists, in the order of the rooms."""
    rooms = {room: kept[room] for room in ROOMS if room in kept}
    lists = {room: {"kept": list(one.names), "survived": dict(one.survived)} for room, one in rooms.items()}
    text = json.dumps({"seed": SEED, "made_by": AGAIN, "rooms": lists}, indent=1, ensure_ascii=False)
    path.write_text(f"{text}\n", encoding="utf-8")


def find_kept(names: Sequence[str], source: Path = SOURCE) -> tuple[list[Mutant], list[str]]:
    """The mutants of these names, as they stand in the text, and the names that no mutant has any more."""
    wanted = set(names)
    files = sorted({name.partition(" ")[0] for name in names})
    texts = (
        (file, (source / file).read_text(encoding="utf-8")) for file in files if (source / file).exists()
    )
    found = [mutant for file, text in texts for mutant in find_mutants(file, text) if mutant.name in wanted]
    return found, sorted(wanted - {mutant.name for mutant in found})


def sweep(order: Order) -> Outcome:
    """The part: the kept mutants of all rooms."""
    stop_at = time.monotonic() + order.seconds
    kept, done, total, seconds = read_kept(), 0, 0, 0.0
    failures: list[str] = []
    rooms: dict[str, dict[str, object]] = {}
    for room in ROOMS:
        run_apart("kept_mutants", room, f"--seconds={max(0.0, stop_at - time.monotonic())}")
        mutants, gone = find_kept(kept[room].names)
        book = open_book(room, mutants)
        killed = sum(book.verdicts.get(mutant.key) in NOTICED for mutant in mutants)
        lost = [mutant.name for mutant in mutants if book.verdicts.get(mutant.key) in LOST]
        failures += [f"gone from the source, so run {AGAIN}: {name}" for name in gone]
        failures += [f"not noticed any more: {name}" for name in lost]
        rooms[room] = {
            "killed": killed,
            "total": len(mutants),
            "seconds": round(book.seconds, 1),
            "processor_seconds": round(book.processor_seconds, 1),
            "drawn_and_not_noticed": len(kept[room].survived),
        }
        done, total, seconds = done + book.done, total + KEPT_COUNT, seconds + book.seconds
    return Outcome(done, total, seconds, "\n".join(failures), {"rooms": rooms})


def draw(room: str, reasons: Mapping[str, str], stop_at: float) -> Kept:
    """Draw mutants of a room until enough have been noticed; fewer if time is up or no test could be run."""
    order = [mutant for mutant in rank(find_room(room), SEED) if not mutant.is_text]
    count = KEPT_COUNT + SPARE
    while True:
        book = open_book(room, order[:count], say)
        problem = try_room(book, stop_at, brief=True)
        killed, lost = sort_out(book)
        if len(killed) == KEPT_COUNT or count >= len(order) or problem or book.missing():
            return Kept(sorted(killed), {name: reasons.get(name, "") for name in sorted(lost)})
        count = count * KEPT_COUNT // max(1, len(killed)) + SPARE


def sort_out(book: Book) -> tuple[list[str], list[str]]:
    """The names of the mutants to keep, and of those drawn before the last of them that nobody noticed."""
    killed: list[str] = []
    lost: list[str] = []
    for mutant in book.mutants:
        verdict = book.verdicts.get(mutant.key)
        if len(killed) < KEPT_COUNT and verdict in (*NOTICED, *LOST):
            (killed if verdict in NOTICED else lost).append(mutant.name)
    return killed, lost


def main(arguments: Sequence[str]) -> int:
    """The command; exit code 1 if a kept mutant is gone or not noticed, 3 if some are still to be tried."""
    parser = argparse.ArgumentParser(prog="python -m tests.sweep.kept_mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"of {', '.join(ROOMS)}; all if not said")
    parser.add_argument("--draw", action="store_true", help="make the list again")
    parser.add_argument("--seconds", type=float, default=1200.0, help="stop after this long")
    given = parser.parse_args(arguments)
    if unknown := sorted(set(given.rooms) - set(ROOMS)):
        print(f"no room of {', '.join(ROOMS)} is called {', '.join(unknown)}")
        return 2
    keep_compiled()
    stop_at = time.monotonic() + given.seconds
    return max(
        (draw_room if given.draw else check_room)(room, stop_at)
        for room in ROOMS
        if not given.rooms or room in given.rooms
    )


def draw_room(room: str, stop_at: float) -> int:
    """Make the list of a room again."""
    drawn = draw(room, read_kept().get(room, Kept()).survived, stop_at)
    # Read again: another process may have drawn another room.
    write_kept({**read_kept(), room: drawn})
    unexplained = [name for name, reason in drawn.survived.items() if not reason]
    print(f"{room}: {len(drawn.names)} kept, {len(drawn.survived)} not noticed", flush=True)
    if unexplained:
        print("no reason given:", *unexplained, sep="\n  ")
    return 0 if len(drawn.names) == KEPT_COUNT else 3


def check_room(room: str, stop_at: float) -> int:
    """Try the kept mutants of a room."""
    mutants, gone = find_kept(read_kept()[room].names)
    book = open_book(room, mutants, say)
    problem = try_room(book, stop_at)
    if gone:
        print(f"gone from the source, so run {AGAIN} {room}:", *gone, sep="\n  ")
    lost = any(book.verdicts.get(mutant.key) in LOST for mutant in mutants)
    return 1 if problem or gone or lost else 3 if book.missing() else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
