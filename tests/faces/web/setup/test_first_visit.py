"""The first visit, the lobby after it, and an ending: plain pages without scripts, in both languages."""

from pathlib import Path

import pytest

from talewright.faces.web.setup.lobby_pages import find_first_game
from talewright.play.lobby import GameInfo
from tests.faces.web.test_page_routes import check_policy
from tests.faces.web.visiting import PageTree, PageVisitor, visit


def read_fields(page: PageTree, *names: str) -> dict[str, str]:
    """The hidden fields with these names."""
    return {one["name"]: one["value"] for one in page.find("input") if one["name"] in names}


@pytest.mark.parametrize(("language", "others"), [("en", "See the other games"), ("zh-CN", "看看别的游戏")])
def test_a_new_player_reads_one_sentence_and_presses_one_button(
    tmp_path: Path, language: str, others: str
) -> None:
    sentence = "and you have one candle."

    async def look(visitor: PageVisitor) -> None:
        page = await visitor.get("/")
        check_policy(page, visitor)
        assert sentence in page.text
        assert others in page.text
        assert len(page.find("button", **{"class": "main"})) == 1
        assert page.find("a", href="/games")
        (game,) = page.find("input", name="game")
        assert game["value"] == "chapel_watch"
        assert read_fields(page, "language") == {"language": language}
        await visitor.post("/start", **read_fields(page, "game", "language", "operation_id"))
        assert visitor.path.startswith("/play/chapel_watch")
        page = await visitor.get("/")
        assert sentence not in page.text
        assert page.find("section", **{"aria-labelledby": "hero"})

    visit(tmp_path, look, language=language)


def test_the_shortest_game_with_an_invitation_is_offered() -> None:
    def game(name: str, turns: int, *invitation: str, needs_model: bool = False) -> GameInfo:
        return GameInfo(name, name, ("en",), turns=turns, invitation=invitation, needs_model=needs_model)

    long, short = game("long", 60, "You.", "Go"), game("short", 12, "You.", "Go")
    others = game("mute", 5), game("told", 5, "You.", "Go", needs_model=True), game("half", 5, "You.")
    assert find_first_game((*others, long, short, game("x", 0, "You.", "Go"))) == short
    assert find_first_game(others) is None


async def play_to_the_end(visitor: PageVisitor, page: PageTree) -> PageTree:
    """Take the last choice until the story is over."""
    table = visitor.path
    for _ in range(60):
        choices = page.find("button", name="choice")
        if not choices or visitor.path.endswith("/ending"):
            return page
        page = await visitor.post(table, **page.form_of("choose"), choice=choices[-1]["value"])
    raise AssertionError("no end")


def test_an_ending_has_its_title_its_count_and_the_way_not_taken(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        page = await play_to_the_end(visitor, await visitor.start("mist_harbor"))
        ending = visitor.path
        assert ending.endswith("/ending")
        check_policy(page, visitor)
        assert "1 of 7 endings found" in page.text
        hidden = {"Truth in Print", "Two Minutes to Twelve", "A Left and a Right", "Ashes", "No Adjectives"}
        told = {one for one in hidden if one in page.text}
        assert len(told) <= 1, "an ending that nobody found has no name"
        ways = page.find("button", name="choice")
        assert ways
        fields = read_fields(page, "turn", "base", "on")
        table = ending.removesuffix("/ending")
        before = await visitor.get(f"{table}/history")
        page = await visitor.post(f"{ending}/try", **fields, choice=ways[0]["value"], operation_id="try-1")
        while not page.find("article"):
            page = await visitor.get(table)
        assert visitor.answer.status_code == 200
        history = await visitor.get(f"{table}/history")
        assert history.text != before.text
        # The ending stays found, though the story has gone on elsewhere.
        lobby = await visitor.get("/games")
        assert "1 of 7 endings" in lobby.text or "2 of 7 endings" in lobby.text

    visit(tmp_path, look)


def test_finished_stories_stand_on_a_shelf(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        await play_to_the_end(visitor, await visitor.start("lantern_road"))
        table = visitor.path.removesuffix("/ending")
        page = await visitor.get("/")
        assert "Finished stories" in page.text
        assert "1 of 6 endings" in page.text
        assert page.find("a", href=f"{table}/ending")
        assert not page.find("section", **{"aria-labelledby": "hero"})
        name = table.removeprefix("/play/")
        assert page.find("a", href=f"/games?book={name}#finished", **{"aria-current": "true"})

    visit(tmp_path, look)
