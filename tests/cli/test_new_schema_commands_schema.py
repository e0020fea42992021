"""`talewright schema`: listed, printed, written."""

import json
from pathlib import Path

import jsonschema
import pytest

from talewright.cli import WRONG_USE, main
from talewright.pack.schema.file_schemas import FILE_KINDS, schema_of


def test_all_kinds_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    *lines, hint = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [[kind.role.value, kind.pattern] for kind in FILE_KINDS]
    assert hint.startswith("Print one with `talewright schema KIND`")


@pytest.mark.parametrize("kind", FILE_KINDS, ids=lambda kind: kind.role.value)
def test_one_is_printed(kind: object, capsys: pytest.CaptureFixture[str]) -> None:
    (chosen,) = [one for one in FILE_KINDS if one is kind]
    assert main(["schema", chosen.role.value]) == 0
    printed = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(printed)
    assert printed == schema_of(chosen)


def test_all_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "deep" / "schemas"
    for _ in range(2):
        assert main(["schema", "--out", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 * len(FILE_KINDS)
    assert lines[0].split() == ["game.yaml", str(folder / "game.schema.json")]
    for kind in FILE_KINDS:
        written = (folder / f"{kind.role.value}.schema.json").read_text("utf-8")
        assert json.loads(written) == schema_of(kind)
    assert len(list(folder.iterdir())) == len(FILE_KINDS)


def test_one_is_written(tmp_path: Path) -> None:
    assert main(["schema", "scenes", "--out", str(tmp_path)]) == 0
    assert [file.name for file in tmp_path.iterdir()] == ["scenes.schema.json"]


def test_a_place_that_takes_nothing_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main(["schema", "--out", str(tmp_path / "file")]) == WRONG_USE
    assert "cannot be written" in capsys.readouterr().err
