"""Templates: whatever comes from a game, a model or a player stays text, in every place of every page."""

import time
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from talewright.faces.web.display_choices import DisplayChoices
from talewright.faces.web.page_templates import (
    PAGE_POLICY,
    page_environment,
    read_quotation,
    render_page,
    split_emphasis,
    split_paragraphs,
    tell_local_time,
)
from talewright.faces.web.static_files import find_page_files
from talewright.faces.web.table_page import TableContent
from talewright.faces.web.web_words import WebWords, web_words
from talewright.play.campaign_view import (
    CardView,
    ChanceView,
    ChangeView,
    ChoiceView,
    DecisionView,
    EndView,
    PanelView,
    PartKind,
    PartView,
    RollView,
    StatusView,
    TurnView,
    View,
    Viewer,
)
from tests.faces.web.visiting import PageTree

ENGLISH = web_words("en")
CHINESE = web_words("zh-CN")

OWN_BYTES_MAX = 110 * 1024
"""Styles and scripts."""

FONT_BYTES_MAX = 70 * 1024

SINKS = (b"innerHTML", b"outerHTML", b"insertAdjacentHTML", b"eval(", b"Function(", b"document.write")

PAYLOADS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onfocus='alert(1)' autofocus='",
    "</textarea></title></svg><svg onload=alert(1)>",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "{{ 7*7 }}{% raw %}<style>*{display:none}</style>",
    "&lt;script&gt;&#60;img&#62;",
    "\x00<\x1bs\u202ecript\x9b>\ud800",
    "<!--<script>--><base href=//evil.example>",
)


def test_our_own_files_are_small() -> None:
    contents = find_page_files().contents
    fonts = [data for name, data in contents.items() if name.endswith(".woff2")]
    assert len(fonts) == 3
    assert sum(map(len, fonts)) <= FONT_BYTES_MAX
    assert sum(map(len, contents.values())) - sum(map(len, fonts)) <= OWN_BYTES_MAX


def test_comments_are_not_sent() -> None:
    sent = find_page_files().contents
    assert all(b"/*" not in data for name, data in sent.items() if name.endswith(".css"))
    lines = [line for name, data in sent.items() if name.endswith(".js") for line in data.splitlines()]
    assert lines
    assert [line for line in lines if line[:1].isspace() or line.startswith(b"//")] == []


def test_scripts_never_turn_text_into_markup() -> None:
    assert "require-trusted-types-for 'script'" in PAGE_POLICY
    for name, data in find_page_files().contents.items():
        for sink in (
            b"innerHTML",
            b"outerHTML",
            b"insertAdjacentHTML",
            b"eval(",
            b"Function(",
            b"document.write",
        ):
            assert sink not in data, (name, sink)


