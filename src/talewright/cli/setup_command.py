"""`talewright setup`: a wizard that chooses a model, asks for its key, tests it and saves it.

Nothing is saved before the model has answered a test question. A key is stored only in the keyring, and
is never shown.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from getpass import getpass
from typing import Protocol, TypeAlias, TypeVar

from talewright.bootstrap import open_game_library, open_provider_factory, probe_local
from talewright.bootstrap.model_chooser import enter_model, keep_key
from talewright.bootstrap.model_trial import ModelTrial, try_model
from talewright.bootstrap.provider_factory import ProviderFactory, missing_key
from talewright.cli.campaign.campaign_access import run_async
from talewright.cli.help.help_texts import Commands, add_command
from talewright.cli.models_command import tell_recommended
from talewright.cli.models_probe_command import ANNOUNCEMENT, probe_model, tell_abilities
from talewright.cli.terminal_text import printable
from talewright.common.frozen_values import frozen
from talewright.config.api_keys import KEY_NAME, ApiKey
from talewright.config.model_settings import (
    ModelSettings,
    choose_of_service,
    complete_address,
    describe_place,
    describe_prices,
    describe_turns,
    find_service,
    known_services,
    model_at_address,
    money,
)
from talewright.config.settings_file import edit
from talewright.config.settings_parser import read_settings
from talewright.errors import TalewrightError

Ask: TypeAlias = Callable[[str], str]
Tell: TypeAlias = Callable[[str], None]
T = TypeVar("T")

MODELS_TOLD_MAX = 20
"""Models per server that are offered by number."""

TRIES_MAX = 5
"""Invalid answers before the wizard gives up."""


class RunningServer(Protocol):
    """A server that responded."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def models(self) -> tuple[str, ...]: ...
    @property
    def trouble(self) -> str: ...


NOTHING_RUNS = (
    "(No model server is running on this machine. For a free one, start Ollama or LM Studio and try again, "
    "or give an address: talewright setup --base-url URL --model NAME)"
)
"""Shown if only services that need a key can be offered."""


