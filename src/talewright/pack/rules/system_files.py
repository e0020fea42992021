"""System files: the files that systems read, parsed by the systems themselves.

What they hold is the system's business; only names are matched here, and faults passed on.
"""

from collections.abc import Iterable, Mapping

from talewright.kernel.state.documents import Json
from talewright.kernel.system import System
from talewright.pack.desk import Desk
from talewright.pack.files.folder import Folder
from talewright.pack.files.plain_text import decode
from talewright.pack.files.shelf import matches


def read_system_files(
    systems: Iterable[System], folder: Folder, desk: Desk
) -> Mapping[str, Mapping[str, Json]]:
    """What each system made of its files: system, file, JSON."""
    read: dict[str, dict[str, Json]] = {}
    for system in systems:
        for reading in system.reads():
            for name, data in folder.files.items():
                text = decode(name, data, desk) if matches(name, reading.pattern) else None
                if text is None:
                    continue
                value, faults = reading.parse(text, name)
                read.setdefault(system.name, {})[name] = value
                for fault in faults:
                    desk.add(fault)
    return read
