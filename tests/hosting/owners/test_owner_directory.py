"""The owner directory: finds owners by their tokens and ids, and asks the database only now and then."""

from talewright.hosting.owners.owner_accounts import TOKEN_START
from talewright.hosting.owners.owner_directory import KNOWN_SECONDS, OwnerDirectory
from tests.hosting.limits.test_shared_budgets import Node, with_nodes
from tests.hosting.limits.test_shared_rate_limit import Clock
from tests.stores.postgres.stores import KEYS


def test_an_owner_is_found_by_token_and_id_until_it_is_removed(database_url: str) -> None:
    async def use(one: Node, two: Node) -> None:
        clock = Clock()
        directory = OwnerDirectory(two.database, KEYS, seconds=clock)
        owner, token = await one.add("Ada")
        found = await directory.find_by_token(token)
        assert found is not None
        assert found.id == owner
        assert await directory.find_by_id(owner) == found
        for wrong in (token.removeprefix(TOKEN_START), f"{token}x", f"x{token}", owner, ""):
            assert await directory.find_by_token(wrong) is None
        await one.remove(owner)
        clock.now += KNOWN_SECONDS
        assert await directory.find_by_token(token) is None
        assert await directory.find_by_id(owner) is None

    with_nodes(database_url, use)
