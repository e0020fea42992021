"""Page templates: Jinja2 with autoescape, the headers of every page, and the text filters.

Everything that is not a template's own markup is escaped. A template never marks text as safe.
"""

import re
from datetime import datetime
from functools import cache, partial
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from talewright.common.json_values import write_number
from talewright.common.safe_text import PLAIN_FACE_TEXT, make_safe
from talewright.common.word_catalogues import interface_languages, native_name
from talewright.faces.web import panel_drawings
from talewright.faces.web.cover_bands import draw_band
from talewright.faces.web.display_choices import DisplayChoices
from talewright.faces.web.game_covers import draw_cover
from talewright.faces.web.history.past_page_words import past_page_words
from talewright.faces.web.history.tree_drawing import lane_of
from talewright.faces.web.palettes import palettes_path, read_game_palette
from talewright.faces.web.static_files import find_page_files
from talewright.faces.web.web_words import WebWords
from talewright.play.presentation.choice_wording import find_named_choice
from talewright.play.presentation.fights.fight_wording import fold_rolls, tell_folded
from talewright.play.presentation.roll_chances import percent
from talewright.play.presentation.words.player_messages import is_on_host

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types talewright-worker"
)
"""Only our own files; no script may turn text into markup, and only one may start the service worker."""

PAGE_HEADERS = {
    "Content-Security-Policy": PAGE_POLICY,
    "Cache-Control": "no-store",
    # Without a referrer, browsers send forms with the origin `null`, which the guards refuse.
    "Referrer-Policy": "same-origin",
}

WRITTEN_ARROW = " -> "
DRAWN_ARROW = " → "

EMPHASIS = re.compile(r"(\*{1,3})(?=[^\s*])([^*\n]*[^\s*])\1(?!\*)")
"""Words between asterisks, as models and authors mark them."""

QUOTE_MARK = re.compile(r"^> ?", re.MULTILINE)
"""What Markdown puts before every line of a quotation."""

_CLAUSE_END = re.compile("(?<=[,;，；、]) *")

_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")


def split_paragraphs(text: str) -> list[str]:
    """The paragraphs of a narration; single line breaks stay in them."""
    return [one for one in _BLANK_LINES.split(clean_page_text(text).strip()) if one.strip()]


def split_emphasis(text: str) -> list[tuple[str, bool]]:
    """The pieces of a paragraph, and whether each is emphasized; other asterisks stay."""
    pieces, at = [], 0
    for found in EMPHASIS.finditer(text):
        pieces += [(text[at : found.start()], False), (found[2], True)]
        at = found.end()
    return [piece for piece in [*pieces, (text[at:], False)] if piece[0]]


def read_quotation(paragraph: str) -> tuple[str, bool]:
    """A paragraph without the marks of a quotation, and whether it is one."""
    is_quoted = paragraph.startswith(">")
    return (QUOTE_MARK.sub("", paragraph) if is_quoted else paragraph), is_quoted


def split_clauses(sentence: str) -> list[str]:
    """The clauses of a sentence, each with the comma behind it: where a large line may break."""
    return [one for one in _CLAUSE_END.split(sentence) if one]


def tell_local_time(at: str) -> str:
    """A recorded time in the local time zone; the text itself if it is not a time."""
    try:
        then = datetime.fromisoformat(at)
    except ValueError:
        return at
    return then.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def clean_page_text(text: str) -> str:
    """A text without control characters, which have no place on a page."""
    return make_safe(text, PLAIN_FACE_TEXT)


def draw_arrows(text: str) -> str:
    """A change with a real arrow between its values."""
    return text.replace(WRITTEN_ARROW, DRAWN_ARROW)


@cache
def page_environment() -> Environment:
    """The templates, compiled once."""
    made = Environment(
        loader=PackageLoader("talewright.faces.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Applied to every expression, so that none can be forgotten.
        finalize=lambda value: clean_page_text(value) if type(value) is str else value,
    )
    made.filters["paragraphs"] = split_paragraphs
    made.filters["emphasis"] = split_emphasis
    made.filters["clauses"] = split_clauses
    made.filters["quotation"] = read_quotation
    made.filters["local_time"] = tell_local_time
    made.filters["arrows"] = draw_arrows
    made.filters["variable_path"] = partial(quote, safe="", errors="replace")
    made.filters["number"] = write_number
    made.filters["percent"] = percent
    made.globals["fill_share"] = panel_drawings.fill_share
    made.globals["make_dots"] = panel_drawings.make_dots
    made.globals["draw_trail"] = panel_drawings.draw_trail
    made.globals["draw_part"] = panel_drawings.draw_part
    made.globals["pad_rows"] = panel_drawings.pad_rows
    made.globals["draw_strip"] = panel_drawings.draw_strip
    made.globals["place_on_arc"] = panel_drawings.place_on_arc
    made.globals["find_named_choice"] = find_named_choice
    made.globals["fold_rolls"] = fold_rolls
    made.globals["tell_folded"] = tell_folded
    made.globals["draw_cover"] = draw_cover
    made.globals["draw_band"] = draw_band
    made.globals["read_game_palette"] = read_game_palette
    made.globals["palettes_path"] = palettes_path
    made.globals["lane_of"] = lane_of
    made.globals["page_languages"] = {tag: native_name(tag) for tag in interface_languages()}
    return made


def render_page(
    template: str,
    words: WebWords,
    display: DisplayChoices,
    path: str,
    *,
    status: int = 200,
    **values: Any,
) -> Response:
    """A page; `path` is its own address, so that a form can return to it."""
    files = f"/static/{find_page_files().digest}"
    text = page_environment().get_template(template)
    past = past_page_words(words.language)
    shared = {"words": words, "past": past, "display": display, "path": path, "files": files}
    # Players on a host cannot run the commands that some words name.
    made = text.render(**shared, has_commands=not is_on_host(), **values)
    # A lone surrogate has no form in UTF-8.
    return HTMLResponse(made.encode("utf-8", "replace"), status, PAGE_HEADERS)
