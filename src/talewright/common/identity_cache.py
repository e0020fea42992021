"""The identity cache: caches results of functions of large values, found by the identity of the arguments.

Comparing or hashing a whole game would take longer than most computations on it. A cached argument stays
alive, so that no other object gets its identity.
"""

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple, Unpack

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


def cached_by_identity(
    size: int, by_value: tuple[type, ...] = ()
) -> Callable[[Callable[[Unpack[Ts]], T]], Callable[[Unpack[Ts]], T]]:
    """Keep the latest results of a function whose arguments never change.

    Texts and numbers are compared by value, and so are arguments of the types in `by_value`. The least
    recently used result is dropped first.
    """
    values = (str, int, *by_value)

    def decorate(make: Callable[[Unpack[Ts]], T]) -> Callable[[Unpack[Ts]], T]:
        kept: OrderedDict[tuple[object, ...], tuple[object, T]] = OrderedDict()

        @wraps(make)
        def find(*args: *Ts) -> T:
            key = tuple((type(one), one) if isinstance(one, values) else id(one) for one in args)
            # Taken out and put back in single steps: another thread may drop it in between.
            found = kept.pop(key, None) or (args, make(*args))
            kept[key] = found
            if len(kept) > size:
                kept.popitem(last=False)
            return found[1]

        return find

    return decorate
