"""Names: tools and calls named as a server takes them, whoever has named them first.

A model may call a tool that nobody has, under any name, and a campaign may go on with another model: what
stands in its transcript was named by other rules then. Equal names stay equal.
"""

import hashlib
import re

NAME_LENGTH_MAX = 64
"""Characters of a tool's name that every vendor takes."""

ID_LENGTH = 9
"""Characters of a new id: one vendor takes no more and no fewer, and only letters and digits."""

_STRANGE = re.compile(r"[^A-Za-z0-9_-]")


def write_name(name: str) -> str:
    """The name of a called tool as every vendor takes it."""
    return _STRANGE.sub("_", name)[:NAME_LENGTH_MAX] or "_"


def write_id(call_id: str, form: str) -> str:
    """The id of a call, where it has the form that a server wants, else another in its place."""
    if re.fullmatch(form, call_id):
        return call_id
    return hashlib.sha256(call_id.encode("utf-8", "replace")).hexdigest()[:ID_LENGTH]
