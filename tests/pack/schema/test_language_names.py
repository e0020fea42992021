"""Names of languages, and tags in other spellings."""

import pytest

from talewright.pack.schema.language_names import guess_tag

CASES = [
    ("german", "de"),
    ("Deutsch", "de"),
    ("English", "en"),
    ("Chinese", "zh-CN"),
    ("中文", "zh-CN"),
    ("繁體中文", "zh-TW"),
    ("Français", "fr"),
    ("zh_CN", "zh-CN"),
    ("ZH-hant-tw", "zh-Hant-TW"),
    ("de_DE.UTF-8", "de-DE"),
    ("EN", "en"),
    ("es-419", "es-419"),
    ("klingonese", ""),
    ("no language", ""),
    ("", ""),
]


@pytest.mark.parametrize(("text", "tag"), CASES)
def test_a_name_or_another_spelling_means_a_tag(text: str, tag: str) -> None:
    assert guess_tag(text) == tag
