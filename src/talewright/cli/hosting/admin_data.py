"""`talewright admin campaigns`, `admin campaign purge`, and `admin owner purge` and `export`.

They show an operator what is stored, delete it completely, and write out what is stored of an owner.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from talewright.cli.command_options import add_json, needing_hosted, read_given
from talewright.cli.help.help_texts import Commands, add_command, add_subcommands
from talewright.cli.terminal_text import printable

OWNER_HELP = "the id of the owner, from `talewright admin owner list`; its beginning is enough"
UNCONFIRMED = 2
"""The exit code if nothing was deleted because --yes is missing."""

FAILED = 1
"""The exit code if a campaign could not be exported."""

RUNNING = 3
"""The exit code if a worker still ran a turn of a deleted campaign."""


def add_campaigns(inner: Commands) -> None:
    """Add `admin campaigns`."""
    parser = add_command(
        inner,
        "campaigns",
        "List the campaigns that are stored, with their ids and how many bytes they take, largest first. "
        "Campaigns that their owners have removed are listed too: they are stored until you purge them.",
        "talewright admin campaigns",
        "talewright admin campaigns --owner 0f3a5c --json",
        summary="list the stored campaigns and their sizes",
    )
    parser.add_argument("--owner", type=read_given, metavar="ID", help="only campaigns of this owner")
    add_json(parser)
    parser.set_defaults(work=_list)


def add_campaign(inner: Commands) -> None:
    """Add `admin campaign`."""
    parser = add_command(
        inner,
        "campaign",
        "Work on one stored campaign.",
        "talewright admin campaign purge mist_harbor-1 --owner 0f3a5c --yes",
        summary="delete a campaign completely",
    )
    words = add_subcommands(parser, required=True)
    purge = add_command(
        words,
        "purge",
        "Delete a campaign completely: its records, snapshots and dice secret, its queued turns and its "
        "events. Only a backup still has it then. Without --yes, only show what would be deleted.\n\n"
        "Exit code 0: done; 2: --yes is missing, or there is no such campaign; 3: done, but a worker still "
        "ran a turn of it: run the command again.",
        "talewright admin campaign purge mist_harbor-1 --owner 0f3a5c --yes",
        "talewright admin campaign purge 6f1c2b9e-8d0a-4a55-9b1e-2f6f0c7d1e11 --yes",
        summary="delete a campaign completely",
    )
    purge.add_argument(
        "campaign",
        type=read_given,
        metavar="CAMPAIGN",
        help="its id, from `talewright admin campaigns`; or its name, with --owner",
    )
    purge.add_argument("--owner", type=read_given, metavar="ID", help="whose campaign it is")
    _add_yes(purge)
    purge.set_defaults(work=_purge_campaign)


def add_owner_data(words: Commands) -> None:
    """Add `admin owner purge` and `admin owner export`."""
    purge = add_command(
        words,
        "purge",
        "Delete an owner completely: the account with its token, and all campaigns, also those that were "
        "removed. Only a backup still has them then. Without --yes, only show what would be deleted.\n\n"
        "Exit code 0: done; 2: --yes is missing, or there is no such owner; 3: done, but a worker still ran "
        "a turn: run the command again.",
        "talewright admin owner purge 0f3a5c --yes",
        summary="delete an owner and all campaigns",
    )
    purge.add_argument("owner", type=read_given, metavar="ID", help=OWNER_HELP)
    _add_yes(purge)
    purge.set_defaults(work=_purge_owner)
    export = add_command(
        words,
        "export",
        "Write what is stored of an owner into a new folder: the account and a list of everything in "
        "owner.json, and every campaign as a save. This needs TALEWRIGHT_SEALING_KEYS. The dice secret of a "
        "campaign is included only if the campaign is closed on the host.\n\n"
        "Exit code 0: done; 1: a campaign could not be read.",
        "talewright admin owner export 0f3a5c ann",
        summary="write out what is stored of an owner",
    )
    export.add_argument("owner", type=read_given, metavar="ID", help=OWNER_HELP)
    export.add_argument("folder", type=Path, metavar="FOLDER", help="a folder that does not exist yet")
    add_json(export)
    export.set_defaults(work=_export)


def _add_yes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="really delete it")
    add_json(parser)


def _open_data(admin: Any) -> Any:
    with needing_hosted():
        from talewright.bootstrap.hosting.host_data import HostData
    return HostData(admin.environment)


async def _list(admin: Any, arguments: argparse.Namespace) -> int:
    with needing_hosted():
        from talewright.bootstrap.hosting.host_data import describe_stored
    data = _open_data(admin)
    owner = await _find_owner(data, arguments)
    stored = sorted(await data.list(owner), key=lambda one: one.bytes, reverse=True)
    if arguments.json:
        print(json.dumps([describe_stored(one) for one in stored], indent=2, ensure_ascii=False))
        return 0
    for one in stored:
        _print_campaign(one)
    if not stored:
        print("No campaigns are stored.")
    return 0


def _print_campaign(one: Any) -> None:
    state = "".join(f", {word}" for word in ("removed", "closed") if getattr(one, word) is not None)
    print(
        f"{one.id}  {printable(f'{one.owner}/{one.name}')}: {one.bytes} bytes, {one.records} records{state}"
    )


async def _find_owner(data: Any, arguments: argparse.Namespace) -> str | None:
    """The owner that was named; None if no one was."""
    return None if arguments.owner is None else str(await data.find_owner(arguments.owner))


async def _purge_campaign(admin: Any, arguments: argparse.Namespace) -> int:
    data = _open_data(admin)
    owner = await _find_owner(data, arguments)
    if not arguments.yes:
        return _show_unconfirmed([await data.find(arguments.campaign, owner)], arguments)
    return _show_purged(await data.purge_campaign(arguments.campaign, owner), arguments)


async def _purge_owner(admin: Any, arguments: argparse.Namespace) -> int:
    data = _open_data(admin)
    owner = await data.find_owner(arguments.owner)
    if not arguments.yes:
        return _show_unconfirmed(await data.list_owned(owner), arguments)
    return _show_purged(await data.purge_owner(owner), arguments)


def _show_unconfirmed(found: Any, arguments: argparse.Namespace) -> int:
    if arguments.json:
        print(json.dumps({"purged": False, "campaigns": [str(one.id) for one in found]}, indent=2))
        return UNCONFIRMED
    for one in found:
        _print_campaign(one)
    print(f"Nothing was deleted. To delete {_count(len(found), 'campaign')} for good, add --yes.")
    return UNCONFIRMED


def _show_purged(report: Any, arguments: argparse.Namespace) -> int:
    if arguments.json:
        made = {
            "purged": True,
            "campaigns": [str(one.id) for one in report.campaigns],
            "bytes": report.bytes,
            "workflows": report.workflows,
            "streams": report.has_streams,
            "running": report.running,
        }
        print(json.dumps(made, indent=2))
    else:
        campaigns = _count(len(report.campaigns), "campaign")
        print(
            f"Deleted {campaigns} with {report.bytes} bytes, and {_count(report.workflows, 'queued turn')}."
        )
        if not report.has_streams:
            print("Redis could not be reached (REDIS_URL); its events expire within an hour.")
        if report.running:
            owner = "" if arguments.owner else " with --owner and the name of the campaign"
            print(f"A worker still ran {_count(report.running, 'turn')}. Run this again in a minute{owner}.")
    return RUNNING if report.running else 0


async def _export(admin: Any, arguments: argparse.Namespace) -> int:
    data = _open_data(admin)
    report = await data.export_owner(await data.find_owner(arguments.owner), arguments.folder)
    if arguments.json:
        made = {"campaigns": list(report.campaigns), "failed": dict(report.failed)}
        print(json.dumps(made, indent=2, ensure_ascii=False))
    else:
        for name, reason in report.failed.items():
            print(f"{printable(name)}: {printable(reason)}")
        print(f"Exported {_count(len(report.campaigns), 'campaign')} to {printable(str(arguments.folder))}.")
    return FAILED if report.failed else 0


def _count(number: int, word: str) -> str:
    return f"1 {word}" if number == 1 else f"{number} {word}s"
