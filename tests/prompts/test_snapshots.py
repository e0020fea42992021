"""Every request is as it was when somebody last read it."""

import asyncio

import pytest

from tests.prompts.snapshots import FOLDER, SITTERS, Sitter, sit, write


@pytest.mark.parametrize("sitter", SITTERS, ids=lambda sitter: sitter.name)
def test_a_request_is_as_it_was(sitter: Sitter) -> None:
    kept = (FOLDER / f"{sitter.name}.txt").read_text(encoding="utf-8")
    assert write(asyncio.run(sit(sitter))) == kept, "read it: python -m tests.prompts.snapshots; git diff"


def test_no_snapshot_is_of_nothing() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {sitter.name for sitter in SITTERS}
