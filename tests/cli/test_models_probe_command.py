"""`talewright models probe`, and the same within `setup`: what was found is shown, saved and counts."""

import asyncio
import json
import os
import signal
from collections.abc import Callable

import pytest

from talewright.bootstrap import open_provider_factory
from talewright.bootstrap.ability_probe_runner import RunningProbe
from talewright.cli import WRONG_USE, models_probe_command
from talewright.config.ability_phrases import ability_words, describe_abilities
from talewright.config.model_settings import ModelSettings
from talewright.llm.measured_abilities import MeasuredAbilities
from talewright.llm.profiles import FREE, AnswerMode, SchemaForm
from tests.cli.desk import Desk
from tests.cli.oracle import Oracle

FOUND = MeasuredAbilities(
    "2026-11-16",
    "llama_cpp",
    AnswerMode.SCHEMA,
    SchemaForm.JSON_SCHEMA,
    takes_grammar=True,
    context_tokens=8_192,
    read_tokens_per_second=45.0,
    write_tokens_per_second=17.5,
)
NOTHING = MeasuredAbilities("2026-11-16")
TABLE = """
[models.own.measured]
date = "2026-11-16"
server = "llama_cpp"
answer_mode = "schema"
schema_form = "json_schema"
takes_grammar = true
context_tokens = 8192
read_tokens_per_second = 45.0
write_tokens_per_second = 17.5
"""
SETTINGS = """\
model = "own"

[models.own]
model = "x" # mine
base_url = "http://127.0.0.1:9/v1"

[models.mini]
service = "openai"
model = "gpt-5-mini"

[models.rented]
base_url = "https://rented.example/v1"
model = "x"
key = "MY_KEY"
"""


def answer_with(monkeypatch: pytest.MonkeyPatch, *answers: MeasuredAbilities) -> list[str]:
    """Let probes find this, one after the other; the names of the models that were probed."""
    left, asked = list(answers), list[str]()

    async def probe(model: ModelSettings, key: object, *_: object) -> MeasuredAbilities:
        asked.append(model.name)
        return left.pop(0)

    monkeypatch.setattr(models_probe_command, "probe_abilities", probe)
    return asked


