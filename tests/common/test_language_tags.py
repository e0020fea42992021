"""Which language a code means."""

import pytest

from talewright.common.language_tags import pick_language, primary_language


@pytest.mark.parametrize(("code", "language"), [("zh-CN", "zh"), ("zh_TW", "zh"), ("EN", "en"), ("", "")])
def test_stem(code: str, language: str) -> None:
    assert primary_language(code) == language


@pytest.mark.parametrize(
    ("wanted", "told", "picked"),
    [
        ("en", ("zh-CN", "en"), "en"),
        ("EN", ("en-GB", "en"), "en"),
        ("en-US", ("zh-CN", "en-GB"), "en-GB"),
        ("de", ("zh-CN", "en"), ""),
        ("", ("zh-CN", "en"), ""),
        ("", ("",), ""),
    ],
)
def test_pick(wanted: str, told: tuple[str, ...], picked: str) -> None:
    assert pick_language(wanted, told) == picked
