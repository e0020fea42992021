"""Standing: where a campaign is after a command has moved it, on a few lines or as JSON.

Only what a player may see.
"""

import json

from talewright.cli.quotes import printable
from talewright.cli.sayings import LINE_CELLS, shorten
from talewright.play.campaign_view import View


def tell_standing(view: View, *, as_json: bool) -> None:
    """Print where a campaign stands now."""
    if as_json:
        facts = {"campaign": view.campaign, "branch": view.branch, "version": view.version, "head": view.head}
        print(json.dumps(facts, indent=2, ensure_ascii=False))
        return
    print(f"{view.campaign} stands at turn {view.version} on the branch {view.branch}.")
    if view.turn is not None and view.turn.narration:
        print(shorten(f"      {view.turn.narration}", LINE_CELLS))
    for choice in view.choices:
        print(f"  - {printable(choice.label)}")
    print(f"Go on: talewright play --campaign {view.campaign}")
