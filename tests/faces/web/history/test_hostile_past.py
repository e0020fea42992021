"""Hostile text in the past of a campaign stays text on every page for looking back."""

from typing import Any

import pytest

from talewright.faces.web.display_choices import DisplayChoices
from talewright.faces.web.history.book_pages import WayNotTaken
from talewright.faces.web.history.history_pages import ChosenTurn
from talewright.faces.web.history.receipt_pages import KeptReport
from talewright.faces.web.history.tree_drawing import draw_tree
from talewright.faces.web.page_templates import render_page
from talewright.faces.web.web_words import WebWords, web_words
from talewright.play.campaign_past import ComparisonView, StoryStatistics, TreePage, TreeRow
from talewright.play.campaign_view import EndView, RollView, TurnView, View, Viewer
from tests.faces.web.test_page_templates import PAYLOADS, poison, shape
from tests.faces.web.visiting import PageTree

ENGLISH = web_words("en")
CHINESE = web_words("zh-CN")

TURN = TurnView("x", 2, "x", "x", (RollView("x"), RollView("x", late=True)), (), ("x",), ("x",))
VIEW = View("x", "x", "x", "en", Viewer.PLAYER, "x", "x", 2, TURN, branches=("x", "y"), end=EndView("x", "x"))
ROW = TreeRow(0, "x", 2, "x", "x", ("x",), ("x",), at="x", end="x")
HERE = TreeRow(0, "x", 2, "", "x", ("x",), ("x",), here=True, at="x")
FIGURES = StoryStatistics(2, 1, 3, 2, 1, 2, "x", "x")


def make_pages(text: str) -> dict[str, dict[str, Any]]:
    """What each page is given, with one text in all places."""
    turn, row, here = (poison(one, text) for one in (TURN, ROW, HERE))
    tree = TreePage((row, TreeRow(0, skipped=2), here), 60, 200, 2)
    compared = ComparisonView(1, (turn,) * 8, (turn,), (text,))
    report = KeptReport(2, 1, {text: text}, True, True, 3, False)
    return {
        "tree": {"tree": tree, "drawn": draw_tree(tree), "every": True, "chosen": ChosenTurn(row, turn, 1)},
        "compare": {
            "one": text,
            "other": text,
            "branches": (text, "y"),
            "compared": compared,
            "sides": [(text, 2, compared.one), (text, 2, compared.other)],
            "first": 0,
            "count": 6,
            "pair": "one=x",
        },
        "book": {"turns": (turn,), "number": 2, "total": 4, "listed": (1, 2, 4), "exports": "/api/x"},
        "ending": {
            "figures": poison(FIGURES, text),
            "operation_id": "x",
            "parted": text,
            "ways": (WayNotTaken(text, text, text), WayNotTaken(text, text, "", True)),
            "endings": 4,
            "found": 2,
        },
        "receipts": {
            "turns": (turn,),
            "first": 2,
            "last_first": 9,
            "count": 1,
            "receipt": {"records": 3, "receipt": text},
            "report": report,
        },
    }


def render(page: str, text: str, words: WebWords) -> PageTree:
    given = make_pages(text)[page]
    view = poison(VIEW, text)
    answer = render_page(
        f"history/{page}.html", words, DisplayChoices(), "/play/x", view=view, table="/play/x", **given
    )
    return PageTree(bytes(answer.body).decode())


@pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=["en", "zh-CN"])
@pytest.mark.parametrize("page", ["tree", "compare", "book", "ending", "receipts"])
def test_hostile_text_stays_text_in_the_past(page: str, words: WebWords) -> None:
    plain = shape(render(page, "harmless", words))
    assert len(plain) > 20
    for text in PAYLOADS:
        made = render(page, text, words)
        assert shape(made) == plain, text
        for tag, attributes in made.tags:
            for name in ("href", "src", "action"):
                assert attributes.get(name, "/").startswith(("/", "#")), (tag, attributes)
