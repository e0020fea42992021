"""`talewright doctor`: a line for everything, what to do where something is missing, and the exit code."""

import json
from pathlib import Path

import pytest

from tests.cli.desk import Desk
from tests.cli.oracle import Oracle

pytestmark = pytest.mark.process


def test_a_machine_without_models_is_well(desk: Desk) -> None:
    told = desk.run("doctor")
    assert (told.code, told.err) == (0, "")
    subjects = [line.split()[1] for line in told.lines if not line.startswith(" ")]
    assert subjects == ["python:", "package:", "games:", "saves:", "git:", "terminal:", "keyring:", "models:"]
    assert "note  models: no model is set up" in told.lines
    assert not any(line.startswith("bad") for line in told.lines)
    assert not (desk.home / "saves").exists()


def test_a_model_that_answers(desk: Desk, oracle: Oracle) -> None:
    desk.write(f'model = "own"\n[models.own]\nbase_url = "{oracle.url}"\nmodel = "oracle-1"\n')
    told = desk.run("doctor")
    assert told.code == 0
    host = oracle.url.removeprefix("http://").removesuffix("/v1")
    assert told.lines[-1] == f"ok    model own: oracle-1 at {host} answers"


def test_a_model_that_does_not(desk: Desk, oracle: Oracle) -> None:
    oracle.status = 500
    desk.write(f'model = "own"\n[models.own]\nbase_url = "{oracle.url}"\nmodel = "oracle-1"\n')
    told = desk.run("doctor", "--json")
    assert told.code == 1
    facts = json.loads(told.out)
    assert facts["well"] is False
    last = facts["findings"][-1]
    assert (last["subject"], last["verdict"]) == ("model own", "bad")
    assert last["todo"]


def test_settings_that_do_not_fit(desk: Desk) -> None:
    desk.write("model = 1\n")
    told = desk.run("doctor")
    assert told.code == 1
    assert told.lines[-2] == f"bad   settings: {desk.settings}: model must be a string"
    assert told.lines[-1] == '      Write model = "..." on one line.'


def test_saves_elsewhere(desk: Desk, tmp_path: Path) -> None:
    told = desk.run("doctor", "--saves", str(tmp_path / "else" / "where"))
    assert f"ok    saves: {tmp_path / 'else' / 'where'} can be written" in told.lines
