"""`talewright setup`: the wizard that chooses a model, takes its key, tries it and writes it down.

Nothing is written before the test question is answered. A key goes into the keyring or nowhere; it is never
shown.
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
from talewright.bootstrap.model_trial_and_probe import ModelTrial, try_model
from talewright.bootstrap.provider_factory import ProviderFactory, missing_key
from talewright.cli.campaign.campaign_access import run_async
from talewright.cli.command_options import Commands
from talewright.cli.models_command import tell_recommended
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
"""Models of one server that are offered by number."""

TRIES_MAX = 5
"""Answers that do not fit before the interview ends."""


class RunningServer(Protocol):
    """A server that was knocked at."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def models(self) -> tuple[str, ...]: ...
    @property
    def trouble(self) -> str: ...


NOTHING_RUNS = (
    "(No model runs on this machine. To use one for free, start Ollama or LM Studio and begin again, "
    "or name a server: talewright setup --base-url URL --model NAME)"
)
"""What is said where only services with keys can be offered."""


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
    """A model as somebody chooses it: what runs on this machine first, then what is served elsewhere."""
    running = [server for server in servers if not server.trouble and server.models]
    hosted = [service for service in services if not service.is_local]
    tell("Who shall tell your games?")
    names = [f"{server.title}, running on this machine, free" for server in running]
    names += [f"{service.title}, with a key of your own" for service in hosted]
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
    """A model at any address, with a key or without."""
    tell("Which address? Any server that speaks OpenAI's protocol, such as http://127.0.0.1:8080/v1")
    address = _ask_until(lambda: complete_address(ask("> ")), tell)
    tell("Which model? Its name, as the server spells it.")
    name = _ask_until(lambda: _take_name(ask("> ")), tell)
    tell("Does it want a key? y or n")
    with_key = ask("> ").strip().lower().startswith("y")
    return model_at_address(address, name, with_key=with_key)


def _ask_until(answer: Callable[[], str], tell: Tell) -> str:
    """The first answer that fits."""
    for _ in range(TRIES_MAX):
        try:
            return answer()
        except TalewrightError as error:
            tell(f"{error.message}. {error.hint}")
    raise _give_up()


def _take_name(text: str) -> str:
    name = text.strip()
    if not name or not name.isprintable():
        raise TalewrightError("this is no name of a model", "Write it on one line.")
    return name


def _ask_name(models: Sequence[str], ask: Ask, tell: Tell, service: str) -> str:
    """A model by its number, or by any name."""
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
    return TalewrightError("no model was chosen", "Begin again, or name it: talewright setup --model MODEL")


FAILED = 1
"""The exit code where the model did not answer."""

TOLD_MAX = 60
"""Characters of the answer that are shown."""


