"""Blobs: games and snapshots, each in a file with a checksum, and the campaign's secret.

A file whose checksum does not match is moved aside and never read.
"""

import hashlib
import json
from collections.abc import Mapping

from talewright.chronicle.records import Json
from talewright.chronicle.store import BlobKind, DamagedError, UnsavedError
from talewright.common.plain_files import OddFileError, refuse_linked_folder
from talewright.stores.folder.disk import (
    Disk,
    FolderLayout,
    make_inner_folder,
    put_file,
    read_file,
    set_aside,
)
from talewright.stores.folder.pages.page_projector import PageProjector

KEPT_BYTES_MAX = 256 * 1024 * 1024
"""The maximum size of a blob in bytes."""

SECRET_BYTES_MAX = 4096
"""The maximum size of the secret's file in bytes."""

_SEAL = b'{"seal":"'
_VALUE = b'","value":'
_END = b"}\n"
_HEAD_BYTES = len(_SEAL) + 64 + len(_VALUE)


class FolderBlobs:
    """The blobs and the secret of one campaign."""

    def __init__(self, disk: Disk, layout: FolderLayout, projector: PageProjector) -> None:
        self._disk = disk
        self._layout = layout
        self._projector = projector
        self._unrecorded: set[str] = set()
        """Files, relative to the folder, that are not in git yet."""

    async def keep(self, shelf: BlobKind, name: str, value: Json) -> None:
        """Save a blob under a name; a name always stands for the same value."""
        path = self._layout.kept(shelf, name)
        sealed = seal_value(shelf, name, value)
        try:
            if self._read(shelf, name) is None:
                make_inner_folder(self._disk, path.parent)
                put_file(self._disk, path, sealed)
        except OSError as error:
            raise UnsavedError(
                f"a file could not be written to the disk: {error.strerror or error}",
                "Free some disk space or check the disk, then try again. Everything saved before is safe.",
            ) from error
        if shelf is BlobKind.GAME:
            self.note_game(name)

    def note_game(self, digest: str) -> None:
        """Mark a game as not in git yet."""
        path = self._layout.kept(BlobKind.GAME, digest)
        self._unrecorded.add(path.relative_to(self._layout.folder).as_posix())

    async def kept(self, shelf: BlobKind, name: str) -> Json:
        """The saved value; None if it is missing or damaged."""
        try:
            data = self._read(shelf, name)
        except OSError:
            return None
        value: Json = json.loads(data) if data is not None else None
        return value

    async def secret(self) -> bytes:
        """The secret that the campaign's draws are derived from."""
        try:
            data = read_file(self._disk, self._layout.secret, SECRET_BYTES_MAX)
        except OSError as error:
            raise self._secret_lost(error.strerror or str(error)) from error
        secret = unseal_secret(data)
        if secret is None:
            raise self._secret_lost("it is not what was written")
        return secret

    async def edits(self, paths: frozenset[str]) -> Mapping[str, str]:
        """The texts of the pages that a person has changed since they were last written."""
        return self._projector.read_edits(paths)

    def _read(self, shelf: BlobKind, name: str) -> bytes | None:
        """The JSON of a blob, or None; a damaged file is set aside."""
        path = self._layout.kept(shelf, name)
        # The target of a link is not ours to move.
        refuse_linked_folder(path.parent)
        try:
            data = read_file(self._disk, path, KEPT_BYTES_MAX)
        except FileNotFoundError:
            return None
        except OddFileError:
            data = b""
        value = unseal(shelf, name, data)
        if value is None:
            set_aside(self._disk, path, self._layout.set_aside, f"{path.parent.name}-{path.name}")
        return value

    def _secret_lost(self, why: str) -> DamagedError:
        return DamagedError(
            f"the secret of the campaign {self._layout.campaign!r} cannot be read: {why}",
            f"Restore the file {self._layout.secret} from a backup; without it no dice can be rolled.",
        )


def seal_value(shelf: BlobKind, name: str, value: Json) -> bytes:
    """The bytes of a JSON blob. Raises ValueError if JSON cannot represent the value."""
    return seal(
        shelf, name, json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    )


def seal(shelf: BlobKind, name: str, data: bytes) -> bytes:
    """The bytes of a blob file."""
    return _SEAL + _hash(shelf, name, data) + _VALUE + data + _END


def unseal(shelf: BlobKind, name: str, data: bytes) -> bytes | None:
    """The JSON in a blob; None if it is not what was written under this name."""
    if not data.startswith(_SEAL):
        return None
    value = data[_HEAD_BYTES : -len(_END)]
    return value if data == seal(shelf, name, value) else None


def seal_secret(secret: bytes) -> bytes:
    """The bytes of a secret's file: the secret, then its hash, both in hexadecimal."""
    return f"{secret.hex()}\n{hashlib.sha256(secret).hexdigest()}\n".encode()


def unseal_secret(data: bytes) -> bytes | None:
    """The secret in a file's bytes; None if they are not what was written."""
    try:
        secret = bytes.fromhex(data.partition(b"\n")[0].decode())
    except ValueError:
        return None
    return secret if data == seal_secret(secret) else None


def _hash(shelf: BlobKind, name: str, data: bytes) -> bytes:
    """Hash the name together with the value, so that a file moved under another name does not match."""
    head = f"{shelf.value}\n{len(name)}\n{name}\n".encode("utf-8", "surrogatepass")
    return hashlib.sha256(head + data).hexdigest().encode()
