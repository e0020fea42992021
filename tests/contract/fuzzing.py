"""`python -m tests.contract.fuzzing READER [libFuzzer's arguments]`: coverage-guided fuzzing of one reader.

It takes over its process, needs the package `atheris`, and is imported by nobody; `tests/sweep/fuzz.py` runs
it. Given a file in place of a folder it tries that input alone, which is how a finding is looked at again.
"""

import importlib
import sys


def main() -> None:
    """Fuzz until told to stop."""
    # By name, since most machines do not have it and it has no types.
    atheris = importlib.import_module("atheris")
    # Comparisons of texts guide it, too. Its hook for regular expressions breaks `match(text, start)`.
    atheris.enabled_hooks.add("str")
    with atheris.instrument_imports(include=["talewright.contract"]):
        targets = importlib.import_module("tests.contract.fuzz_targets")
    target = targets.Target(sys.argv[1])
    atheris.Setup([sys.argv[0], *sys.argv[2:]], target.check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
