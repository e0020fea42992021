"""Notices of a store: in words for a player, each once, and no name of a page."""

import pytest

from talewright.chronicle.readable_pages import StoreNotice, StoreNoticeKind
from talewright.common.json_values import Json
from talewright.kernel.story.game_texts import Texts
from talewright.play.campaign_view import Viewer
from talewright.play.presentation.campaign_notices import notice, tell_noticed, tell_shortage
from talewright.play.presentation.change_wording import tell_cause
from talewright.play.presentation.value_wording import Wording
from talewright.turn.context_check import ContextShortage
from talewright.turn.records.commit_body import TurnBody
from tests.kernel.making import make_game, make_layout

ENGLISH = Wording(Texts("en"), "en")

NOTICED = (
    StoreNotice(StoreNoticeKind.PAGES, "the page 'the_spy.md' was not written: no room"),
    StoreNotice(StoreNoticeKind.HISTORY, "the history was not written: no git"),
    StoreNotice(StoreNoticeKind.PAGES, "the page 'b.md' was not written: no room"),
    StoreNotice(StoreNoticeKind.SHORTER, "the chronicle is shorter"),
)


@pytest.mark.parametrize(
    ("language", "pages", "shorter"),
    [
        ("en", "The pages in this campaign’s folder", "`talewright saves recover c-1`"),
        ("zh-CN", "存档文件夹里的页面", "`talewright saves recover c-1`"),
    ],
)
def test_what_a_player_is_told(language: str, pages: str, shorter: str) -> None:
    told = tell_noticed(NOTICED, "c-1\x1b", Wording(Texts(language), language), Viewer.PLAYER)
    assert len(told) == 2
    assert told[0].startswith(pages)
    assert shorter in told[1]
    assert not any("spy" in text or "git" in text or "\x1b" in text for text in told)


def test_nothing_noticed_nothing_told() -> None:
    assert tell_noticed((), "c", ENGLISH, Viewer.PLAYER) == ()
    assert tell_noticed(NOTICED[1:2], "c", ENGLISH, Viewer.PLAYER) == ()


KEPT = (
    StoreNotice(StoreNoticeKind.EDIT_KEPT, "x", "scratchpad.md", "hand-edits/scratchpad.md.1"),
    StoreNotice(
        StoreNoticeKind.EDIT_KEPT, "x", "world/npcs/the-spy.md", "hand-edits/world/npcs/the-spy.md.1"
    ),
    StoreNotice(
        StoreNoticeKind.EDIT_KEPT, "x", "world/npcs/the-other.md", "hand-edits/world/npcs/the-other.md.1"
    ),
    StoreNotice(StoreNoticeKind.EDIT_LEFT, "x", "diary/day-3.md", "hand-edits/diary/day-3.md.1"),
    StoreNotice(StoreNoticeKind.EDIT_UNREAD, "x", "prompt\x1b.md"),
)


def test_pages_that_were_changed_by_hand() -> None:
    told = tell_noticed(KEPT, "c", ENGLISH, Viewer.PLAYER)
    assert told == (
        "scratchpad.md in this campaign’s folder was edited by hand. That page is generated from the story’s "
        "record and was rewritten; your version is saved as hand-edits/scratchpad.md.1.",
        "world/npcs/… in this campaign’s folder was edited by hand. That page is generated from the story’s "
        "record and was rewritten; your version is saved as hand-edits/world/npcs/….",
        "diary/… in this campaign’s folder was edited by hand. That page is no longer part of this story; "
        "your version is saved as hand-edits/diary/….",
        "prompt.md in this campaign’s folder was edited by hand, but it cannot be read as text, so the "
        "edit was ignored. Save it as plain UTF-8 text of moderate length.",
    )
    owner = tell_noticed(KEPT, "c", ENGLISH, Viewer.OPERATOR)
    assert len(owner) == 5
    assert "hand-edits/world/npcs/the-spy.md.1" in owner[1]
    chinese = tell_noticed(KEPT, "c", Wording(Texts("zh-CN"), "zh-CN"), Viewer.PLAYER)
    assert "scratchpad.md" in chinese[0]
    assert chinese[2].endswith("这一页已不属于现在的故事；你的版本保存在 hand-edits/diary/…。")


def test_what_became_of_edits_is_told_in_their_turn() -> None:
    edits: tuple[Json, ...] = (
        {"path": "prompt.md", "text": "Be kind."},
        {"path": "rules.md", "digest": "d", "refused": "it is empty.", "told": False},
        {"path": "old.md", "digest": "d", "refused": "it is empty", "told": True},
    )
    assert notice(
        make_game(make_layout({})), TurnBody(edits=edits), None, None, "", ENGLISH, Viewer.PLAYER
    ) == (
        "Your edit of prompt.md takes effect from this turn on.",
        "Your edit of rules.md was rejected: it is empty. The file is left unchanged.",
    )


def test_an_edit_is_a_cause() -> None:
    assert tell_cause("player:prompt.md", ENGLISH) == "you, by hand in prompt.md"
    assert tell_cause("player", ENGLISH) == "you"


def test_a_model_that_reads_too_little_is_named_when_the_campaign_begins() -> None:
    shortage = ContextShortage("tiny\x1b", 8_192, 16_000)
    (told,) = tell_shortage(shortage, 1, ENGLISH)
    assert told.startswith("tiny can read only 8,192 tokens at a time")
    assert "16,000" in told
    assert tell_shortage(shortage, 2, ENGLISH) == ()
    assert tell_shortage(None, 0, ENGLISH) == ()
