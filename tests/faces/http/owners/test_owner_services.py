"""The services of owners: made once, kept while they are used, and closed when nobody needs them."""

import asyncio
from dataclasses import dataclass
from typing import Any, cast

from talewright.faces.http.api_services import ApiServices
from talewright.faces.http.owners.owner_services import OwnerServices
from talewright.play.serving.owner_lookup import OwnerIdentity


@dataclass
class Noted:
    """Services that only know whether they are open."""

    owner: str
    is_open: bool = True

    async def close(self) -> None:
        self.is_open = False


class Maker:
    """Makes them, and remembers them all."""

    def __init__(self) -> None:
        self.made: list[Noted] = []
        self.now = 0.0

    def make(self, owner: OwnerIdentity) -> ApiServices:
        self.made.append(Noted(owner.id))
        return cast(ApiServices, self.made[-1])

    def services(self, **limits: Any) -> OwnerServices:
        return OwnerServices(self.make, seconds=lambda: self.now, **limits)

    @property
    def opened(self) -> list[str]:
        return [one.owner for one in self.made if one.is_open]


def name(owner: str, key: bytes = b"k") -> OwnerIdentity:
    return OwnerIdentity(owner, b"hash", key)


async def settle() -> None:
    """Let what was started run."""
    for _ in range(3):
        await asyncio.sleep(0)


def test_the_requests_of_an_owner_share_services() -> None:
    async def run() -> None:
        maker = Maker()
        services = maker.services()
        async with services.use(name("ann")) as one, services.use(name("ann")) as other:
            assert one is other
        async with services.use(name("ann")) as again:
            assert again is one
        async with services.use(name("ann", b"new token")) as renewed:
            assert renewed is not one
        assert len(maker.made) == 2

    asyncio.run(run())


def test_services_that_nobody_uses_are_closed() -> None:
    async def run() -> None:
        maker = Maker()
        services = maker.services(idle_max=2, idle_seconds=60.0)
        async with services.use(name("used")):
            for owner in "abcd":
                async with services.use(name(owner)):
                    maker.now += 1
            await settle()
            assert maker.opened == ["used", "c", "d"]
            maker.now += 100
            async with services.use(name("e")):
                pass
            await settle()
            assert maker.opened == ["used", "e"]
        assert services.count == 2
        await services.close()
        assert maker.opened == []

    asyncio.run(run())


def test_thousands_of_owners_leave_nothing_behind() -> None:
    async def run() -> None:
        maker = Maker()
        services = maker.services(idle_max=16)
        for number in range(2_000):
            async with services.use(name(f"owner{number}")):
                maker.now += 1
        await settle()
        assert services.count == 16
        assert len(maker.opened) == 16

    asyncio.run(run())
