"""Promise mutants: small mistakes in the files that decide privacy, money, durability and access.

200 of them, drawn by the seed, 60 of them in hosting; the tests that hold these promises must notice at least
95 %. The part `promise_mutants` of `make sweep` tries all and lists those that nobody noticed;
`python -m tests.sweep.promise_mutants stores` tries those of one room.
"""

import argparse
import sys
import time
from collections.abc import Sequence

from tests.sweep.book import LOST, NOTICED, open_book
from tests.sweep.mutants import Mutant, find_mutants
from tests.sweep.mutation import keep_compiled, run_apart, say, try_room
from tests.sweep.parts import SEED, Order, Outcome
from tests.sweep.rooms import SOURCE, rank

HOSTING = "hosting"
COUNTS = {HOSTING: 60, "elsewhere": 140}
SCORE_MIN = 0.95

FILES = {
    "privacy": (
        "common/letter_folding.py",
        "common/quote_search.py",
        "contract/text/hidden_tail.py",
        "contract/text/leak_guard.py",
        "kernel/system/sight.py",
        "turn/hidden_texts.py",
        "stores/postgres/sealing.py",
        "hosting/sealed_steps.py",
        "hosting/operations/json_logs.py",
    ),
    "money": (
        "chronicle/spending_totals.py",
        "llm/cost_meter.py",
        "llm/price_table.py",
        "turn/spending.py",
        "hosting/limits/shared_budgets.py",
        "hosting/limits/shared_quotas.py",
        "hosting/limits/shared_rate_limit.py",
    ),
    "durability": (
        "chronicle/chained_lines.py",
        "chronicle/open_turns.py",
        "chronicle/record_fold.py",
        "chronicle/record_order_checks.py",
        "stores/folder/disk.py",
        "stores/folder/folder_book.py",
        "stores/folder/log_recovery.py",
        "stores/postgres/postgres_writer.py",
        "hosting/durable_runner.py",
        "hosting/queued_turns.py",
        "hosting/recovery/executor_recovery.py",
        "hosting/recovery/outdated_turns.py",
        "hosting/recovery/poison_turns.py",
        "hosting/turn_jobs.py",
        "hosting/turn_queue.py",
        "hosting/turn_worker.py",
    ),
    "access": (
        "config/access_token.py",
        "faces/http/access_grants.py",
        "faces/http/guards/browser_login.py",
        "faces/http/guards/request_guards.py",
        "faces/http/guards/request_limits.py",
        "faces/http/owners/owner_gate.py",
        "faces/http/owners/token_login.py",
        "faces/http/signed_values.py",
        "play/serving/owner_quotas.py",
        "play/session_roles.py",
        "stores/postgres/scoped_access.py",
        "hosting/owners/ended_sessions.py",
        "hosting/owners/owner_accounts.py",
        "hosting/owners/owner_directory.py",
    ),
}
"""The files, by what they decide."""

ROOMS = (
    "chronicle",
    "common",
    "config",
    "contract",
    "faces/http",
    "kernel",
    "llm",
    "play",
    "stores",
    "turn",
    HOSTING,
)

TESTED_IN = {
    "common": (
        "tests/common/test_letter_folding.py",
        "tests/common/test_letter_folding_rendered.py",
        "tests/common/test_quote_search.py",
        "tests/contract/text/test_leak_guard.py",
    ),
    "contract": (
        "tests/contract/text/test_hidden_tail.py",
        "tests/contract/text/test_leak_guard.py",
        "tests/leaks/test_told_over_turns.py",
    ),
    "faces/http": (
        "tests/faces/http/guards",
        "tests/faces/http/owners",
        "tests/faces/http/test_access_grants.py",
    ),
    HOSTING: (
        "tests/hosting/limits",
        "tests/hosting/operations/test_json_logs.py",
        "tests/hosting/owners",
        "tests/hosting/recovery/test_executor_recovery.py",
        "tests/hosting/recovery/test_poison_turns.py",
        "tests/hosting/test_durable_runner.py",
        "tests/hosting/test_queued_turns.py",
        "tests/hosting/test_sealed_steps.py",
        "tests/hosting/test_turn_jobs.py",
        "tests/hosting/test_turn_queue.py",
        "tests/hosting/test_turn_worker.py",
    ),
    "play": ("tests/play/serving", "tests/play/test_session_roles.py"),
    "stores": (
        "tests/stores/folder/test_folder_book_length.py",
        "tests/stores/folder/test_folder_store.py",
        "tests/stores/folder/test_folder_store_order.py",
        "tests/stores/folder/test_folder_syncs.py",
        "tests/stores/folder/test_log_recovery.py",
        "tests/stores/postgres",
    ),
    "turn": (
        "tests/turn/test_hidden_texts.py",
        "tests/turn/test_hidden_texts_readable.py",
        "tests/turn/test_secrets.py",
        "tests/turn/test_spending.py",
        "tests/turn/test_spending_tracker.py",
        "tests/leaks/test_told_over_turns.py",
    ),
}
"""The tests that hold the promises of a room, where its own are too many or not all of them."""


