"""`talewright models probe`: tests what a model's server supports, shows it and saves it with the date.

`setup` does the same for a new model. Ctrl+C skips the current test. No key is ever printed.
"""

import argparse
import asyncio
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from talewright.bootstrap import open_provider_factory
from talewright.bootstrap.ability_probe_runner import RunningProbe, probe_abilities
from talewright.bootstrap.model_chooser import enter_measured
from talewright.bootstrap.provider_factory import ProviderFactory, missing_key
from talewright.cli.campaign.campaign_access import run_async
from talewright.cli.command_options import add_json
from talewright.cli.help.help_texts import Commands, add_command
from talewright.cli.terminal_text import wrap
from talewright.config.ability_phrases import (
    ability_words,
    describe_abilities,
    describe_small_context,
)
from talewright.config.api_keys import ApiKey
from talewright.config.model_settings import ModelSettings, describe_place, find_service
from talewright.errors import TalewrightError

FAILED = 1
"""The exit code if the server did not answer."""

LINE_LENGTH = 78
"""The length of a progress line, so that a shorter one covers a longer one."""

ANNOUNCEMENT = "Testing what the server supports: up to a minute; Ctrl+C skips a test."


def add_probe(inner: Commands) -> None:
    """Add this command to the parser of `models`."""
    parser = add_command(
        inner,
        "probe",
        "Test what the server of a model supports (structured output, tools, context size, speed), and save "
        "the results in your settings. This takes up to a minute; Ctrl+C skips the current test. `talewright "
        "setup` does it for a new model; repeat it after you change the server.",
        "talewright models probe ollama-llama3.2",
        summary="test again what the server of a model supports",
    )
    parser.add_argument("name", metavar="MODEL", help="a model that you have set up")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Probe a configured model; return 1 if its server passed no test."""
    factory = open_provider_factory(os.environ)
    model = _find_model(factory, arguments.name)
    found = factory.find_key(model)
    if found is None and model.key_name:
        raise missing_key(model)
    if not arguments.json:
        print(f"{describe_place(model)}. {ANNOUNCEMENT}")
    probed = probe_model(model, None if found is None else found.key)
    measured = probed.measured
    if measured is not None:
        enter_measured(factory, model.name, measured)
    if arguments.json:
        facts = {
            "name": model.name,
            "measured": None if measured is None else measured.to_settings(),
            "summary": None if measured is None else describe_abilities(measured),
            "hint": describe_small_context(probed) or None,
        }
        print(json.dumps(facts, indent=2, ensure_ascii=False))
    else:
        tell_abilities(probed)
        print("Nothing was saved." if measured is None else f"Saved in {factory.loaded.file}.")
    return FAILED if measured is None else 0


def probe_model(model: ModelSettings, key: ApiKey | None) -> ModelSettings:
    """The model with its measured abilities; with none if the server did not answer."""

    async def ask() -> ModelSettings:
        with _skipping() as begin:
            found = await probe_abilities(model, key, _tell_progress, begin)
        return replace(model, measured=None if found.found_nothing else found)

    try:
        return run_async(ask())
    finally:
        _clear_progress()


def tell_abilities(model: ModelSettings) -> None:
    """Print the results in one paragraph, and how to raise a small context size."""
    if model.measured is None:
        print(ability_words("en").nothing)
        return
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize
    for text in filter(None, (describe_abilities(model.measured), describe_small_context(model))):
        print(wrap(text, columns, ""))


def _find_model(factory: ProviderFactory, name: str) -> ModelSettings:
    model = factory.loaded.settings.models.get(name)
    if model is None:
        # Raises an error with the known names if it is not a model of a service either.
        factory.loaded.find_model(name)
        raise TalewrightError(f"{name!r} is not set up", "Set it up first: talewright setup")
    service = find_service(model.service)
    if model.wire != "openai" or (service is not None and not service.is_local):
        raise TalewrightError(
            f"Talewright already knows what {name!r} supports",
            "Only your own servers are probed, where it is free.",
        )
    return model


@contextmanager
def _skipping() -> Iterator[Callable[[RunningProbe], None]]:
    """Let Ctrl+C skip a test instead of ending the program."""
    loop, before = asyncio.get_running_loop(), signal.getsignal(signal.SIGINT)

    def begin(probe: RunningProbe) -> None:
        signal.signal(signal.SIGINT, lambda number, frame: loop.call_soon_threadsafe(probe.skip))

    try:
        yield begin
    finally:
        signal.signal(signal.SIGINT, before)


def _tell_progress(question: str, number: int, of: int) -> None:
    if sys.stderr.isatty():
        line = f"{number} of {of}: {ability_words('en').questions[question]}"
        print(f"\r{line:{LINE_LENGTH}}", end="", file=sys.stderr, flush=True)


def _clear_progress() -> None:
    if sys.stderr.isatty():
        print(f"\r{'':{LINE_LENGTH}}\r", end="", file=sys.stderr, flush=True)
