"""Timeouts of a reply: how long is waited for a connection, the first token, the next, the end.

Numbers and the moment at which waiting ends; nothing waits here. Settings may name other numbers.
"""

from typing import NamedTuple

from talewright.common.frozen_values import frozen


@frozen
class ProviderTimeouts:
    """How long is waited for what, in seconds."""

    connect_seconds: float = 10.0
    first_token_seconds: float = 45.0
    """From the question to the first piece of text, thinking or a call. A server that hangs is asked again
    afterwards, and that answer must still fit into the turn."""

    between_chunks_seconds: float = 30.0
    """From one such piece to the next; a server that only says that it lives brings none."""

    total_seconds: float = 110.0
    """From the question to the end of the answer."""

    farewell_seconds: float = 0.2
    """After the end of the answer, until the server has finished its sending: then the connection is kept."""

    list_seconds: float = 10.0
    """For the list of models."""

    costs_seconds: float = 5.0
    """After the last word of an answer, until the server has said what it cost or that this is all."""


class ReplyDeadline(NamedTuple):
    """When waiting ends, and how that is told."""

    at: float
    seconds: float
    what: str
