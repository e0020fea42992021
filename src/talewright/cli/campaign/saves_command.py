"""`talewright saves`: lists campaigns; recovers one, exports one to a file, or imports one.

The store decides what is damaged and what can be done about it.
"""

import argparse
import json
import sys
from pathlib import Path

from talewright.bootstrap import recover_campaign
from talewright.cli.campaign.campaign_access import ProgressTicker, enter_lobby, open_archive, run_async
from talewright.cli.campaign.saves_transfer_command import add_pull, add_push
from talewright.cli.command_options import (
    FORCE_HINT,
    STDOUT,
    Commands,
    add_command,
    add_json,
    add_saves_option,
    saves_folder,
)
from talewright.cli.terminal_text import printable
from talewright.errors import TalewrightError
from talewright.play.export.campaign_files import name_after, spell_save
from talewright.play.export.local_files import read_save_file, write_new
from talewright.play.export.save_game import export_save, import_save, parse_save
from talewright.play.export.whole_save import export_whole, import_whole, is_whole, parse_whole


def add_saves(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_command(
        commands,
        "saves",
        "list, recover, export, import and move campaigns",
        "List the campaigns, the last one played first. The subcommands recover a damaged campaign, write "
        "one to a file, start one from such a file, or copy one to a host and back.",
        "talewright saves export mist_harbor-1 harbor.json",
    )
    add_json(parser)
    parser.set_defaults(run=run)
    inner = parser.add_subparsers(title="more", metavar="WORD")
    _add_recover(inner)
    _add_export(inner)
    _add_import(inner)
    add_push(inner)
    add_pull(inner)


def _add_recover(inner: Commands) -> None:
    parser = inner.add_parser(
        "recover",
        help="rebuild a damaged campaign",
        description="Rebuild a damaged campaign from its git history or a snapshot, if possible. The old "
        "files are set aside, never deleted.",
        epilog="example: talewright saves recover mist_harbor-1",
    )
    parser.add_argument("name", metavar="NAME", help="the campaign")
    add_saves_option(parser)
    parser.set_defaults(run=run_recover)


def _add_export(inner: Commands) -> None:
    parser = inner.add_parser(
        "export",
        help="write a campaign to a file",
        description="Write a campaign as a save game: its current state, the story so far and the summary. "
        "With --whole, everything: every turn of every branch, and the games it was played with. Both "
        "contain "
        "hidden values; neither contains the secret of the dice.",
        epilog="example: talewright saves export mist_harbor-1 harbor.jsonl --whole",
    )
    parser.add_argument("name", metavar="NAME", help="the campaign")
    parser.add_argument("file", metavar="FILE", help=f"the file to write; {STDOUT} for standard output")
    parser.add_argument(
        "--whole", action="store_true", help="include the whole history, to undo, fork and verify"
    )
    parser.add_argument("--force", action="store_true", help="overwrite an existing file")
    add_saves_option(parser)
    parser.set_defaults(run=run_export)


def _add_import(inner: Commands) -> None:
    parser = inner.add_parser(
        "import",
        help="start a campaign from such a file",
        description="Start a new campaign from a save game. Its state must fit the game; errors name the "
        "path of what does not. A whole save includes its history and its games. The dice are new.",
        epilog="example: talewright saves import harbor.json --name second_try",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a save game")
    parser.add_argument("--name", default="", help="the name of the campaign (default: from the file)")
    parser.add_argument(
        "--game", default="", metavar="GAME", help="the game's name or folder (default: as in the file)"
    )
    add_saves_option(parser)
    parser.set_defaults(run=run_import)


def run(arguments: argparse.Namespace) -> int:
    """List the campaigns."""
    listed = run_async(open_archive(arguments).listings())
    if arguments.json:
        rows = [
            {
                "name": each.campaign,
                **each.about,
                "at": each.at,
                "damaged": each.damaged,
                "notices": [notice.text for notice in each.notices],
            }
            for each in listed
        ]
        print(json.dumps(rows, indent=2, ensure_ascii=False))
        return 0
    if not listed:
        print("There is no campaign yet. Start one: talewright play mist_harbor")
    size = max((len(each.campaign) for each in listed), default=0)
    for each in listed:
        note = "  damaged: talewright saves recover " + each.campaign if each.damaged else ""
        print(f"{each.campaign:<{size}}  {each.at}  {printable(each.about.get('title', ''))}{note}")
        for notice in each.notices:
            print(f"  {printable(notice.text)}")
    return 0


def run_recover(arguments: argparse.Namespace) -> int:
    """Rebuild one campaign."""
    for line in recover_campaign(saves_folder(arguments), arguments.name):
        print(line)
    return 0


def run_export(arguments: argparse.Namespace) -> int:
    """Write one campaign to a file."""
    return run_async(_export(arguments))


async def _export(arguments: argparse.Namespace) -> int:
    if arguments.whole:
        async with open_archive(arguments).book(arguments.name) as book:
            data = await export_whole(book)
        told = f"all of {arguments.name} except the secret of its dice"
    else:
        async with open_archive(arguments).past(arguments.name, ProgressTicker("reading")) as past:
            save = await export_save(past.book, past.games, past.history)
        data, told = spell_save(save), f"{arguments.name} at turn {save['turn_index']}"
    if arguments.file == STDOUT:
        sys.stdout.write(data.decode())
        return 0
    write_new(Path(arguments.file), data, force=arguments.force, hint=FORCE_HINT)
    print(f"Wrote {told} to {arguments.file}.")
    return 0


def run_import(arguments: argparse.Namespace) -> int:
    """Start a campaign from a file."""
    return run_async(_import(arguments))


async def _import(arguments: argparse.Namespace) -> int:
    file: Path = arguments.file
    data = read_save_file(file)
    name = arguments.name or name_after(file.name)
    if is_whole(data):
        return await _import_whole(arguments, data, name)
    save = parse_save(data)
    lobby = enter_lobby(arguments)
    edition = lobby.shelf.edition(arguments.game or save.game_id)
    book = await import_save(
        lobby.store,
        edition,
        save,
        campaign=name,
        secret=lobby.new_secret(),
        now=lobby.now,
        new_id=lobby.new_id,
    )
    await book.close()
    print(f"{name} starts from {file}, at turn {save.turn_index}.")
    print(f"Continue: talewright play --campaign {name}")
    return 0


async def _import_whole(arguments: argparse.Namespace, data: bytes, name: str) -> int:
    if arguments.game:
        raise TalewrightError("a whole save includes the games it was played with", "Leave out --game.")
    lobby = enter_lobby(arguments)
    book = await import_whole(
        lobby.store,
        lobby.shelf,
        parse_whole(data),
        campaign=name,
        secret=lobby.new_secret(),
        now=lobby.now,
    )
    head = await book.read((await book.look()).head)
    await book.close()
    print(f"{name} has the history in {arguments.file}, up to turn {head.version}. The next dice are new.")
    print(f"Continue: talewright play --campaign {name}")
    return 0
