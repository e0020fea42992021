"""The table of commands: what each one does and which module it is in, grouped as the overview lists them.

It imports no command, so that `talewright --help` starts fast.
"""

from collections.abc import Mapping
from typing import NamedTuple


class ListedCommand(NamedTuple):
    """A command in the overview."""

    module: str
    """The module that adds it to the parser."""

    summary: str
    """What it does, in a few words."""


PLAY = "play"
LOOK_BACK = "look back on a campaign"
WRITE_GAMES = "write games"

_CLI = "talewright.cli"
_CAMPAIGN = f"{_CLI}.campaign"

COMMAND_GROUPS: Mapping[str, Mapping[str, ListedCommand]] = {
    PLAY: {
        "play": ListedCommand(f"{_CLI}.play_command", "play a game in this terminal"),
        "serve": ListedCommand(f"{_CLI}.serving.serve_command", "open your browser and play there"),
        "mcp": ListedCommand(
            f"{_CLI}.serving.mcp_command", "let Claude or another assistant run or play a game"
        ),
        "saves": ListedCommand(
            f"{_CAMPAIGN}.saves_command", "list, recover, export, import and move campaigns"
        ),
        "undo": ListedCommand(f"{_CAMPAIGN}.undo_fork_commands", "go back one or more turns"),
        "fork": ListedCommand(
            f"{_CAMPAIGN}.undo_fork_commands", "continue from an earlier turn on a new branch"
        ),
        "roll": ListedCommand(f"{_CLI}.roll_command", "roll dice"),
        "odds": ListedCommand(f"{_CLI}.odds_command", "show the exact odds of a roll"),
        "doctor": ListedCommand(f"{_CLI}.doctor_command", "check that everything works"),
    },
    LOOK_BACK: {
        "tree": ListedCommand(f"{_CAMPAIGN}.tree_command", "draw the turns and branches of a campaign"),
        "diff": ListedCommand(f"{_CAMPAIGN}.diff_command", "compare two turns"),
        "blame": ListedCommand(f"{_CAMPAIGN}.blame_command", "show what set a variable"),
        "inspect": ListedCommand(f"{_CAMPAIGN}.inspect_command", "show everything about one turn"),
        "export": ListedCommand(
            f"{_CAMPAIGN}.export_command",
            "write the story as Markdown, HTML or EPUB, or the world as a scenario",
        ),
        "verify": ListedCommand(
            f"{_CAMPAIGN}.verify_command", "replay every turn and compare it with the record"
        ),
        "replay": ListedCommand(
            f"{_CAMPAIGN}.replay_command", "rebuild every state from its changes and compare it"
        ),
        "receipt": ListedCommand(
            f"{_CAMPAIGN}.receipt_command", "print a line that later proves that nothing was changed"
        ),
    },
    WRITE_GAMES: {
        "new": ListedCommand(f"{_CLI}.new_schema_commands", "create a small, commented, playable game"),
        "check": ListedCommand(f"{_CLI}.check_command", "find the mistakes in a game"),
        "schema": ListedCommand(
            f"{_CLI}.new_schema_commands", "print JSON Schemas of a game's files, for editors"
        ),
    },
    "models": {
        "setup": ListedCommand(f"{_CLI}.setup_command", "set up a model as your storyteller"),
        "models": ListedCommand(f"{_CLI}.models_command", "show, choose and probe your models"),
        "exam": ListedCommand(f"{_CLI}.exam_command", "measure how well a model narrates a game"),
        "cost": ListedCommand(f"{_CAMPAIGN}.cost_command", "show what a campaign has cost, or set a limit"),
    },
    "run a host": {
        "worker": ListedCommand(f"{_CLI}.hosting.worker_command", "run the turns of a host"),
        "admin": ListedCommand(
            f"{_CLI}.hosting.admin_command", "manage owners, budgets and stuck turns, and verify campaigns"
        ),
    },
}
"""The commands by the heading they are listed under."""

COMMANDS: Mapping[str, ListedCommand] = {
    name: command for group in COMMAND_GROUPS.values() for name, command in group.items()
}
"""All commands by name."""
