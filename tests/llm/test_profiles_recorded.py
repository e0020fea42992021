"""Profiles in records: what decides about prompts comes back, and nothing else is written."""

from dataclasses import replace

import pytest

from talewright.llm.known_models import SERVICES
from talewright.llm.profiles import Profile, read_profile, write_profile

KNOWN = [profile for service in SERVICES.values() for profile in (service.default, *service.models.values())]


@pytest.mark.parametrize("profile", KNOWN, ids=lambda profile: profile.name)
def test_every_known_profile_comes_back(profile: Profile) -> None:
    raw = write_profile(profile)
    assert read_profile(raw, profile) == profile
    assert "prices" not in raw
    assert "extra" not in raw


def test_a_later_member_is_passed_over() -> None:
    assert read_profile({"name": "m", "sings": True}) == Profile("m")
    assert read_profile({"name": "m"}, Profile("n", context_tokens=1)) == replace(Profile("m"))
