"""Names of tools and calls: such as a server takes, and equal where they were equal."""

import pytest

from talewright.providers.wire_text import ID_LENGTH, NAME_LENGTH_MAX, write_id, write_name

FORM = "[a-z]{1,4}"


def test_a_name_is_such_as_every_vendor_takes() -> None:
    assert (write_name("pay"), write_name("a.b c"), write_name("")) == ("pay", "a_b_c", "_")
    assert (write_name("你好"), write_name("x" * 200)) == ("__", "x" * NAME_LENGTH_MAX)


@pytest.mark.parametrize("named", ["a", "abcd"])
def test_an_id_of_the_right_form_stays(named: str) -> None:
    assert write_id(named, FORM) == named


@pytest.mark.parametrize("named", ["", "abcde", "A", "a\n", "\ud800"])
def test_another_id_is_replaced(named: str) -> None:
    new = write_id(named, FORM)
    assert len(new) == ID_LENGTH
    assert new.isascii()
    assert new.isalnum()
    assert new == write_id(named, FORM) != write_id(named + "b", FORM)
