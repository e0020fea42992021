"""Import limits: how large the files may be from which a campaign can be started, however they arrive.

The readers of the files check these limits, and servers stop reading an upload where they end. This module
imports nothing, so that a terminal can load it before the engine.
"""

_MEGABYTE = 1024 * 1024

SAVE_BYTES_MAX = 32 * _MEGABYTE
"""The maximum size in bytes of an imported save game: the current state, and the story so far."""

TURN_INDEX_MAX = 1_000_000_000
"""The highest turn number in a save game."""

WHOLE_SAVE_BYTES_MAX = 256 * _MEGABYTE
"""The maximum size in bytes of an imported whole save: all records and games of a campaign.

A larger one is not exported either, because it could not be imported again.
"""

HEADER_BYTES_MAX = 1024
"""The maximum length of a whole save's first line in bytes."""

OPERATION_LENGTH_MAX = 200
"""The maximum length of the id of an operation in an imported record.

Clients choose these ids.
"""

TRANSFER_BYTES_MAX = WHOLE_SAVE_BYTES_MAX
"""The maximum size in bytes of a campaign that its owner pushes to a server or pulls from it.

An operator of the host can transfer larger ones.
"""

TRANSFER_SECRET_BYTES_MAX = 1024
"""The maximum length in bytes of the dice secret in such a campaign."""


def count_megabytes(size: int) -> int:
    """A size in bytes as whole megabytes, for a message."""
    return size // _MEGABYTE
