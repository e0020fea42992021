"""`talewright admin migrate` and `admin reseal`: the schema of a host, and the key that seals its data.

Nodes and workers can then run with a role that may not change the schema.
"""

import argparse
import json
from typing import Any

from talewright.cli.command_options import add_json, needing_hosted
from talewright.cli.help.help_texts import Commands, add_command

INCOMPLETE = 1
"""The exit code if a key could not be retired."""


def add_migrate(inner: Commands) -> None:
    """Add `admin migrate`."""
    parser = add_command(
        inner,
        "migrate",
        "Create the tables of all databases, or bring them up to date. With --role, also grant a role what "
        "nodes and workers need, so that they can run without the right to change the schema; later "
        "migrations grant it again without being asked. Nodes and workers may run meanwhile, but turns wait "
        "while a large table is checked.",
        "talewright admin migrate",
        "talewright admin migrate --role talewright_app",
        summary="bring the databases up to date",
    )
    parser.add_argument(
        "--role", default="", metavar="ROLE", help="the role that nodes and workers log in with"
    )
    add_json(parser)
    parser.set_defaults(work=_migrate)


def add_reseal(inner: Commands) -> None:
    """Add `admin reseal`."""
    parser = add_command(
        inner,
        "reseal",
        "Encrypt everything that is stored with the first key in TALEWRIGHT_SEALING_KEYS, and retire the "
        "other keys. Do this once every node and worker has the new key first. They may run meanwhile.\n\n"
        "Exit code 0: the other keys are no longer needed; 1: some values could not be decrypted, or a "
        "process still encrypts with another key.",
        "talewright admin reseal",
        summary="encrypt everything with the newest key",
    )
    add_json(parser)
    parser.set_defaults(work=_reseal)


async def _migrate(admin: Any, arguments: argparse.Namespace) -> int:
    with needing_hosted():
        from talewright.bootstrap.hosting.host_schema import migrate_host
    migrated = await migrate_host(admin.environment, arguments.role)
    if arguments.json:
        made = [{"schema": one.schema, "applied": one.applied, "roles": one.roles} for one in migrated]
        print(json.dumps({"databases": made}, indent=2))
        return 0
    for number, one in enumerate(migrated, 1):
        steps = ", ".join(map(str, one.applied))
        print(
            f"database {number}: schema {one.schema}, " + (f"applied {steps}" if steps else "was up to date")
        )
        for role in one.roles:
            print(f"database {number}: granted what nodes and workers need to {role}")
    return 0


async def _reseal(admin: Any, arguments: argparse.Namespace) -> int:
    with needing_hosted():
        from talewright.bootstrap.hosting.host_schema import reseal_host
    done = await reseal_host(admin.environment)
    if arguments.json:
        made = {
            "key": done.key,
            "values": done.report.values,
            "unreadable": done.report.unreadable,
            "retired": done.retired,
        }
        print(json.dumps(made, indent=2))
    else:
        for place in done.report.unreadable:
            print(f"cannot be decrypted: {place}")
        print(f"Encrypted {done.report.values} values with the key {done.key}.")
        if not done.is_complete:
            print(
                "No key was retired. Check that every node and worker has this key first, and run this again."
            )
        elif done.retired:
            print(f"Retired: {', '.join(done.retired)}. Remove it from TALEWRIGHT_SEALING_KEYS everywhere.")
        else:
            print("No other key is in use.")
    return 0 if done.is_complete else INCOMPLETE
