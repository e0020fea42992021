"""`talewright admin turns`: lists turns that have run for too long, and lets other workers finish them.

Workers take over the turns of dead workers automatically.
"""

import argparse
import json
import math
from dataclasses import asdict
from typing import Any

from talewright.cli.command_options import add_json
from talewright.cli.help.help_texts import Commands, add_command
from talewright.cli.terminal_text import printable

OLD_SECONDS = 60.0
STUCK = 3
"""The exit code if turns are stuck and were not resumed, for scripts that watch a host."""


def add_turns(inner: Commands) -> None:
    """Add `admin turns`."""
    parser = add_command(
        inner,
        "turns",
        "List turns and background tasks that were queued a while ago and have not finished, those that were "
        "abandoned in the last week because worker after worker died on them, and saved inputs that are in "
        "no queue. Workers take over from dead workers automatically, and queue such inputs again. If turns "
        "wait in the queue, either no worker is running or all are busy.\n\n"
        "Exit code 0: nothing is stuck, or all of it was resumed; 3: something is stuck.",
        "talewright admin turns",
        "talewright admin turns --older-than 60 --resume",
        summary="show stuck turns, and resume them",
    )
    parser.add_argument(
        "--older-than",
        type=_read_seconds,
        default=OLD_SECONDS,
        metavar="SECONDS",
        help=f"the age from which a turn counts as stuck (default: {OLD_SECONDS:g})",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="let any worker finish them; a turn that is still running is not narrated twice",
    )
    add_json(parser)
    parser.set_defaults(work=_show_turns)


async def _show_turns(admin: Any, arguments: argparse.Namespace) -> int:
    stuck = await admin.stuck.list(arguments.older_than)
    resumed = await admin.resume(stuck) if arguments.resume and stuck else 0
    given_up = await admin.stuck.list_given_up()
    strays = await admin.list_strays(arguments.older_than)
    if arguments.json:
        poison = [
            {"workflow": one.workflow, "crashes": one.crashes, "seconds": one.seconds} for one in given_up
        ]
        made = {"turns": [_write(one) for one in stuck], "resumed": resumed, "given_up": poison}
        made["strays"] = [asdict(one) for one in strays]
        print(json.dumps(made, indent=2))
    else:
        for one in given_up:
            print(f"{printable(one.workflow)}: abandoned after {one.crashes} workers died on it")
        for one in stuck:
            print(f"{printable(one.workflow)}: {one.queue}, {one.seconds:.0f} s, {_say_where(one)}")
        for one in strays:
            place = f"{one.owner}/{one.campaign}/{one.operation_id}"
            print(f"{printable(place)}: saved {one.seconds:.0f} s ago, in no queue; a worker will queue it")
        if not stuck and not strays:
            print("No turn is stuck.")
        elif arguments.resume:
            print(f"{resumed} of {len(stuck)} will continue on another worker.")
        if any(not one.is_taken for one in stuck):
            print("Turns in the queue wait for a worker; see: talewright admin workers")
    return STUCK if strays or len(stuck) > resumed else 0


def _say_where(one: Any) -> str:
    if one.is_taken:
        return f"running on {printable(one.executor)}"
    return (
        f"waiting in the queue for engine {printable(one.version)}" if one.version else "waiting in the queue"
    )


def _write(one: Any) -> dict[str, Any]:
    return {
        "workflow": one.workflow,
        "queue": one.queue,
        "executor": one.executor,
        "engine": one.version,
        "seconds": one.seconds,
    }


def _read_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    # A billion seconds are thirty years.
    if not 0 <= seconds <= 1e9:
        raise argparse.ArgumentTypeError(f"expected a number of seconds, not {text!r}")
    return seconds
