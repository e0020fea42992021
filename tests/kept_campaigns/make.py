"""Make a set of kept campaigns: `python -m tests.kept_campaigns.make FOLDER`; the folder is not there yet.

A set that is kept is never made anew: what it proves is that the folders of an older engine are still read. A
new save format, or something new that leaves a trace in a record, gets a further set, a plot and a feature.

With `--host`, PostgreSQL and Redis are started, and the campaign that is pulled from a host is made as well.
The names of plots behind the folder choose some of them: the fifth set has those that no earlier set had.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from talewright.play.history.campaign_history import CampaignArchive
from talewright_testkit.servers.postgres_server import running_postgres
from talewright_testkit.servers.redis_server import running_redis
from tests.kept_campaigns import plots, road_and_town_plots, served_plots
from tests.kept_campaigns.keeping import Kept, keep
from tests.kept_campaigns.plots import Plot
from tests.kept_campaigns.standing import describe
from tests.kept_campaigns.workshop import Workshop

EVERY_PLOT: Mapping[str, Plot] = {**plots.PLOTS, **road_and_town_plots.PLOTS, **served_plots.PLOTS}
"""All that need no server besides."""


def make_set(place: Path, chosen: Mapping[str, Plot] = EVERY_PLOT) -> list[Kept]:
    """Play every plot with the engine of today and keep what its store wrote."""
    place.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as home:
        return [_make(Path(home), Kept(place, name), plot) for name, plot in chosen.items()]


def _make(home: Path, kept: Kept, plot: Plot) -> Kept:
    shop = Workshop(home, kept.name, git=plot.git)

    async def play() -> dict[str, object]:
        following = await plot.play(shop)
        lobby = shop.lobby()
        standing = await describe(CampaignArchive(lobby.store, lobby.shelf), shop.folder)
        return {**standing, "made": list(plot.made), "following": asdict(following)}

    keep(shop.folder, kept, asyncio.run(play()))
    return kept


def main() -> None:
    """Make a set where the first word says."""
    parser = argparse.ArgumentParser(description="Make a set of kept campaigns with the engine of today.")
    parser.add_argument("folder", type=Path, help="where to; it must not be there yet")
    parser.add_argument("plots", nargs="*", help="which ones (default: all)")
    parser.add_argument("--host", action="store_true", help="also the one that is pulled from a host")
    asked = parser.parse_args()
    with ExitStack() as servers:
        known = dict(EVERY_PLOT)
        if asked.host:
            postgres = servers.enter_context(running_postgres())
            redis = servers.enter_context(running_redis())
            known |= served_plots.plots_on(postgres.url(postgres.create_database()), redis.url)
        chosen = {name: known[name] for name in asked.plots or known}
        for kept in make_set(asked.folder, chosen):
            print(f"{kept.name}: {kept.expected['records']} records, {', '.join(kept.expected['features'])}")


if __name__ == "__main__":
    main()
