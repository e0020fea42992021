"""The access token: protects the servers that run on this machine, and is shared by all of them.

It is kept in one file that only its owner may read, or given by an environment variable. A `.env` cannot set
it: whoever wrote that file would know it. It is never passed on a command line and never becomes part of a
text by accident.
"""

import os
import re
import secrets
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from talewright.common.frozen_values import frozen
from talewright.common.plain_files import OddFileError, open_plain, replace_file
from talewright.config.api_keys import ApiKey
from talewright.config.settings_file import find_settings_file
from talewright.errors import SettingsError

TOKEN = "TALEWRIGHT_TOKEN"
"""The environment variable that replaces the file."""

TOKEN_FILE = "token"
TOKEN_FILE_MODE = 0o600
TOKEN_BYTES = 32
"""Random bytes in a new token."""

TOKEN_LENGTH_MIN = 16
TOKEN_LENGTH_MAX = 512
"""Characters in a token."""

_FIT = re.compile("[A-Za-z0-9._~+/-]+=*")
"""What a bearer token may contain (RFC 6750)."""


@frozen
class AccessToken:
    """A token and where it comes from."""

    key: ApiKey
    """Shown only by `reveal`."""

    source: str
    """The path of the file, or the name of the variable."""

    def matches(self, given: str) -> bool:
        """Whether a request brought this token; the check takes equally long for every wrong one."""
        return secrets.compare_digest(self.key.reveal().encode(), given.encode("utf-8", "replace"))


def find_token_file(environment: Mapping[str, str], home: Path) -> Path:
    """The path of the token: next to the settings."""
    return find_settings_file(environment, home).with_name(TOKEN_FILE)


def generate_token() -> str:
    """A new token that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def get_token(
    environment: Mapping[str, str], file: Path, generate: Callable[[], str] = generate_token
) -> AccessToken:
    """The token of this machine; the first process that asks for it creates it."""
    given = _read_variable(environment)
    if given:
        _check(given, TOKEN, f"Set {TOKEN} to a longer one, or unset it to use {file}.")
        return AccessToken(ApiKey(given), TOKEN)
    try:
        try:
            return _read(file)
        except FileNotFoundError:
            _write(file, generate(), replace=False)
            return _read(file)
    except OSError as error:
        raise _unusable(file, error) from error


def find_token(environment: Mapping[str, str], file: Path | None) -> AccessToken | None:
    """The token for a server that is already running: from the environment, or from the given file."""
    if _read_variable(environment) or (file is not None and file.exists()):
        return get_token(environment, file or Path())
    return None


def replace_token(
    environment: Mapping[str, str], file: Path, generate: Callable[[], str] = generate_token
) -> AccessToken:
    """Create a new token; servers that are already running keep the old one until they are restarted."""
    if _read_variable(environment):
        raise SettingsError(
            f"{TOKEN} is set, so the token in {file} is not used",
            f"Change {TOKEN}, or unset it to make a new token in the file.",
        )
    try:
        _write(file, generate(), replace=True)
        return _read(file)
    except OSError as error:
        raise _unusable(file, error) from error


def _read_variable(environment: Mapping[str, str]) -> str:
    return environment.get(TOKEN, "").strip()


def _read(file: Path) -> AccessToken:
    with os.fdopen(open_plain(file, os.O_RDONLY), "rb") as stream:
        shared = stat.S_IMODE(os.fstat(stream.fileno()).st_mode) & 0o077
        data = stream.read(TOKEN_LENGTH_MAX + 2)
    if shared and os.name != "nt":
        raise SettingsError(
            f"other users of this machine may have read {file}",
            "Replace it: start the server once with --new-token.",
        )
    text = data.decode("ascii", "replace").strip()
    _check(text, str(file), "Replace it: start the server once with --new-token.")
    return AccessToken(ApiKey(text), str(file))


def _write(file: Path, text: str, *, replace: bool) -> None:
    """Write the whole file at once: nobody ever reads a part of it, and the first of two processes wins."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{os.getpid()}.{secrets.token_hex(4)}.new")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, TOKEN_FILE_MODE), "wb") as stream:
            stream.write(f"{text}\n".encode())
            stream.flush()
            os.fsync(stream.fileno())
        if replace:
            replace_file(draft, file)
            return
        # If another process was first, its token is used.
        with suppress(FileExistsError):
            os.link(draft, file)
    finally:
        draft.unlink(missing_ok=True)


def _check(text: str, source: str, hint: str) -> None:
    if not TOKEN_LENGTH_MIN <= len(text) <= TOKEN_LENGTH_MAX or not _FIT.fullmatch(text):
        raise SettingsError(
            f"{source} has no valid token: {TOKEN_LENGTH_MIN} to {TOKEN_LENGTH_MAX} letters, digits and "
            "any of - . _ ~ + /",
            hint,
        )


def _unusable(file: Path, error: OSError) -> SettingsError:
    reason = str(error) if isinstance(error, OddFileError) else error.strerror or str(error)
    return SettingsError(
        f"the token file {file} cannot be used: {reason}",
        f"Check the file and its folder, or set {TOKEN} instead.",
    )
