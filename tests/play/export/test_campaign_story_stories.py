"""Stories: what a reader reads, in every format, in both languages, and nothing else."""

import asyncio
import io
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from zipfile import ZIP_STORED, ZipFile

import pytest

from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.story.triggers import Event
from talewright.play.export.campaign_story import CHAPTER_TURNS, ExportedStory, StoryPassage, tell_story
from talewright.play.export.epub_story import to_epub
from talewright.play.export.html_story import to_html
from talewright.play.export.markdown_story import escape, to_markdown
from talewright.play.history.campaign_history import find_turn, read_history
from talewright.play.playable_games import PinnedGames
from talewright.turn.records.commit_body import GameEnd
from tests.play.history.tiny import DEEP, EDITIONS, HIDDEN, begin_tiny, gain, pay, take

HOSTILE = "<script>alert(1)</script> & ![x](http://e.org/a.png) <img src=x onerror=y> \x1b[2J"


async def told(
    language: str = "en", turns: int = 2, end: GameEnd | None = None, until: str = ""
) -> ExportedStory:
    scribe = await begin_tiny(language)
    await take(
        scribe, "", narration="# Night\n\nIt *rains*.\nHard.\n\n- a rope\n- a **lamp**\n\n***\n\n> Go!"
    )
    for number in range(turns - 1):
        await take(scribe, f"go <{number}>", gain(1), pay(1), narration=HOSTILE, roll=True)
    await take(
        scribe,
        "look",
        Update(Op.SET, "plot", HIDDEN + " twice"),
        cause="scene:x",
        narration="You see nothing.",
        end=end,
        more={"facts": (HIDDEN,), "exchanges": ({"text": DEEP},)},
    )
    history = await read_history(scribe.book)
    games = PinnedGames(scribe.book, EDITIONS)
    return await tell_story(games, history, find_turn(history, until) if until else None)


def story(language: str = "en", turns: int = 2, end: GameEnd | None = None, until: str = "") -> ExportedStory:
    return asyncio.run(told(language, turns, end, until))


def test_story_holds_what_was_said_and_told() -> None:
    found = story()
    assert (found.title, found.language, found.campaign) == ("The Tiny <Game>", "en", "first")
    assert [passage.said for passage in found.passages] == ["", "go <0>", "look"]
    assert found.outcome == ""
    assert found.closing == ("The story goes on.",)
    assert [len(passage.blocks) for passage in found.passages] == [6, 1, 1]
    assert [passage.said for passage in story(until="1").passages] == [""]


@pytest.mark.parametrize(
    ("language", "outcome", "closing"),
    [
        ("en", "win", ("The End", "The game was won.")),
        ("en", "lose", ("The End", "The game was lost.")),
        ("zh-CN", "win", ("终", "这一局，你赢了。")),
        ("zh-CN", "", ("故事未完。",)),
    ],
)
def test_story_closes_in_its_language(language: str, outcome: str, closing: tuple[str, ...]) -> None:
    found = story(language, end=GameEnd("done", outcome) if outcome else None)
    assert found.closing == closing
    assert found.title == {"en": "The Tiny <Game>", "zh-CN": "小游戏"}[language]


def test_markdown_is_exact() -> None:
    assert to_markdown(story()) == "\n".join(
        [
            "# The Tiny \\<Game\\>",
            "",
            "### Night",
            "",
            "It *rains*.  ",
            "Hard.",
            "",
            "- a rope",
            "",
            "- a **lamp**",
            "",
            "* * *",
            "",
            "> Go\\!",
            "",
            "*A bell rings.*",
            "",
            "> **go \\<0\\>**",
            "",
            "*Dice: d6 (1) = 1*",
            "",
            "\\<script\\>alert(1)\\</script\\> \\& \\!\\[x\\](http://e.org/a.png) "
            "\\<img src=x onerror=y\\> \\[2J",
            "",
            "*A bell rings.*",
            "",
            "> **look**",
            "",
            "You see nothing.",
            "",
            "*A bell rings.*",
            "",
            "---",
            "",
            "*The story goes on.*",
            "",
        ]
    )


