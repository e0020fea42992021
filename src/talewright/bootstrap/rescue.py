"""Rescue: a damaged campaign rebuilt, and what came of it in words.

What is good is decided by the store.
"""

from collections.abc import Iterator
from pathlib import Path

from talewright.stores.folder.disk import Disk
from talewright.stores.folder.log_recovery import recover_log


def rescue(folder: Path) -> Iterator[str]:
    """Rebuild a campaign; what came of it, line by line."""
    found = recover_log(folder, disk=Disk())
    if not found.set_aside:
        yield f"{found.campaign} is whole: {found.records} records, nothing to recover."
    else:
        git = f", {found.from_git} of them from git" if found.from_git else ""
        yield f"{found.campaign} has {found.records} good records{git}."
        yield f"The damaged file is kept as {found.set_aside}."
        if found.lost_bytes:
            yield f"Nothing could replace {found.lost_bytes} bytes, about {found.lost_lines} records."
        yield f"Go on: talewright play --campaign {found.campaign}"
    yield from found.notices
