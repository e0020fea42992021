"""`python -m tests.sweep [PART ...] [--count N] [--seed S]`: run one part, some, or all.

A part stops after 20 minutes and continues when the command is given again. The exit code is 1 if a part
failed, 3 if one is unfinished, else 0. Only a full count is written to `bench/results/`. In the end, results
that describe code that has changed since are listed; `--stale` only lists them.
"""

import argparse
import sys
from collections.abc import Sequence

from tests.sweep.ledger import open_chunks, write_result
from tests.sweep.parts import SEED, Order, Outcome, Part, find_part, find_parts
from tests.sweep.stale_results import list_stale
from tests.sweep.workers import sweep_chunks

PART_SECONDS = 20 * 60.0
"""How long one part may take in one go."""

UNFINISHED = 3


def main(arguments: Sequence[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.sweep", description="Run checks at full count.")
    parser.add_argument("parts", nargs="*", metavar="PART", help="which parts; all without a name")
    parser.add_argument("--count", type=int, help="examples in all, for a trial; nothing is recorded then")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--seconds", type=float, default=PART_SECONDS, help="stop a part after this long")
    parser.add_argument("--list", action="store_true", help="name the parts and stop")
    parser.add_argument("--stale", action="store_true", help="list the results that are stale, and stop")
    given = parser.parse_args(arguments)
    if given.stale:
        show_stale()
        return 0
    named = [(name, find_part(name)) for name in given.parts]
    unknown = [name for name, part in named if part is None]
    if unknown or given.list:
        parts = ", ".join(part.name for part in find_parts())
        print(f"no part is called {', '.join(unknown)}; there are: {parts}" if unknown else parts)
        return 2 if unknown else 0
    chosen = [part for _, part in named if part is not None] or find_parts()
    order = Order(given.count, given.seed, given.seconds)
    results = [sweep_part(part, order).result for part in chosen]
    print(", ".join(f"{part.name} {result}" for part, result in zip(chosen, results, strict=True)))
    show_stale()
    return 1 if "failed" in results else UNFINISHED if "unfinished" in results else 0


def sweep_part(part: Part, order: Order) -> Outcome:
    """Run one part, and record its result if it is the whole of it."""
    print(f"== {part.name}, seed {order.seed}", flush=True)
    if part.sweep is not None:
        outcome = part.sweep(order)
    else:
        outcome = sweep_chunks(part, order, open_chunks(part, order.seed), say)
    if outcome.failure:
        print(outcome.failure)
    if outcome.result == "unfinished":
        print(f"{part.name} is not finished; the same command continues it")
    if order.count is None:
        print(f"recorded in {write_result(part, order, outcome)}")
    return outcome


def show_stale() -> None:
    """List the results that describe code that has changed since."""
    stale = list(list_stale())
    print(f"stale results in bench/results: {len(stale)}" if stale else "no result is stale")
    for name, reason in stale:
        print(f"  {name}: {reason}")


def say(line: str) -> None:
    """Print a line of progress where it is seen at once."""
    print(line, flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
