"""All benches, one process each: `python -m bench`, or `python -m bench kernel_judge` for one.

It measures nothing itself, and stops for no short figure: all are run, then the exit code is 1.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

FRAME = frozenset({"__init__", "__main__", "figures"})
"""Modules of this folder that are no bench."""


def find_benches(folder: Path) -> list[str]:
    """The names of the benches, in the order of the alphabet."""
    return sorted(path.stem for path in folder.glob("*.py") if path.stem not in FRAME)


def main(names: Sequence[str]) -> int:
    """Run the named benches, or all; 1 if any is short or fails."""
    folder = Path(__file__).parent
    known = find_benches(folder)
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"no bench is called {', '.join(unknown)}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    short: list[str] = []
    for name in names or known:
        print(f"== {name}", flush=True)
        if subprocess.run([sys.executable, "-m", f"bench.{name}"], cwd=folder.parent, check=False).returncode:
            short.append(name)
    print(f"short: {', '.join(short)}" if short else "all figures keep their limits")
    return 1 if short else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
