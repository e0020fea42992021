"""Looking back by plain forms: the tree, branches, comparisons, the book, receipts and the ending."""

from pathlib import Path

import pytest

from tests.faces.web.test_page_routes import check_policy
from tests.faces.web.visiting import PageTree, PageVisitor, visit


async def play(visitor: PageVisitor, table: str, turns: int, which: int = 0) -> PageTree:
    """Take some turns at the table."""
    page = await visitor.get(table)
    for _ in range(turns):
        choices = page.find("button", name="choice")
        page = await visitor.post(
            table, **page.form_of("choose"), choice=choices[min(which, len(choices) - 1)]["value"]
        )
    return page


def find_turn(page: PageTree, at: int) -> str:
    """The address of a turn in the tree."""
    links = [given["href"] for given in page.find("a")]
    return [link for link in links if "?turn=" in link and "#" in link][at]


def fields_of(page: PageTree, action: str) -> dict[str, str]:
    """The hidden fields of a form."""
    at = next(
        at for at, (tag, given) in enumerate(page.tags) if tag == "form" and given["action"].endswith(action)
    )
    found: dict[str, str] = {}
    for tag, given in page.tags[at + 1 :]:
        if tag == "form":
            break
        if tag == "input" and given.get("type") == "hidden":
            found[given["name"]] = given["value"]
    return found


