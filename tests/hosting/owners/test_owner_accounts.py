"""Owner accounts: a token is shown once, found by its hash, renewed and removed."""

import pytest

from talewright.hosting.owners.owner_accounts import (
    LABEL_LENGTH_MAX,
    OwnerAccounts,
    OwnerLimits,
    UnknownOwnerError,
)
from talewright_testkit.servers.postgres_server import PostgresServer
from tests.hosting.limits.test_shared_budgets import with_nodes


def test_owners_are_found_by_their_tokens(database_url: str) -> None:
    async def use(one: OwnerAccounts, two: OwnerAccounts) -> None:
        ada, ada_token = await one.add("Ada")
        ben, ben_token = await two.add("Ben" * LABEL_LENGTH_MAX, OwnerLimits(2.5, 1_000))
        assert (await one.find(ben_token), await two.find(ada_token)) == (ben, ada)
        for wrong in ("", ada_token[:-1], ada_token + "x", ada, "tw_\udc80"):
            assert await one.find(wrong) is None
        by_id = {account.id: account for account in await one.list()}
        assert by_id[ada].limits == OwnerLimits()
        assert by_id[ben].limits == OwnerLimits(2.5, 1_000)
        assert len(by_id[ben].label) == LABEL_LENGTH_MAX
        first = await one.list(count=1)
        assert [*first, *await one.list(first[0].id)] == [*by_id.values()]

    with_nodes(database_url, use)


def test_a_token_is_renewed_and_removed(database_url: str) -> None:
    async def use(one: OwnerAccounts, two: OwnerAccounts) -> None:
        owner, old = await one.add("Ada")
        new = await one.renew_token(owner)
        assert (await two.find(old), await two.find(new)) == (None, owner)
        await one.remove(owner)
        assert await two.find(new) is None
        for change in (one.renew_token(owner), one.remove(owner), one.set_limits(owner, OwnerLimits())):
            with pytest.raises(UnknownOwnerError) as caught:
                await change
            assert caught.value.hint

    with_nodes(database_url, use)


def test_the_database_knows_no_token(postgres_server: PostgresServer) -> None:
    name = postgres_server.create_database()
    tokens: list[str] = []

    async def use(one: OwnerAccounts, two: OwnerAccounts) -> None:
        tokens.append((await one.add("Ada"))[1])

    with_nodes(postgres_server.url(name), use)
    dump = postgres_server.dump(name)
    assert "Ada" in dump
    assert tokens[0] not in dump
    postgres_server.drop_database(name)
