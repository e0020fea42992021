"""Files of this machine: save games read and exports written, for the faces and commands that run on it.

A lobby takes and gives bytes, so that it may be anywhere. A file that is there already is written over only
when asked.
"""

from pathlib import Path

from talewright.errors import TalewrightError
from talewright.play.lobby import WHOLE_SAVE_BYTES_MAX


class LocalFileError(TalewrightError):
    """A file of this machine could not be read or written."""


def find_file(path: str) -> Path:
    """The file that a person means; `~` is their home folder."""
    return Path(path).expanduser()


def read_save_file(file: Path) -> bytes:
    """The bytes of a save game, and no more of them than one may have."""
    try:
        with file.open("rb") as stream:
            # One more than there may be: whoever reads them sees that it is too long.
            return stream.read(WHOLE_SAVE_BYTES_MAX + 1)
    except OSError as error:
        raise LocalFileError(
            f"{file} cannot be read: {error.strerror}", "Name a file that `talewright saves export` wrote."
        ) from error


def write_new(file: Path, data: bytes, *, force: bool = False, hint: str = "Choose another name.") -> None:
    """Write a file, over an old one only where that is asked for."""
    try:
        with file.open("wb" if force else "xb") as stream:
            stream.write(data)
    except FileExistsError:
        raise LocalFileError(f"{file} exists already", hint) from None
    except OSError as error:
        raise LocalFileError(
            f"{file} cannot be written: {error.strerror}", "Choose a place where you may write."
        ) from error
