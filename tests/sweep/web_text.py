"""Web text, swept: hostile texts through the lobby, the table and the pages of cards, in real Chromium.

Each text is in the lobby as title, tone or description, on a card as label, value and description, a choice
with its hint, in a scene, in what a model tells, and drawn byte by byte by the script of the table. Nothing
may run, be fetched or be refused by the policy of the page, and every text must be readable as it is.
"""

import tempfile
from pathlib import Path

from tests.faces.web.in_chromium.hostile_visit import visit_hostile_pages
from tests.sweep.parts import Progress

FULL_COUNT = 5_000
CHUNK = 250
"""Texts for one server and one browser."""


def run(count: int, seed: int, progress: Progress | None = None) -> int:
    """Look at so many texts."""
    with tempfile.TemporaryDirectory() as folder:
        checked = visit_hostile_pages(count, seed, Path(folder))
    if progress:
        progress(checked)
    return checked
