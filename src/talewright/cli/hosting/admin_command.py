"""`talewright admin`: what the operator of a host does, from any machine that reaches its database.

Owners and budgets, stuck turns, and verification of the campaigns in PostgreSQL.
"""

import argparse
import os
from typing import Any

from talewright.cli.campaign.campaign_access import run_async
from talewright.cli.command_options import Commands, load_hosted
from talewright.cli.hosting.admin_owners import add_budgets, add_owner
from talewright.cli.hosting.admin_turns import add_turns
from talewright.cli.hosting.admin_verify import add_admin_verify

EXAMPLES = """examples:
  talewright admin owner add "Ann's table" --dollars 20
  talewright admin budgets
  talewright admin turns --older-than 60 --resume
  talewright admin verify --owner 0f3a5c"""


def add_admin(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = commands.add_parser(
        "admin",
        help="run a host: owners, budgets, stuck turns, verification",
        description="Commands for the operator of a host. They need DATABASE_URL, the address of\n"
        "its database; verify also needs TALEWRIGHT_SEALING_KEYS. Exit code 0: done;\n1: something is wrong; "
        "2: wrong usage, or the database cannot be reached;\n3: see turns and verify.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    inner = parser.add_subparsers(title="commands", metavar="WORD", required=True)
    add_owner(inner)
    add_budgets(inner)
    add_turns(inner)
    add_admin_verify(inner)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Connect to the host, and do what was asked."""
    return run_async(_run(load_hosted("host_admin"), arguments))


async def _run(administration: Any, arguments: argparse.Namespace) -> int:
    async with administration.open_host_admin(os.environ) as admin:
        code: int = await arguments.work(admin, arguments)
    return code
