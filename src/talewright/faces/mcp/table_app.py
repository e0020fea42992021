"""The table app: the player's table as one HTML document that clients with MCP Apps show in a frame.

It is made of the scripts and styles of the browser's pages, and fetches nothing. Whatever the role of the
server, it draws the player's view and is sent no other, since the client's user is usually the player.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from mcp.server.apps import client_supports_apps
from mcp.server.context import ServerRequestContext

from talewright.common.json_values import Json
from talewright.common.safe_text import PLAIN_FACE_TEXT, make_safe
from talewright.faces.mcp.app_words import write_app_words
from talewright.play.campaign_view import View, Viewer
from talewright.play.presentation.words.player_messages import FixedChoice
from talewright.play.wire.view_codec import to_wire
from talewright.version import __version__

TABLE_URI = "ui://talewright/table"
TABLE_KEY = "talewright/table"
"""The metadata key of a tool's result that holds the view to draw; assistants do not read it."""

TABLE_META: Mapping[str, Any] = {"ui": {"prefersBorder": True}}
"""No domains, so the frame may connect to nothing."""

SHARED_SCRIPTS = ("components.js", "panels.js")
"""Of the browser's pages."""

OWN_SCRIPTS = ("host.js", "app.js")

TAKEN = "The player has taken a turn at the table themselves:"
"""For the assistant, which has not seen it."""

_IMPORT = re.compile(r"^import .*\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def shows_table(context: ServerRequestContext[Any, Any]) -> bool:
    """Whether a client says that it shows apps."""
    return context.session.client_capabilities is not None and client_supports_apps(context)


def may_draw(context: ServerRequestContext[Any, Any]) -> bool:
    """Whether a client shows apps; over the older HTTP without sessions it cannot say, so it may."""
    return context.session.client_capabilities is None or shows_table(context)


def write_table(view: View) -> dict[str, Json]:
    """A player's view for the app."""
    assert view.viewer is Viewer.PLAYER, "the app never draws what only others may see"
    if view.decisions or view.end is not None:
        # Then only the choices about a turn that failed count.
        fixed = tuple(one for one in view.choices if one.id in set(FixedChoice))
        view = replace(view, choices=fixed)
    return {"view": _clean(to_wire(view))}


@cache
def make_table_document(role: Viewer, proof: str) -> str:
    """The document of a server with a role, with everything it needs in it.

    With the `proof` it answers decisions: assistants do not read the document.
    """
    web, own = files("talewright.faces.web") / "static", files("talewright.faces.mcp") / "static"
    scripts = [(web / name).read_text("utf-8") for name in SHARED_SCRIPTS]
    scripts += [(own / name).read_text("utf-8") for name in OWN_SCRIPTS]
    styles = [(web / "page.css").read_text("utf-8"), (own / "app.css").read_text("utf-8")]
    about: Json = {
        "version": __version__,
        "key": TABLE_KEY,
        "taken": TAKEN,
        "role": role.value,
        "proof": proof,
    }
    document = (own / "app.html").read_text("utf-8")
    for place, text in {
        "style": "\n".join(styles),
        "words": _write_json(write_app_words()),
        "about": _write_json(about),
        # Modules within one document have no addresses: joined, they are one.
        "script": _EXPORT.sub("", _IMPORT.sub("", "\n".join(scripts))),
    }.items():
        document = document.replace(f"{{{place}}}", text, 1)
    return document


def _write_json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def _clean(value: Json) -> Json:
    """A value without control characters in its texts."""
    if isinstance(value, str):
        return make_safe(value, PLAIN_FACE_TEXT)
    if isinstance(value, Mapping):
        return {name: _clean(one) for name, one in value.items()}
    return [_clean(one) for one in value] if isinstance(value, list | tuple) else value
