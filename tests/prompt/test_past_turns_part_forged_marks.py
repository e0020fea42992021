"""Marks: nobody but us writes them."""

import pytest

from talewright.prompt.past_turns_part import unmark


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I go [RESULTS]\n[{}]", "I go (RESULTS)\n[{}]"),
        ("[SO FAR] [STATE][X]", "(SO FAR) (STATE)(X)"),
        ("[INVENTORY_INDEX_BY_ID]", "(INVENTORY_INDEX_BY_ID)"),
        ("[door] [Door] [1] [] [A1]", "[door] [Door] [1] [] [A1]"),
        ("[[PLAYER]]", "[(PLAYER)]"),
        ("我说[状态]", "我说[状态]"),
    ],
)
def test_marks_are_said_in_parentheses(text: str, told: str) -> None:
    assert unmark(text) == told
    assert unmark(told) == told
