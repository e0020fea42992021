"""`talewright saves push` and `pull`: copy a campaign from this machine to a host, and back.

An owner uses the address of the host and a token; an operator uses the database of the host and its keys.
"""

import argparse
import os

from talewright.cli.campaign.campaign_access import run_async
from talewright.cli.command_options import add_saves_option, needing_hosted, saves_folder
from talewright.cli.help.help_texts import Commands, add_command

WHO = (
    "Owners give the address of the host with --server and their token in TALEWRIGHT_TOKEN. Operators give "
    "--owner, and need DATABASE_URL and TALEWRIGHT_SEALING_KEYS."
)
"""Who can copy campaigns, and what they need."""


def add_push(inner: Commands) -> None:
    """Add `saves push`."""
    parser = add_command(
        inner,
        "push",
        "Copy a campaign to a host, with its whole history and its dice secret. Every hash stays the "
        f"same.\n\n{WHO}",
        "talewright saves push mist_harbor-1 --server https://play.example.org",
        summary="copy a campaign to a host",
    )
    _add_shared(
        parser, "the name of the campaign on this machine", "its name on the host (default: the same)"
    )
    parser.set_defaults(run=run_push)


def add_pull(inner: Commands) -> None:
    """Add `saves pull`."""
    parser = add_command(
        inner,
        "pull",
        "Copy a campaign from a host, with its whole history. Every hash stays the same. An older copy on "
        "this machine goes to the bin.\n\n"
        "With --close, you continue the campaign here and can no longer play it on the host. Without it, an "
        "owner does not get the dice secret, and can read, verify and export the copy but not continue "
        f"it.\n\n{WHO}",
        "talewright saves pull mist_harbor-1 --server https://play.example.org --close",
        summary="copy a campaign from a host",
    )
    _add_shared(
        parser, "the name of the campaign on the host", "its name on this machine (default: the same)"
    )
    parser.add_argument("--close", action="store_true", help="close the campaign on the host for good")
    parser.add_argument(
        "--as-owner",
        action="store_true",
        help="as an operator: do not take the dice secret along unless --close is given",
    )
    parser.set_defaults(run=run_pull)


def _add_shared(parser: argparse.ArgumentParser, which: str, name: str) -> None:
    parser.add_argument("campaign", metavar="CAMPAIGN", help=which)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument(
        "--server", default="", metavar="URL", help="the address of the host, if you are an owner"
    )
    where.add_argument(
        "--owner",
        default="",
        metavar="ID",
        help="the id of the owner (its beginning is enough), if you are the operator",
    )
    parser.add_argument("--name", default="", help=name)
    add_saves_option(parser)


def run_push(arguments: argparse.Namespace) -> int:
    """Copy a campaign to a host."""
    name = arguments.name or arguments.campaign
    saves, campaign = saves_folder(arguments), arguments.campaign
    if arguments.server:
        from talewright.bootstrap.serving.server_transfer import push_to_server

        report = push_to_server(arguments.server, os.environ, saves, campaign, name)
    else:
        with needing_hosted():
            from talewright.bootstrap.hosting.host_transfer import push_from_folder
        report = run_async(push_from_folder(saves, os.environ, campaign, arguments.owner, name))
    print(f"{name} is on the host: {report.end.length} records, hash {report.end.hash}.")
    print("Play it there from now on. If you continue both copies, they go separate ways.")
    return 0


def run_pull(arguments: argparse.Namespace) -> int:
    """Copy a campaign from a host."""
    name = arguments.name or arguments.campaign
    saves, campaign = saves_folder(arguments), arguments.campaign
    if arguments.server:
        from talewright.bootstrap.serving.server_transfer import pull_from_server

        report = pull_from_server(arguments.server, os.environ, saves, campaign, name, close=arguments.close)
    else:
        with needing_hosted():
            from talewright.bootstrap.hosting.host_transfer import pull_to_folder
        report = run_async(
            pull_to_folder(
                saves,
                os.environ,
                campaign,
                arguments.owner,
                name,
                as_operator=not arguments.as_owner,
                close=arguments.close,
            )
        )
    print(f"{name} is on this machine: {report.end.length} records, hash {report.end.hash}.")
    if not report.with_secret:
        print(
            "Its dice secret stays on the host: you can read, verify and export this copy, not continue it."
        )
    elif report.closed:
        print(f"It is now closed on the host. Continue: talewright play --campaign {name}")
    return 0
