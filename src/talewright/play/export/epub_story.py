"""EPUB export: the story as an EPUB 3 book; the same story always gives the same bytes.

The book fetches and runs nothing.
"""

import io
import re
from collections.abc import Iterator, Sequence
from html import escape
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from talewright.play.export.campaign_story import ExportedStory, StoryPassage, StoryWord
from talewright.play.export.html_story import CSS, closing_to_html, passages_to_html

_MOMENT = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the book: the earliest that the zip format allows."""

_READABLE = 0o644 << 16

_CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles>
<rootfile full-path="EPUB/content.opf" media-type="application/oebps-package+xml"/>
</rootfiles>
</container>
"""
_PAGE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="{language}" \
xml:lang="{language}">
<head>
<title>{title}</title>
<link rel="stylesheet" type="text/css" href="style.css"/>
</head>
<body>
{body}
</body>
</html>
"""
_SECONDS = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)")
_UNDATED = "1980-01-01T00:00:00"


def to_epub(story: ExportedStory) -> bytes:
    """The whole story as a book."""
    chapters = story.chapters or ((),)
    pages = {f"chapter-{number}.xhtml": _chapter(story, number) for number in range(1, len(chapters) + 1)}
    files = {
        "META-INF/container.xml": _CONTAINER,
        "EPUB/content.opf": _package(story, list(pages)),
        "EPUB/nav.xhtml": _navigation(story, list(pages)),
        "EPUB/style.css": CSS + "\n",
        **{f"EPUB/{name}": page for name, page in pages.items()},
    }
    bound = io.BytesIO()
    with ZipFile(bound, "w") as book:
        # Readers recognize an EPUB by this file: it must be first and uncompressed.
        book.writestr(_entry("mimetype", ZIP_STORED), "application/epub+zip")
        for name, text in files.items():
            book.writestr(_entry(name, ZIP_DEFLATED), text)
    return bound.getvalue()


def _entry(name: str, compression: int) -> ZipInfo:
    entry = ZipInfo(name, _MOMENT)
    entry.compress_type = compression
    # The operating system and permissions in an entry would otherwise differ between systems.
    entry.create_system = 3
    entry.external_attr = _READABLE
    return entry


def _chapter(story: ExportedStory, number: int) -> str:
    chapters: Sequence[Sequence[StoryPassage]] = story.chapters or ((),)
    heading = story.word(StoryWord.CHAPTER, number=number)
    first = [f"<h1>{escape(story.title)}</h1>"] if number == 1 else []
    chaptered = [f"<h2>{escape(heading)}</h2>"] if len(chapters) > 1 else []
    last = closing_to_html(story) if number == len(chapters) else ()
    body = [*first, *chaptered, *passages_to_html(chapters[number - 1]), *last]
    return _page(story, story.title if len(chapters) == 1 else f"{story.title} - {heading}", body)


def _navigation(story: ExportedStory, pages: Sequence[str]) -> str:
    items = "".join(
        f'<li><a href="{page}">{escape(_name(story, number, len(pages)))}</a></li>'
        for number, page in enumerate(pages, 1)
    )
    contents = escape(story.word(StoryWord.CONTENTS))
    body = [f'<nav epub:type="toc" id="toc"><h1>{contents}</h1><ol>{items}</ol></nav>']
    return _page(story, story.word(StoryWord.CONTENTS), body)


def _name(story: ExportedStory, number: int, of: int) -> str:
    return story.title if of == 1 else story.word(StoryWord.CHAPTER, number=number)


def _page(story: ExportedStory, title: str, body: Sequence[str]) -> str:
    return _PAGE.format(language=escape(story.language), title=escape(title), body="\n".join(body))


def _package(story: ExportedStory, pages: Sequence[str]) -> str:
    return "\n".join(_package_lines(story, pages)) + "\n"


def _package_lines(story: ExportedStory, pages: Sequence[str]) -> Iterator[str]:
    language = escape(story.language)
    found = _SECONDS.match(story.at)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" '
        f'xml:lang="{language}">'
    )
    yield '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
    yield f'<dc:identifier id="id">talewright:{escape(story.identity)}</dc:identifier>'
    yield f"<dc:title>{escape(story.title)}</dc:title>"
    yield f"<dc:language>{language}</dc:language>"
    yield f'<meta property="dcterms:modified">{found[1] if found else _UNDATED}Z</meta>'
    yield "</metadata>"
    yield "<manifest>"
    yield '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
    yield '<item id="style" href="style.css" media-type="text/css"/>'
    for number, page in enumerate(pages, 1):
        yield f'<item id="chapter-{number}" href="{page}" media-type="application/xhtml+xml"/>'
    yield "</manifest>"
    yield "<spine>"
    yield from (f'<itemref idref="chapter-{number}"/>' for number in range(1, len(pages) + 1))
    yield "</spine>"
    yield "</package>"
