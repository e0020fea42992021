"""Honest campaigns are believed: a hundredth of what the sweep plays."""

from tests.sweep import verified_campaigns

SEED = 15


def test_no_false_alarm_on_generated_campaigns() -> None:
    print(f"seed {SEED}")
    count = verified_campaigns.FULL_COUNT // 100
    assert verified_campaigns.run(count, SEED) == count
