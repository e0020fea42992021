"""Make a set of kept campaigns: `python -m tests.kept_campaigns.make FOLDER`; the folder is not there yet.

A set that is kept is never made anew: what it proves is that the folders of an older engine are still read. A
new save format, or something new that leaves a trace in a record, gets a further set, a plot and a feature.
"""

import argparse
import asyncio
import tempfile
from dataclasses import asdict
from pathlib import Path

from talewright.play.history.campaign_history import CampaignArchive
from tests.kept_campaigns.keeping import Kept, keep
from tests.kept_campaigns.plots import PLOTS, Plot
from tests.kept_campaigns.standing import describe
from tests.kept_campaigns.workshop import Workshop


def make_set(place: Path) -> list[Kept]:
    """Play every plot with the engine of today and keep what its store wrote."""
    place.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as home:
        return [_make(Path(home), Kept(place, name), plot) for name, plot in PLOTS.items()]


def _make(home: Path, kept: Kept, plot: Plot) -> Kept:
    shop = Workshop(home, kept.name, git=plot.git)

    async def play() -> dict[str, object]:
        following = await plot.play(shop)
        lobby = shop.lobby()
        standing = await describe(CampaignArchive(lobby.store, lobby.shelf), shop.folder)
        return {**standing, "following": asdict(following)}

    keep(shop.folder, kept, asyncio.run(play()))
    return kept


def main() -> None:
    """Make a set where the first word says."""
    parser = argparse.ArgumentParser(description="Make a set of kept campaigns with the engine of today.")
    parser.add_argument("folder", type=Path, help="where to; it must not be there yet")
    for kept in make_set(parser.parse_args().folder):
        print(f"{kept.name}: {kept.expected['records']} records, {', '.join(kept.expected['features'])}")


if __name__ == "__main__":
    main()
