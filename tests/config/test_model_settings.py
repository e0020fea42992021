"""Settings: what holds for a campaign of a game, all choices considered."""

import pytest

from talewright.config.model_settings import ModelPreference, Settings, decide_preference
from talewright.turn.spending import SpendingBudget

SETTINGS = Settings(
    usual=ModelPreference(model="usual", cheap="small", temperature=0.5, budget=SpendingBudget(5.0, 900)),
    games={
        "harbor": ModelPreference(
            model="for-game", max_output_tokens=700, budget=SpendingBudget(campaign_tokens=800)
        )
    },
    campaigns={
        "harbor-1": ModelPreference(
            model="for-campaign", temperature=0.0, budget=SpendingBudget(turn_tokens=60)
        )
    },
)


@pytest.mark.parametrize(
    ("game", "campaign", "wishes", "chosen"),
    [
        ("other", "other-1", (), SETTINGS.usual),
        (
            "harbor",
            "harbor-2",
            (),
            ModelPreference(
                model="for-game",
                cheap="small",
                temperature=0.5,
                max_output_tokens=700,
                budget=SpendingBudget(5.0, 800),
            ),
        ),
        (
            "harbor",
            "harbor-1",
            (),
            ModelPreference(
                model="for-campaign",
                cheap="small",
                temperature=0.0,
                max_output_tokens=700,
                budget=SpendingBudget(5.0, 800, None, 60),
            ),
        ),
        (
            "harbor",
            "harbor-1",
            (
                ModelPreference(model="asked"),
                ModelPreference(model="environment", cheap="none", max_output_tokens=9),
            ),
            ModelPreference(
                model="asked",
                cheap="none",
                temperature=0.0,
                max_output_tokens=9,
                budget=SpendingBudget(5.0, 800, None, 60),
            ),
        ),
    ],
)
def test_the_nearer_choice_counts_more(
    game: str, campaign: str, wishes: tuple[ModelPreference, ...], chosen: ModelPreference
) -> None:
    assert decide_preference(SETTINGS, game, campaign, *wishes) == chosen


def test_nothing_is_chosen_where_nothing_is_said() -> None:
    assert decide_preference(Settings(), "a", "b") == ModelPreference()
