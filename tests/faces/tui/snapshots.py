"""Snapshots: every screen of the terminal face as a picture, made on tours through the real engine.

`python -m tests.faces.tui.snapshots` rewrites the pictures; with names it rewrites only those.
"""

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from tests.faces.tui.tours.album import Album, Tour
from tests.faces.tui.tours.fight import tour_fight
from tests.faces.tui.tours.hall import tour_first_visit, tour_lobby, tour_setup
from tests.faces.tui.tours.past import tour_past
from tests.faces.tui.tours.table import tour_cards, tour_model, tour_scenes

FOLDER: Final = Path(__file__).parent / "pictures"
LANGUAGES: Final = ("en", "zh-CN")
TOURS: Final[Mapping[str, Tour]] = MappingProxyType(
    {
        "first visit": tour_first_visit,
        "setup": tour_setup,
        "lobby": tour_lobby,
        "scenes": tour_scenes,
        "model": tour_model,
        "cards": tour_cards,
        "past": tour_past,
        "fight": tour_fight,
    }
)


def take_tour(name: str, language: str) -> dict[str, str]:
    """The pictures of one tour, by name and language."""
    album = Album(language)
    asyncio.run(TOURS[name](album))
    return album.pictures


def main(names: list[str]) -> None:
    """Make the pictures anew."""
    FOLDER.mkdir(exist_ok=True)
    made: set[str] = set()
    for tour in names or TOURS:
        for language in LANGUAGES:
            for name, svg in take_tour(tour, language).items():
                made.add(name)
                file = FOLDER / f"{name}.svg"
                if not file.is_file() or file.read_text(encoding="utf-8") != svg:
                    file.write_text(svg, encoding="utf-8")
                    print(f"rewritten: {file.name}")
    if not names:
        for file in FOLDER.glob("*.svg"):
            if file.stem not in made:
                file.unlink()
                print(f"removed: {file.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
