"""`talewright admin`: what an operator does, on any machine that can reach the database of the host.

It manages owners, campaigns, budgets, stuck turns, workers, the schema and the sealing keys, and verifies
campaigns.
"""

import argparse
import os

from talewright.cli.campaign.campaign_access import run_async
from talewright.cli.command_options import needing_hosted
from talewright.cli.help.help_texts import Commands, add_command, add_subcommands
from talewright.cli.hosting.admin_data import add_campaign, add_campaigns
from talewright.cli.hosting.admin_owners import add_budgets, add_owner
from talewright.cli.hosting.admin_schema import add_migrate, add_reseal
from talewright.cli.hosting.admin_turns import add_turns
from talewright.cli.hosting.admin_verify import add_admin_verify
from talewright.cli.hosting.admin_workers import add_workers


def add_admin(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_command(
        commands,
        "admin",
        "Manage a host, on any machine that can reach its database. Set DATABASE_URL to its address; "
        "`verify`, `reseal` and `owner export` also need TALEWRIGHT_SEALING_KEYS.\n\n"
        "Exit code 0: done; 1: something is wrong; 2: wrong usage, or the database cannot be reached; 3: "
        "turns are stuck (`admin turns`) or not completely proven (`admin verify`).",
        'talewright admin owner add "Ann\'s table" --dollars 20',
        "talewright admin budgets",
        "talewright admin turns --older-than 60 --resume",
        "talewright admin verify --owner 0f3a5c",
    )
    inner = add_subcommands(parser, required=True)
    add_owner(inner)
    add_campaigns(inner)
    add_campaign(inner)
    add_budgets(inner)
    add_turns(inner)
    add_workers(inner)
    add_admin_verify(inner)
    add_migrate(inner)
    add_reseal(inner)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Connect to the database, and run the subcommand."""
    return run_async(_run(arguments))


async def _run(arguments: argparse.Namespace) -> int:
    with needing_hosted():
        from talewright.bootstrap.hosting.host_admin import open_host_admin
    async with open_host_admin(os.environ) as admin:
        code: int = await arguments.work(admin, arguments)
    return code
