"""The suite that every Store runs, ours and a stranger's: each promise of `chronicle/store.py` is one check.

It asks only what the port promises; damaged bytes, full disks and crashes are each store's own tests.

    @pytest.mark.parametrize("name", STORE_CHECKS)
    def test_store(name: str, tmp_path: Path) -> None:
        asyncio.run(STORE_CHECKS[name](Ground(make, reopen)))
"""

from collections.abc import Mapping
from types import MappingProxyType

from talewright.testing.store_checks import heads, keeping, writing
from talewright.testing.store_checks.desks import Check, Factory, Ground
from talewright.testing.store_checks.expectations import Named

__all__ = ["STORE_CHECKS", "Check", "Factory", "Ground", "check_store"]

STORE_CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "records come back as they were written": writing.check_round_trip,
        "a large body": writing.check_large_body,
        "records in their order": writing.check_order,
        "what cannot be written": writing.check_unfit,
        "every try on its trail": writing.check_attempts,
        "asides": writing.check_asides,
        "tries alone": writing.check_tries,
        "the counter": heads.check_counting,
        "many at once": heads.check_racing,
        "one operation, one commit": heads.check_repeated_commit,
        "one operation, one input": heads.check_repeated_input,
        "an input that comes late": heads.check_late_input,
        "undoing": heads.check_undoing,
        "forking": heads.check_forking,
        "pointing": heads.check_pointing,
        "marks": heads.check_marking,
        "waiting inputs": keeping.check_waiting,
        "going back": keeping.check_going_back,
        "what is not there": keeping.check_unknown,
        "names": keeping.check_names,
        "the list of campaigns": keeping.check_listing,
        "removing": keeping.check_removing,
        "two books": keeping.check_two_books,
        "shelves": keeping.check_shelves,
        "the secret": keeping.check_secret,
        "projections": keeping.check_projecting,
        "edits": keeping.check_editing,
        "closing": keeping.check_closing,
    }
)
"""Each check by what it is about."""


async def check_store(make: Factory, reopen: Factory | None = None) -> None:
    """Run every check; what goes wrong carries the name of its check.

    `make` gives a new store in an empty place, `reopen` another store object in the place made last.
    """
    ground = Ground(make, reopen)
    for name, check in STORE_CHECKS.items():
        with Named(name):
            await check(ground)