def test_a_branch_is_made_switched_and_compared(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        await visitor.start("mist_harbor")
        table = visitor.path
        await play(visitor, table, 4)
        # A short history is shown unfolded, and no value is of a turn 0.
        tree = await visitor.get(f"{table}/history")
        check_policy(tree, visitor)
        assert len(tree.find("circle")) == 7, "beginning, five turns, and a ring where one is"
        chosen = await visitor.get(find_turn(tree, 2))
        check_policy(chosen, visitor)
        assert "Turn 2" in chosen.text
        form = fields_of(chosen, "/fork")
        page = await visitor.post(f"{table}/fork", **form, name="aside")
        assert (visitor.path, len(page.find("article"))) == (table, 2)
        assert "branch aside" in page.text
        # The same form again makes no second branch.
        await visitor.post(f"{table}/fork", **form, name="")
        await play(visitor, table, 2, which=1)
        tree = await visitor.get(f"{table}/history")
        assert "main" in tree.text
        assert "aside" in tree.text
        heads = [given["href"] for given in tree.find("a") if "?turn=" in given["href"]]
        for link in heads:
            page = await visitor.get(link)
            if f"{table}/switch" in [given.get("action") for given in page.find("form")]:
                break
        compare = next(given["href"] for given in page.find("a") if "/compare?" in given["href"])
        compared = await visitor.get(compare)
        assert "same up to turn 2" in compared.text
        compared = await visitor.get(f"{table}/compare?one=main&other=aside")
        check_policy(compared, visitor)
        assert "Branch main, turn 5" in compared.text
        assert "Branch aside, turn 4" in compared.text
        assert len(compared.find("article")) == 5
        page = await visitor.post(f"{table}/switch", **fields_of(page, "/switch"))
        assert "branch main" in page.text

    visit(tmp_path, look)


def test_one_goes_back_and_names_a_turn(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        await visitor.start("mist_harbor", "zh-CN")
        table = visitor.path
        await play(visitor, table, 4)
        tree = await visitor.get(f"{table}/history?every=1")
        assert "你在这里" in tree.text
        chosen = await visitor.get(find_turn(tree, 3))
        form = fields_of(chosen, "/back")
        assert form["turns"] == "2"
        page = await visitor.post(f"{table}/back", **form)
        assert len(page.find("article")) == 3
        page = await visitor.post(f"{table}/back", **form)
        assert len(page.find("article")) == 3, "sent twice, it counts once"
        tree = await visitor.get(f"{table}/history")
        page = await visitor.post(f"{table}/mark", **fields_of(tree, "/mark"), name="桥上")
        assert visitor.path == f"{table}/history"
        assert "桥上" in page.text
        await visitor.get(f"{table}/history?turn=nothing")
        assert visitor.answer.status_code == 404
        for odd in ("from=99999999999999999999", "from=-1", "from=x", "every=1&from=400"):
            await visitor.get(f"{table}/history?{odd}")
            assert visitor.answer.status_code == 200, odd

    visit(tmp_path, look)


def test_the_story_is_a_book(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        await visitor.start("mist_harbor")
        table = visitor.path
        await play(visitor, table, 3)
        turns = (await visitor.client.get(f"/api/campaigns{table.removeprefix('/play')}/turns")).json()
        book = await visitor.get(f"{table}/book")
        check_policy(book, visitor)
        assert "Mist Harbor Echoes" in book.text
        assert len(turns) == 4
        for turn in turns:
            for line in filter(None, turn["narration"].split("\n\n")):
                assert " ".join(line.split()) in book.text
        forms = [given["href"].partition("form=")[2] for given in book.find("a") if "export" in given["href"]]
        assert forms == ["html", "epub", "md", "json", "jsonl"]
        for given in book.find("a"):
            if "export" in given["href"]:
                await visitor.get(given["href"])
                assert visitor.answer.status_code == 200
        for odd in ("0", "99", "x", "-3"):
            assert (await visitor.get(f"{table}/book?chapter={odd}")).text == book.text

    visit(tmp_path, look)


def test_a_receipt_is_kept_and_the_record_verified(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        await visitor.start("mist_harbor")
        table = visitor.path
        await play(visitor, table, 2)
        page = await visitor.get(f"{table}/receipts")
        check_policy(page, visitor)
        assert "not verified yet" in page.text
        await visitor.get(f"{table}/receipts/download")
        receipt = visitor.answer.text.strip()
        assert receipt.startswith("talewright-receipt-1:")
        assert receipt in page.text
        assert "attachment" in visitor.answer.headers["content-disposition"]
        page = await visitor.post(f"{table}/receipts", receipt=receipt)
        assert visitor.path == f"{table}/receipts"
        assert "All 3 turns match the record." in page.text
        assert "The receipt is valid" in page.text
        assert page.text.count("matches") == 3
        await play(visitor, table, 1)
        page = await visitor.get(f"{table}/receipts")
        assert "The story has continued since this check." in page.text
        assert page.text.count("not verified yet") == 1
        other = f"{receipt[:30]}{'0' if receipt[30] != '0' else '1'}{receipt[31:]}"
        page = await visitor.post(f"{table}/receipts", receipt=other)
        assert "The receipt does not match" in page.text
        await visitor.post(f"{table}/receipts", receipt="not a receipt")
        assert visitor.answer.status_code in (400, 422)

    visit(tmp_path, look)


@pytest.mark.parametrize(("language", "end"), [("en", "The end"), ("zh-CN", "剧终")])
def test_the_last_turn_leads_to_the_ending(tmp_path: Path, language: str, end: str) -> None:
    async def look(visitor: PageVisitor) -> None:
        page = await visitor.start("chapel_watch", language)
        table = visitor.path
        await visitor.get(f"{table}/ending")
        assert visitor.path == table, "it has not ended yet"
        while visitor.path == table:
            page = await play(visitor, table, 1, which=9)
        assert visitor.path == f"{table}/ending"
        check_policy(page, visitor)
        assert end in page.text
        assert page.find("div", **{"class": "last-words"})
        assert page.find("input", name="game")[0]["value"] == "chapel_watch"
        at_table = await visitor.get(table)
        assert end in at_table.text
        tree = await visitor.get(f"{table}/history")
        assert [given for given in tree.find("path") if given.get("class") in ("win", "lose", "end")] == []
        assert tree.find("a", href=f"{table}/ending")

    visit(tmp_path, look)


def test_a_card_has_a_small_line_of_its_last_values(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        page = await visitor.start("mist_harbor")
        assert not page.find("svg", **{"class": "spark"})
        page = await play(visitor, visitor.path, 3)
        assert page.find("svg", **{"class": "spark"})
        for page_name in ("history", "book", "receipts"):
            assert page.find("a", href=f"{visitor.path}/{page_name}")

    visit(tmp_path, look)