def draw() -> dict[str, list[Mutant]]:
    """The mutants by room, as drawn by the seed."""
    files = [file for group in FILES.values() for file in group]
    found = [
        mutant
        for file in files
        for mutant in find_mutants(file, (SOURCE / file).read_text(encoding="utf-8"))
        if not mutant.is_text
    ]
    hosting = [mutant for mutant in found if mutant.file.startswith(f"{HOSTING}/")]
    elsewhere = [mutant for mutant in found if not mutant.file.startswith(f"{HOSTING}/")]
    drawn = [*rank(hosting, SEED)[: COUNTS[HOSTING]], *rank(elsewhere, SEED)[: COUNTS["elsewhere"]]]
    return {room: [mutant for mutant in drawn if mutant.file.startswith(f"{room}/")] for room in ROOMS}


def sweep(order: Order) -> Outcome:
    """The part: the mutants of all rooms, and whether enough of them are noticed."""
    stop_at = time.monotonic() + order.seconds
    done, killed, seconds = 0, 0, 0.0
    survivors: list[str] = []
    rooms: dict[str, dict[str, int]] = {}
    for room, mutants in draw().items():
        run_apart("promise_mutants", room, f"--seconds={max(0.0, stop_at - time.monotonic())}")
        book = open_book(room, mutants, tests=TESTED_IN.get(room, ()))
        noticed = sum(book.verdicts.get(mutant.key) in NOTICED for mutant in mutants)
        survivors += [mutant.name for mutant in mutants if book.verdicts.get(mutant.key) in LOST]
        rooms[room] = {"killed": noticed, "tried": book.done, "total": len(mutants)}
        done, killed, seconds = done + book.done, killed + noticed, seconds + book.seconds
    total = sum(COUNTS.values())
    score = killed / max(1, killed + len(survivors))
    short = done >= total and score < SCORE_MIN
    failure = f"{score:.1%} of the mutants were noticed, at least {SCORE_MIN:.0%} should be" if short else ""
    detail = {"score": round(score, 4), "score_at_least": SCORE_MIN, "rooms": rooms, "survivors": survivors}
    return Outcome(done, total, seconds, failure, detail)


def main(arguments: Sequence[str]) -> int:
    """The command; exit code 1 if the tests fail by themselves, 3 if some mutants are still to be tried."""
    parser = argparse.ArgumentParser(prog="python -m tests.sweep.promise_mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"of {', '.join(ROOMS)}; all if not said")
    parser.add_argument("--seconds", type=float, default=1200.0, help="stop after this long")
    given = parser.parse_args(arguments)
    if unknown := sorted(set(given.rooms) - set(ROOMS)):
        print(f"no room of {', '.join(ROOMS)} is called {', '.join(unknown)}")
        return 2
    keep_compiled()
    stop_at = time.monotonic() + given.seconds
    books = [
        open_book(room, mutants, say, TESTED_IN.get(room, ()))
        for room, mutants in draw().items()
        if mutants and (not given.rooms or room in given.rooms)
    ]
    problems = [try_room(book, stop_at) for book in books]
    return 1 if any(problems) else 3 if any(book.missing() for book in books) else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
