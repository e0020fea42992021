"""Reports and starters: every reference rulebook is offered, and what is understood is told."""

from talewright.systems.tabletop.reports_and_starters import FOLDER, list_starters
from talewright.systems.tabletop.rulebook import FILE, read_rulebook
from tests.systems.tabletop.rulebook_snapshots import BOOKS


def test_every_reference_rulebook_is_a_starter() -> None:
    starters = {one.name: one for one in list_starters()}
    assert list(starters) == ["d20", "pbta", "fate"]
    assert set(starters) == {path.stem for path in FOLDER.glob("*.md")}
    for name, starter in starters.items():
        assert starter.files[FILE] == BOOKS[name].read_text("utf-8")
        book, warnings = read_rulebook({FILE: starter.files[FILE]})
        assert book is not None
        assert (book.check, warnings) == (name, ())
