"""`talewright saves push` and `pull`: to a host and back, in the words of a command line."""

import json

import pytest

from talewright.cli.command_options import needing_hosted
from talewright.errors import TalewrightError
from tests.cli.campaigns import NAME, Console
from tests.hosting.added_owners import add_owners

KEYS = "k1:" + "A" * 43 + "="


def test_a_campaign_goes_to_a_host_and_back(
    own_console: Console, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("TALEWRIGHT_SEALING_KEYS", KEYS)
    add_owners(database_url, "ann", "eve")
    answer = own_console.run("saves", "push", NAME, "--owner", "ann", "--name", "harbor")
    assert (answer.code, answer.err) == (0, "")
    first, second = answer.lines
    assert first.startswith("harbor is on the host: ")
    assert second == "Play it there from now on. If you continue both copies, they go separate ways."
    moved = first.partition(": ")[2]
    answer = own_console.run("saves", "pull", "harbor", "--owner", "ann", "--as-owner", "--name", "early")
    assert answer.lines == [
        f"early is on this machine: {moved}",
        "Its dice secret stays on the host: you can read, verify and export this copy, not continue it.",
    ]
    answer = own_console.run("saves", "pull", "harbor", "--owner", "ann", "--close")
    assert answer.lines == [
        f"harbor is on this machine: {moved}",
        "It is now closed on the host. Continue: talewright play --campaign harbor",
    ]
    assert own_console.run("verify", "harbor").code == 0
    trees = [json.loads(own_console.run("tree", name, "--json").out) for name in (NAME, "harbor")]
    assert trees[0]["turns"] == trees[1]["turns"]
    answer = own_console.run("saves", "pull", "harbor", "--owner", "eve", "--name", "stolen")
    assert answer.code == 2
    assert "there is no campaign 'harbor'" in answer.err


def test_the_settings_of_a_host_are_needed(own_console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    answer = own_console.run("saves", "push", NAME, "--owner", "ann")
    assert answer.code == 2
    assert "DATABASE_URL is not set" in answer.err
    monkeypatch.setenv("DATABASE_URL", "postgresql://nowhere")
    monkeypatch.setenv("TALEWRIGHT_SEALING_KEYS", "")
    assert (
        "TALEWRIGHT_SEALING_KEYS is not set" in own_console.run("saves", "push", NAME, "--owner", "ann").err
    )


def test_the_extra_is_named_if_it_is_missing() -> None:
    def fail(missing: str) -> None:
        raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)

    with pytest.raises(TalewrightError, match="'asyncpg' is not installed") as error, needing_hosted():
        fail("asyncpg")
    assert 'pip install "talewright[hosted]"' in error.value.hint
    with pytest.raises(ModuleNotFoundError), needing_hosted():
        fail("elsewhere")
