"""The interfaces in a pseudo-language: no word of theirs stands in the code, and longer ones fit.

The games are told in Chinese letters, and no letter of the pseudo-language is a plain one. A word in plain
letters is then the name of something (a key, a command, a file), or it has been forgotten.
"""

import asyncio
import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from talewright.bootstrap import installed_systems, open_lobby
from talewright.common.word_catalogues import interface_languages, native_name
from talewright.faces.plain.app import PlainStartRequest, run_plain_face
from talewright.faces.plain.plain_words import words_for
from talewright.play.model_choices import ModelChoice
from tests.faces.http.fake_models import FakeModels
from tests.faces.http.serving import SECRET
from tests.faces.plain.tables import Table
from tests.faces.tui import scenery
from tests.faces.tui.camera import hold_still, read, see
from tests.faces.tui.snapshots import TOURS
from tests.faces.tui.tours.album import Album
from tests.faces.web.history.test_history_pages import fields_of, find_turn, play
from tests.faces.web.visiting import PageTree, PageVisitor, visit
from tests.pseudo_language import CHINESE, CLOSING, OPENING, PSEUDO, copy_games, distort, with_pseudo_language
from tools.catalogues import read_catalogue, texts_of

WORD: Final = re.compile(r"[A-Za-z][A-Za-z_]+")
"""In plain letters; a single letter is a key."""

DIGITS: Final = re.compile(r"\b[0-9a-f]{16,}\b")

KEYS: Final = ("Enter", "Esc", "Tab", "Space", "Del", "PgUp", "PgDn", "ctrl")
NAMES: Final = (
    *("English", "Ollama", "OpenAI", "DeepSeek", "llama", "deepseek", "flash", "qwen", "gpt", "mini"),
    *(
        "DEEPSEEK_API_KEY",
        "cha(pel)?",
        "damag(ed)?",
        "night",
        "shift",
        "main",
        "ended",
        "before",
        "the",
        "crane",
    ),
    *("nowhere", "json", "md"),
)
"""Of models, campaigns and files, as the tours call them; some are cut off by a box over them."""

FOREIGN: Final = ("inspector", "import_trouble", "setup_kept")
"""Screens with words that are not the interface's: prompts and records, the message of an error, a fake's."""

PAGE_NAMES: Final = (
    "Talewright",
    "English",
    "main",
    "aside",
    "Home",
    "home",
    "mist_harbor",
    "talewright",
    "receipt",
)


@pytest.fixture(scope="module", autouse=True)
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[scenery.SmallShelf]:
    """The pseudo-language, and games told in Chinese letters under its tag."""
    root = tmp_path_factory.mktemp("pseudo")
    games = copy_games(root, *scenery.SHOWN_GAMES)
    with with_pseudo_language(root):
        yield scenery.SmallShelf((games,), root / "cache", installed_systems, PSEUDO)


def plain_words(text: str, *known: str) -> set[str]:
    """The words in plain letters, besides those that are known to be names, and the digits of receipts."""
    return {
        word
        for word in WORD.findall(DIGITS.sub("", text))
        if not any(re.fullmatch(name, word) for name in known)
    }


def find_plain(shown: Mapping[str, str], *known: str) -> dict[str, set[str]]:
    """The same for each of several screens or pages; only those that have such words."""
    found = {name: plain_words(text, *known) for name, text in shown.items()}
    return {name: words for name, words in found.items() if words}


def test_a_folder_is_a_language() -> None:
    assert interface_languages() == ("en", PSEUDO, CHINESE)
    assert native_name(PSEUDO) == distort("English")
    assert distort("Turn {version} of 20") == "⟦Ţûŕñ {version} öƒ 20 ôô⟧"


def test_the_plain_interface(tmp_path: Path, shelf: scenery.SmallShelf) -> None:
    typed = (
        "/help /cards /look /history 1 2 /why /why:1 /save:pier /load:nowhere /load:pier /undo /undo /retry"
    )
    typed += " /language /language:xx /nonsense /undo:x 99 1 2 3 1 2 /quit"
    table = Table(*(line.replace(":", " ") for line in typed.split()), words=words_for(PSEUDO))
    lobby = open_lobby(tmp_path, shelf=shelf, git=False, language=PSEUDO, secret=SECRET)
    wishes = PlainStartRequest(game="mist_harbor", language=PSEUDO, place="saves")
    assert asyncio.run(run_plain_face(lobby, wishes, table)) == 0
    shown = table.out.getvalue()
    assert shown.count(OPENING) == shown.count(CLOSING) > 100
    known = "mist_harbor|mist|harbor|saves|pier|en|zh|CN|XA|xx|nonsense|nowhere|undo|help|talewright|receipt"
    assert plain_words(shown, known) == set()


