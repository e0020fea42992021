"""The picture of the terminal in the README: it shows what the program writes today, and stays small."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
BYTES_MAX = 30_000


@pytest.fixture(name="recorder", scope="module")
def load_recorder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("record", FOLDER / "record.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_picture_is_what_the_program_writes(recorder: ModuleType) -> None:
    drawn = (FOLDER / "play.svg").read_text("utf-8")
    assert drawn == recorder.draw(recorder.record()), "run: python docs/pictures/record.py"
    assert len(drawn.encode()) < BYTES_MAX


def test_a_recording_fits_the_terminal_and_ends_at_the_prompt(recorder: ModuleType) -> None:
    lines = recorder.record()
    assert max(map(len, lines)) <= recorder.COLUMNS
    assert lines[-1] == "> "
    assert lines.count("> 1") == 1


def test_a_short_recording_has_one_page(recorder: ModuleType) -> None:
    assert recorder.draw(["$ a <b> & c"]).count("translateY") == 2
    assert "$ a &lt;b&gt; &amp; c" in recorder.draw(["$ a <b> & c"])
