"""Names of campaigns: which are taken, and what is said of the others."""

import pytest

from talewright.chronicle.store import (
    CAMPAIGN_NAME_LENGTH_MAX,
    ChronicleError,
    check_campaign_name,
    is_campaign_name,
)


@pytest.mark.parametrize("name", ["a", "z", "0", "9", "-", "_", "mist-harbor_2", "a" * 64])
def test_good_names(name: str) -> None:
    assert is_campaign_name(name)
    check_campaign_name(name)


@pytest.mark.parametrize(
    "name", ["", "A", "a b", ".", "..", "a/b", "a\\b", "a\n", "\na", "é", "雾港", "a" * 65, "a\0"]
)
def test_bad_names(name: str) -> None:
    assert not is_campaign_name(name)
    with pytest.raises(ChronicleError, match="is not a valid campaign name") as caught:
        check_campaign_name(name)
    assert caught.value.message == f"{name[:64]!r} is not a valid campaign name"
    assert caught.value.hint == "Use 1 to 64 lower-case letters (a to z), digits, `-` and `_`."


def test_limit() -> None:
    assert CAMPAIGN_NAME_LENGTH_MAX == 64
