"""`talewright admin workers`: lists the workers of a host with their engines, and retires some.

Workers take over from dead workers automatically.
"""

import argparse
import json
from typing import Any

from talewright.cli.command_options import add_json, read_given
from talewright.cli.help.help_texts import Commands, add_command
from talewright.cli.terminal_text import printable

UNKNOWN = 1
"""The exit code if there is no such worker."""


def add_workers(inner: Commands) -> None:
    """Add `admin workers`."""
    parser = add_command(
        inner,
        "workers",
        "List the workers with their engine numbers and the age of their last heartbeats. Every worker takes "
        "the next turn that its engine can run.\n\n"
        "A worker that you retire starts no new turns, finishes the running ones as after SIGTERM, and ends; "
        "other workers take over the rest. One that is already dead is removed from the list.\n\n"
        "Exit code 0: done; 1: there is no such worker to retire.",
        "talewright admin workers",
        "talewright admin workers --retire 5",
        summary="show the workers, and retire some",
    )
    parser.add_argument(
        "--retire",
        type=read_given,
        metavar="WHICH",
        help="stop the worker with this id, or all workers with this engine number",
    )
    add_json(parser)
    parser.set_defaults(work=_show_workers)


async def _show_workers(admin: Any, arguments: argparse.Namespace) -> int:
    retired = await admin.retire_workers(arguments.retire) if arguments.retire else ()
    found = await admin.workers.list()
    if arguments.json:
        made = {"workers": [_write(one) for one in found], "retired": [one.id for one in retired]}
        print(json.dumps(made, indent=2))
    else:
        for one in found:
            state = ("retired" if one.is_retired else "running") if one.is_alive else "dead"
            jobs = "1 job" if one.jobs == 1 else f"{one.jobs} jobs"
            beat = f"last heartbeat {one.seconds:.1f} s ago"
            print(f"{printable(one.id)}: engine {printable(one.engine)}, {state}, {beat}, {jobs}")
        if not any(one.is_alive for one in found):
            print("No worker is running.")
        if arguments.retire:
            print(f"Retired: {len(retired)}.")
    return UNKNOWN if arguments.retire and not retired else 0


def _write(one: Any) -> dict[str, Any]:
    return {
        "id": one.id,
        "engine": one.engine,
        "seconds": one.seconds,
        "alive": one.is_alive,
        "retired": one.is_retired,
        "jobs": one.jobs,
    }
