"""Margin notes: what a new player is told once at the table, one note a turn, and the cookie to remember it.

The cookie names the turn at which each note appeared, so that a page loaded again still shows it.
"""

import hashlib
from collections.abc import Mapping

from talewright.faces.web.display_choices import DISPLAY_SECONDS
from talewright.play.campaign_view import View

NOTES_COOKIE = "talewright_notes"
RISK, UNDO, TELLER = "risk", "undo", "teller"
NOTES = (RISK, UNDO, TELLER)
UNSEEN = "-"
MARK_DIGITS = 8
NEW_TURNS_MAX = 12
"""The last turn of a story at which a note may appear."""


def pick_note(view: View, cookies: Mapping[str, str], has_teller_page: bool) -> tuple[str, str]:
    """The note of a turn, and the cookie that remembers it; both empty if there is none."""
    kept = cookies.get(NOTES_COOKIE, "").split(".")
    kept = kept if len(kept) == len(NOTES) else [UNSEEN] * len(NOTES)
    mark = _mark(view)
    if mark in kept:
        return NOTES[kept.index(mark)], ""
    if view.end is not None or view.decisions or not 0 < view.version <= NEW_TURNS_MAX:
        return "", ""
    due = {
        RISK: any(choice.risk != "low" for choice in view.choices),
        UNDO: view.version > 1,
        TELLER: view.version > 1 and has_teller_page and not view.free_text,
    }
    note = next((one for at, one in enumerate(NOTES) if kept[at] == UNSEEN and due[one]), "")
    if not note:
        return "", ""
    value = ".".join(mark if one == note else kept[at] for at, one in enumerate(NOTES))
    return note, f"{NOTES_COOKIE}={value}; Path=/; Max-Age={DISPLAY_SECONDS}; HttpOnly; SameSite=Strict"


def _mark(view: View) -> str:
    return hashlib.sha256(f"{view.campaign} {view.head}".encode("utf-8", "replace")).hexdigest()[:MARK_DIGITS]
