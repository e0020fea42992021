"""Notices of a store: in words for a player, each once, and no name of a page."""

import pytest

from talewright.chronicle.store import Notice, NoticeKind
from talewright.kernel.texts import Texts
from talewright.play.showing.notices import tell_noticed
from talewright.play.showing.wording import Wording

NOTICED = (
    Notice(NoticeKind.PAGES, "the page 'the_spy.md' was not written: no room"),
    Notice(NoticeKind.HISTORY, "the history was not written: no git"),
    Notice(NoticeKind.PAGES, "the page 'b.md' was not written: no room"),
    Notice(NoticeKind.SHORTER, "the chronicle is shorter"),
)


@pytest.mark.parametrize(
    ("language", "pages", "shorter"),
    [
        ("en", "The pages in this campaign's folder", "`talewright saves recover c-1`"),
        ("zh-CN", "存档文件夹里供阅读的页面", "`talewright saves recover c-1`"),
    ],
)
def test_what_a_player_is_told(language: str, pages: str, shorter: str) -> None:
    told = tell_noticed(NOTICED, "c-1\x1b", Wording(Texts(language), language))
    assert len(told) == 2
    assert told[0].startswith(pages)
    assert shorter in told[1]
    assert not any("spy" in text or "git" in text or "\x1b" in text for text in told)


def test_nothing_noticed_nothing_told() -> None:
    assert tell_noticed((), "c", Wording(Texts("en"), "en")) == ()
    assert tell_noticed(NOTICED[1:2], "c", Wording(Texts("en"), "en")) == ()