class PseudoAlbum(Album):
    """What stood on the screens of a tour, as text."""

    def __init__(self) -> None:
        super().__init__(PSEUDO)
        self.interface = {
            text
            for file in (Path(scenery.__file__).parents[3] / "src/talewright/locales" / CHINESE).glob("*.po")
            for message in read_catalogue(file)
            for text in texts_of(message)
        }

    @property
    def is_chinese(self) -> bool:
        """So are the games."""
        return True

    def pick(self, english: str, chinese: str) -> str:
        """Chinese, unless it is a word of the interface."""
        return OPENING if chinese in self.interface else chinese

    async def add(self, pilot: Pilot[Any], name: str, *words: str) -> None:
        """Keep the text of a screen, of which every row fits."""
        await see(pilot, *(OPENING if word in self.interface else word for word in words))
        await hold_still(pilot)
        shown = read(pilot.app)
        assert max(map(cell_len, shown.split("\n"))) <= pilot.app.size.width, name
        self.pictures[name] = shown


@pytest.mark.slow
@pytest.mark.parametrize("tour", [name for name in TOURS if name != "fight"])
def test_the_screens(tour: str, shelf: scenery.SmallShelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenery, "open_small_shelf", lambda language: shelf)
    album = PseudoAlbum()
    asyncio.run(TOURS[tour](album))
    assert album.pictures
    shown = {name: text for name, text in album.pictures.items() if not name.startswith(FOREIGN)}
    assert find_plain(shown, *KEYS, *NAMES) == {}


class VisibleText(HTMLParser):
    """What a reader of a page sees or hears."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._hidden = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in ("script", "style", "template")
        self.parts += [
            value or "" for name, value in attrs if name in ("aria-label", "title", "alt", "placeholder")
        ]

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("script", "style", "template")

    def handle_data(self, data: str) -> None:
        self.parts += [] if self._hidden else [data]


class QuietModels(FakeModels):
    """Models whose words are not the interface's."""

    async def choices(self) -> tuple[ModelChoice, ...]:
        return (ModelChoice("home", "1", "2", "3"),)


@pytest.mark.slow
def test_the_pages(tmp_path: Path, shelf: scenery.SmallShelf) -> None:
    shown: dict[str, str] = {}

    async def look(visitor: PageVisitor) -> None:
        async def show(name: str, path: str) -> PageTree:
            page = await visitor.get(path)
            assert visitor.answer.status_code == (404 if name == "error" else 200), name
            shown[name] = " ".join(VisibleText(visitor.answer.text).parts)
            return page

        await visitor.start("mist_harbor", PSEUDO)
        table = visitor.path
        await play(visitor, table, 3)
        for name in (
            "",
            "/history",
            "/history?every=1",
            "/book",
            "/receipts",
            "/cost",
            "/remove",
            "/cards/suspicion",
        ):
            page = await show(f"table{name}", f"{table}{name}")
            if name == "/receipts":
                await visitor.post(f"{table}/receipts", **fields_of(page, "/receipts"))
        await visitor.post(f"{table}/fork", **await find_fork(visitor, table), name="aside")
        await show("compare", f"{table}/compare?one=main&other=aside")
        await show("receipts again", f"{table}/receipts")
        await show("models", "/models")
        await show("new model", "/models/new?source=home")
        await show("offline", "/offline")
        await show("error", "/play/nowhere")
        await show("lobby", "/")

    lobby = open_lobby(tmp_path, shelf=shelf, git=False, language=PSEUDO, secret=SECRET)
    visit(tmp_path, look, lobby, PSEUDO, models=QuietModels())
    # An error page shows the English message below its sentence.
    error = shown.pop("error")
    assert OPENING in error
    assert find_plain(shown, *PAGE_NAMES) == {}
    for name, text in shown.items():
        assert text.count(OPENING) == text.count(CLOSING) >= 3, name


async def find_fork(visitor: PageVisitor, table: str) -> dict[str, str]:
    """The form that starts a branch at an earlier turn."""
    tree = await visitor.get(f"{table}/history?every=1")
    return fields_of(await visitor.get(find_turn(tree, 1)), "/fork")
