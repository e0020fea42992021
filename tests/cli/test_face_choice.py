"""Which face is opened: the terminal's where somebody sits at one, the plain one everywhere else."""

import io
import os
import sys
from typing import Any

import pytest

from talewright.bootstrap.splash import PlayCommandOptions
from talewright.cli import HOW_TO_BEGIN, WRONG_USE, face_choice, main, play_command
from talewright.cli.face_choice import HOW_TO_DRAW, FaceChoice, pick_face
from tests.cli.desk import Terminal

PIPE = io.StringIO()


@pytest.mark.parametrize(
    ("environment", "source", "out", "face"),
    [
        ({}, Terminal(), Terminal(), FaceChoice.TERMINAL),
        ({"TERM": "xterm-256color", "TALEWRIGHT_FACE": ""}, Terminal(), Terminal(), FaceChoice.TERMINAL),
        ({"TALEWRIGHT_FACE": "other"}, Terminal(), Terminal(), FaceChoice.TERMINAL),
        ({"TALEWRIGHT_FACE": " Plain "}, Terminal(), Terminal(), FaceChoice.PLAIN),
        ({"TERM": "dumb"}, Terminal(), Terminal(), FaceChoice.PLAIN),
        ({}, PIPE, Terminal(), FaceChoice.PLAIN),
        ({}, Terminal(), PIPE, FaceChoice.PLAIN),
        ({}, None, Terminal(), FaceChoice.PLAIN),
        ({}, Terminal(), None, FaceChoice.PLAIN),
    ],
)
def test_the_face_fits_the_terminal(
    environment: dict[str, str], source: Any, out: Any, face: FaceChoice
) -> None:
    assert pick_face(environment, source, out) is face


def test_without_textual_it_is_the_plain_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(face_choice, "DRAWER", "no_such_package_anywhere")
    assert pick_face({}, Terminal(), Terminal()) is FaceChoice.MISSING
    assert pick_face({}, PIPE, Terminal()) is FaceChoice.PLAIN


@pytest.fixture(name="opened")
def watch_faces(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, PlayCommandOptions]]:
    """Which face was opened, and with which wishes."""
    opened: list[tuple[str, PlayCommandOptions]] = []

    def note(name: str) -> Any:
        def run(asked: PlayCommandOptions, *others: object) -> int:
            opened.append((name, asked))
            return 0

        return run

    monkeypatch.setattr(play_command, "run_terminal", note("terminal"))
    monkeypatch.setattr(play_command, "run_plain", note("plain"))
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
    opened: list[tuple[str, PlayCommandOptions]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert type_in(monkeypatch) == 0
    ((face, asked),) = opened
    assert (face, asked.game, asked.model) == ("terminal", "", "")


def test_play_opens_it_with_all_wishes(
    opened: list[tuple[str, PlayCommandOptions]], monkeypatch: pytest.MonkeyPatch
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
    opened: list[tuple[str, PlayCommandOptions]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert type_in(monkeypatch, "play", "--plain") == 0
    monkeypatch.setitem(os.environ, "TALEWRIGHT_FACE", "plain")
    assert type_in(monkeypatch, "play") == 0
    assert [face for face, _ in opened] == ["plain", "plain"]
    assert type_in(monkeypatch) == WRONG_USE


def test_without_textual_it_is_said_how_to_get_it(
    opened: list[tuple[str, PlayCommandOptions]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(face_choice, "DRAWER", "no_such_package_anywhere")
    assert type_in(monkeypatch, "play") == 0
    assert capsys.readouterr().err == f"{HOW_TO_DRAW}\n"
    assert type_in(monkeypatch, "play", "--plain") == 0
    assert capsys.readouterr().err == ""
    assert [face for face, _ in opened] == ["plain", "plain"]


def test_the_program_alone_without_textual_says_what_to_do(
    opened: list[tuple[str, PlayCommandOptions]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([]) == WRONG_USE
    assert capsys.readouterr().err == f"{HOW_TO_BEGIN}\n"
    monkeypatch.setattr(face_choice, "DRAWER", "no_such_package_anywhere")
    for told in (type_in(monkeypatch), main([])):
        assert told == WRONG_USE
    assert capsys.readouterr().err == f"{HOW_TO_BEGIN}\n{HOW_TO_DRAW}\n" * 2
    assert "talewright play" in HOW_TO_BEGIN
    assert opened == []
