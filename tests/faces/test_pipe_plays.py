"""Every shipped game through a pipe: from the first screen to every ending, in one language or the other.

The program is run as a player runs it; only the secret of the dice is fixed.
"""

import io
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path

import pytest

from talewright import bootstrap
from talewright.cli import main
from talewright.faces.plain.plain_words import words_for
from talewright.pack.user_folders import UserFolders
from talewright.turn.game_editions import Edition
from tests.faces.paths import find_paths
from tests.games.walking import endings_of
from tests.warm_homes import warm

ROOT = Path(__file__).parents[2]
GAMES = sorted(folder.name for folder in (ROOT / "games").iterdir() if (folder / "game.yaml").is_file())
LANGUAGES = ("en", "zh-CN")
SECRET = bytes(range(32))


@pytest.fixture(scope="module", name="home")
def make_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return warm(tmp_path_factory.mktemp("home"))


@pytest.fixture(autouse=True)
def live_there(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TALEWRIGHT_HOME", str(home))
    monkeypatch.setattr(bootstrap, "new_secret", lambda: SECRET)
    return iter(())


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    """Each game in turn: all its tests run one after another, in the process that has searched its paths."""
    return str(request.param)


@pytest.fixture(scope="module")
def edition(game: str, home: Path) -> Edition:
    places = UserFolders(home / "cache", home / "cache", (ROOT / "games",))
    return bootstrap.open_game_library(places).edition(game)


@pytest.fixture(scope="module")
def paths(edition: Edition) -> dict[str, tuple[int, ...]]:
    return find_paths(edition.game, SECRET)


def type_tour(paths: Iterable[tuple[int, ...]]) -> str:
    """Lines that play to one ending, take back what the next one does not share, and go on to that."""
    lines: list[str] = []
    before: tuple[int, ...] = ()
    for path in sorted(paths):
        pairs = zip(before, path, strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if before:
            lines.append(f"/undo {len(before) - shared}")
        lines += map(str, path[shared:])
        before = path
    return "\n".join(lines) + "\n"


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_every_ending_is_reached_through_a_pipe(
    game: str,
    edition: Edition,
    paths: dict[str, tuple[int, ...]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert set(paths) == endings_of(edition.game)
    endings = sorted(paths, key=lambda ending: paths[ending])
    for number, language in enumerate(LANGUAGES):
        share = endings[number :: len(LANGUAGES)] or endings
        texts, words = edition.words(language), words_for(language)
        monkeypatch.setattr(sys, "stdin", io.StringIO(type_tour(paths[ending] for ending in share)))
        assert main(["play", game, "--new", "--no-git", "--language", language]) == 0
        told = capsys.readouterr().out
        assert told.startswith(texts.get("title"))
        for ending in share:
            assert texts.get(f"ending.{ending}").strip() in told
        assert told.count(words.after_end) == len(share)
        assert told.count(words.kept.partition("{")[0]) == 1
        assert not [char for char in told if not char.isprintable() and char != "\n"]
        assert "\n\n\n" not in told
        if language == "en":
            assert not [char for char in told if "\u4e00" <= char <= "\u9fff"]


@pytest.mark.process
def test_the_program_itself_plays_to_an_end(
    game: str, edition: Edition, paths: dict[str, tuple[int, ...]], tmp_path: Path
) -> None:
    ending, typed = min(paths.items(), key=lambda found: len(found[1]))
    language = LANGUAGES[GAMES.index(game) % len(LANGUAGES)]
    program = (
        "import sys, talewright.bootstrap as bootstrap\n"
        f"bootstrap.new_secret = lambda: {SECRET!r}\n"
        "from talewright.cli import main\n"
        "raise SystemExit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "play", str(ROOT / "games" / game), "--language", language],
        input="".join(f"{number}\n" for number in typed),
        env={**os.environ, "TALEWRIGHT_HOME": str(warm(tmp_path)), "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=tmp_path,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert edition.words(language).get(f"ending.{ending}").strip() in done.stdout
    assert done.stdout.endswith(f"talewright play --campaign {game}-1\n")
    assert (tmp_path / "saves" / f"{game}-1" / "chronicle.jsonl").is_file()
