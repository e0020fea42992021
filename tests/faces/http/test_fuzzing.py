"""The API keeps to its document; `make sweep PART=api` asks it for five minutes."""

import pytest

from tests.faces.http.fuzzing import fuzz

pytestmark = pytest.mark.process

SEED = 20_260_116


def test_every_answer_is_as_described() -> None:
    print(f"seed {SEED}")
    ran = fuzz(SEED, "--max-examples=2", "--max-time=15", phases=("examples", "fuzzing", "stateful"))
    assert ran.returncode == 0, ran.stdout[-6000:]
    assert " passed" in ran.stdout
