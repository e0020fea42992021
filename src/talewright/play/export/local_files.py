"""Local files: reads save games and writes exports on this machine, for faces and commands.

A lobby takes and returns bytes, so that it can be remote. An existing file is overwritten only on request.
"""

from pathlib import Path

from talewright.errors import TalewrightError
from talewright.play.export.import_limits import WHOLE_SAVE_BYTES_MAX


class LocalFileError(TalewrightError):
    """A local file could not be read or written."""


def find_file(path: str) -> Path:
    """The path of a file name typed by a person; `~` is the home folder."""
    return Path(path).expanduser()


def read_save_file(file: Path) -> bytes:
    """The bytes of a save game, at most one more than allowed."""
    try:
        with file.open("rb") as stream:
            # One byte more than allowed, so that the parser notices that it is too long.
            return stream.read(WHOLE_SAVE_BYTES_MAX + 1)
    except OSError as error:
        raise LocalFileError(
            f"{file} cannot be read: {error.strerror}", "Use a file from `talewright saves export`."
        ) from error


def write_new(file: Path, data: bytes, *, force: bool = False, hint: str = "Choose another name.") -> None:
    """Write a file; overwrite an existing one only with `force`."""
    try:
        with file.open("wb" if force else "xb") as stream:
            stream.write(data)
    except FileExistsError:
        raise LocalFileError(f"{file} exists already", hint) from None
    except OSError as error:
        raise LocalFileError(
            f"{file} cannot be written: {error.strerror}", "Choose a folder that you can write to."
        ) from error