def add_setup(commands: Commands) -> None:
    """Teach the parser this command."""
    services = ", ".join(("openai", "ollama", "..."))
    parser = commands.add_parser(
        "setup",
        help="set up a model that tells your games",
        description="Choose a model, give it its key, and ask it one short question. Without options it asks "
        "you; with --model it asks nothing. The key goes into the keyring of your system, or comes from the "
        "environment; it is never written into a file.",
        epilog="example: talewright setup --service openai --model gpt-5-mini",
    )
    parser.add_argument("--service", default="", metavar="NAME", help=f"who serves it: {services}")
    parser.add_argument("--base-url", default="", metavar="URL", help="an address of your own instead")
    parser.add_argument("--model", default="", metavar="MODEL", help="how the server calls the model")
    parser.add_argument("--name", default="", metavar="NAME", help="how you want to call it")
    parser.add_argument("--key", default="", metavar="VARIABLE", help="the name of its key, never the key")
    parser.add_argument("--key-stdin", action="store_true", help="read the key from the input")
    parser.add_argument("--cheap", action="store_true", help="let it do summaries and errands only")
    parser.add_argument("--no-test", action="store_true", help="do not ask it a question")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Set up one model; 1 where it does not answer."""
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
            "nothing is chosen, and nobody is there to ask",
            "Name it: talewright setup --service ollama --model llama3.2",
        )
    print(f"{describe_place(model)}: {describe_prices(model.profile.prices)}")
    with leaving_allowed():
        found = find_a_key(factory, model, from_stdin=arguments.key_stdin)
    if not arguments.no_test:
        try:
            tell_trial(run_async(try_model(model, found.key)))
        except TalewrightError as error:
            print(f"It did not answer: {printable(error.message)}", file=sys.stderr)
            print(printable(error.hint or "Look at the address and the name of the model."), file=sys.stderr)
            print("Nothing was written down.", file=sys.stderr)
            return FAILED
    keep(factory, model, found, cheap=arguments.cheap)
    return 0


@contextmanager
def leaving_allowed() -> Iterator[None]:
    """Whoever is asked may leave by the usual keys instead of answering."""
    try:
        yield
    except (EOFError, KeyboardInterrupt):
        print()
        raise TalewrightError("no model was set up", "Begin again at any time: talewright setup") from None


def name_model(arguments: argparse.Namespace) -> ModelSettings:
    """The model that the options name, checked as if it stood in the settings."""
    service = find_service(arguments.service) if arguments.service else None
    if arguments.service and service is None:
        names = ", ".join(one.name for one in known_services())
        raise TalewrightError(f"there is no service {arguments.service!r}", f"There is {names}.")
    if arguments.key and not KEY_NAME.fullmatch(arguments.key):
        # What was written there may be a key; it is not repeated.
        raise TalewrightError(
            "--key takes the name of a variable, such as OPENAI_API_KEY",
            "Give the key itself with --key-stdin, or put it into the environment.",
        )
    name = arguments.name or (f"{service.name}-{arguments.model}" if service else arguments.model)
    name = name.replace("/", "-")
    lines = {"service": arguments.service, "model": arguments.model, "base_url": arguments.base_url}
    fields = {field: value for field, value in {**lines, "key": arguments.key}.items() if value}
    spelt = edit("", {("models", name): fields})
    return read_settings(spelt, "the options").models[name]


@frozen
class GivenKey:
    """The key of a model, and whether it is already where it will be found again."""

    key: ApiKey | None
    kept: bool = True


def find_a_key(factory: ProviderFactory, model: ModelSettings, *, from_stdin: bool) -> GivenKey:
    """The key of a model: where it is kept, or as somebody gives it now."""
    if not model.key_name:
        return GivenKey(None)
    if from_stdin:
        text = sys.stdin.readline().strip()
        if not text:
            raise TalewrightError("no key came from the input", "Send it as one line.")
        return GivenKey(ApiKey(text), kept=False)
    found = factory.find_key(model)
    if found is not None:
        print(f"Its key {model.key_name} is in the {found.place}.")
        return GivenKey(found.key)
    if not sys.stdin.isatty():
        raise missing_key(model)
    text = getpass(f"The key ({model.key_name}; it is not shown): ").strip()
    if not text:
        raise missing_key(model)
    return GivenKey(ApiKey(text), kept=False)


def tell_trial(trial: ModelTrial) -> None:
    """Say how the model answered."""
    paid = "" if not trial.dollars else f", {money(trial.dollars)}"
    said = printable(trial.text)[:TOLD_MAX] or "(nothing, but in good form)"
    tokens = trial.input_tokens + trial.output_tokens
    print(f"It answers: {said} ({trial.seconds:.1f} s, {tokens} tokens{paid})")


def keep(factory: ProviderFactory, model: ModelSettings, given: GivenKey, *, cheap: bool) -> None:
    """Write down the model, and keep its key."""
    if given.key is not None and not given.kept:
        _keep_key(factory, model, given.key)
    enter_model(factory, model, cheap=cheap)
    what = "does summaries and errands" if cheap else "tells your games"
    print(f"{model.name} {what} from now on ({factory.loaded.file}).")
    print(
        "Begin: talewright play mist_harbor. What it costs: talewright cost. A limit: talewright cost limit"
    )


def _keep_key(factory: ProviderFactory, model: ModelSettings, key: ApiKey) -> None:
    trouble = keep_key(factory, model, key)
    if not trouble:
        print(f"Its key is kept in the keyring as {model.key_name}.")
        return
    print(f"The key is not kept: {trouble}.")
    print(f"Put it into the environment, under the name {model.key_name}:")
    print(f"  export {model.key_name}=...   (in the start file of your shell, or a line in the file .env)")
