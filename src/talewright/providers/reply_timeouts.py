"""Timeouts of a reply: how long to wait for a connection, the first token, the next one, and the end.

Numbers and deadlines only; nothing waits here. Settings may override the numbers.
"""

from typing import NamedTuple

from talewright.common.frozen_values import frozen


@frozen
class ProviderTimeouts:
    """How long to wait for what, in seconds."""

    connect_seconds: float = 10.0
    first_token_seconds: float = 45.0
    """From the request to the first piece of text, thinking or a call. A server that hangs is retried
    afterwards, and that answer must still fit into the turn.
    """

    between_chunks_seconds: float = 30.0
    """From one such piece to the next; keep-alives do not count."""

    total_seconds: float = 110.0
    """From the request to the end of the answer."""

    farewell_seconds: float = 0.2
    """After the end of the answer, until the server has closed the stream: then the connection can be reused.
    """

    list_seconds: float = 10.0
    """For the list of models."""

    costs_seconds: float = 5.0
    """After the last word of an answer, until the server has reported the usage or the end."""


class ReplyDeadline(NamedTuple):
    """When waiting ends, and the error for it."""

    at: float
    seconds: float
    what: str
