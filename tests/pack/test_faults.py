"""Every fault: reported once, at the right place, in the right words, with what to write instead.

`UPDATE_FAULTS=1 pytest tests/pack/test_faults.py` writes every expected.txt anew, for a person to read.
"""

import os
from pathlib import Path

import pytest

from talewright.errors import Fault, Severity
from talewright.pack.compiler import check_folder
from talewright.pack.faults import FaultCode
from tests.pack.fault_cases import EXPECTED, FOLDERS, RECIPES, render, write_game

CASES = sorted(folder.name for folder in FOLDERS.iterdir())
CASES_MIN = 60

WHOLE_FILES = {code.text for code in (FaultCode.MISSING_FILE, FaultCode.UNDECLARED_LANGUAGE)}
"""Faults whose place is a file that is not there, or a folder."""


@pytest.mark.parametrize("name", CASES)
def test_a_folder_with_one_mistake_has_the_expected_fault(name: str) -> None:
    found = check_folder(FOLDERS / name, {}).faults
    # Small games have short scenes; what is said of that counts in the cases of hints alone.
    faults = [fault for fault in found if fault.severity is not Severity.HINT] or found
    file = FOLDERS / name / EXPECTED
    if os.environ.get("UPDATE_FAULTS"):
        file.write_text(render(faults), "utf-8")
    assert render(faults) == file.read_text("utf-8")
    assert len(faults) == 1, "one mistake is told once"
    check_place(FOLDERS / name, faults[0])


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_has_the_expected_fault(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "game"
    write_game(folder)
    recipe = RECIPES[name]
    assert check_folder(folder, {}, recipe.limits).faults == ()
    recipe.make(folder, monkeypatch)
    compiled = check_folder(folder, {}, recipe.limits)
    assert compiled.game is None
    assert render(compiled.faults) == recipe.expected.replace("{folder}", str(folder))


def check_place(folder: Path, fault: Fault) -> None:
    """A fault points at a character, or at the end of a line, of a file that is there."""
    if fault.code in WHOLE_FILES:
        return
    data = (folder / fault.place.file).read_bytes()
    lines = data.decode("utf-8", "replace").split("\n")
    assert fault.place.line <= len(lines)
    assert fault.place.column <= len(lines[fault.place.line - 1]) + 1


def expected_lines() -> list[tuple[str, str]]:
    """What is told of every case, as pairs of message and suggestion."""
    texts = [(FOLDERS / name / EXPECTED).read_text("utf-8") for name in CASES]
    texts += [recipe.expected for recipe in RECIPES.values()]
    pairs = [text.rstrip("\n").split("\n    ") for text in texts]
    return [(message, suggestion) for message, suggestion in pairs]


def test_every_code_has_a_case() -> None:
    told = "\n".join(message for message, _ in expected_lines())
    assert [code.text for code in FaultCode if f"{code.severity} [{code.text}] " not in told] == []


def test_there_are_enough_cases_and_each_has_a_number_of_its_own() -> None:
    assert len(CASES) >= CASES_MIN
    numbers = [name.partition("_")[0] for name in CASES]
    assert len(set(numbers)) == len(numbers)
    assert all(number.isdigit() for number in numbers)


def test_messages_and_suggestions_are_written_alike() -> None:
    for message, suggestion in expected_lines():
        assert not message.endswith("."), message
        assert suggestion[0].isupper(), suggestion
        assert suggestion.endswith("."), suggestion


def test_codes_are_stable_words() -> None:
    texts = [code.text for code in FaultCode]
    assert len(set(texts)) == len(texts)
    for code in FaultCode:
        assert code.text == code.name.lower().replace("_", "-")
        assert code.meaning.endswith(".")
