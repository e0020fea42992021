"""The author's templates: files, prompts and replies stay text, and every word is in both languages."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import pytest

from talewright.errors import Fault, SourcePlace
from talewright.faces.web.author.author_words import AuthorWords, author_words
from talewright.faces.web.display_choices import DisplayChoices
from talewright.faces.web.page_templates import render_page
from talewright.faces.web.table_page import TableContent, author_path
from talewright.faces.web.web_words import web_words
from talewright.play.campaign_past import InspectionPart, InspectionView, Provenance, VariableTrail
from talewright.play.lobby import CampaignInfo
from talewright.play.serving.game_workbench import FaultView, WorkedGame
from tests.faces.web.test_page_templates import PAYLOADS, make_view, poison, shape
from tests.faces.web.visiting import PageTree

ENGLISH = author_words("en")
CHINESE = author_words("zh-CN")

USAGE = {"input_tokens": 1, "cached_tokens": 0, "output_tokens": 1}


def poison_data(value: Any, text: str) -> Any:
    """Data with a text in place of every text in it, but for keys."""
    if isinstance(value, dict):
        return {name: poison_data(one, text) for name, one in value.items()}
    if isinstance(value, list):
        return [poison_data(one, text) for one in value]
    return text if type(value) is str else value


def make_inspection(text: str) -> InspectionView:
    """A record with something in every place."""
    call = {"name": "x", "arguments": "x", "result": "x", "refused": True}
    reply = {"purpose": "x", "model": "x", "reply": "x", "stop": "x", "trouble": "x", "calls": [call]}
    raw: dict[str, Any] = {
        "sections": {"tokens": 1, "parts": [{"name": "x", "tokens": 1, "weight": None, "text": "x"}]},
        "lore": [{"id": "x", "told": told, "why": "x", "detail": "x"} for told in (True, False)],
        "replies": [{**reply, "usage": USAGE}],
        "rulings": [{"ruling": "x", "grade": "x", "move": "x", "reason": "x", "changes": ["x"]}],
        "cost": None,
    }
    raw["sections"]["differs_from_record"] = True
    parts = [InspectionPart(name, (text,), poison_data(one, text)) for name, one in raw.items()]
    return InspectionView(2, "c", (*parts, InspectionPart("prefix", (text,))))


def render_pages(text: str, language: str) -> list[PageTree]:
    """Every page for authors, with a text in every place."""
    words, author, view = web_words(language), author_words(language), poison(make_view(), text)
    faults = tuple(
        FaultView(Fault(text, text, SourcePlace(text, 3, 4), text), text, text, text) for _ in range(2)
    )
    good = "2026-01-01T00:00:00Z"
    game = WorkedGame(text, text, text, good, False, faults, "x", {"en": text, "zh-CN": text}, good)
    table = TableContent(view, (view.turn,), 1, "op")
    trail = VariableTrail(text, ((1, 2.0), (2, 3.0)), (Provenance(2, text, text, text, text),))
    shared: dict[str, Any] = {"author": author, "desk": "/author", "view": view}
    given: dict[str, dict[str, Any]] = {
        "desk": {
            "games": (game, replace(game, is_playable=True)),
            "mark": "m",
            "campaigns": (replace(poison(CampaignInfo("x", "x", "x", "x", "x"), text), game="x"),),
            "operation_id": "op",
            "author_path": author_path,
        },
        "table": {"table": table, "worked": game, "mark": "m", "notices": (text,)},
        "values": {"turns": (view.turn,), "table": "/play/x/author"},
        "inspection": {"inspected": make_inspection(text), "table": "/play/x/author"},
        "card": {"trail": trail, "table": "/play/x/author"},
    }
    pages = []
    for name, values in given.items():
        answer = render_page(f"author/{name}.html", words, DisplayChoices(), "/play/x", **shared, **values)
        pages.append(PageTree(bytes(answer.body).decode()))
    return pages


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("text", PAYLOADS)
def test_hostile_files_and_replies_stay_text(text: str, language: str) -> None:
    harmless = render_pages("harmless", language)
    assert len(harmless) == 5
    for page, other in zip(render_pages(text, language), harmless, strict=True):
        assert shape(page) == shape(other)
        for tag, attributes in page.tags:
            for name in ("href", "src", "action"):
                assert attributes.get(name, "/").startswith(("/", "#")), (tag, attributes)


def test_every_page_says_that_it_is_for_authors() -> None:
    for language, words in (("en", ENGLISH), ("zh-CN", CHINESE)):
        for page in render_pages("harmless", language):
            assert words.spoilers in page.text


def test_words_in_backticks_are_code_and_a_lone_backtick_is_not() -> None:
    for text, codes in (("no field `a` in `b`", ["a", "b"]), ("a ` b", [])):
        fault = FaultView(Fault("c", text, SourcePlace("f", 1, 1)))
        game = WorkedGame("x", "x", "m", "2026-01-01T00:00:00Z", False, (fault,), "x")
        answer = render_page(
            "author/desk.html",
            web_words("en"),
            DisplayChoices(),
            "/author",
            author=ENGLISH,
            desk="/author",
            games=(game,),
            mark="m",
            campaigns=(),
            operation_id="op",
            author_path=author_path,
        )
        body = bytes(answer.body).decode()
        assert all(f"<code>{code}</code>" in body for code in codes)
        assert ("a ` b" in body) is not bool(codes)


def test_every_word_is_in_both_languages() -> None:
    def check(english: object, chinese: object, name: str) -> None:
        assert type(english) is type(chinese), name
        assert bool(english) == bool(chinese), name
        if isinstance(english, str) and isinstance(chinese, str):
            assert english.count("{") == chinese.count("{"), name
        elif isinstance(english, Mapping) and isinstance(chinese, Mapping):
            assert english.keys() == chinese.keys(), name
            for key in english:
                check(english[key], chinese[key], f"{name} {key}")

    for field in fields(AuthorWords):
        check(getattr(ENGLISH, field.name), getattr(CHINESE, field.name), field.name)
