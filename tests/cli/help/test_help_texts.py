"""The help of every command and subcommand: it fits a terminal, and its examples work in an empty folder."""

import argparse
import io
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from talewright.cli import find_reports, main, make_overview, make_parser
from tests.cli.desk import settle

PARSERS = make_parser()
"""The parsers of all commands."""

NOT_RUN = {
    "serve": "it runs until it is stopped",
    "worker": "it runs until it is stopped",
    "mcp --game mist_harbor --http": "it runs until it is stopped",
    "setup": "it asks a model",
    "models probe": "it asks a model",
    "exam": "it asks a model",
    "saves push": "it needs a host",
    "saves pull": "it needs a host",
    "admin": "it needs a host",
}
"""How examples start that are only parsed, each with the reason."""

WITH_GIT = ("talewright play mist_harbor --new", "talewright undo", "talewright fork", "talewright doctor")
"""How examples start that start git: they write to a campaign, or ask git for its version."""

EARLIER = {"saves import harbor.json": "saves export mist_harbor-1 harbor.json"}
"""What must be run before an example."""

TURNS = 13
"""What has been played: the examples name turns up to the twelfth."""

PLAYED = ("dusty_tankard", "goblin_road", "mist_harbor")
"""The games of the campaigns that the examples name; the last one is played last."""


def list_parsers(
    parser: argparse.ArgumentParser, *names: str
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command and subcommand with its parser."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield " ".join((*names, name)), inner
                yield from list_parsers(inner, *names, name)


def list_examples(text: str) -> list[str]:
    """The examples at the end of a help text, without the remarks beside them."""
    examples = re.split(r"^examples?:\n", text, flags=re.MULTILINE)[1]
    return [re.split(r" {2,}", line.strip())[0] for line in examples.splitlines()]


COMMANDS = dict(list_parsers(PARSERS))
EXAMPLES = list(
    dict.fromkeys(
        example
        for parser in (make_overview(find_reports()), *COMMANDS.values())
        for example in list_examples(parser.format_help())
    )
)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_does_and_has_an_example_of_its_own(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = COMMANDS[name].format_help()
    assert COMMANDS[name].description
    assert any(example.startswith(f"talewright {name}") for example in list_examples(text))
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("name", COMMANDS)
def test_every_argument_has_a_help_and_a_placeholder_that_says_what_it_is(name: str) -> None:
    for action in COMMANDS[name]._actions:
        if not isinstance(action, argparse._SubParsersAction):
            assert action.help
        assert action.metavar not in ("WORD", "A", "B", "S")


def test_no_help_shows_the_numbers_of_invariants() -> None:
    assert not any(re.search(r"\bI\d", parser.format_help()) for parser in COMMANDS.values())


@pytest.fixture(scope="module", name="played")
def play_campaigns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of someone who has installed the package and played some games."""
    home = tmp_path_factory.mktemp("played") / "home"
    with pytest.MonkeyPatch.context() as patch:
        settle(home, home.parent, patch)
        for game in PLAYED:
            patch.setattr(sys, "stdin", io.StringIO("1\n" * TURNS))
            assert main(["play", game, "--no-git", "--new", "--language", "en"]) == 0
    return home


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(example, marks=pytest.mark.process if example.startswith(WITH_GIT) else ())
        for example in EXAMPLES
    ],
)
def test_the_examples_work_in_an_empty_folder(
    example: str, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, *words = shlex.split(example)
    assert program == "talewright"
    line = " ".join(words)
    if any(line.startswith(start) for start in NOT_RUN):
        assert PARSERS.parse_args(words).run
        return
    shutil.copytree(played, tmp_path / "home")
    (tmp_path / "empty").mkdir()
    settle(tmp_path / "home", tmp_path / "empty", monkeypatch)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    for earlier in (text for start, text in EARLIER.items() if line.startswith(start)):
        assert main(shlex.split(earlier)) == 0
    assert run_to_its_end(words) == 0


def run_to_its_end(words: list[str]) -> int:
    """The exit code of a command, which may also end by raising SystemExit."""
    try:
        return main(words)
    except SystemExit as ended:
        return int(str(ended.code))


def test_what_is_not_run_or_starts_git_is_shown() -> None:
    starts = [" ".join(shlex.split(example)[1:]) for example in EXAMPLES]
    assert [start for start in NOT_RUN if not any(one.startswith(start) for one in starts)] == []
    assert [start for start in WITH_GIT if not any(one.startswith(start) for one in EXAMPLES)] == []
