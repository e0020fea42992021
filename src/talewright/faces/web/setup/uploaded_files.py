"""Uploaded files: the fields and the file of a multipart/form-data form, read with size limits.

Browsers write this format in one fixed way, which the HTML standard describes; anything else is refused. The
request guards limit the size of the whole body.
"""

import re
from collections.abc import Mapping

from talewright.common.frozen_values import frozen
from talewright.faces.web.page_requests import unreadable

UPLOAD_TYPE = "multipart/form-data"
PARTS_MAX = 8
HEAD_BYTES_MAX = 2_000
FIELD_BYTES_MAX = 10_000
FILE_NAME_LENGTH_MAX = 200

_BOUNDARY = re.compile(
    r'multipart/form-data\s*;\s*boundary="?([0-9A-Za-z\'()+_,./:=?-]{1,70})"?\s*', re.IGNORECASE
)
_NAME = re.compile(r'content-disposition:\s*form-data;\s*name="([^"\r\n]*)"', re.IGNORECASE)
_FILE_NAME = re.compile(r';\s*filename="([^"\r\n]*)"', re.IGNORECASE)


@frozen
class UploadedForm:
    """A form with at most one file."""

    fields: Mapping[str, str]
    file_name: str = ""
    data: bytes = b""


def read_upload(content_type: str, body: bytes) -> UploadedForm:
    """The form in a body. Raises WireError if it is not one."""
    found = _BOUNDARY.fullmatch(content_type.strip())
    if found is None:
        raise unreadable(f"this is not an upload; send it as {UPLOAD_TYPE}")
    mark = b"--" + found[1].encode()
    if not body.startswith(mark):
        raise unreadable("this upload cannot be read")
    fields: dict[str, str] = {}
    file_name, data, has_file = "", b"", False
    at = len(mark)
    for _ in range(PARTS_MAX + 1):
        if body[at : at + 2] == b"--":
            return UploadedForm(fields, file_name, data)
        head_end = body.find(b"\r\n\r\n", at, at + HEAD_BYTES_MAX)
        end = body.find(b"\r\n" + mark, head_end + 2)
        if body[at : at + 2] != b"\r\n" or head_end < 0 or end < 0:
            raise unreadable("this upload cannot be read")
        head, content = body[at + 2 : head_end].decode("utf-8", "replace"), body[head_end + 4 : end]
        name, file = _NAME.search(head), _FILE_NAME.search(head)
        if name is None or (file is not None and has_file):
            raise unreadable("this upload cannot be read")
        if file is not None:
            file_name, data, has_file = file[1][-FILE_NAME_LENGTH_MAX:], content, True
        elif len(content) <= FIELD_BYTES_MAX:
            fields[name[1]] = content.decode("utf-8", "replace")
        else:
            raise unreadable("this upload cannot be read")
        at = end + 2 + len(mark)
    raise unreadable("this upload cannot be read")
