"""2,000 listeners of a killed node connect to the other one within 10 seconds, and all have the whole text.

An example is a listener.
"""

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.hosting.chaos.chaos_host import chaos_host
from tests.hosting.chaos.chaos_provider import serve_provider
from tests.hosting.chaos.chaos_reconnects import allow_connections, reconnect

FULL_COUNT = CHUNK = 2_000
SECONDS_MAX = 10.0
FILES_MAX = 3 * FULL_COUNT


def run(count: int, seed: int, progress: Callable[[int], None] | None = None) -> int:
    """Let `count` listeners reconnect at once."""
    allow_connections(FILES_MAX)

    async def work(folder: Path) -> float:
        async with serve_provider() as provider:
            standing = chaos_host(folder, provider.url)
            host = await asyncio.to_thread(standing.__enter__)
            try:
                figures = await reconnect(host, provider, count, f"reconnects-{seed}")
            finally:
                await asyncio.to_thread(standing.__exit__, None, None, None)
        print(figures, flush=True)
        return float(str(figures["seconds"]))

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        seconds = asyncio.run(work(Path(folder)))
    assert seconds <= SECONDS_MAX, f"{count} listeners needed {seconds:.1f} s"
    return count
