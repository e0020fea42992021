"""`talewright saves`: lists campaigns, recovers damaged ones, and exports and imports them.

The store decides what is damaged and how to repair it.
"""

import argparse
import json
import sys
from pathlib import Path

from talewright.bootstrap import open_game_library, recover_campaign
from talewright.cli.campaign.campaign_access import ProgressTicker, enter_lobby, open_archive, run_async
from talewright.cli.campaign.saves_transfer_command import add_pull, add_push
from talewright.cli.command_options import (
    FORCE_HINT,
    STDOUT,
    add_campaign_command,
    add_json,
    add_saves_option,
    saves_folder,
)
from talewright.cli.help.help_texts import Commands, add_command, add_subcommands
from talewright.cli.terminal_text import printable
from talewright.errors import TalewrightError
from talewright.play.export.campaign_files import name_after, spell_save
from talewright.play.export.local_files import read_save_file, write_new
from talewright.play.export.save_game import export_save, import_save, parse_save
from talewright.play.export.whole_save import export_whole, import_whole, is_whole, parse_whole


def add_saves(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_campaign_command(
        commands,
        "saves",
        "Without a command: list your campaigns, most recently played first.",
        "talewright saves",
        "talewright saves export mist_harbor-1 harbor.json",
    )
    add_json(parser)
    parser.set_defaults(run=run)
    inner = add_subcommands(parser)
    _add_recover(inner)
    _add_export(inner)
    _add_import(inner)
    add_push(inner)
    add_pull(inner)


def _add_recover(inner: Commands) -> None:
    parser = add_command(
        inner,
        "recover",
        "Rebuild a damaged campaign from its git history or a snapshot, if possible. The old files are set "
        "aside, never deleted.",
        "talewright saves recover mist_harbor-1",
        summary="rebuild a damaged campaign",
    )
    parser.add_argument("name", metavar="CAMPAIGN", help="the name of the campaign")
    add_saves_option(parser)
    parser.set_defaults(run=run_recover)


def _add_export(inner: Commands) -> None:
    parser = add_command(
        inner,
        "export",
        "Write a campaign to a save file: its current state, the story so far and the summary. With --whole, "
        "the file has everything: every turn of every branch, and the games it was played with. Both kinds "
        "contain spoilers; neither contains the dice secret.",
        "talewright saves export mist_harbor-1 harbor.json",
        "talewright saves export mist_harbor-1 harbor.jsonl --whole",
        summary="write a campaign to a file",
    )
    parser.add_argument("name", metavar="CAMPAIGN", help="the name of the campaign")
    parser.add_argument("file", metavar="FILE", help=f"the file to write; {STDOUT} for standard output")
    parser.add_argument(
        "--whole",
        action="store_true",
        help="include the whole history, so that you can still undo, fork and verify",
    )
    parser.add_argument("--force", action="store_true", help="overwrite an existing file")
    add_saves_option(parser)
    parser.set_defaults(run=run_export)


def _add_import(inner: Commands) -> None:
    parser = add_command(
        inner,
        "import",
        "Start a new campaign from a file that `talewright saves export` wrote. Its state must fit the game; "
        "an error message names the part that does not. A file written with --whole brings its own history "
        "and games. The campaign gets new dice.",
        "talewright saves import harbor.json --name second_try",
        summary="start a campaign from a file",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the save file")
    parser.add_argument("--name", default="", help="the name of the new campaign (default: from the file)")
    parser.add_argument(
        "--game", default="", metavar="GAME", help="the game, by id or by folder (default: as in the file)"
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
        told = f"all of {arguments.name} except its dice secret"
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
    # The option may name a folder; the file, which may come from anyone, names a listed game.
    edition = (
        open_game_library().admit(arguments.game) if arguments.game else lobby.shelf.edition(save.game_id)
    )
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
    print(f"Created {name} from {file}, at turn {save.turn_index}.")
    print(f"Continue: talewright play --campaign {name}")
    return 0


async def _import_whole(arguments: argparse.Namespace, data: bytes, name: str) -> int:
    if arguments.game:
        raise TalewrightError("a file written with --whole includes its games", "Leave out --game.")
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
    print(
        f"Created {name} with the history in {arguments.file}, up to turn {head.version}. Its dice are new."
    )
    print(f"Continue: talewright play --campaign {name}")
    return 0
