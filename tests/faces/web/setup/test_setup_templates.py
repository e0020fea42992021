"""Templates of the lobby and of models: whatever a game, a file, a server or a player says stays text."""

from dataclasses import replace
from typing import Any

import pytest

from talewright.faces.web.display_choices import DisplayChoices
from talewright.faces.web.page_templates import render_page
from talewright.faces.web.setup.campaign_list import CostTotal, ListedCampaign
from talewright.faces.web.setup.lobby_page_words import lobby_page_words
from talewright.faces.web.setup.model_words import model_words
from talewright.faces.web.web_words import web_words
from talewright.play.campaign_view import CoverView, DialView, View, Viewer
from talewright.play.lobby import CampaignInfo, GameInfo
from talewright.play.model_choices import ModelChoice, ModelSource, ModelTrialView, TrialPhase, TrialView
from tests.faces.web.test_page_templates import PAYLOADS, poison, shape
from tests.faces.web.visiting import PageTree

THEME = ("x",) * 5
GAMES = (
    GameInfo(
        "x", "x", ("x", "y"), "x", "x", 3, True, "x", "x", ("x",) * 3, THEME, THEME, ("x", "x"), endings=4
    ),
)
INFO = CampaignInfo("x", "x", "x", "x", "x")
ROWS = (
    ListedCampaign(INFO, "x", "x", "x", 3, "x", "x"),
    ListedCampaign(CampaignInfo(*("x",) * 5, damaged=True), "x"),
)
SOURCES = (ModelSource("x", "x", True, ("x",), "x", True, "x"), ModelSource("x", "x", True))
COVER = CoverView("x", ("x",) * 3, ("x",) * 5, ("x",) * 5, (DialView("x", 0.5),), "x")
LAST = View("x", "x", "x", "en", Viewer.PLAYER, "x", "x", 2, None, cover=COVER)
CHOICES = (ModelChoice("x", "x", "x", "x", "x", "x"),)
COST = {"uncached_tokens": 1, "cached_tokens": 2, "output_tokens": 3, "dollars": 0.5, "estimated": True}
PARTS = ("told", "failed", "aside", "ahead", "total")


def render(template: str, words: Any, language: str, **values: Any) -> PageTree:
    display = DisplayChoices(language=language)
    answer = render_page(template, web_words(language), display, "/", say=words, **values)
    return PageTree(bytes(answer.body).decode())


def render_all(text: str, language: str) -> list[PageTree]:
    lobby, models = lobby_page_words(language), model_words(language)
    info = poison(INFO, text)
    # The clauses of an invitation are elements of their own.
    whole = "".join(sign for sign in text if sign not in ",;，；、")
    first = replace(poison(GAMES[0], text), invitation=(whole, text))
    pages = [
        render(
            "lobby.html",
            lobby,
            language,
            games=poison(GAMES, text),
            rows=poison(ROWS, text),
            hero=poison(ROWS[0], text),
            view=poison(LAST, text),
            newest={text: poison(ROWS[0], text)},
            found={text: 2},
            count=2,
            shelf=[poison(ROWS[0], text)],
            pulled=text,
            page=2,
            is_last=False,
            told_in=[text, "en"],
            wanted=text,
            total=CostTotal(1.0, False, True),
            total_money="$1.00",
            has_models=True,
            bytes_max=1,
            megabytes_max=1,
            operation_id="op",
            desk="/author",
            table_path=lambda name: "/play/x",
        ),
        render("setup/first.html", lobby, language, game=first, operation_id="op"),
        render(
            "setup/models.html",
            models,
            language,
            campaign=info,
            choices=poison(CHOICES, text),
            chosen=text,
            usual=text,
            local=poison(SOURCES, text),
            services=poison(SOURCES, text),
            no_model="none",
        ),
        render(
            "setup/cost.html",
            lobby,
            language,
            campaign=info,
            report={**dict.fromkeys(PARTS, COST), "requests": 1, "actions": 1},
            models={text: COST},
            table="/play/x",
            tell_money=str,
        ),
        *(render("setup/remove.html", lobby, language, campaign=info, place=place) for place in ("", text)),
        *(render("setup/new_model.html", models, language, source=poison(one, text)) for one in SOURCES),
    ]
    for phase in TrialPhase:
        for good in (True, False):
            answer = TrialView(good, text, text, 1.0, text)
            trial = ModelTrialView("7f", phase, text, text, answer, text, 1, 2, text, text, text)
            pages.append(render("setup/trial.html", models, language, trial=trial))
    return pages


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("text", PAYLOADS)
def test_hostile_text_stays_text_in_the_lobby(text: str, language: str) -> None:
    harmless = render_all("harmless", language)
    for page, plain in zip(render_all(text, language), harmless, strict=True):
        assert shape(page) == shape(plain)
        for tag, attributes in page.tags:
            assert not {name for name in attributes if name == "style" or name.startswith("on")}
            for name in ("href", "src", "action"):
                assert attributes.get(name, "/").startswith(("/", "#")), (tag, attributes)
