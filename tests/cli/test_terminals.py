"""Which face is opened: the terminal's where somebody sits at one, the plain one everywhere else."""

import io
import os
import sys
from typing import Any

import pytest

from talewright.bootstrap.curtain import Asked
from talewright.cli import WRONG_USE, main, play, terminals
from talewright.cli.terminals import HOW_TO_DRAW, Face, pick_face
from tests.cli.desk import Terminal

PIPE = io.StringIO()


@pytest.mark.parametrize(
    ("environment", "source", "out", "face"),
    [
        ({}, Terminal(), Terminal(), Face.TERMINAL),
        ({"TERM": "xterm-256color", "TALEWRIGHT_FACE": ""}, Terminal(), Terminal(), Face.TERMINAL),
        ({"TALEWRIGHT_FACE": "other"}, Terminal(), Terminal(), Face.TERMINAL),
        ({"TALEWRIGHT_FACE": " Plain "}, Terminal(), Terminal(), Face.PLAIN),
        ({"TERM": "dumb"}, Terminal(), Terminal(), Face.PLAIN),
        ({}, PIPE, Terminal(), Face.PLAIN),
        ({}, Terminal(), PIPE, Face.PLAIN),
        ({}, None, Terminal(), Face.PLAIN),
        ({}, Terminal(), None, Face.PLAIN),
    ],
)
def test_the_face_fits_the_terminal(environment: dict[str, str], source: Any, out: Any, face: Face) -> None:
    assert pick_face(environment, source, out) is face


def test_without_textual_it_is_the_plain_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminals, "DRAWER", "no_such_package_anywhere")
    assert pick_face({}, Terminal(), Terminal()) is Face.MISSING
    assert pick_face({}, PIPE, Terminal()) is Face.PLAIN


@pytest.fixture(name="opened")
def watch_faces(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Asked]]:
    """Which face was opened, and with which wishes."""
    opened: list[tuple[str, Asked]] = []

    def note(name: str) -> Any:
        def run(asked: Asked, *others: object) -> int:
            opened.append((name, asked))
            return 0

        return run

    monkeypatch.setattr(play, "run_terminal", note("terminal"))
    monkeypatch.setattr(play, "run_plain", note("plain"))
    for name in ("TERM", "TALEWRIGHT_FACE"):
        monkeypatch.delenv(name, raising=False)
    return opened


def type_in(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """Type a command at a terminal."""
    with monkeypatch.context() as here:
        here.setattr(sys, "stdin", Terminal())
        here.setattr(sys, "stdout", Terminal())
        return main(words)


def test_the_program_alone_opens_the_terminal_face(
    opened: list[tuple[str, Asked]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert type_in(monkeypatch) == 0
    ((face, asked),) = opened
    assert (face, asked.game, asked.model) == ("terminal", "", "")


def test_play_opens_it_with_all_wishes(
    opened: list[tuple[str, Asked]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert type_in(monkeypatch, "play", "mist_harbor", "--language", "en", "--model", "x", "--new") == 0
    ((face, asked),) = opened
    assert (face, asked.game, asked.language, asked.model, asked.new) == (
        "terminal",
        "mist_harbor",
        "en",
        "x",
        True,
    )


def test_the_plain_face_can_be_wished_for(
    opened: list[tuple[str, Asked]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert type_in(monkeypatch, "play", "--plain") == 0
    monkeypatch.setitem(os.environ, "TALEWRIGHT_FACE", "plain")
    assert type_in(monkeypatch, "play") == 0
    assert [face for face, _ in opened] == ["plain", "plain"]
    with pytest.raises(SystemExit) as caught:
        type_in(monkeypatch)
    assert caught.value.code == WRONG_USE


def test_without_textual_it_is_said_how_to_get_it(
    opened: list[tuple[str, Asked]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminals, "DRAWER", "no_such_package_anywhere")
    assert type_in(monkeypatch, "play") == 0
    assert capsys.readouterr().err == f"{HOW_TO_DRAW}\n"
    assert type_in(monkeypatch, "play", "--plain") == 0
    assert capsys.readouterr().err == ""
    assert [face for face, _ in opened] == ["plain", "plain"]
