"""Nothing that people wrote for this repository is taken for a reply that goes round in circles."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from talewright.contract.text.repetition import RepetitionWatch

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def list_files() -> Iterator[str]:
    """Everything written for players, authors and models."""
    folders = ("games", "docs", "tests/plays", "tests/games", "tests/contract/snapshots", "tests/prompts")
    paths = (path for folder in folders for path in sorted((ROOT / folder).rglob("*")))
    for path in (*sorted(ROOT.glob("*.md")), *paths):
        if path.suffix in (".md", ".yaml", ".txt", ".json"):
            yield path.read_text(encoding="utf-8")


def stops(text: str) -> bool:
    """Whether a reply with this text would be stopped."""
    return RepetitionWatch().feed(text) is not None


def test_nothing_that_people_wrote_is_stopped() -> None:
    files = list(list_files())
    assert [text[:200] for text in files if stops(text)] == []
    passages = list(dict.fromkeys(part for text in files for part in text.split("\n\n")))
    assert len(passages) > 2_000
    assert sum(any("\u4e00" <= sign <= "\u9fff" for sign in text) for text in passages) > 200
    for text in passages:
        assert not stops(json.dumps({"narrative_markdown": text}, ensure_ascii=False)), text[:200]
