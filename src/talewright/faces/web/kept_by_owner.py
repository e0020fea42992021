"""Kept by owner: what pages remember between requests, separately for each owner.

It is dropped together with the owner's sessions. No other cache of the pages may hold anything of an owner.
"""

from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from talewright.faces.http.api_services import ApiServices
from talewright.play.serving.session_pool import SessionPool

T = TypeVar("T")


class KeptByOwner(Generic[T]):
    """One value for each owner."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._values: WeakKeyDictionary[SessionPool, T] = WeakKeyDictionary()

    @property
    def count(self) -> int:
        """How many owners have a value."""
        return len(self._values)

    def find(self, services: ApiServices) -> T:
        """The value of the owner with these services; made on first use."""
        pool = services.pool
        if pool not in self._values:
            self._values[pool] = self._make()
        return self._values[pool]
