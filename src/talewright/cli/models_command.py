"""`talewright models`: shows which models are set up, which run on this machine, and what they cost.

`use` chooses one: in general, for a game or for a campaign. `probe` tests what its server supports. Authors'
recommendations are shown too. No key is ever printed.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict

from talewright.bootstrap import open_game_library, open_provider_factory, probe_local
from talewright.bootstrap.model_chooser import use_model
from talewright.bootstrap.provider_factory import ProviderFactory
from talewright.cli.campaign.campaign_access import run_async
from talewright.cli.command_options import MODEL_HELP, add_json
from talewright.cli.help.help_texts import Commands, add_command, add_subcommands
from talewright.cli.models_probe_command import add_probe
from talewright.cli.terminal_text import printable
from talewright.config.environment import NO_MODEL
from talewright.config.model_settings import ModelSettings, describe_place, describe_prices, describe_turns
from talewright.errors import TalewrightError
from talewright.play.playable_games import GameLibrary


def list_recommended(shelf: GameLibrary) -> Iterator[tuple[str, str]]:
    """Every game whose author recommends a model, with the recommendation."""
    for info in shelf.games():
        try:
            named = shelf.edition(info.id).game.teller.recommended_model
        except TalewrightError:
            # A game that cannot be played is skipped; `talewright check` says what is wrong.
            continue
        if named:
            yield info.id, named


def tell_recommended(shelf: GameLibrary) -> Iterator[str]:
    """The same as lines of text."""
    for game, named in list_recommended(shelf):
        yield f"{printable(game)} was written for {printable(named)}."


MODELS_TOLD_MAX = 5
"""Models to list per server."""


def add_models(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_command(
        commands,
        "models",
        "Without a command: show the models that you have set up and what they cost, and the model servers "
        "that run on this machine. To set up another model: talewright setup",
        "talewright models",
        "talewright models use ollama/llama3.2",
    )
    parser.add_argument(
        "--no-search", action="store_true", help="do not look for model servers on this machine"
    )
    add_json(parser)
    parser.set_defaults(run=run)
    inner = add_subcommands(parser)
    use = add_command(
        inner,
        "use",
        "Choose the model to play with: in general, or only for one game or campaign. A campaign uses it "
        "from the next time you open it.",
        "talewright models use ollama/llama3.2 --campaign mist_harbor-1",
        "talewright models use none --game lantern_road",
        summary="choose the model to play with",
    )
    use.add_argument("name", metavar="MODEL", help=f"{MODEL_HELP}; {NO_MODEL} plays the written scenes")
    use.add_argument("--cheap", action="store_true", help="use it only for summaries and background tasks")
    only = use.add_mutually_exclusive_group()
    only.add_argument("--game", default="", metavar="GAME", help="only for this game (its id)")
    only.add_argument("-c", "--campaign", default="", metavar="CAMPAIGN", help="only for this campaign")
    use.set_defaults(run=run_use)
    add_probe(inner)


def run(arguments: argparse.Namespace) -> int:
    """Show the models."""
    factory = open_provider_factory(os.environ)
    servers = () if arguments.no_search else run_async(probe_local(_tell_progress))
    rows = [_describe(factory, model) for model in factory.loaded.settings.models.values()]
    choice = factory.decide("", "")
    if arguments.json:
        facts = {
            "settings": str(factory.loaded.file),
            "model": choice.model or NO_MODEL,
            "cheap": choice.cheap or None,
            "models": rows,
            "servers": [asdict(server) for server in servers],
            "recommended": dict(list_recommended(open_game_library())),
        }
        print(json.dumps(facts, indent=2, ensure_ascii=False))
        return 0
    for row in rows:
        print(f"{row['name']}: {row['place']}; {row['cost']}; {row['key']}")
    if not rows:
        print(f"No model is set up in {factory.loaded.file}.")
    for server in servers:
        named = ", ".join(server.models[:MODELS_TOLD_MAX]) or "no model loaded"
        more = len(server.models) - MODELS_TOLD_MAX
        told = "no answer" if server.trouble else named + (f" and {more} more" if more > 0 else "")
        print(f"{server.title} ({server.base_url}): {printable(told)}")
    for line in tell_recommended(open_game_library()):
        print(line)
    print(_tell_choice(choice.model, choice.cheap))
    return 0


def run_use(arguments: argparse.Namespace) -> int:
    """Choose a model."""
    name: str = arguments.name
    use_model(
        open_provider_factory(os.environ),
        name,
        game=arguments.game,
        campaign=arguments.campaign,
        cheap=arguments.cheap,
    )
    what = "for summaries and background tasks" if arguments.cheap else "as the storyteller"
    who = "no model" if name == NO_MODEL else name
    only = arguments.game or arguments.campaign
    where = f" in {only}" if only else ""
    print(f"Using {who} {what}{where} from now on.")
    return 0


def _describe(factory: ProviderFactory, model: ModelSettings) -> dict[str, str]:
    prices = model.profile.prices
    found = factory.find_key(model)
    if not model.key_name:
        key = "needs no key"
    elif found is None:
        key = f"key {model.key_name} is missing"
    else:
        key = f"key {model.key_name} in the {found.place}"
    cost = describe_prices(prices)
    turns = describe_turns(prices)
    return {
        "name": model.name,
        "place": describe_place(model),
        "cost": f"{cost}, {turns}" if turns else cost,
        "key": key,
    }


def _tell_choice(model: str, cheap: str) -> str:
    if not model or model == NO_MODEL:
        return "No model is chosen, so games use their written scenes. To set one up: talewright setup"
    helper = f"; {cheap} does summaries and background tasks" if cheap and cheap != NO_MODEL else ""
    return f"{model} is the storyteller{helper}. To choose another: talewright models use MODEL"


def _tell_progress(done: int, of: int) -> None:
    if sys.stderr.isatty():
        print(f"\rlooking for servers: {done} of {of}", end="\n" if done == of else "", file=sys.stderr)
