"""`talewright saves`: the campaigns there are; one recovered, written to a file, or read from one.

What is damaged, and what can be done about it, is the store's to say.
"""

import argparse
import json
import sys
from pathlib import Path

from talewright.bootstrap import recover_campaign
from talewright.cli.campaign.campaign_access import ProgressTicker, enter_lobby, open_archive, run_async
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
    """Teach the parser this command."""
    parser = add_command(
        commands,
        "saves",
        "list, recover, export and import campaigns",
        "List the campaigns, the one played last first. With a word more: recover what is damaged, write a "
        "campaign to one JSON file, or begin one from such a file.",
        "talewright saves export mist_harbor-1 harbor.json",
    )
    add_json(parser)
    parser.set_defaults(run=run)
    inner = parser.add_subparsers(title="more", metavar="WORD")
    _add_recover(inner)
    _add_export(inner)
    _add_import(inner)


def _add_recover(inner: Commands) -> None:
    parser = inner.add_parser(
        "recover",
        help="rebuild a damaged campaign",
        description="Rebuild a damaged campaign from its git history or a snapshot, where they hold it. What "
        "was there is set aside, never deleted.",
        epilog="example: talewright saves recover mist_harbor-1",
    )
    parser.add_argument("name", metavar="NAME", help="which campaign")
    add_saves_option(parser)
    parser.set_defaults(run=run_recover)


def _add_export(inner: Commands) -> None:
    parser = inner.add_parser(
        "export",
        help="write a campaign to one file",
        description="Write a campaign as a save game: where it stands now, what was said and told on the way "
        "there, and the summary. With --whole, all that it remembers: every turn of every branch, and the "
        "games it was played with. Hidden things are in both, the secret of its dice in neither.",
        epilog="example: talewright saves export mist_harbor-1 harbor.jsonl --whole",
    )
    parser.add_argument("name", metavar="NAME", help="which campaign")
    parser.add_argument("file", metavar="FILE", help=f"where to write it; {STDOUT} for the output")
    parser.add_argument("--whole", action="store_true", help="with its whole past, to undo, fork and verify")
    parser.add_argument("--force", action="store_true", help="write over a file that is there")
    add_saves_option(parser)
    parser.set_defaults(run=run_export)


def _add_import(inner: Commands) -> None:
    parser = inner.add_parser(
        "import",
        help="begin a campaign from such a file",
        description="Begin a new campaign where a save game stands. Its state must fit the game slot by "
        "slot; what does not is named by its path. A whole save brings its past and its games along. Either "
        "way the dice are new.",
        epilog="example: talewright saves import harbor.json --name second_try",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a save game")
    parser.add_argument("--name", default="", help="what the campaign is called (after the file)")
    parser.add_argument(
        "--game", default="", metavar="GAME", help="the game's name or folder (as in the file)"
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
        print("There is no campaign yet. Begin one: talewright play mist_harbor")
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
        told = f"all of {arguments.name} but the secret of its dice"
    else:
        async with open_archive(arguments).past(arguments.name, ProgressTicker("reading")) as past:
            save = await export_save(past.book, past.games, past.history)
        data, told = spell_save(save), f"{arguments.name} at turn {save['turn_index']}"
    if arguments.file == STDOUT:
        sys.stdout.write(data.decode())
        return 0
    write_new(Path(arguments.file), data, force=arguments.force, hint=FORCE_HINT)
    print(f"{arguments.file} holds {told}.")
    return 0


def run_import(arguments: argparse.Namespace) -> int:
    """Begin a campaign from a file."""
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
    print(f"{name} begins where {file} stands, at turn {save.turn_index}.")
    print(f"Go on: talewright play --campaign {name}")
    return 0


async def _import_whole(arguments: argparse.Namespace, data: bytes, name: str) -> int:
    if arguments.game:
        raise TalewrightError(
            "a whole save brings the games along that it was played with", "Leave out --game."
        )
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
    print(f"{name} has the past in {arguments.file}, up to turn {head.version}. Its next dice are new.")
    print(f"Go on: talewright play --campaign {name}")
    return 0
