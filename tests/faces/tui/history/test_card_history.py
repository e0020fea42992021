"""The history of one card."""

import pytest
from textual.pilot import Pilot

from talewright.errors import TalewrightError
from talewright.faces.tui.history.card_history import CAUSES_SHOWN_MAX, CardHistory, tell_causes, tell_facts
from talewright.faces.tui.words.history_words import history_words
from talewright.play.campaign_past import Provenance, VariableTrail
from tests.faces.tui.fakes import FakePast
from tests.faces.tui.lobby.stage import LANGUAGES, SIZES, HallStage, keys, visit

ENGLISH = history_words("en")
CHINESE = history_words("zh-CN")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_curve_and_causes(size: tuple[int, int], language: str) -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        now = "now 30" if language == "en" else "现在 30"
        for words in ("Suspicion", "██", now, "20 → 30", "seen at the plant"):
            assert words in app.seen

    visit(lambda: CardHistory(FakePast(), "suspicion", language), scene, size=size, language=language)


def test_facts_in_words() -> None:
    trail = VariableTrail("X", ((1, 5.0), (4, -2.0), (6, 1.5)), ())
    assert tell_facts(trail, ENGLISH).plain == "now 1.5 · lowest -2 (turn 4) · highest 5 (turn 1)"
    bounded = VariableTrail("X", ((1, 5.0),), (), 0, 10)
    assert tell_facts(bounded, CHINESE).plain.endswith("范围 0 至 10")


def test_causes_newest_first_with_reason_and_words() -> None:
    causes = (
        Provenance(9, "X 1 -> 2", "the storyteller", "it [b]rained", "Wait\x1b"),
        Provenance(3, "X: 1", "how the game begins"),
    )
    assert tell_causes(causes, ENGLISH).plain == (
        "What changed it, newest first\n\n"
        "turn 9  X 1 → 2 · the storyteller\n  Reason: it [b]rained\n  You had said: Wait\n\n"
        "turn 3  X: 1 · how the game begins"
    )


def test_long_past_is_cut() -> None:
    causes = tuple(Provenance(turn, "x", "y") for turn in range(CAUSES_SHOWN_MAX + 7))
    assert tell_causes(causes, ENGLISH).plain.endswith("and 7 earlier changes")


def test_nothing_has_changed_it() -> None:
    assert tell_causes((), ENGLISH).plain == "Nothing has changed it yet."


def test_what_is_no_number_has_no_curve() -> None:
    class Wordy(FakePast):
        async def trail(self, variable: str) -> VariableTrail | None:
            return VariableTrail("[b]Name", (), self.causes)

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert "[b]Name" in app.seen
        assert "█" not in app.seen
        assert "lowest" not in app.seen

    visit(lambda: CardHistory(Wordy(), "name", "en"), scene)


def test_unknown_variable() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert "There is no history of this value." in app.seen

    visit(lambda: CardHistory(FakePast(), "nothing", "en"), scene)


def test_past_that_cannot_be_read() -> None:
    class Broken(FakePast):
        async def trail(self, variable: str) -> VariableTrail | None:
            raise TalewrightError("the record is damaged", "Recover it.")

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert "! the record is damaged" in app.seen

    visit(lambda: CardHistory(Broken(), "x", "en"), scene)


def test_escape_closes() -> None:
    assert visit(lambda: CardHistory(FakePast(), "x", "en"), keys("escape")).answers == [None]
