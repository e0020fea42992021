"""Tar archives, unpacked by every release of Python 3.11 and later."""

import tarfile
from pathlib import Path


def unpack(archive: tarfile.TarFile, folder: Path) -> None:
    """Unpack all of it; what would land outside the folder is refused, by Pythons that can."""
    # The first releases of Python 3.11 know no filters; from 3.12 on, leaving one out is a warning.
    archive.extraction_filter = getattr(tarfile, "data_filter", None)
    archive.extractall(folder)