class OfferedService(Protocol):
    """A service that can be chosen."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def is_local(self) -> bool: ...


def ask_for_model(
    services: Sequence[OfferedService], servers: Sequence[RunningServer], ask: Ask, tell: Tell
) -> ModelSettings:
    """Ask the user for a model: servers on this machine first, then services."""
    running = [server for server in servers if not server.trouble and server.models]
    hosted = [service for service in services if not service.is_local]
    tell("Which storyteller do you want to use?")
    names = [f"{server.title}, running on this machine, free" for server in running]
    names += [f"{service.title}, with your own key" for service in hosted]
    names.append("Another server, by its address")
    if not running:
        tell(NOTHING_RUNS)
    at = _pick(names, ask, tell)
    if at == len(names) - 1:
        return _ask_address(ask, tell)
    if at < len(running):
        server = running[at]
        return choose_of_service(
            server.name, _ask_name(server.models[:MODELS_TOLD_MAX], ask, tell, server.name)
        )
    service = hosted[at - len(running)]
    known = find_service(service.name)
    return choose_of_service(
        service.name, _ask_name(tuple(known.models) if known else (), ask, tell, service.name)
    )


def _ask_address(ask: Ask, tell: Tell) -> ModelSettings:
    """Ask for a model at any address, with or without a key."""
    tell("Which address? Any OpenAI-compatible server, such as http://127.0.0.1:8080/v1")
    address = _ask_until(lambda: complete_address(ask("> ")), tell)
    tell("Which model? Its name on the server.")
    name = _ask_until(lambda: _take_name(ask("> ")), tell)
    tell("Does it need a key? y or n")
    with_key = ask("> ").strip().lower().startswith("y")
    return model_at_address(address, name, with_key=with_key)


def _ask_until(answer: Callable[[], str], tell: Tell) -> str:
    """Ask until the answer is valid."""
    for _ in range(TRIES_MAX):
        try:
            return answer()
        except TalewrightError as error:
            tell(f"{error.message}. {error.hint}")
    raise _give_up()


def _take_name(text: str) -> str:
    name = text.strip()
    if not name or not name.isprintable():
        raise TalewrightError("this is not the name of a model", "Write it on one line.")
    return name


def _ask_name(models: Sequence[str], ask: Ask, tell: Tell, service: str) -> str:
    """Ask for a model by number or by name."""
    tell("Which model? A number, or its name.")
    for number, model in enumerate(models, 1):
        prices = choose_of_service(service, model).profile.prices
        parts = [describe_prices(prices), describe_turns(prices)]
        tell(f"  {number}. {printable(model)} ({', '.join(filter(None, parts))})")
    for _ in range(TRIES_MAX):
        text = ask("> ").strip()
        if text.isdecimal() and 1 <= int(text[:9]) <= len(models):
            return models[int(text) - 1]
        if text and not text.isdecimal() and text.isprintable():
            return text
        tell(f"A number from 1 to {len(models)}, or a name.")
    raise _give_up()


def _pick(names: Sequence[str], ask: Ask, tell: Tell) -> int:
    for number, name in enumerate(names, 1):
        tell(f"  {number}. {name}")
    for _ in range(TRIES_MAX):
        text = ask("> ").strip()
        if text.isdecimal() and 1 <= int(text[:9]) <= len(names):
            return int(text) - 1
        tell(f"A number from 1 to {len(names)}.")
    raise _give_up()


def _give_up() -> TalewrightError:
    return TalewrightError(
        "no model was chosen", "Try again, or give its name: talewright setup --model MODEL"
    )


FAILED = 1
"""The exit code if the model did not answer."""

TOLD_MAX = 60
"""Characters of the answer to show."""


def add_setup(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_command(
        commands,
        "setup",
        "Choose a model, enter its API key, and test it with one short question. If it runs on your own "
        "server, Talewright also tests what that server supports. Without options, a wizard guides you; with "
        "--model, it asks nothing.\n\n"
        "The key is stored in your system's keyring or read from the environment. It is never written to a "
        "file.",
        "talewright setup",
        "talewright setup --service ollama --model llama3.2",
        "talewright setup --base-url http://127.0.0.1:8080/v1 --model my-model",
    )
    parser.add_argument(
        "--service", default="", metavar="SERVICE", help="the service, such as openai or ollama"
    )
    parser.add_argument(
        "--base-url", default="", metavar="URL", help="the address of any OpenAI-compatible server"
    )
    parser.add_argument("--model", default="", metavar="MODEL", help="the name of the model on the server")
    parser.add_argument(
        "--name",
        default="",
        metavar="NAME",
        help="what to call it here (default: made from the model's name)",
    )
    parser.add_argument(
        "--key",
        default="",
        metavar="VARIABLE",
        help="the environment variable of its API key, such as OPENAI_API_KEY; not the key itself",
    )
    parser.add_argument("--key-stdin", action="store_true", help="read the API key from standard input")
    parser.add_argument("--cheap", action="store_true", help="use it only for summaries and background tasks")
    parser.add_argument("--no-test", action="store_true", help="do not send the model a test question")
    parser.add_argument("--no-probe", action="store_true", help="do not test what its server supports")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Set up one model; return 1 if it does not answer."""
    factory = open_provider_factory(os.environ)
    if arguments.model:
        model = name_model(arguments)
    elif sys.stdin.isatty():
        for line in tell_recommended(open_game_library()):
            print(line)
        servers = run_async(probe_local(lambda done, of: None))
        with leaving_allowed():
            model = ask_for_model(known_services(), servers, input, print)
    else:
        raise TalewrightError(
            "no model is given, and this is not an interactive terminal",
            "Use options: talewright setup --service ollama --model llama3.2",
        )
    print(f"{describe_place(model)}: {describe_prices(model.profile.prices)}")
    with leaving_allowed():
        found = find_a_key(factory, model, from_stdin=arguments.key_stdin)
    if not arguments.no_test:
        try:
            tell_trial(run_async(try_model(model, found.key)))
        except TalewrightError as error:
            print(f"It did not answer: {printable(error.message)}", file=sys.stderr)
            print(printable(error.hint or "Check the address and the name of the model."), file=sys.stderr)
            print("Nothing was saved.", file=sys.stderr)
            return FAILED
        if not arguments.no_probe:
            model = find_abilities(model, found.key)
    keep(factory, model, found, cheap=arguments.cheap)
    return 0