def poison(value: Any, text: str) -> Any:
    """A value with a text in place of every text in it, but for those that choose how it is drawn."""
    if type(value) is str:
        return text
    if type(value) is tuple:
        return tuple(poison(one, text) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        changed: dict[str, Any] = {
            field.name: poison(getattr(value, field.name), text) for field in fields(value)
        }
        return replace(value, **changed)
    return value


def make_view() -> View:
    """A view with something in every place."""
    roll = RollView("x", 7, "2d6", (3, 4), "x", False, ChanceView((6, 7), (0.4, 0.6), ("x", "x"), 0.6, "x"))
    turn = TurnView(
        "c",
        2,
        "x",
        "x\n\nx",
        (roll, replace(roll, late=True)),
        (ChangeView("x", "x"),),
        ("x",),
        ("x",),
        3,
        "x",
    )
    parts = tuple(
        PartView(
            kind,
            "x",
            ("x", "x"),
            2,
            3,
            (1, 2),
            (("x", "x"), ("x", "x")),
            has_head=kind is PartKind.TABLE,
            current=0,
            spots=((0, 0), (1, 0)),
            levels=((1, 2), None),
            links=((0, 1),),
        )
        for kind in PartKind
    )
    return View(
        campaign="x",
        game="x",
        title="x",
        language="en",
        viewer=Viewer.PLAYER,
        branch="x",
        head="x",
        version=2,
        turn=turn,
        status=(StatusView("x", "x", "x", True, 1, 0, 2),),
        cards=(CardView("x", "x", "x", ("x",), "x", "x", 1, 0, 2, True), CardView("x", "x", "x", ("x", "x"))),
        panels=(PanelView("x", "x", ("x",), parts), PanelView("x", "x", ("x",))),
        choices=(ChoiceView("x", "x", "x", "high"),),
        decisions=(DecisionView("x", "x", ("x",), (("x", "x"),), True),),
        branches=("x", "x"),
        unfinished="x",
        notices=("x",),
    )


def render_table(view: View, words: WebWords, text: str) -> PageTree:
    turns = (view.turn,) if view.turn is not None else ()
    table = TableContent(view, turns, 1, "op", message=text, text=text)
    answer = render_page("table.html", words, DisplayChoices(), "/play/x", table=table, view=view)
    return PageTree(bytes(answer.body).decode())


def shape(page: PageTree) -> list[tuple[str, tuple[str, ...]]]:
    """The tags and the names of their attributes, but for lines of a drawing and emphasis by asterisks."""
    return [(tag, tuple(given)) for tag, given in page.tags if tag not in ("text", "em")]


@pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=["en", "zh-CN"])
@pytest.mark.parametrize("text", PAYLOADS)
def test_hostile_text_stays_text(text: str, words: WebWords) -> None:
    plain = make_view()
    for given in (plain, replace(plain, decisions=(), choices=(), unfinished="", end=EndView("x", "lose"))):
        page = render_table(poison(given, text), words, text)
        assert shape(page) == shape(render_table(poison(given, "harmless"), words, "harmless"))
        for tag, attributes in page.tags:
            for name in ("href", "src", "action"):
                assert attributes.get(name, "/").startswith(("/", "#")), (tag, attributes)


def test_controls_and_lone_surrogates_do_not_reach_a_page() -> None:
    text = PAYLOADS[8]
    view = poison(make_view(), text)
    table = TableContent(view, (), 1, "op", message=text)
    body = bytes(
        render_page("table.html", ENGLISH, DisplayChoices(), "/", table=table, view=view).body
    ).decode()
    assert not set(body) & set("\x00\x1b\u202e\x9b\ud800")


def test_paragraphs() -> None:
    assert split_paragraphs("\none\ntwo\n \n\nthree\n") == ["one\ntwo", "three"]
    assert split_paragraphs(" \n\n ") == []


def test_emphasis() -> None:
    assert split_emphasis("At *both*, he **stops**.") == [
        ("At ", False),
        ("both", True),
        (", he ", False),
        ("stops", True),
        (".", False),
    ]
    for literal in ("2 * 3 * 4", "a *b", "**", "* one *", "*a\nb*"):
        assert split_emphasis(literal) == [(literal, False)]
    assert split_emphasis("念到*两家守一日*，") == [("念到", False), ("两家守一日", True), ("，", False)]
    assert split_emphasis("*" * 50_000) == [("*" * 50_000, False)]


def test_every_word_is_in_both_languages() -> None:
    for field in fields(WebWords):
        english, chinese = getattr(ENGLISH, field.name), getattr(CHINESE, field.name)
        assert type(english) is type(chinese), field.name
        assert bool(english) == bool(chinese), field.name
        if isinstance(english, str):
            assert english.count("{") == chinese.count("{"), field.name
        else:
            assert len(english) == len(chinese), field.name


def test_quotations() -> None:
    assert read_quotation("> Keep left.\n>Keep *quiet*.") == ("Keep left.\nKeep *quiet*.", True)
    assert read_quotation("5 > 3") == ("5 > 3", False)
    page = page_environment().from_string(
        '{% import "parts.html" as parts %}{{ parts.narration(text, "en") }}'
    )
    drawn = page.render(text="She reads:\n\n> Keep *left*.\n> <b>Quiet</b>.\n\nThen nothing.")
    assert '<p class="quote">Keep <em>left</em>.\n&lt;b&gt;Quiet&lt;/b&gt;.</p>' in drawn
    assert "<p>Then nothing.</p>" in drawn


def test_times_are_those_of_the_clocks_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    try:
        assert tell_local_time("2026-01-01T20:30:05Z") == "2026-01-02 04:30:05"
        assert tell_local_time("long ago") == "long ago"
    finally:
        monkeypatch.undo()
        time.tzset()
