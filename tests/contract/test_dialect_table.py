"""Every dialect is found by the name that `game.yaml` gives it."""

from pathlib import Path

import pytest

from talewright.contract.dialect_table import DIALECTS
from tests.contract.chapel import Trying, chapel

SNAPSHOTS = Path(__file__).parent / "snapshots"


def test_dialects_by_name() -> None:
    assert list(DIALECTS) == ["cards", "patch", "tools"]
    assert all(dialect.name == name for name, dialect in DIALECTS.items())


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("name", ["patch", "tools"])
def test_rules_are_these_bytes(name: str, language: str) -> None:
    kept = (SNAPSHOTS / f"{name}.{language}.txt").read_text(encoding="utf-8")
    assert DIALECTS[name].rules(chapel(Trying(), plan="moves_first"), language) == kept
