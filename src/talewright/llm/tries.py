"""Tries: what became of one try at an ask, for the wrappers that make another or keep the books.

It counts and decides nothing: whether to go on is the wrapper's business.
"""

from talewright.llm.chunks import Again, CallPart, Chunk, Text, Used, add, gather
from talewright.llm.errors import ProviderError
from talewright.llm.requests import Request
from talewright.llm.tokens import estimate_usage
from talewright.llm.usage import Usage


class Attempt:
    """One try, as it goes by. Where the reply begins anew, so does what is known of it."""

    __slots__ = ("_chunks", "_request", "before", "given", "restarts")

    def __init__(self, request: Request) -> None:
        self._request = request
        self._chunks: list[Chunk] = []
        self.given = False
        """Whether text or calls have been given since the reply last began."""

        self.restarts = 0
        """How often the reply has begun anew."""

        self.before: Usage | None = None
        """What the beginnings that were given up have cost."""

    def note(self, chunk: Chunk) -> None:
        """See a chunk go by."""
        if isinstance(chunk, Again):
            self.before = add(self.before, self._told())
            self.restarts += 1
            self.given = False
            self._chunks.clear()
            return
        self._chunks.append(chunk)
        if not self.given and isinstance(chunk, Text | CallPart):
            self.given = True

    def is_free(self, error: ProviderError) -> bool:
        """Whether the last beginning has certainly cost nothing."""
        return error.unpaid and not self._chunks

    def count_paid(self, error: ProviderError) -> int:
        """How many beginnings may have been paid for."""
        return self.restarts + (not self.is_free(error))

    def cost(self, error: ProviderError | None = None) -> Usage | None:
        """What the last beginning has cost: as the provider says, else a guess; None: certainly nothing."""
        if error is not None and error.usage is not None:
            return error.usage
        if error is not None and self.is_free(error):
            return None
        return self._told() or estimate_usage(self._request, gather(self._chunks))

    def settle(self, error: ProviderError) -> tuple[Chunk, ...]:
        """The cost of a failed beginning as a chunk, where it has not been told already."""
        cost = self.cost(error)
        return () if cost is None or cost == self._told() else (Used(cost),)

    def void(self, error: ProviderError) -> tuple[Chunk, ...]:
        """What has to be said before a further try.

        Nothing where nothing was given and nothing spent: the listener need not learn of that try.
        """
        if not self.given and self.is_free(error):
            return ()
        return (*self.settle(error), Again(error.message))

    def _told(self) -> Usage | None:
        return gather(self._chunks).usage