def test_what_was_found_is_shown_saved_and_counts(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_with(monkeypatch, FOUND)
    desk.write(SETTINGS)
    told = desk.run("models", "probe", "own")
    assert (told.code, told.err) == (0, "")
    assert told.lines == [
        f"x at 127.0.0.1:9. {models_probe_command.ANNOUNCEMENT}",
        describe_abilities(FOUND),
        f"Saved in {desk.settings}.",
    ]
    assert desk.settings.read_text() == SETTINGS + TABLE
    profile = open_provider_factory(os.environ).loaded.settings.models["own"].profile
    assert (profile.answer_mode, profile.takes_grammar) == (AnswerMode.SCHEMA, True)
    assert (profile.read_tokens_per_second, profile.prices) == (45.0, FREE)


def test_what_was_found_before_is_replaced(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    later = MeasuredAbilities("2026-12-24", "ollama", context_tokens=4_096)
    answer_with(monkeypatch, FOUND, later)
    desk.write(SETTINGS)
    desk.run("models", "probe", "own")
    told = desk.run("models", "probe", "own")
    assert "OLLAMA_CONTEXT_LENGTH=16384" in told.lines[2]
    table = '\n[models.own.measured]\ndate = "2026-12-24"\nserver = "ollama"\ncontext_tokens = 4096\n'
    assert desk.settings.read_text() == SETTINGS + table


def test_for_a_program(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_with(monkeypatch, FOUND)
    desk.write(SETTINGS)
    facts = json.loads(desk.run("models", "probe", "own", "--json").out)
    assert facts["measured"] == FOUND.to_settings()
    assert (facts["name"], facts["summary"]) == ("own", describe_abilities(FOUND))
    assert facts["hint"] is None


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_server_that_answers_nothing(
    desk: Desk, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_with(monkeypatch, NOTHING)
    desk.write(SETTINGS + TABLE)
    told = desk.run("models", "probe", "own", *options)
    assert told.code == models_probe_command.FAILED
    assert options or told.lines[1:] == [ability_words("en").nothing, "Nothing was saved."]
    assert desk.settings.read_text() == SETTINGS + TABLE


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mini", "Talewright already knows what 'mini' supports"),
        ("ollama/x", "'ollama/x' is not set up"),
        ("maxi", "there is no model 'maxi'"),
        ("none", "'none' is not set up"),
        ("rented", "the model 'rented' needs the key MY_KEY"),
    ],
)
def test_models_that_are_not_probed(
    desk: Desk, name: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answer_with(monkeypatch)
    desk.write(SETTINGS)
    told = desk.run("models", "probe", name)
    assert told.code == WRONG_USE
    assert told.err.startswith(f"talewright: {message}")
    assert asked == []


def test_ctrl_c_skips_a_question(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    class Probe:
        def __init__(self) -> None:
            self.skipped = asyncio.Event()

        def skip(self) -> None:
            self.skipped.set()

        async def run(self) -> MeasuredAbilities:
            os.kill(os.getpid(), signal.SIGINT)
            await self.skipped.wait()
            return FOUND

    async def probe(
        model: ModelSettings, key: object, progress: object, begin: Callable[[RunningProbe], None]
    ) -> MeasuredAbilities:
        made = Probe()
        begin(made)
        return await made.run()

    monkeypatch.setattr(models_probe_command, "probe_abilities", probe)
    before = signal.getsignal(signal.SIGINT)
    desk.write(SETTINGS)
    assert desk.run("models", "probe", "own").code == 0
    assert signal.getsignal(signal.SIGINT) is before


def own(oracle: Oracle, *more: str) -> tuple[str, ...]:
    return ("setup", "--base-url", oracle.url, "--model", "oracle-1", "--name", "own", *more)


def test_setup_probes_what_costs_nothing(desk: Desk, oracle: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = answer_with(monkeypatch, FOUND)
    told = desk.run(*own(oracle))
    assert told.code == 0
    assert told.lines[2:4] == [models_probe_command.ANNOUNCEMENT, describe_abilities(FOUND)]
    assert desk.settings.read_text().endswith(TABLE)
    assert asked == ["own"]


def test_setup_forgets_what_was_found_at_another_address(
    desk: Desk, oracle: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_with(monkeypatch, FOUND, NOTHING)
    desk.run(*own(oracle))
    told = desk.run(*own(oracle))
    assert ability_words("en").nothing in told.lines
    assert open_provider_factory(os.environ).loaded.settings.models["own"].profile.takes_grammar is False


@pytest.mark.parametrize("option", ["--no-probe", "--no-test"])
def test_setup_can_leave_it_out(
    desk: Desk, oracle: Oracle, option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answer_with(monkeypatch)
    assert desk.run(*own(oracle, option)).code == 0
    assert asked == []


def test_a_server_that_may_cost_something_is_not_probed_unasked(
    desk: Desk, oracle: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answer_with(monkeypatch)
    monkeypatch.setattr(ModelSettings, "may_be_probed", False)
    told = desk.run(*own(oracle))
    assert told.lines[2] == "To test what its server supports: talewright models probe own"
    assert asked == []


def test_a_real_probe_over_the_wire(desk: Desk, oracle: Oracle) -> None:
    """The oracle gives the same answer to everything, and enforces nothing."""
    told = desk.run(*own(oracle))
    assert told.code == 0
    assert told.lines[3].startswith("The server could not be recognised. ")
    measured = open_provider_factory(os.environ).loaded.settings.models["own"].measured
    assert measured is not None
    assert (measured.server, measured.answer_mode) == ("", AnswerMode.JSON)
    assert (measured.takes_grammar, measured.asks_usage) == (False, True)