@contextmanager
def leaving_allowed() -> Iterator[None]:
    """Let the user cancel with the usual keys instead of answering."""
    try:
        yield
    except (EOFError, KeyboardInterrupt):
        print()
        raise TalewrightError("no model was set up", "Run it again at any time: talewright setup") from None


def name_model(arguments: argparse.Namespace) -> ModelSettings:
    """The model given by the options, checked as if it were in the settings."""
    service = find_service(arguments.service) if arguments.service else None
    if arguments.service and service is None:
        names = ", ".join(one.name for one in known_services())
        raise TalewrightError(f"there is no service {arguments.service!r}", f"Known: {names}.")
    if arguments.key and not KEY_NAME.fullmatch(arguments.key):
        # The value may be a key, so the message does not repeat it.
        raise TalewrightError(
            "--key takes the name of a variable, such as OPENAI_API_KEY",
            "Pass the key itself with --key-stdin, or put it in the environment.",
        )
    name = arguments.name or (f"{service.name}-{arguments.model}" if service else arguments.model)
    name = name.replace("/", "-")
    lines = {"service": arguments.service, "model": arguments.model, "base_url": arguments.base_url}
    fields = {field: value for field, value in {**lines, "key": arguments.key}.items() if value}
    spelt = edit("", {("models", name): fields})
    return read_settings(spelt, "the options").models[name]


@frozen
class GivenKey:
    """The key of a model, and whether it is already stored."""

    key: ApiKey | None
    kept: bool = True


def find_a_key(factory: ProviderFactory, model: ModelSettings, *, from_stdin: bool) -> GivenKey:
    """The key of a model: the stored one, or one that the user enters now."""
    if not model.key_name:
        return GivenKey(None)
    if from_stdin:
        text = sys.stdin.readline().strip()
        if not text:
            raise TalewrightError("standard input contained no key", "Send it as one line.")
        return GivenKey(ApiKey(text), kept=False)
    found = factory.find_key(model)
    if found is not None:
        print(f"Its key {model.key_name} is in the {found.place}.")
        return GivenKey(found.key)
    if not sys.stdin.isatty():
        raise missing_key(model)
    text = getpass(f"The key ({model.key_name}; not shown): ").strip()
    if not text:
        raise missing_key(model)
    return GivenKey(ApiKey(text), kept=False)


def tell_trial(trial: ModelTrial) -> None:
    """Print the model's answer."""
    paid = "" if not trial.dollars else f", {money(trial.dollars)}"
    said = printable(trial.text)[:TOLD_MAX] or "(an empty but valid reply)"
    tokens = trial.input_tokens + trial.output_tokens
    print(f"It answers: {said} ({trial.seconds:.1f} s, {tokens} tokens{paid})")


def find_abilities(model: ModelSettings, key: ApiKey | None) -> ModelSettings:
    """The model with its measured abilities, where measuring is free."""
    if not model.may_be_probed:
        if not model.service:
            print(f"To test what its server supports: talewright models probe {model.name}")
        return model
    print(ANNOUNCEMENT)
    model = probe_model(model, key)
    tell_abilities(model)
    return model


def keep(factory: ProviderFactory, model: ModelSettings, given: GivenKey, *, cheap: bool) -> None:
    """Save the model and its key."""
    if given.key is not None and not given.kept:
        _keep_key(factory, model, given.key)
    enter_model(factory, model, cheap=cheap)
    what = "does summaries and background tasks" if cheap else "is your storyteller"
    print(f"{model.name} {what} from now on ({factory.loaded.file}).")
    print(
        "To play: talewright play mist_harbor. Costs: talewright cost. To set a limit: talewright cost limit"
    )


def _keep_key(factory: ProviderFactory, model: ModelSettings, key: ApiKey) -> None:
    trouble = keep_key(factory, model, key)
    if not trouble:
        print(f"Its key is stored in the keyring as {model.key_name}.")
        return
    print(f"The key was not stored: {trouble}.")
    print(f"Put it in the environment as {model.key_name}:")
    print(f"  export {model.key_name}=...   (in your shell's startup file, or as a line in .env)")
