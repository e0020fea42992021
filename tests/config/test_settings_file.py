"""Editing the settings: one field is changed, all else stays as its owner wrote it."""

import stat
import tomllib
from pathlib import Path

import pytest

from talewright.config.settings_file import SettingFields, edit, edit_file
from talewright.errors import TalewrightError

TEXT = """\
# mine
model = "a" # the usual

[models.a]
service = "openai"   # paid
model = "gpt-5-mini"

# for the evening
[games.harbor]
model = "b"
"""

CASES: list[tuple[str, SettingFields, str]] = [
    ("", {(): {"model": "a"}}, 'model = "a"\n'),
    ("", {("models", "a b"): {"model": "x", "n": 1}}, '[models."a b"]\nmodel = "x"\nn = 1\n'),
    (TEXT, {(): {"model": "b"}}, TEXT.replace('model = "a" # the usual', 'model = "b"')),
    (TEXT, {(): {"cheap": "c"}}, TEXT.replace("# the usual\n", '# the usual\ncheap = "c"\n')),
    (TEXT, {("models", "a"): {"key": "K"}}, TEXT.replace('mini"\n', 'mini"\nkey = "K"\n')),
    (TEXT, {("games", "harbor"): {"model": None}}, TEXT.replace('model = "b"\n', "")),
    (TEXT, {("games", "nowhere"): {"model": None}}, TEXT),
    (TEXT, {("budget",): {"turn_dollars": 0.5}}, TEXT + "\n[budget]\nturn_dollars = 0.5\n"),
    (TEXT, {(): {"fallback": ("x", "雾")}}, TEXT.replace("usual\n", 'usual\nfallback = ["x", "雾"]\n')),
    (
        TEXT,
        {("models", "a"): {"prices": {"input": 0.5, "output": 2}}},
        TEXT.replace('mini"\n', 'mini"\nprices = { input = 0.5, output = 2 }\n'),
    ),
    ("[a]\n", {(): {"model": "x"}}, 'model = "x"\n[a]\n'),
    ("model = 'x'\n", {(): {"model": None}}, ""),
]


@pytest.mark.parametrize(("text", "fields", "edited"), CASES)
def test_an_edit(text: str, fields: SettingFields, edited: str) -> None:
    assert edit(text, fields) == edited
    tomllib.loads(edited)


@pytest.mark.parametrize("value", ['a"b', "a\\b", "雾港", "#", "[x]", "it's"])
def test_texts_come_back_as_they_were(value: str) -> None:
    assert tomllib.loads(edit(TEXT, {(): {"model": value}}))["model"] == value


@pytest.mark.parametrize(
    ("text", "fields", "by_hand"),
    [
        (
            'models = { a = { model = "x" } }\n',
            {("models", "b"): {"model": "y"}},
            'model = "y" under [models.b]',
        ),
        ("model = '''\na'''\n", {(): {"model": "b"}}, 'model = "b"'),
        ("games = 1\n", {("games", "g"): {"model": "b"}}, 'model = "b" under [games.g]'),
        ("games.g.model = 'a'\n", {("games", "g"): {"model": "b"}}, 'model = "b" under [games.g]'),
    ],
)
def test_what_cannot_be_edited_safely_is_told(text: str, fields: SettingFields, by_hand: str) -> None:
    with pytest.raises(TalewrightError) as caught:
        edit(text, fields, "f")
    assert caught.value.message == "f cannot be edited safely"
    assert caught.value.hint == f"Edit it by hand: {by_hand}"


def test_what_is_no_toml_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("model = ")
    with pytest.raises(TalewrightError, match="is not valid TOML"):
        edit_file(file, {(): {"model": "a"}})
    assert file.read_text() == "model = "


def test_a_file_is_made_and_changed_in_one_step(tmp_path: Path) -> None:
    file = tmp_path / "new" / "settings.toml"
    edit_file(file, {(): {"model": "a"}})
    assert file.read_text() == 'model = "a"\n'
    changed = file.stat()
    edit_file(file, {(): {"model": "a"}})
    assert file.stat() == changed
    edit_file(file, {(): {"model": "b"}})
    assert file.read_text() == 'model = "b"\n'
    assert list(file.parent.iterdir()) == [file]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "dotfiles.toml", tmp_path / "settings.toml"
    real.write_text("")
    link.symlink_to(real)
    edit_file(link, {(): {"model": "a"}})
    assert link.is_symlink()
    assert real.read_text() == 'model = "a"\n'


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TalewrightError, match=r"cannot be (written|read): Not a directory"):
        edit_file(tmp_path / "file" / "settings.toml", {(): {"model": "a"}})


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('model = "a"\n')

    def fail(*names: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(TalewrightError, match="cannot be written: No space left on device"):
        edit_file(file, {(): {"model": "b"}})
    assert file.read_text() == 'model = "a"\n'
    assert list(tmp_path.iterdir()) == [file]
    assert stat.S_ISREG(file.stat().st_mode)
