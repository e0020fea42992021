"""The store suite: one check for every promise of `chronicle/store.py`, for all stores.

It checks only what the port promises; damaged bytes, full disks and crashes belong in each store's own tests.

    @pytest.mark.parametrize("name", STORE_CHECKS)
    def test_store(name: str, tmp_path: Path) -> None:
        asyncio.run(STORE_CHECKS[name](StoreFactories(make, reopen)))
"""

from collections.abc import Mapping
from types import MappingProxyType

from talewright.testing.expectations import NamedCheck
from talewright.testing.store_checks import (
    acceptance_checks,
    bounded_checks,
    branch_checks,
    campaign_checks,
    record_roundtrip_checks,
)
from talewright.testing.store_checks.store_fixtures import Check, Factory, StoreFactories

__all__ = ["STORE_CHECKS", "Check", "Factory", "StoreFactories", "check_store"]

STORE_CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "records come back as they were written": record_roundtrip_checks.check_round_trip,
        "a large body": record_roundtrip_checks.check_large_body,
        "records in their order": record_roundtrip_checks.check_order,
        "what cannot be written": record_roundtrip_checks.check_unfit,
        "every try on its trail": record_roundtrip_checks.check_attempts,
        "asides": record_roundtrip_checks.check_asides,
        "records after a commit": bounded_checks.check_records_after,
        "adding twice": bounded_checks.check_adding_twice,
        "the chain": bounded_checks.check_chain,
        "the counter": branch_checks.check_counting,
        "many at once": branch_checks.check_racing,
        "one operation, one commit": acceptance_checks.check_repeated_commit,
        "one operation, one input": acceptance_checks.check_repeated_input,
        "an input that comes late": acceptance_checks.check_late_input,
        "one call for an input": acceptance_checks.check_acceptance,
        "an input for wherever it stands": acceptance_checks.check_base_filled_in,
        "a turn in the place of another": acceptance_checks.check_replacing,
        "totals of spending": acceptance_checks.check_spending,
        "undoing": branch_checks.check_undoing,
        "forking": branch_checks.check_forking,
        "pointing": branch_checks.check_pointing,
        "marks": branch_checks.check_marking,
        "how a branch stands": bounded_checks.check_status,
        "many that wait": bounded_checks.check_many_waiting,
        "names in pages": bounded_checks.check_names_in_pages,
        "open turns": bounded_checks.check_open_turns,
        "waiting inputs": campaign_checks.check_waiting,
        "going back": campaign_checks.check_going_back,
        "what is not there": campaign_checks.check_unknown,
        "names": campaign_checks.check_names,
        "a past brought along": campaign_checks.check_past,
        "the list of campaigns": campaign_checks.check_listing,
        "campaigns in pages": bounded_checks.check_campaigns_in_pages,
        "removing": campaign_checks.check_removing,
        "two books": campaign_checks.check_two_books,
        "shelves": campaign_checks.check_shelves,
        "the secret": campaign_checks.check_secret,
        "projections": campaign_checks.check_projecting,
        "edits": campaign_checks.check_editing,
        "closing": campaign_checks.check_closing,
    }
)
"""The checks, by what they are about."""


async def check_store(make: Factory, reopen: Factory | None = None) -> None:
    """Run every check; an error carries the name of its check.

    `make` creates a new store in an empty place, `reopen` another store object on the last place.
    """
    ground = StoreFactories(make, reopen)
    for name, check in STORE_CHECKS.items():
        with NamedCheck(name):
            await check(ground)
