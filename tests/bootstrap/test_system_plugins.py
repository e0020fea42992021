"""Bootstrap: systems found by their entry points, and what happens to one that cannot be loaded."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from talewright.bootstrap import installed_systems
from talewright.bootstrap.reports import installed_reports
from talewright.bootstrap.reports.entry_point_files import SYSTEMS_GROUP
from talewright.bootstrap.reports.installed_reports import REPORTS_GROUP
from talewright.bootstrap.system_plugins import load_systems
from talewright.cli import WRONG_USE, main
from talewright.kernel.system import AuthorFiles, Tool
from tests.pack.fault_cases import write_game
from tests.plugs.toll import Toll


@dataclass(frozen=True)
class Entry:
    """What an installed package says of one of its systems."""

    name: str
    load: Callable[[], Callable[[], Toll]]


@pytest.fixture(autouse=True)
def forget_systems() -> Iterator[None]:
    load_systems.cache_clear()
    yield
    load_systems.cache_clear()


def install(
    monkeypatch: pytest.MonkeyPatch, *entries: Entry, reports: Mapping[str, str] | None = None
) -> None:
    """Let these systems be installed, and nothing else; `reports` is what they declare."""

    def find(group: str) -> tuple[Entry, ...]:
        assert group == SYSTEMS_GROUP
        return entries

    def read(groups: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
        assert groups == (SYSTEMS_GROUP, REPORTS_GROUP)
        return {SYSTEMS_GROUP: {entry.name: "" for entry in entries}, REPORTS_GROUP: reports or {}}

    monkeypatch.setattr("importlib.metadata.entry_points", find)
    monkeypatch.setattr(installed_reports, "read_entry_points", read)


@pytest.fixture(name="game")
def make_game(tmp_path: Path) -> str:
    write_game(tmp_path)
    with (tmp_path / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("systems: [toll]\n")
    return str(tmp_path)


def test_an_installed_system_may_be_switched_on(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(monkeypatch, Entry("toll", lambda: Toll))
    assert list(installed_systems()) == ["toll"]
    assert main(["check", game, "--strict"]) == 0
    assert "no faults" in capsys.readouterr().out


def test_a_system_that_is_not_installed_is_a_fault(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(monkeypatch)
    assert main(["check", game]) == 1
    assert "[unknown-system]" in capsys.readouterr().out


def fail(error: Exception) -> Callable[[], Callable[[], Toll]]:
    def load() -> Callable[[], Toll]:
        raise error

    return load


@pytest.mark.parametrize("error", [ImportError("no module named 'river'"), AttributeError("has no 'system'")])
def test_a_system_that_cannot_be_loaded_is_told(
    game: str, error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(monkeypatch, Entry("toll", fail(error)))
    assert main(["check", game]) == WRONG_USE
    message, hint = capsys.readouterr().err.splitlines()
    assert message == f"talewright: the system 'toll' cannot be loaded: {error}"
    assert hint == "Install what it needs, or uninstall the package that provides it."


def test_a_system_has_one_name(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(monkeypatch, Entry("bridge", lambda: Toll))
    settings = Path(game, "game.yaml")
    settings.write_text(settings.read_text("utf-8").replace("[toll]", "[bridge]"), "utf-8")
    assert main(["check", game]) == WRONG_USE
    assert "the system 'bridge' has the name 'toll' in its code" in capsys.readouterr().err


class Careless(Toll):
    """A tool of it asks for something that nobody would look at."""

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        return (Tool("pay", "", {"type": "object", "require": ["coins"]}),)


def test_a_system_whose_schemas_are_not_understood_is_told(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(monkeypatch, Entry("toll", lambda: Careless))
    assert main(["check", game]) == WRONG_USE
    message, hint = capsys.readouterr().err.splitlines()
    assert message.endswith("the keyword 'require' is not understood; did you mean required?")
    assert hint.startswith("Ask its author")
