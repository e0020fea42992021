"""`talewright saves push` and `pull`: copy a campaign from this machine to a host, and back.

An owner sends them to the address of a server; an operator works on the database of the host, with its keys.
"""

import argparse
import importlib
import os
from typing import Any

from talewright.cli.campaign.campaign_access import run_async
from talewright.cli.command_options import Commands, add_saves_option, load_hosted, saves_folder

TRANSFER = "host_transfer"


def add_push(inner: Commands) -> None:
    """Add `saves push`."""
    parser = inner.add_parser(
        "push",
        help="copy a campaign to a host",
        description="Copy a campaign with its whole history and the secret of its dice to a host. Every hash "
        "stays equal. With --server, you are its owner there, and TALEWRIGHT_TOKEN is your token. Without "
        "it, you are the operator, and DATABASE_URL and TALEWRIGHT_SEALING_KEYS describe the host.",
        epilog="example: talewright saves push mist_harbor-1 --server https://play.example.org",
    )
    _add_shared(parser, "the campaign on this machine", "its name on the host (default: the same)")
    parser.set_defaults(run=run_push)


def add_pull(inner: Commands) -> None:
    """Add `saves pull`."""
    parser = inner.add_parser(
        "pull",
        help="copy a campaign from a host",
        description="Copy a campaign with its whole history from a host. Every hash stays equal. An older "
        "copy here goes to the bin. With --close it can be played on here, and no longer there. An owner "
        "(--server) gets the secret of the dice only then.",
        epilog="example: talewright saves pull mist_harbor-1 --server https://play.example.org --close",
    )
    _add_shared(parser, "the campaign on the host", "its name on this machine (default: the same)")
    parser.add_argument("--close", action="store_true", help="close the campaign on the host for good")
    parser.add_argument(
        "--as-owner",
        action="store_true",
        help="leave the secret of the dice on the host unless the campaign is closed, as for its owner",
    )
    parser.set_defaults(run=run_pull)


def _add_shared(parser: argparse.ArgumentParser, which: str, name: str) -> None:
    parser.add_argument("campaign", metavar="NAME", help=which)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--server", default="", metavar="URL", help="the address of the host, for its owner")
    where.add_argument("--owner", default="", metavar="ID", help="the owner on the host, for its operator")
    parser.add_argument("--name", default="", help=name)
    add_saves_option(parser)


def _load_remote() -> Any:
    """What talks to servers; loaded only where it is needed."""
    return importlib.import_module("talewright.bootstrap.serving.server_transfer")


def run_push(arguments: argparse.Namespace) -> int:
    """Copy a campaign to a host."""
    name = arguments.name or arguments.campaign
    saves, campaign = saves_folder(arguments), arguments.campaign
    if arguments.server:
        report = _load_remote().push_to_server(arguments.server, os.environ, saves, campaign, name)
    else:
        place = saves, os.environ, campaign, arguments.owner, name
        report = run_async(load_hosted(TRANSFER).push_from_folder(*place))
    print(f"{name} is on the host: {report.end.length} records, hash {report.end.hash}.")
    print("Play it there from now on. If both copies are played on, they part.")
    return 0


def run_pull(arguments: argparse.Namespace) -> int:
    """Copy a campaign from a host."""
    name = arguments.name or arguments.campaign
    saves, campaign = saves_folder(arguments), arguments.campaign
    if arguments.server:
        report = _load_remote().pull_from_server(
            arguments.server, os.environ, saves, campaign, name, close=arguments.close
        )
    else:
        place = saves, os.environ, campaign, arguments.owner, name
        report = run_async(
            load_hosted(TRANSFER).pull_to_folder(
                *place, as_operator=not arguments.as_owner, close=arguments.close
            )
        )
    print(f"{name} is on this machine: {report.end.length} records, hash {report.end.hash}.")
    if not report.with_secret:
        print("The secret of its dice stays on the host. You can read, verify and export this copy.")
    elif report.closed:
        print(f"It is closed on the host. Continue: talewright play --campaign {name}")
    return 0