@pytest.mark.parametrize(
    ("text", "escaped"),
    [("1. go", "1\\. go"), ("- go", "\\- go"), ("+ go", "\\+ go"), ("a - b", "a - b"), ("12) x", "12\\) x")],
)
def test_markdown_openers_are_only_words(text: str, escaped: str) -> None:
    assert escape(text) == escaped


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_html_stands_alone_and_runs_nothing(language: str) -> None:
    page = to_html(story(language, end=GameEnd("done", "win")))
    parser = Tags()
    parser.feed(page)
    names = {tag for tag, _ in parser.found}
    assert names <= set(
        "html head meta title style body main h1 h2 p em strong ul li hr br blockquote div".split()
    )
    attributes = {name for _, attrs in parser.found for name in attrs}
    assert attributes <= {"lang", "charset", "http-equiv", "content", "name", "class"}
    assert parser.found[0] == ("html", {"lang": language})
    assert "http" not in page.replace("http-equiv", "").replace("http://e.org/a.png", "")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; ![x](http://e.org/a.png)" in page
    assert "\x1b" not in page
    assert (
        "<ul><li>a rope</li><li>a <strong>lamp</strong></li></ul>\n<hr />\n"
        "<blockquote><p>Go!</p></blockquote>" in page
    )
    assert '<blockquote class="said"><p>go &lt;0&gt;</p></blockquote>' in page
    dice = {"en": "Dice: d6 (1) = 1", "zh-CN": "掷骰：d6 (1) = 1"}[language]
    assert f'<div class="note"><p>{dice}</p></div>' in page
    assert page.count('<div class="note"><p>A bell rings.</p></div>') == 2
    assert "<p>It <em>rains</em>.<br />Hard.</p>" in page
    assert "url(" not in page
    assert "@import" not in page


def test_epub_is_a_book_with_the_same_bytes_every_time() -> None:
    found = story(turns=2 * CHAPTER_TURNS, end=GameEnd("done", "lose"))
    data = to_epub(found)
    assert data == to_epub(found)
    with ZipFile(io.BytesIO(data)) as book:
        assert book.testzip() is None
        first = book.infolist()[0]
        assert (first.filename, first.compress_type, first.extra) == ("mimetype", ZIP_STORED, b"")
        # A reader looks for these bytes at this place, before it unpacks anything.
        assert data[30:58] == b"mimetypeapplication/epub+zip"
        names = book.namelist()
        pages = [f"EPUB/chapter-{number}.xhtml" for number in (1, 2, 3)]
        assert names == [
            "mimetype",
            "META-INF/container.xml",
            "EPUB/content.opf",
            "EPUB/nav.xhtml",
            "EPUB/style.css",
            *pages,
        ]
        trees = {
            name: ET.fromstring(book.read(name)) for name in names if name.endswith(("xml", "opf", "xhtml"))
        }
        text = "".join(book.read(name).decode() for name in names)
    assert HIDDEN not in text
    assert DEEP not in text
    opf, xhtml = "{http://www.idpf.org/2007/opf}", "{http://www.w3.org/1999/xhtml}"
    package = trees["EPUB/content.opf"]
    manifest = {item.get("id"): item.get("href") for item in package.iter(f"{opf}item")}
    assert [manifest[str(item.get("idref"))] for item in package.iter(f"{opf}itemref")] == [
        page.removeprefix("EPUB/") for page in pages
    ]
    assert {f"EPUB/{href}" for href in manifest.values()} == set(names[3:])
    links = [(link.get("href"), link.text) for link in trees["EPUB/nav.xhtml"].iter(f"{xhtml}a")]
    assert links == [(f"chapter-{n}.xhtml", f"Chapter {n}") for n in (1, 2, 3)]
    assert trees[pages[0]].get("lang") == "en"
    assert "The End" in "".join(trees[pages[2]].itertext())
    assert not any(list(tree.iter(f"{xhtml}script")) for tree in trees.values())


def test_epub_of_one_chapter_and_of_none() -> None:
    for found in (story("zh-CN"), ExportedStory("T", "zh-CN", "c", "no time", "id", ())):
        with ZipFile(io.BytesIO(to_epub(found))) as book:
            names = [name for name in book.namelist() if "chapter" in name]
            assert names == ["EPUB/chapter-1.xhtml"]
            nav = book.read("EPUB/nav.xhtml").decode()
            assert f'<li><a href="chapter-1.xhtml">{found.title}</a></li>' in nav
            assert "<h1>目录</h1>" in nav
            assert "第" not in book.read(names[0]).decode()
            package = book.read("EPUB/content.opf").decode()
        moment = "1980-01-01T00:00:00Z" if found.at == "no time" else found.at
        assert f'<meta property="dcterms:modified">{moment}</meta>' in package


def test_nothing_hidden_is_in_any_format() -> None:
    found = story(end=GameEnd("done", "win"))
    for text in (to_markdown(found), to_html(found)):
        assert HIDDEN not in text
        assert DEEP not in text


def test_late_dice_stand_after_the_story_and_what_is_hidden_is_left_out() -> None:
    async def go() -> ExportedStory:
        scribe = await begin_tiny()
        dice = ({"kind": "roll", "text": "d6 (2) = 2", "total": 2}, {"kind": "call", "text": "d4 (3) = 3"})
        hidden = {"kind": "call", "text": HIDDEN, "hidden": True}
        events = (Event("info", "event.bell", "trigger:bell"), Event("mechanics.note", HIDDEN, "model"))
        await take(scribe, "look", more={"rolls": (*dice, hidden), "events": events})
        return await tell_story(PinnedGames(scribe.book, EDITIONS), await read_history(scribe.book))

    (passage,) = asyncio.run(go()).passages
    assert passage.dice == ("Dice: d6 (2) = 2",)
    assert passage.events == ("Dice: d4 (3) = 3", "A bell rings.")


def test_nothing_that_stands_in_a_story_is_markup() -> None:
    bad = "<b>&amp;*x*"
    story = ExportedStory(bad, bad, bad, bad, "c0", (StoryPassage(bad, (), (bad,), (bad,)),), "win")
    assert "<b>" not in to_html(story)
    assert "<b>" not in to_markdown(story).replace("\\<b\\>", "")
