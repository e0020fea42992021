"""Names under which a stranger asks for a folder that is no listed game, and the folders they would reach."""

import os
from dataclasses import dataclass
from pathlib import Path

from talewright.pack.game_folders import write_starter

LISTED = "salt_road"
TITLE = "Salt Road"
PRIVATE_TITLE = "Private Road"


@dataclass(frozen=True)
class Premises:
    """A machine with one listed game, and games elsewhere that nobody has listed."""

    root: Path

    @property
    def games(self) -> Path:
        """The folder whose games are listed."""
        return self.root / "games"

    @property
    def private(self) -> Path:
        """A game outside of it; it has the id of the listed one."""
        return self.root / "private"


def lay_out_premises(root: Path) -> Premises:
    """Write the games; tests make `root / "here"` the current folder and `root` the user's home."""
    found = Premises(root)
    write_starter(found.games / LISTED, LISTED, TITLE)
    write_starter(found.private, LISTED, PRIVATE_TITLE)
    write_starter(found.games / ".hidden", "hidden", "Hidden Road")
    write_starter(found.games / "other_name", "by_id", "By Id")
    broken = found.games / "broken"
    broken.mkdir()
    (broken / "game.yaml").write_text("game_id: 7\n", "utf-8")
    write_starter(root / "here" / "nearby", "nearby", "Nearby")
    if os.name == "posix":
        (root / "here" / "linked").symlink_to(found.private)
    return found


def list_unlisted(found: Premises) -> dict[str, list[str]]:
    """By family. None of them is the id of a listed game."""
    private = str(found.private)
    return {
        "absolute paths": [private, f"{private}/", f"{private}/.", f"/{private}", f"{private}/game.yaml"],
        "paths to listed games": [
            str(found.games / LISTED),
            f"./{LISTED}",
            f"{LISTED}/",
            f"{LISTED}/.",
            f"{LISTED}/../{LISTED}",
            f"other_name/../{LISTED}",
        ],
        "upwards": ["..", "../private", "../../private", f"{LISTED}/../../private", "games/../private", "."],
        "relative paths": ["nearby", "./nearby", "linked", "./linked", "here/nearby"],
        "the home": ["~", "~/private", "~root", "$HOME/private", "%HOME%/private"],
        "urls": [f"file://{private}", "%2e%2e%2fprivate", "..%2fprivate", "..%5cprivate", "..%c0%afprivate"],
        "other systems": ["..\\private", "C:\\private", "\\\\host\\share", "CON", "salt_road:stream"],
        "case": ["SALT_ROAD", "Salt_Road", "salt_roaD"],
        "look-alikes": [
            "ｓａｌｔ_ｒｏａｄ",
            "sаlt_road",
            "salt\u200b_road",
            "salt_road\u202e",
            "sa\u0301lt_road",
        ],
        "white space and control": [
            "",
            " ",
            "salt_road ",
            " salt_road",
            "salt_road\n",
            "salt_road\t",
            "salt_road\x00",
            "\x00",
        ],
        "names of folders": ["other_name", ".hidden", "broken", "games", "private"],
        "patterns": ["*", "salt_*", "salt_road?", "[s]alt_road", "salt_road,by_id"],
        "long": ["x" * 64, "../" * 20 + "private"],
    }


def every_unlisted(found: Premises) -> list[str]:
    """Of all families."""
    return [name for names in list_unlisted(found).values() for name in names]
