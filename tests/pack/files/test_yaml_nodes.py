"""Spots: the exact line and column of a character, in every style of YAML scalar."""

import pytest

from talewright.pack.files.yaml_nodes import ListNode, MapNode, ScalarNode, find_spot
from tests.pack.making import read

STYLES = {
    "plain": "when: rope > 2 and lamp\n",
    "single": "when: 'rope > 2 and lamp'\n",
    "double": 'when: "rope > 2 and lamp"\n',
    "single, doubled quote": "when: 'place == ''rim'' and lamp'\n",
    "double, escaped quote": 'when: "place == \\"rim\\" and lamp"\n',
    "double, escaped backslash": 'when: "a \\\\ and lamp"\n',
    "double, broken line": 'when: "rope > 2 \\\n  and lamp"\n',
    "double, folded": 'when: "rope > 2\n  and lamp"\n',
    "single, folded": "when: 'rope > 2\n\n  and lamp'\n",
    "plain, folded": "when: rope > 2\n    and\n  lamp\n",
    "literal": "when: |\n  rope > 2\n  and lamp\n",
    "literal, stripped": "when: |-\n    rope > 2 and\n    lamp\n",
    "literal, indented": "when: |2\n    rope > 2 and\n   lamp\n",
    "literal, comment": "when: | # why lamps matter\n  rope > 2 and lamp\n",
    "folded block": "when: >\n  rope > 2\n  and lamp\n",
    "folded block, kept": "when: >+\n  rope > 2\n\n  and lamp\n\n",
    "wide characters before": "{井边: 枯井, when: 'rope > 2 and lamp'}\n",
    "wide characters inside": "when: 'place == ''井边'' and lamp'\n",
    "in a list": "when:\n- rope > 2 and lamp\n",
}


def find_condition(text: str) -> ScalarNode:
    root = read(text)
    assert isinstance(root, MapNode)
    node = root.entries["when"]
    if isinstance(node, ListNode):
        (node,) = node.items
    assert isinstance(node, ScalarNode)
    return node


@pytest.mark.parametrize("text", STYLES.values(), ids=STYLES)
def test_a_word_is_found_where_it_stands(text: str) -> None:
    node = find_condition(text)
    place = node.place_at(node.text.index("lamp"))
    lines = text.split("\n")
    assert lines[place.line - 1][place.column - 1 :].startswith("lamp")
    end = node.place_at(node.text.index("lamp") + len("lamp"))
    assert (end.line, end.column) == (place.line, place.column + len("lamp"))


@pytest.mark.parametrize("text", STYLES.values(), ids=STYLES)
def test_every_visible_character_is_found(text: str) -> None:
    node = find_condition(text)
    lines = text.split("\n")
    for index, char in enumerate(node.text):
        if not char.isspace():
            place = node.place_at(index)
            found = lines[place.line - 1][place.column - 1 :]
            # Where the file doubles or escapes a quote, the spot is that of the pair.
            assert found.startswith((char, f"{char}{char}", f"\\{char}"))


HIDDEN = ['"r\\u0069m and lamp"', '"tab\\tand lamp"', '"\\x41 and lamp"', "&anchor lamp", "!tag lamp"]


@pytest.mark.parametrize("written", HIDDEN)
def test_what_an_escape_hides_is_not_looked_for(written: str) -> None:
    assert find_spot(written, "and lamp", 4) is None


def test_a_hidden_character_is_placed_at_the_start_of_its_text() -> None:
    node = find_condition('when: "r\\u0069m and lamp"\n')
    assert node.text == "rim and lamp"
    assert node.place_at(8) == node.place


def test_what_is_not_there_has_no_spot() -> None:
    assert find_spot("'a b'", "a b and more", 9) is None
    assert find_spot("", "", 0) is None
