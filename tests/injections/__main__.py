"""`python -m tests.injections`: every payload by every channel in every contract, a few minutes' work."""

import sys

from tests.injections.corpus import make_all_cases
from tests.injections.playing import play


def main() -> int:
    """Play them all; 1 where something was broken or betrayed."""
    cases, wrong = make_all_cases(), 0
    for done, case in enumerate(cases, 1):
        found = play(case).wrong
        wrong += bool(found)
        for told in found[:3]:
            print(f"{case.name}: {told}")
        if done % 100 == 0:
            print(f"{done} of {len(cases)} played, {wrong} with something wrong", flush=True)
    print(f"{len(cases)} played, {wrong} with something wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
